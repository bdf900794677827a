//! Failures of attacks.

use std::error::Error;

use foglight_play::Fault;
use foglight_rules::Move;

use crate::journal::JournalError;

/// Reasons for which an attack ends early.
#[derive(Debug, thiserror::Error)]
pub enum AttackError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The journal belongs to other plans, engines, seeds or modes.
    #[error(
        "game {number} of the journal is not the one of this attack ({what}); expected the journal of an attack with the same options"
    )]
    OtherAttack { number: u64, what: &'static str },
    /// The engine disconnected or stalled.
    #[error("{name} {fault}; expected it to go on playing")]
    Fault { name: String, fault: Fault },
    /// The engine gave two answers to the same observations.
    #[error(
        "{name} answers {before} and then {now} to the same observations; expected a limit in nodes and one thread"
    )]
    Fickle {
        name: String,
        before: Move,
        now: Move,
    },
    /// The queue cannot go on.
    #[error(transparent)]
    Queue(Box<dyn Error + Send + Sync>),
    /// The failure of a worker.
    #[error("{0}")]
    Elsewhere(String),
}
