//! Zobrist keys, computed at compile time from one constant.

use shakmaty::{Color, Role, Square};

use crate::{castling::CastlingRights, dice::Dice};

/// The output function of SplitMix64 (Steele, Lea and Flood 2014).
const fn mix(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn key(index: u64) -> u64 {
    mix((index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

const PIECES: [[u64; 64]; 12] = {
    let mut keys = [[0; 64]; 12];
    let mut i = 0;
    while i < 12 * 64 {
        keys[i / 64][i % 64] = key(i as u64);
        i += 1;
    }
    keys
};

const PASSED: [u64; 64] = {
    let mut keys = [0; 64];
    let mut i = 0;
    while i < 64 {
        keys[i] = key(1000 + i as u64);
        i += 1;
    }
    keys
};

const RIGHTS: [u64; 16] = {
    let mut keys = [0; 16];
    let mut i = 1; // no key for no rights
    while i < 16 {
        keys[i] = key(2000 + i as u64);
        i += 1;
    }
    keys
};

/// Toggled whenever the turn changes; set when Black is to move.
pub(crate) const BLACK_TO_MOVE: u64 = key(3000);

#[inline]
pub(crate) const fn piece(square: Square, side: Color, role: Role) -> u64 {
    let row = 2 * (role as usize - 1) + if side.is_white() { 0 } else { 1 };
    PIECES[row][square as usize]
}

#[inline]
pub(crate) const fn ep_square(square: Square) -> u64 {
    PASSED[square as usize]
}

#[inline]
pub(crate) const fn rights(rights: CastlingRights) -> u64 {
    RIGHTS[rights.bits() as usize]
}

#[inline]
pub(crate) const fn dice(dice: Dice) -> u64 {
    if dice.is_none() {
        0
    } else {
        key(4000 + dice.bits() as u64)
    }
}
