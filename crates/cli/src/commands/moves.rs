//! `foglight moves`: the legal moves, or the possible rolls.

use std::io::{self, Write};

use clap::Args;
use foglight_rules::{State, roots};

use crate::{failure::CliError, options::PositionOptions};

/// Prints the legal moves in UCI form, sorted, one a line. Before a roll it
/// prints the possible rolls. Draws by counting do not end a position here.
#[derive(Args)]
#[command(
    after_help = "Example:\n  foglight moves --game dice1 --fen '8/8/8/k7/8/8/8/K6R w - - 0 1'"
)]
pub(crate) struct Moves {
    #[command(flatten)]
    position: PositionOptions,
}

impl Moves {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let (game, position) = self.position.read()?;
        let state = State::new(game, position);
        let actions = roots(&game, state.position());
        let mut lines: Vec<String> = actions.iter().map(ToString::to_string).collect();
        lines.sort();
        let mut out = io::stdout().lock();
        for line in lines {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }
}
