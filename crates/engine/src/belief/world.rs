//! The enemy's half of a position in 32 bytes.

use foglight_rules::{Bitboard, Board, Castling, CastlingRights, Color, Position, Role, Square};

use super::key;

/// The enemy's half of a position: its pieces as three bit planes that encode
/// the number of the piece type, its castling rights, and the file of a pawn of
/// the observer that it may capture en passant.
///
/// The other half, the observer's own, is known and the same in every world.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct World {
    planes: [u64; 3],
    rest: u64,
}

/// A move of one enemy piece, with its type after the move, which differs from
/// the type before in a promotion. A king that moves two files castles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Change {
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) is: Role,
}

impl Change {
    pub(super) const BITS: u32 = 15;

    /// The castling of this change, if it is one.
    #[inline]
    pub(super) fn castling(self) -> Option<&'static Castling> {
        if self.is != Role::King || self.from.file().distance(self.to.file()) < 2 {
            return None;
        }
        Castling::ending_on(self.to)
    }

    /// Encodes the change as a small number.
    #[inline]
    pub(super) fn code(self) -> u32 {
        self.from as u32 | (self.to as u32) << 6 | (self.is as u32) << 12
    }

    /// Decodes the result of [`Change::code`].
    #[inline]
    pub(super) fn of_code(code: u32) -> Change {
        Change {
            from: Square::new(code & 63),
            to: Square::new(code >> 6 & 63),
            is: Role::try_from(code >> 12 & 7).expect("the number of a change"),
        }
    }
}

/// Bit offset of the en passant file: zero for none, else the file plus one.
const PASSED_AT: u32 = 4;

impl World {
    /// The half of a position that belongs to `enemy`.
    pub fn of(position: &Position, enemy: Color) -> World {
        let mut world = World::from_board(position.board(), enemy);
        world.set_rights(position.castling().of(enemy));
        world.set_passed(position.ep_targets(enemy).first());
        world
    }

    /// The pieces of `enemy` alone, without castling rights.
    pub(crate) fn from_board(board: &Board, enemy: Color) -> World {
        let mut world = World {
            planes: [0; 3],
            rest: 0,
        };
        for role in Role::ALL {
            let set = board.pieces(enemy, role).0;
            for (bit, plane) in world.planes.iter_mut().enumerate() {
                if role as u64 >> bit & 1 == 1 {
                    *plane |= set;
                }
            }
        }
        world
    }

    /// Every square with an enemy piece.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.planes[0] | self.planes[1] | self.planes[2])
    }

    /// The squares of one piece type.
    #[inline]
    pub const fn pieces(&self, role: Role) -> Bitboard {
        let [a, b, c] = self.planes;
        Bitboard(match role {
            Role::Pawn => a & !b & !c,
            Role::Knight => !a & b & !c,
            Role::Bishop => a & b & !c,
            Role::Rook => !a & !b & c,
            Role::Queen => a & !b & c,
            Role::King => !a & b & c,
        })
    }

    /// The piece type on a square.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        let at = square as u32;
        let [a, b, c] = self.planes.map(|plane| (plane >> at & 1) as u32);
        Role::try_from(a | b << 1 | c << 2).ok()
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub fn put(&mut self, square: Square, role: Role) {
        for (bit, plane) in self.planes.iter_mut().enumerate() {
            *plane |= (role as u64 >> bit & 1) << square as u32;
        }
    }

    /// Removes the piece on a square, if any.
    #[inline]
    pub fn clear(&mut self, square: Square) {
        for plane in &mut self.planes {
            *plane &= !(1 << square as u32);
        }
    }

    /// Squares of `mask` on which two worlds differ.
    #[inline]
    pub fn differing(&self, other: &World, mask: Bitboard) -> Bitboard {
        let [a, b, c] = self.planes;
        let [d, e, f] = other.planes;
        Bitboard(((a ^ d) | (b ^ e) | (c ^ f)) & mask.0)
    }

    /// The enemy's castling rights.
    #[inline]
    pub const fn rights(&self) -> CastlingRights {
        CastlingRights::from_bits(self.rest as u8 & 15)
    }

    /// Sets the enemy's castling rights.
    #[inline]
    pub(crate) fn set_rights(&mut self, rights: CastlingRights) {
        self.rest = self.rest & !15 | u64::from(rights.bits());
    }

    /// Removes the rights that moves from or to these squares forfeit.
    #[inline]
    pub fn touch(&mut self, squares: Bitboard) {
        if self.rest & 15 != 0 {
            self.rest = self.rest & !15 | key::kept_on(self.rest & 15, squares);
        }
    }

    /// Sets the en passant square of the observer's last double step, if the
    /// enemy could capture there.
    #[inline]
    pub(crate) fn set_passed(&mut self, square: Option<Square>) {
        let file = square.map_or(0, |square| square.file() as u64 + 1);
        self.rest = self.rest & 15 | file << PASSED_AT;
    }

    /// The square on which `enemy` may capture en passant.
    #[inline]
    pub fn ep_square(&self, enemy: Color) -> Option<Square> {
        let file = (self.rest >> PASSED_AT) as u32;
        let rank = match enemy {
            Color::White => 5,
            Color::Black => 2,
        };
        (file > 0).then(|| Square::new(rank * 8 + file - 1))
    }

    /// The exclusive or of the numbers of its parts.
    pub(super) fn key(&self) -> u128 {
        let mut key = key::rest(self.rest);
        for role in Role::ALL {
            for square in self.pieces(role) {
                key ^= key::piece(role, square);
            }
        }
        key
    }

    /// The world after the enemy's move of one piece.
    #[inline]
    pub(super) fn after(&self, change: Change) -> World {
        let Change { from, to, is } = change;
        let mut next = *self;
        next.clear(from);
        next.put(to, is);
        if let Some(castling) = change.castling() {
            next.clear(castling.rook.0);
            next.put(castling.rook.1, Role::Rook);
        }
        next.rest = key::kept_rights(self.rest & 15, from, to);
        next
    }

    /// The key of [`World::after`], computed from the world's own key.
    #[inline]
    pub(super) fn key_after(&self, key: u128, was: Role, change: Change) -> u128 {
        let Change { from, to, is } = change;
        let mut key = key ^ key::piece(was, from) ^ key::piece(is, to);
        if let Some(castling) = change.castling() {
            key ^= key::piece(Role::Rook, castling.rook.0);
            key ^= key::piece(Role::Rook, castling.rook.1);
        }
        if self.rest == 0 {
            return key;
        }
        let rest = key::kept_rights(self.rest & 15, from, to);
        key ^ key::rest(self.rest) ^ key::rest(rest)
    }

    /// All enemy pieces with their squares.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Role)> + '_ {
        self.occupied()
            .into_iter()
            .filter_map(|square| Some((square, self.role_at(square)?)))
    }
}
