//! UCI moves: `e2e4`, `e7e8q`, castling as the king's move.

use crate::{moves::Move, notation::quoted};

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

/// The legal move with exactly this text.
pub fn find(text: &str, legal: &[Move]) -> Result<Move, MoveError> {
    legal
        .iter()
        .copied()
        .find(|m| m.to_string() == text)
        .ok_or_else(|| MoveError::illegal(text))
}
