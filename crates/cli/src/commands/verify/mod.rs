//! `foglight verify`: laws and measures over many games.

mod belief;
mod retention;
mod review;
mod tally;
mod traps;

use clap::{Args, Subcommand};

pub(super) use self::{belief::BeliefGames, retention::RetentionGames, review::ReviewGames};
use self::{
    belief::VerifyBelief, retention::VerifyRetention, review::VerifyReview, traps::VerifyTraps,
};
use crate::failure::CliError;

/// Checks laws and measures over many games.
#[derive(Args)]
#[command(after_help = "Example:\n  foglight verify belief --games 6 --max-positions 20000")]
pub(crate) struct Verify {
    #[command(subcommand)]
    what: VerifyCommand,
}

#[derive(Subcommand)]
enum VerifyCommand {
    /// The exact belief contains the true position at every ply, and its
    /// members look alike
    Belief(VerifyBelief),
    /// How often a bounded belief keeps the true position
    Retention(VerifyRetention),
    /// How many mistakes and blunders that a game review names are denied by a
    /// stronger judge
    Review(VerifyReview),
    /// The trap rate of recorded games
    Traps(VerifyTraps),
}

impl Verify {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match &self.what {
            VerifyCommand::Belief(command) => command.run(),
            VerifyCommand::Retention(command) => command.run(),
            VerifyCommand::Review(command) => command.run(),
            VerifyCommand::Traps(command) => command.run(),
        }
    }
}
