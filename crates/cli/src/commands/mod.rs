//! One file per command. A command parses its options, calls the other crates,
//! and prints.

mod agents;
mod attack;
mod belief;
mod bench;
mod cluster;
mod draw;
mod engine;
mod eval;
mod eval_dice;
mod experiment;
mod export;
mod matches;
mod merge;
mod moves;
mod observe;
mod perft;
mod play;
mod replay;
mod report;
mod serve;
mod solve;
mod stats;
mod suite;
mod train;
mod uci;
mod verify;

use clap::Subcommand;

use crate::failure::CliError;

pub(crate) use engine::NAME as ENGINE;
pub(crate) use serve::Serve;

/// Subcommands of the program.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve the web app (also without any command)
    Serve(serve::Serve),
    /// List the legal moves of a position
    Moves(moves::Moves),
    /// Show the view of one side of a position
    Observe(observe::Observe),
    /// Count move sequences
    Perft(perft::Perft),
    /// Replay games from standard input with both views at every ply
    Replay(replay::ReplayCommand),
    /// Count the positions consistent with one side's observations
    Belief(belief::Belief),
    /// Draw a board as SVG or PNG
    Draw(draw::Draw),
    /// Export a game as a page with both sides' views and beliefs
    Export(export::Export),
    /// List the agents with their options
    Agents(agents::Agents),
    /// Play a match between agents or external engines
    Match(matches::Match),
    /// Play known plans against an agent, or search for new ones
    Attack(Box<attack::Attack>),
    /// Play games of matches on a cluster, and do other work of it
    Worker(cluster::WorkerArgs),
    /// Show the workers and the work of a cluster
    Cluster(cluster::ClusterView),
    /// Merge the journals of the shards of a match
    Merge(merge::Merge),
    /// Show the value of a position by each evaluator
    Eval(eval::Eval),
    /// Run a suite of best-move positions
    Suite(suite::Suite),
    /// Solve small boards exactly
    Solve(solve::Solve),
    /// Fit evaluations and models to games
    Train(train::Train),
    /// Make a page of tables and figures from match records
    Report(report::Report),
    /// Count events in fog games: captures, dark pins, mates
    Stats(stats::Stats),
    /// Play a game in the terminal
    Play(play::Play),
    /// Rerun an experiment of a paper
    Experiment(experiment::ExperimentArgs),
    /// Check laws of beliefs over many games
    Verify(verify::Verify),
    /// Speak the engine protocol on standard input and output
    Uci(uci::Uci),
    /// Print the signature and the speed of this build
    Bench(bench::Bench),
    /// Become an external engine that ends with its runner
    #[command(hide = true, name = engine::NAME)]
    Engine(engine::BecomeEngine),
}

impl Command {
    /// Runs the command to its end.
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match self {
            Command::Serve(command) => command.run(),
            Command::Moves(command) => command.run(),
            Command::Observe(command) => command.run(),
            Command::Perft(command) => command.run(),
            Command::Replay(command) => command.run(),
            Command::Belief(command) => command.run(),
            Command::Draw(command) => command.run(),
            Command::Export(command) => command.run(),
            Command::Verify(command) => command.run(),
            Command::Agents(command) => command.run(),
            Command::Match(command) => command.run(),
            Command::Attack(command) => command.run(),
            Command::Worker(command) => command.run(),
            Command::Cluster(command) => command.run(),
            Command::Merge(command) => command.run(),
            Command::Report(command) => command.run(),
            Command::Stats(command) => command.run(),
            Command::Play(command) => command.run(),
            Command::Experiment(command) => command.run(),
            Command::Eval(command) => command.run(),
            Command::Suite(command) => command.run(),
            Command::Solve(command) => command.run(),
            Command::Train(command) => command.run(),
            Command::Uci(command) => command.run(),
            Command::Bench(command) => command.run(),
            Command::Engine(command) => command.run(),
        }
    }
}
