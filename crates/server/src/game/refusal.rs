//! Why a request to a game is refused.

use foglight_rules::MoveError;

/// Why something was not done. The text depends on what was asked for and on
/// what everybody knows, never on what is hidden.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// Not a player of this game.
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

    /// A message for another moment of the game.
    #[error("ply {found} is not the current one; expected ply {expected}")]
    Stale {
        /// The ply of the message.
        found: u32,
        /// The ply of the game.
        expected: u32,
    },
    #[error("the dice are to be thrown first")]
    Dice,
    #[error("there is nothing to roll now")]
    NoRoll,
    #[error(transparent)]
    Illegal(#[from] MoveError),
    /// A draw offer that does not stand.
    #[error("no draw was offered")]
    NoOffer,
    /// Not a practice game.
    #[error("this is not a practice game")]
    NoPractice,
    /// The seat is taken.
    #[error("both seats of this game are taken")]
    Taken,
    /// The time ran out first.
    #[error("your time is up")]
    Flag,
    /// The disk would not have it.
    #[error("the game could not be saved, so nothing was played; try again")]
    Unsaved,
    /// The server is going down.
    #[error("the server is shutting down; connect again in a moment")]
    Closing,
}
