//! `foglight observe`: the fog FEN of one side.

use std::io::{self, Write};

use clap::Args;
use foglight_rules::View;

use crate::{
    failure::CliError,
    options::{PositionOptions, SideName},
};

/// Prints the fog FEN: one side's view of a position. Hidden squares are `?`,
/// castling rights are the side's own, and counters are `-` unless the rule set
/// makes them public.
#[derive(Args)]
#[command(after_help = "Example:\n  foglight observe --game fog --rules openspiel --side black")]
pub(crate) struct Observe {
    #[command(flatten)]
    position: PositionOptions,

    /// Observing side
    #[arg(long, value_enum)]
    side: SideName,
}

impl Observe {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let (game, position) = self.position.read()?;
        let view = View::new(&game, &position, self.side.into());
        let dice = match game.has_dice() {
            true => format!(" {}", view.dice.field(view.turn)),
            false => String::new(),
        };
        writeln!(io::stdout(), "{view}{dice}")?;
        Ok(())
    }
}
