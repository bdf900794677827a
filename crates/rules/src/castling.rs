//! Castling rights and the squares that castling touches.

use shakmaty::{Bitboard, Color, Square};

/// One of the four castling moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Castling {
    /// Bit of this castling in [`CastlingRights`].
    bit: u8,
    /// Its letter in a FEN.
    pub letter: char,
    /// The side that castles.
    pub side: Color,
    /// Origin and destination of the king.
    pub king: (Square, Square),
    /// Origin and destination of the rook.
    pub rook: (Square, Square),
    /// Squares that must be empty.
    pub between: Bitboard,
}

impl Castling {
    /// All four castlings, in FEN order.
    pub const ALL: [Castling; 4] = [
        Castling {
            bit: 1,
            letter: 'K',
            side: Color::White,
            king: (Square::E1, Square::G1),
            rook: (Square::H1, Square::F1),
            between: Bitboard(0x60),
        },
        Castling {
            bit: 2,
            letter: 'Q',
            side: Color::White,
            king: (Square::E1, Square::C1),
            rook: (Square::A1, Square::D1),
            between: Bitboard(0x0e),
        },
        Castling {
            bit: 4,
            letter: 'k',
            side: Color::Black,
            king: (Square::E8, Square::G8),
            rook: (Square::H8, Square::F8),
            between: Bitboard(0x60 << 56),
        },
        Castling {
            bit: 8,
            letter: 'q',
            side: Color::Black,
            king: (Square::E8, Square::C8),
            rook: (Square::A8, Square::D8),
            between: Bitboard(0x0e << 56),
        },
    ];

    /// The two castlings of a side, kingside first.
    #[inline]
    pub const fn of(side: Color) -> [&'static Castling; 2] {
        match side {
            Color::White => [&Castling::ALL[0], &Castling::ALL[1]],
            Color::Black => [&Castling::ALL[2], &Castling::ALL[3]],
        }
    }

    /// The castling whose king ends on `to`.
    #[inline]
    pub fn ending_on(to: Square) -> Option<&'static Castling> {
        Castling::ALL.iter().find(|castling| castling.king.1 == to)
    }
}

/// Castlings not yet forfeited by a move of the king or rook.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights(u8);

impl CastlingRights {
    /// No castling rights at all.
    pub const NONE: CastlingRights = CastlingRights(0);
    /// All four castling rights.
    pub const ALL: CastlingRights = CastlingRights(15);

    /// Whether this castling is still allowed.
    #[inline]
    pub const fn has(self, castling: &Castling) -> bool {
        self.0 & castling.bit != 0
    }

    /// These rights with this one added.
    #[must_use]
    pub const fn with(self, castling: &Castling) -> CastlingRights {
        CastlingRights(self.0 | castling.bit)
    }

    /// The rights of one side only.
    #[must_use]
    pub const fn of(self, side: Color) -> CastlingRights {
        match side {
            Color::White => CastlingRights(self.0 & 3),
            Color::Black => CastlingRights(self.0 & 12),
        }
    }

    /// The rights left after a move from or to these squares.
    #[inline]
    #[must_use]
    pub(crate) const fn after(self, from: Square, to: Square) -> CastlingRights {
        CastlingRights(self.0 & KEPT[from as usize] & KEPT[to as usize])
    }

    /// Whether no right is left.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The four rights as bits K, Q, k, q.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Rights from the lowest four bits.
    #[inline]
    pub const fn from_bits(bits: u8) -> CastlingRights {
        CastlingRights(bits & 15)
    }
}

/// For each square, the rights that survive a move from or to it.
const KEPT: [u8; 64] = {
    let mut kept = [15; 64];
    let mut i = 0;
    while i < 4 {
        let castling = &Castling::ALL[i];
        kept[castling.king.0 as usize] &= !castling.bit;
        kept[castling.rook.0 as usize] &= !castling.bit;
        i += 1;
    }
    kept
};
