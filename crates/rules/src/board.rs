//! Piece placement as bitboards.

use std::{iter::Sum, ops::Mul};

use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

/// Placement of the pieces on the board.
///
/// shakmaty's board has no cheap way to toggle single bits, and moves are made by
/// the hundred million here, so the eight bitboards are our own.
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

    /// The pieces of a role, of both sides.
    #[inline]
    pub const fn role(&self, role: Role) -> Bitboard {
        self.roles[role_index(role)]
    }

    /// The pieces of a side.
    #[inline]
    pub const fn side(&self, side: Color) -> Bitboard {
        self.sides[side_index(side)]
    }

    /// The pieces of both sides.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.sides[0].0 | self.sides[1].0)
    }

    /// The pieces of a side and role.
    #[inline]
    pub const fn pieces(&self, side: Color, role: Role) -> Bitboard {
        Bitboard(self.side(side).0 & self.role(role).0)
    }

    /// The king's square of a side, unless it was captured.
    #[inline]
    pub const fn king(&self, side: Color) -> Option<Square> {
        self.pieces(side, Role::King).first()
    }

    /// The role of the piece on a square.
    #[inline]
    pub const fn role_at(&self, square: Square) -> Option<Role> {
        // Reads each of the three bits of a role's number from the union of the
        // roles that have it: the role is unpredictable, so a chain of branches
        // would be slower.
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

    /// The side of the piece on a square.
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

    /// Adds a piece to an empty square, or removes that same piece.
    #[inline]
    pub fn toggle(&mut self, square: Square, side: Color, role: Role) {
        let bit = Bitboard::from_square(square);
        self.roles[role_index(role)] ^= bit;
        self.sides[side_index(side)] ^= bit;
    }

    /// Sets the piece of a square, replacing any other.
    pub fn set(&mut self, square: Square, piece: Piece) {
        self.clear(square);
        self.toggle(square, piece.color, piece.role);
    }

    /// Removes and returns the piece on a square.
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

    /// Sum of the values of a side's pieces, by `worth`.
    pub fn material<T>(&self, side: Color, worth: impl Fn(Role) -> T) -> T
    where
        T: From<u8> + Mul<Output = T> + Sum,
    {
        let count = |role| T::from(self.pieces(side, role).count() as u8);
        let roles = Role::ALL.into_iter();
        roles.map(|role| worth(role) * count(role)).sum()
    }

    /// Pieces of `side` that attack `square`; sliders are blocked by `occupied`
    /// only.
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

/// Squares attacked by a piece; empty for a pawn, whose attacks depend on its
/// side. shakmaty's `attacks` is not inlined, and this is on the hot path.
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
