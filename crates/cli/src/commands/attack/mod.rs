//! `foglight attack`: plans that a side plays without looking, against a fixed
//! agent.

mod boards;
mod count;
mod engine;
mod search;
mod table;

use clap::{Args, Subcommand};

use crate::failure::CliError;

/// Plays known plans against an agent, or searches for new ones. An attacker
/// plays the moves of a plan without looking, takes the king as soon as it can,
/// and lets the same engine play on when the plan is over; beside it the engine
/// plays by itself.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Attack {
    #[command(subcommand)]
    what: Option<AttackCommand>,

    #[command(flatten)]
    count: count::Count,
}

const EXAMPLE: &str = "\
Example:
  foglight attack --plans data/attack/plans.txt --agent foglight:nodes=20000 --games 20
  foglight attack --plans data/attack/plans.txt --cmd './other uci' --ms 62 --kings-only
  foglight attack search --agent foglight:nodes=20000 --side white --depth 2

A plan is a line of text:
  white ; startpos ; c2c4|c2c3 ?c4d5 d1a4 a4e8 ; where it was found
Of moves joined by | the first legal one is played; a step that begins with ? is
skipped where it is not legal; any other step that is not legal ends the plan.";

#[derive(Subcommand)]
enum AttackCommand {
    /// Search for plans that take the king
    Search(search::Search),
    /// Exploitability as an agent plays, on small boards
    Boards(boards::Boards),
}

impl Attack {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match &self.what {
            Some(AttackCommand::Search(command)) => command.run(),
            Some(AttackCommand::Boards(command)) => command.run(),
            None => self.count.run(),
        }
    }
}
