//! Scores inside the search: centipawns, and how far off the end is.

/// Longest line that is searched, in single moves.
pub(crate) const MAX_PLY: usize = 120;
/// More than any score.
pub(crate) const INFINITE: i32 = 32_500;
/// Won now; won in `n` single moves is `n` less.
pub const WON: i32 = 32_000;
/// From here on a score tells how far off the end is.
pub const DECIDED: i32 = WON - 2 * MAX_PLY as i32;

/// The score of a side that wins at this distance from the root.
#[inline]
pub(crate) const fn wins_at(ply: usize) -> i32 {
    WON - ply as i32
}

/// The score of a side that loses at this distance from the root.
#[inline]
pub(crate) const fn loses_at(ply: usize) -> i32 {
    ply as i32 - WON
}

/// Single moves until the end that a score foretells, if it does.
pub fn plies_to_end(score: i32) -> Option<u32> {
    (score.abs() >= DECIDED).then(|| (WON - score.abs()) as u32)
}
