//! Reasons why a game refuses a request.

use foglight_rules::MoveError;

use crate::{
    domain::InputError,
    workers::{JobError, MemoryFull},
};

/// Reason for a refusal. The text depends on the request and on public
/// information, never on anything hidden.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// The sender does not play in this game.
    #[error("watchers cannot play; expected the token of a player of this game")]
    Watcher,
    /// The game has not begun.
    #[error("the other seat is still free; expected somebody to join first")]
    Open,
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// The game has not ended.
    #[error("the game is still running")]
    Running,
    /// The other side is to act.
    #[error("it is not your turn")]
    Turn,

    /// The message is for another ply.
    #[error("the position has changed; try again")]
    Stale {
        /// The ply in the message.
        found: u32,
        /// The ply of the game.
        expected: u32,
    },
    #[error("the dice are to be thrown first")]
    Dice,
    #[error("there is nothing to roll now")]
    NoRoll,
    /// A player has not named a seed.
    #[error(
        "the dice wait for a seed of each player; expected 'seed' from both before the first roll"
    )]
    NoSeed,
    /// A seed that cannot be used.
    #[error(transparent)]
    Seed(#[from] InputError),
    #[error(transparent)]
    Illegal(#[from] MoveError),
    /// There is no draw offer to answer.
    #[error("no draw was offered")]
    NoOffer,
    /// The game is not a practice game.
    #[error("this is not a practice game")]
    NoPractice,
    /// The seat is occupied.
    #[error("both seats of this game are taken")]
    Taken,
    /// The flag fell before the move arrived.
    #[error("your time is up")]
    Flag,
    /// There is no memory for the adviser.
    #[error(transparent)]
    Memory(#[from] MemoryFull),
    /// The processor has no time for the request.
    #[error(transparent)]
    Busy(JobError),
    /// The storage rejected the write.
    #[error("the game could not be saved, so nothing was played; try again")]
    Unsaved,
    /// The server is shutting down.
    #[error("the server is shutting down; connect again in a moment")]
    Closing,
}
