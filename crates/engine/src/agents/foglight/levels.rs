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
    level(8, 1_100, 6_000, 0.360),
    level(8, 1_200, 7_000, 0.320),
    level(8, 1_400, 9_000, 0.280),
    level(10, 1_700, 12_000, 0.240),
    level(12, 2_200, 16_000, 0.205),
    level(16, 3_000, 24_000, 0.165),
    level(16, 5_000, 40_000, 0.120),
    level(24, 10_000, 80_000, 0.060),
    level(40, 40_000, 200_000, 0.0),
    level(128, 300_000, 400_000, 0.0),
];
