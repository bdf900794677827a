//! The 16-bit move encoding that all games share.

use std::fmt;

use arrayvec::ArrayVec;
use shakmaty::{Role, Square};

/// A move in 16 bits: six for each square, four for its [`MoveKind`].
///
/// Castling is the king's move of two squares. Whether a move captures depends on
/// the position, so the move does not store it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

/// Type of a move, as far as it differs from going from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// A move or capture without special effects.
    Normal,
    /// A pawn's first move of two squares.
    DoubleStep,
    /// A pawn captures a pawn that has just passed it.
    EnPassant,
    /// Castling, as the king's move.
    Castle,
    /// A pawn promotes to this role.
    Promotion(Role),
}

impl MoveKind {
    const fn code(self) -> u16 {
        match self {
            MoveKind::Normal => 0,
            MoveKind::DoubleStep => 1,
            MoveKind::EnPassant => 2,
            MoveKind::Castle => 3,
            MoveKind::Promotion(role) => 2 + role as u16, // knight 4 to queen 7
        }
    }

    const fn from_code(code: u16) -> MoveKind {
        match code {
            1 => MoveKind::DoubleStep,
            2 => MoveKind::EnPassant,
            3 => MoveKind::Castle,
            4 => MoveKind::Promotion(Role::Knight),
            5 => MoveKind::Promotion(Role::Bishop),
            6 => MoveKind::Promotion(Role::Rook),
            7 => MoveKind::Promotion(Role::Queen),
            _ => MoveKind::Normal,
        }
    }
}

/// The roles that a pawn may promote to, the strongest first.
pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

impl Move {
    /// Encodes a move of the given kind.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        Move(to as u16 | (from as u16) << 6 | kind.code() << 12)
    }

    /// Origin square of the moving piece.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new(((self.0 >> 6) & 63) as u32)
    }

    /// Destination square of the moving piece.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0 & 63) as u32)
    }

    /// The kind encoded in the move.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        MoveKind::from_code(self.0 >> 12)
    }

    /// The role that a promoting pawn becomes; `None` for other moves.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        match self.kind() {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        }
    }

    /// Square of the captured piece, if the move captures: the destination,
    /// except for en passant.
    #[inline]
    pub const fn capture_square(self) -> Square {
        match self.kind() {
            MoveKind::EnPassant => en_passant_pawn(self.to()),
            _ => self.to(),
        }
    }

    /// The move as a number, to index tables; never 0.
    #[inline]
    pub const fn raw(self) -> u16 {
        self.0
    }

    /// Decodes a number from [`Move::raw`].
    #[inline]
    pub const fn from_raw(raw: u16) -> Move {
        Move(raw)
    }
}

/// Square of the pawn captured by moving to the en passant square `to`. The
/// mapping is its own inverse: for a double step to `to` it returns the en
/// passant square.
#[inline]
pub const fn en_passant_pawn(to: Square) -> Square {
    to.xor(Square::A2) // rank 3 <-> 4 and 6 <-> 5
}

/// UCI notation: `e2e4`, `e7e8q`, `e1g1`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(role) => write!(f, "{}", role.char()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Upper bound on the moves of any position: 16 pieces with at most 27 each.
pub const MAX_MOVES: usize = 16 * 27;

/// A list of moves on the stack, with room for any position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_give_back_what_they_were_made_of() {
        let kinds = [
            MoveKind::Normal,
            MoveKind::DoubleStep,
            MoveKind::EnPassant,
            MoveKind::Castle,
        ];
        let kinds = kinds.into_iter().chain(PROMOTIONS.map(MoveKind::Promotion));
        for kind in kinds {
            let m = Move::new(Square::E7, Square::D8, kind);
            assert_eq!((m.from(), m.to(), m.kind()), (Square::E7, Square::D8, kind));
            assert_eq!(Move::from_raw(m.raw()), m);
        }
        let m = Move::new(Square::E7, Square::E8, MoveKind::Promotion(Role::Queen));
        assert_eq!(m.to_string(), "e7e8q");
    }
}
