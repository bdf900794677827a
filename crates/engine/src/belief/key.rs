//! Zobrist keys of worlds: the exclusive or of a random number for each piece
//! on its square and for the rest, so that a move changes a key by a few
//! look-ups.

use foglight_rules::{Bitboard, Castling, Role, Square};

/// The output function of SplitMix64: a bijection that leaves no pattern.
#[inline]
const fn scramble(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// SplitMix64 numbers from a fixed start, two for each 128-bit number.
const fn numbers<const N: usize>(start: u64) -> [u128; N] {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut numbers = [0; N];
    let mut i = 0;
    while i < N {
        let at = start.wrapping_add((2 * i as u64).wrapping_mul(STEP));
        numbers[i] = (scramble(at) as u128) << 64 | scramble(at.wrapping_add(STEP)) as u128;
        i += 1;
    }
    numbers
}

static PIECES: [u128; 8 * 64] = numbers(0x466f_676c);
static RESTS: [u128; 256] = numbers(0x6967_6874);

/// The number of a piece on a square.
#[inline]
pub(super) fn piece(role: Role, square: Square) -> u128 {
    PIECES[role as usize * 64 + square as usize]
}

/// The number of castling rights and an en passant file, encoded as in a world.
#[inline]
pub(super) fn rest(bits: u64) -> u128 {
    RESTS[bits as usize & 255]
}

/// A value under the mark of a world. Marks identify worlds: 64 bits of the
/// key, mixed with a seed so that the smallest hashes are a uniform subset, and
/// 32 bits more. The probability that two of three million worlds agree in all
/// of them is below 1e-15. One flat struct of 24 bytes, since millions are
/// stored.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Marked {
    pub(super) hash: u64,
    pub(super) check: u32,
    pub(super) number: u32,
    pub(super) weight: f32,
}

impl Marked {
    #[inline]
    pub(super) const fn new(key: u128, seed: u64, number: u32, weight: f32) -> Marked {
        Marked {
            hash: scramble(key as u64 ^ seed),
            check: (key >> 64) as u32,
            number,
            weight,
        }
    }

    /// Whether both marks are of the same world.
    #[inline]
    pub(super) const fn agrees(&self, other: &Marked) -> bool {
        self.hash == other.hash && self.check == other.check
    }
}

/// For each square the castling rights that a move from or to it leaves.
static KEPT: [u8; 64] = kept();

const fn kept() -> [u8; 64] {
    let mut kept = [15; 64];
    let mut i = 0;
    while i < Castling::ALL.len() {
        let castling = &Castling::ALL[i];
        kept[castling.king.0 as usize] &= !(1 << i);
        kept[castling.rook.0 as usize] &= !(1 << i);
        i += 1;
    }
    kept
}

/// The castling rights that remain after a move between two squares.
#[inline]
pub(super) fn kept_rights(bits: u64, from: Square, to: Square) -> u64 {
    bits & u64::from(KEPT[from as usize] & KEPT[to as usize])
}

/// The castling rights that remain after moves from or to these squares.
#[inline]
pub(super) fn kept_on(bits: u64, squares: Bitboard) -> u64 {
    squares
        .into_iter()
        .fold(bits, |bits, square| bits & u64::from(KEPT[square as usize]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_all_different() {
        let mut all: Vec<u128> = PIECES.iter().chain(&RESTS).copied().collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), PIECES.len() + RESTS.len());
    }

    #[test]
    fn rights_go_with_king_and_rook() {
        assert_eq!(kept_rights(15, Square::E1, Square::E2), 12);
        assert_eq!(kept_rights(15, Square::H8, Square::H1), 10);
        assert_eq!(kept_on(15, Bitboard::from_square(Square::A8)), 7);
        assert_eq!(kept_rights(15, Square::D4, Square::D5), 15);
    }
}
