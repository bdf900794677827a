//! The enemy's half of a position in 32 bytes.

use foglight_rules::{Bitboard, Board, Castling, Color, Position, Rights, Role, Square};

/// The enemy's half of a position: its pieces as three bit planes that spell
/// the number of the kind of piece, its castling rights, and the file of a
/// pawn of the observer that it may take in passing.
///
/// The other half, the observer's own, is known and the same in every world.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct World {
    planes: [u64; 3],
    rest: u64,
}

/// No pawn was passed; else the number is the file plus one.
const PASSED_AT: u32 = 4;

impl World {
    /// The half of a position that belongs to `enemy`.
    pub fn of(position: &Position, enemy: Color) -> World {
        let mut world = World::from_board(position.board(), enemy);
        world.set_rights(position.castling().of(enemy));
        world.set_passed(position.takeable_passed(enemy).first());
        world
    }

    /// The pieces of `enemy` alone, without rights.
    pub fn from_board(board: &Board, enemy: Color) -> World {
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

    /// The squares of one kind of piece.
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

    /// The kind of piece on a square.
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

    /// Takes away whatever stands on a square.
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
    pub const fn rights(&self) -> Rights {
        Rights::from_bits(self.rest as u8 & 15)
    }

    /// Sets the enemy's castling rights.
    #[inline]
    pub fn set_rights(&mut self, rights: Rights) {
        self.rest = self.rest & !15 | u64::from(rights.bits());
    }

    /// Takes away the rights that a move from or to these squares forfeits.
    #[inline]
    pub fn touch(&mut self, squares: Bitboard) {
        let rights = self.rights();
        if rights.is_empty() {
            return;
        }
        let kept = Castling::ALL.iter().filter(|castling| {
            rights.has(castling)
                && !squares.contains(castling.king.0)
                && !squares.contains(castling.rook.0)
        });
        self.set_rights(kept.fold(Rights::NONE, |rights, castling| rights.with(castling)));
    }

    /// Notes the square that a pawn of the observer has just passed, if the
    /// enemy could take it there.
    #[inline]
    pub fn set_passed(&mut self, square: Option<Square>) {
        let file = square.map_or(0, |square| square.file() as u64 + 1);
        self.rest = self.rest & 15 | file << PASSED_AT;
    }

    /// The square that `enemy` may take in passing on.
    #[inline]
    pub fn passed(&self, enemy: Color) -> Option<Square> {
        let file = (self.rest >> PASSED_AT) as u32;
        let rank = match enemy {
            Color::White => 5,
            Color::Black => 2,
        };
        (file > 0).then(|| Square::new(rank * 8 + file - 1))
    }

    /// A hash that depends on a key: good enough to draw uniform subsets by.
    #[inline]
    pub fn hash(&self, key: u64) -> u64 {
        let fold = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        };
        let [a, b, c] = self.planes;
        let first = fold(a ^ 0xa076_1d64_78bd_642f ^ key, b ^ 0xe703_7ed1_a0b4_28db);
        let second = fold(c ^ 0x8ebc_6af0_9c88_c6e3, self.rest ^ 0x5899_65cc_7537_4cc3);
        fold(first ^ 0x1d8e_4e27_c47d_124f, second ^ key.rotate_left(32))
    }

    /// All enemy pieces with their squares.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Role)> + '_ {
        self.occupied()
            .into_iter()
            .filter_map(|square| Some((square, self.role_at(square)?)))
    }
}
