//! Correction history: search results of positions with the same pawns, or the
//! same pieces of a side, correct the static score.

use foglight_rules::{Color, Position, Role};

use super::value::DECIDED;

const SLOTS: usize = 1 << 14;
/// Bound of an entry, in units of 1/[`PART`] centipawn.
const MAX_CORRECTION: i32 = 1024;
const PART: i32 = 32;

/// Odd multipliers that spread bitboards over the slots (from SplitMix64).
const SPREAD: [u64; 6] = [
    0x9e37_79b9_7f4a_7c15,
    0xbf58_476d_1ce4_e5b9,
    0x94d0_49bb_1331_11eb,
    0xd6e8_feb8_6659_fd93,
    0xa076_1d64_78bd_642f,
    0xe703_7ed1_a0b4_28db,
];

/// Errors of the static score by pawns, and by the pieces of each side.
pub(super) struct CorrectionHistory {
    entries: Vec<i16>,
}

/// Indices of a position's three entries.
#[derive(Clone, Copy)]
pub(super) struct Place([u32; 3]);

impl CorrectionHistory {
    pub(super) fn new() -> CorrectionHistory {
        CorrectionHistory {
            entries: vec![0; 2 * 3 * SLOTS],
        }
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill(0);
    }

    #[inline]
    pub(super) fn place(position: &Position) -> Place {
        let board = position.board();
        let pawns = board
            .pieces(Color::White, Role::Pawn)
            .0
            .wrapping_mul(SPREAD[0])
            ^ board
                .pieces(Color::Black, Role::Pawn)
                .0
                .wrapping_mul(SPREAD[1]);
        let pieces = |side| {
            Role::ALL[1..].iter().fold(0, |mix, &role| {
                mix ^ board
                    .pieces(side, role)
                    .0
                    .wrapping_mul(SPREAD[role as usize - 1])
            })
        };
        let keys = [pawns, pieces(Color::White), pieces(Color::Black)];
        let turn = usize::from(position.turn().is_black());
        let mut group = 3 * turn;
        Place(keys.map(|key| {
            let slot = (key >> 50) as usize; // the top bits depend on all squares
            group += 1;
            ((group - 1) * SLOTS + slot) as u32
        }))
    }

    /// The corrected static score, clamped below the range of decided scores.
    #[inline]
    pub(super) fn correct(&self, eval: i32, Place(at): Place) -> i32 {
        let [pawns, white, black] = at.map(|slot| i32::from(self.entries[slot as usize]));
        let error = (2 * pawns + white + black) / PART;
        (eval + error).clamp(1 - DECIDED, DECIDED - 1)
    }

    /// Records that a search of this depth exceeded the static score by
    /// `error`.
    pub(super) fn learn(&mut self, Place(at): Place, depth: i32, error: i32) {
        let bonus = (error * depth / 8).clamp(-MAX_CORRECTION / 4, MAX_CORRECTION / 4);
        for slot in at {
            let entry = &mut self.entries[slot as usize];
            let old = i32::from(*entry);
            *entry = (old + bonus - old * bonus.abs() / MAX_CORRECTION) as i16;
        }
    }
}
