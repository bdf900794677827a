//! One file a command. A command reads its options, asks the other crates, and
//! prints.

mod agents;
mod bench;
mod draw;
mod experiment;
mod matches;
mod moves;
mod observe;
mod perft;
mod play;
mod replay;
mod report;

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
    /// List the agents with their options
    Agents(agents::Agents),
    /// Play a match between agents or outside engines
    Match(matches::Match),
    /// Make a page of tables and figures from match records
    Report(report::Report),
    /// Play a game in the terminal
    Play(play::Play),
    /// Rerun a study of a source document
    Experiment(experiment::Experiment),
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
            Command::Agents(command) => command.run(),
            Command::Match(command) => command.run(),
            Command::Report(command) => command.run(),
            Command::Play(command) => command.run(),
            Command::Experiment(command) => command.run(),
            Command::Bench(command) => command.run(),
        }
    }
}
