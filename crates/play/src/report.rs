//! Search results, as agents report them.

use foglight_rules::{Move, Role, Square};

/// Result of the search for an agent's last move.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The value of the position for the mover: +1 won, -1 lost.
    pub value: Option<f64>,
    /// The same value in centipawns.
    pub centipawns: Option<i32>,
    /// Plies until a forced end, negative if it is lost.
    pub plies_to_end: Option<i32>,
    /// The moves considered, each with its probability; the likeliest first.
    pub policy: Vec<(Move, f64)>,
    /// Number of positions visited.
    pub nodes: u64,
    /// Depth reached, in plies.
    pub depth: u32,
    /// The principal variation of the search.
    pub pv: Vec<Move>,
    /// The likeliest squares of enemy pieces, by role, to show to people.
    pub likely: Vec<(Role, Square, f64)>,
    /// Named figures specific to the agent, such as belief sizes, worlds, or
    /// expansions per second.
    pub metrics: Vec<(&'static str, f64)>,
}
