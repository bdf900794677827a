//! Scores inside the search: centipawns, or the distance to the end.

/// Longest line that is searched, in plies.
pub(crate) const MAX_PLY: usize = 120;
/// Bound above every score.
pub(crate) const INFINITE: i32 = 32_500;
/// Score of a won game; a win in `n` plies is `n` less.
pub const WON: i32 = 32_000;
/// From here on a score encodes the distance to the end.
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

/// Plies until the end, if the score is decided.
pub fn plies_to_end(score: i32) -> Option<u32> {
    (score.abs() >= DECIDED).then(|| (WON - score.abs()) as u32)
}
