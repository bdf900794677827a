//! Piece placement as bitboards.

use std::{iter::Sum, ops::Mul};

use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

/// Which piece stands on which square.
///
/// shakmaty's own board offers no cheap way to toggle single bits, and moves
/// are made by the hundred million here, so the eight bitboards are our own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Board {
    roles: [Bitboard; 6],
    sides: [Bitboard; 2],
}

const fn role_index(role: Role) -> usize {
    role as usize - 1
}

const fn side_index(side: Color) -> usize {
    match side {
        Color::White => 0,
        Color::Black => 1,
    }
}

impl Board {
    /// A board without pieces.
    pub const EMPTY: Board = Board {
        roles: [Bitboard::EMPTY; 6],
        sides: [Bitboard::EMPTY; 2],
    };

    /// All pieces of a kind, of both sides.
    #[inline]
    pub const fn role(&self, role: Role) -> Bitboard {
        self.roles[role_index(role)]
    }

    /// All pieces of a side.
    #[inline]
    pub const fn side(&self, side: Color) -> Bitboard {
        self.sides[side_index(side)]
    }

    /// All pieces.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.sides[0].0 | self.sides[1].0)
    }

    /// All pieces of a kind and side.
    #[inline]
    pub const fn pieces(&self, side: Color, role: Role) -> Bitboard {
        Bitboard(self.side(side).0 & self.role(role).0)
    }

    /// The king of a side, unless it was taken.
    #[inline]
    pub const fn king(&self, side: Color) -> Option<Square> {
        self.pieces(side, Role::King).first()
    }

    /// What stands on a square.
    #[inline]
    pub const fn role_at(&self, square: Square) -> Option<Role> {
        // The three bits of a role's number, each read from the union of the
        // roles that have it: which role it is cannot be foretold, so a chain
        // of branches would be slower.
        let [pawn, knight, bishop, rook, queen, king] = self.roles;
        let one = (pawn.0 | bishop.0 | queen.0) >> square as u32 & 1;
        let two = (knight.0 | bishop.0 | king.0) >> square as u32 & 1;
        let four = (rook.0 | queen.0 | king.0) >> square as u32 & 1;
        match one | two << 1 | four << 2 {
            1 => Some(Role::Pawn),
            2 => Some(Role::Knight),
            3 => Some(Role::Bishop),
            4 => Some(Role::Rook),
            5 => Some(Role::Queen),
            6 => Some(Role::King),
            _ => None,
        }
    }

    /// Whose piece stands on a square.
    #[inline]
    pub fn side_at(&self, square: Square) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|&side| self.side(side).contains(square))
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let role = self.role_at(square)?;
        let color = self.side_at(square)?;
        Some(Piece { color, role })
    }

    /// Puts a piece on an empty square, or takes that same piece away.
    #[inline]
    pub fn toggle(&mut self, square: Square, side: Color, role: Role) {
        let bit = Bitboard::from_square(square);
        self.roles[role_index(role)] ^= bit;
        self.sides[side_index(side)] ^= bit;
    }

    /// Puts a piece on a square, in the place of whatever stood there.
    pub fn set(&mut self, square: Square, piece: Piece) {
        self.clear(square);
        self.toggle(square, piece.color, piece.role);
    }

    /// Takes away what stands on a square.
    pub fn clear(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece_at(square)?;
        self.toggle(square, piece.color, piece.role);
        Some(piece)
    }

    /// The same board with only the pieces on `squares`.
    #[inline]
    pub fn masked(&self, squares: Bitboard) -> Board {
        Board {
            roles: self.roles.map(|set| set & squares),
            sides: self.sides.map(|set| set & squares),
        }
    }

    /// All pieces with their squares, from a1 up.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied()
            .into_iter()
            .filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// What the pieces of a side are worth together.
    pub fn material<T>(&self, side: Color, worth: impl Fn(Role) -> T) -> T
    where
        T: From<u8> + Mul<Output = T> + Sum,
    {
        let count = |role| T::from(self.pieces(side, role).count() as u8);
        let roles = Role::ALL.into_iter();
        roles.map(|role| worth(role) * count(role)).sum()
    }

    /// Pieces of `side` that attack `square`, sliders looking through all but
    /// `occupied`.
    #[inline]
    pub fn attackers(&self, square: Square, side: Color, occupied: Bitboard) -> Bitboard {
        let straight = self.role(Role::Rook) | self.role(Role::Queen);
        let diagonal = self.role(Role::Bishop) | self.role(Role::Queen);
        self.side(side)
            & ((attacks::rook_attacks(square, occupied) & straight)
                | (attacks::bishop_attacks(square, occupied) & diagonal)
                | (attacks::knight_attacks(square) & self.role(Role::Knight))
                | (attacks::king_attacks(square) & self.role(Role::King))
                | (attacks::pawn_attacks(!side, square) & self.role(Role::Pawn)))
    }
}

/// What a piece other than a pawn attacks; none for a pawn, which needs a side.
/// shakmaty's `attacks` is not inlined, and this is where moves are made.
#[inline]
pub const fn piece_attacks(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => Bitboard::EMPTY,
        Role::Knight => attacks::knight_attacks(from),
        Role::Bishop => attacks::bishop_attacks(from, occupied),
        Role::Rook => attacks::rook_attacks(from, occupied),
        Role::Queen => attacks::queen_attacks(from, occupied),
        Role::King => attacks::king_attacks(from),
    }
}

impl FromIterator<(Square, Piece)> for Board {
    fn from_iter<I: IntoIterator<Item = (Square, Piece)>>(pieces: I) -> Board {
        let mut board = Board::EMPTY;
        for (square, piece) in pieces {
            board.set(square, piece);
        }
        board
    }
}
