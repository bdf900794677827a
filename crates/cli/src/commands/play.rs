//! `foglight play`: a game in the terminal, against an agent or another person.

mod lines;
mod picture;
mod replay;
mod save;
mod session;
mod table;
#[cfg(test)]
mod tests;

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    io::{self, IsTerminal},
    path::PathBuf,
    time::Duration,
};

use clap::Args;
use foglight_arena::record::PlayerInfo;
use foglight_engine::registry;
use foglight_play::Spec;
use foglight_play::{InProcess, Limits};
use foglight_rules::{ByColor, Color, Game};

use crate::{failure::CliError, options::PositionOptions, providers};
use picture::Style;
use session::{Look, TerminalSession};
use table::{Chair, TerminalGame};

/// Name of a person at the keyboard.
const HUMAN: &str = "human";

/// Plays a game in the terminal. Moves are typed in SAN or UCI; `help` lists
/// the other commands. Hidden squares are shaded; after the end the game can be
/// replayed from either side or with the full board.
#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Play {
    #[command(flatten)]
    position: PositionOptions,

    /// White: `human` or an agent
    #[arg(long, value_name = "PLAYER", default_value = HUMAN)]
    white: String,

    /// Black: `human` or an agent
    #[arg(long, value_name = "PLAYER", default_value = "greedy")]
    black: String,

    /// Seconds a move for agents without a limit of their own
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds)]
    st: f64,

    /// Seed of dice and agents [default: random]
    #[arg(long)]
    seed: Option<u64>,

    /// Letters instead of Unicode pieces
    #[arg(long)]
    ascii: bool,

    /// File to save the game to when it ends, .pgn or .jsonl
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

const EXAMPLE: &str = "\
Examples:
  foglight play --game fog --white human --black greedy
  foglight play --game dice3 --white human --black human --save game.pgn";

fn seconds(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .filter(|seconds| (0.001..=3600.0).contains(seconds))
        .ok_or_else(|| "expected seconds, from 0.001 to 3600".to_owned())
}

impl Play {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let (game, start) = self.position.read()?;
        if let Some(path) = &self.save {
            save::check(path).map_err(CliError::Input)?;
        }
        let chairs = ByColor {
            white: chair(&self.white, game)?,
            black: chair(&self.black, game)?,
        };
        let seed = self.seed.unwrap_or_else(any_seed);
        let limits = Limits {
            movetime: Some(Duration::from_secs_f64(self.st)),
            ..Limits::default()
        };
        let table = TerminalGame::new(game, start, seed, chairs, limits);
        let mut saved = save::SavedGame::new(self.save.clone(), self.names(), seed);
        let stdout = io::stdout();
        let look = Look {
            style: Style { ascii: self.ascii },
            terminal: stdout.is_terminal(),
        };
        TerminalSession::new(io::stdin().lock(), stdout.lock(), look).run(table, &mut saved)?;
        Ok(())
    }

    fn names(&self) -> ByColor<PlayerInfo> {
        ByColor::new_with(|side: Color| {
            let player = side.fold_wb(&self.white, &self.black);
            PlayerInfo {
                name: player.clone(),
                agent: player.clone(),
                limits: String::new(),
            }
        })
    }
}

/// An unpredictable seed: the standard library's hash keys are random.
fn any_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// The player of a side; `None` for `human`.
fn chair(player: &str, game: Game) -> Result<Chair, CliError> {
    if player == HUMAN {
        return Ok(None);
    }
    let spec: Spec = player.parse().map_err(CliError::input)?;
    let built = registry::build(&spec, &game, &providers::all());
    let agent = built.map_err(|error| CliError::input(format!("{error}; or '{HUMAN}'")))?;
    Ok(Some(Box::new(InProcess(Box::new(agent)))))
}
