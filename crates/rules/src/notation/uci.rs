//! UCI moves: `e2e4`, `e7e8q`, castling as the king's move.

use shakmaty::{Role, Square};

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
    let named = read(text).and_then(|named| {
        let mut legal = legal.iter().copied();
        legal.find(|m| (m.from(), m.to(), m.promotion()) == named)
    });
    named.ok_or_else(|| MoveError::illegal(text))
}

/// From where, to where, and what a pawn becomes.
fn read(text: &str) -> Option<(Square, Square, Option<Role>)> {
    let (from, to) = (text.get(0..2)?.parse().ok()?, text.get(2..4)?.parse().ok()?);
    let promotion = match text.get(4..)? {
        "" => None,
        letter => {
            let role = Role::ALL.into_iter();
            let mut role = role.filter(|role| letter.chars().eq([role.char()]));
            Some(role.next()?)
        }
    };
    Some((from, to, promotion))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;

    /// What is read is exactly what is written.
    #[test]
    fn only_the_exact_text_names_a_move() {
        let game = Game::chess();
        let fen = "r3k2r/1P6/8/2pP4/8/8/8/R3K2R w KQkq c6 0 1";
        let position = game.parse_fen(fen).expect("a FEN");
        let legal = game.moves(&position).to_vec();
        for m in &legal {
            assert_eq!(find(&m.to_string(), &legal), Ok(*m));
        }
        for text in [
            "", "e1", "e1g", "E1G1", "e1g1 ", "b7b8", "b7b8Q", "b7b8k", "b7b8qq", "b7b8é", "é1g1",
        ] {
            assert_eq!(find(text, &legal), Err(MoveError::illegal(text)));
        }
    }
}
