//! What is done in a game, who does it, and why something cannot be done.

use std::fmt;

use shakmaty::Color;

use crate::{dice::Dice, moves::Move, outcome::Outcome};

/// What a player or chance does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Dice fall.
    Roll(Dice),
    /// A piece moves.
    Move(Move),
}

/// `e2e4`, `roll:PNB`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Roll(dice) => write!(f, "roll:{dice}"),
            Action::Move(m) => write!(f, "{m}"),
        }
    }
}

/// Whose turn it is to act.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// A side moves.
    Player(Color),
    /// Dice are thrown.
    Chance,
    /// Nobody: the game is over.
    Over(Outcome),
}

/// Why a text is not a move that can be played now.
///
/// The message depends on the text alone, so that it tells nothing of what is
/// hidden.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text} is not a legal move here; {expected}")]
pub struct MoveError {
    text: String,
    expected: &'static str,
}

impl MoveError {
    /// The move cannot be played now.
    pub fn illegal(text: &str) -> MoveError {
        MoveError {
            text: quoted(text),
            expected: "expected one of the legal moves in UCI form, such as e2e4, e7e8q or e1g1",
        }
    }

    /// The roll cannot come now.
    pub fn roll(text: &str) -> MoveError {
        MoveError {
            text: quoted(text),
            expected: "expected a possible roll: 'roll:' and piece letters in the order P N B R Q K",
        }
    }

    /// The text names no move, or more than one.
    pub fn san(text: &str) -> MoveError {
        MoveError {
            text: quoted(text),
            expected: "expected one of the legal moves in SAN, such as Nf3, exd5 or O-O",
        }
    }
}

/// A piece of input for an error message: quoted, made printable, and short.
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
