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
    level(6, 650, 4_500, 0.580),
    level(8, 850, 6_000, 0.475),
    level(8, 1_050, 7_000, 0.410),
    level(8, 1_350, 9_000, 0.345),
    level(10, 1_800, 12_000, 0.292),
    level(12, 2_400, 18_000, 0.242),
    level(16, 4_000, 35_000, 0.190),
    level(20, 8_000, 70_000, 0.138),
    level(32, 28_000, 150_000, 0.065),
    level(128, 300_000, 400_000, 0.0),
];
