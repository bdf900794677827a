//! One file a command. A command reads its options, asks the other crates, and
//! prints.

mod bench;
mod draw;
mod moves;
mod observe;
mod perft;
mod replay;

use clap::Subcommand;

use crate::failure::Failure;

/// What the program can do.
#[derive(Subcommand)]
pub enum Command {
    /// List the legal moves of a position
    Moves(moves::Moves),
    /// Show what one side may see of a position
    Observe(observe::Observe),
    /// Count move sequences
    Perft(perft::Perft),
    /// Replay games from standard input with both views at every ply
    Replay(replay::Replay),
    /// Draw a board as SVG or PNG
    Draw(draw::Draw),
    /// Print the signature and the speed of this build
    Bench(bench::Bench),
}

impl Command {
    /// Runs the command to its end.
    pub fn run(&self) -> Result<(), Failure> {
        match self {
            Command::Moves(command) => command.run(),
            Command::Observe(command) => command.run(),
            Command::Perft(command) => command.run(),
            Command::Replay(command) => command.run(),
            Command::Draw(command) => command.run(),
            Command::Bench(command) => command.run(),
        }
    }
}
