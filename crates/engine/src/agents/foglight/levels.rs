//! Ten strength levels for human opponents. Each is meant to score two thirds
//! against the level below (matches in `docs/strength.md`).

/// Settings of a level. None of them is a time, so that a level plays the same
/// on every machine.
pub(crate) struct StrengthLevel {
    /// Maximum number of positions at the root.
    pub worlds: usize,
    pub nodes: u64,
    /// Maximum size of the belief.
    pub max_positions: usize,
    /// Standard deviation of the errors in leaf values.
    pub noise: f64,
}

const fn level(worlds: usize, nodes: u64, cap: usize, noise: f64) -> StrengthLevel {
    StrengthLevel {
        worlds,
        nodes,
        max_positions: cap,
        noise,
    }
}

/// The levels from 1 to 10, weakest first.
pub const LEVELS: [StrengthLevel; 10] = [
    level(8, 1_000, 6_000, 0.420),
    level(8, 1_450, 9_000, 0.335),
    level(10, 2_100, 14_000, 0.265),
    level(12, 3_000, 22_000, 0.220),
    level(16, 4_700, 40_000, 0.178),
    level(20, 7_100, 60_000, 0.147),
    level(24, 14_000, 90_000, 0.106),
    level(32, 30_000, 150_000, 0.062),
    level(64, 90_000, 250_000, 0.030),
    level(128, 300_000, 400_000, 0.0),
];
