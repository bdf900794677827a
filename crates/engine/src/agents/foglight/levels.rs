//! Strength for people: ten levels, each meant to score two of three against
//! the one before (ratings of a round robin in `docs/strength.md`).

/// What a level is made of. A level repeats exactly on every machine: nothing
/// of it is measured in seconds.
pub struct Level {
    /// Positions at the root of the search.
    pub worlds: usize,
    /// Nodes a move.
    pub nodes: u64,
    /// Positions that the belief keeps: how much it remembers.
    pub cap: usize,
    /// Spread of errors at the leaves.
    pub noise: f64,
}

const fn level(worlds: usize, nodes: u64, cap: usize, noise: f64) -> Level {
    Level {
        worlds,
        nodes,
        cap,
        noise,
    }
}

/// From 1 to 10.
pub const LEVELS: [Level; 10] = [
    level(8, 1_100, 6_000, 0.240),
    level(10, 1_500, 8_000, 0.200),
    level(12, 2_200, 12_000, 0.165),
    level(16, 3_500, 18_000, 0.130),
    level(20, 5_500, 30_000, 0.095),
    level(24, 8_000, 40_000, 0.060),
    level(24, 12_000, 60_000, 0.030),
    level(32, 16_000, 100_000, 0.0),
    level(64, 64_000, 400_000, 0.0),
    level(128, 300_000, 400_000, 0.0),
];
