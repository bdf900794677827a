//! Actions of a game, the turn to act, and errors of illegal actions.

use std::fmt;

use shakmaty::Color;

use crate::{dice::Dice, moves::Move, outcome::Outcome};

/// An action of a player or of chance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// A roll of the dice.
    Roll(Dice),
    /// A move of one piece.
    Move(Move),
}

/// Text form: `e2e4`, `roll:PNB`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Roll(dice) => write!(f, "roll:{dice}"),
            Action::Move(m) => write!(f, "{m}"),
        }
    }
}

/// The actor of a state, or the outcome of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// This side is to move.
    Player(Color),
    /// The dice are to be rolled.
    Chance,
    /// The game is over with this outcome.
    Over(Outcome),
}

/// Error for a text that is not a legal action now.
///
/// The message depends on the text alone, so it reveals no hidden information.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text} is not a legal move here; {expected}")]
pub struct MoveError {
    text: String,
    expected: &'static str,
}

impl MoveError {
    /// Error for a move that is not legal now.
    pub fn illegal(text: &str) -> MoveError {
        MoveError {
            text: quoted(text),
            expected: "expected one of the legal moves in UCI form, such as e2e4, e7e8q or e1g1",
        }
    }

    /// Error for a roll that is not possible now.
    pub fn roll(text: &str) -> MoveError {
        MoveError {
            text: quoted(text),
            expected: "expected a possible roll: 'roll:' and piece letters in the order P N B R Q K",
        }
    }

    /// Error for a SAN text that matches no legal move, or several.
    pub fn san(text: &str) -> MoveError {
        MoveError {
            text: quoted(text),
            expected: "expected one of the legal moves in SAN, such as Nf3, exd5 or O-O",
        }
    }
}

/// Quotes input for an error message: printable and shortened.
pub(crate) fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    let shown: String = text
        .chars()
        .take(MOST)
        .map(|c| {
            if c.is_ascii_graphic() || c == ' ' {
                c
            } else {
                '\u{fffd}'
            }
        })
        .collect();
    let dots = if text.chars().nth(MOST).is_some() {
        "..."
    } else {
        ""
    };
    format!("'{shown}{dots}'")
}
