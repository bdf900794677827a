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
    level(2, 150, 1_000, 0.60),
    level(4, 300, 2_000, 0.45),
    level(6, 600, 3_000, 0.33),
    level(8, 1_000, 5_000, 0.25),
    level(12, 2_000, 10_000, 0.18),
    level(16, 4_000, 20_000, 0.12),
    level(24, 8_000, 40_000, 0.08),
    level(32, 20_000, 100_000, 0.04),
    level(64, 60_000, 400_000, 0.0),
    level(128, 200_000, 400_000, 0.0),
];
