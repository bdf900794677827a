//! What a search found, for whoever asked.

use foglight_rules::{Move, Role, Square};

/// What an agent thought about its last move.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The value of the position for the mover: +1 won, -1 lost.
    pub value: Option<f64>,
    /// The same in hundredths of a pawn, for those who think in pawns.
    pub centipawns: Option<i32>,
    /// Single moves until the end that is in sight, negative if it is lost.
    pub plies_to_end: Option<i32>,
    /// The moves considered, each with its probability; the likeliest first.
    pub policy: Vec<(Move, f64)>,
    /// Positions looked at.
    pub nodes: u64,
    /// Depth reached, in single moves.
    pub depth: u32,
    /// The line expected.
    pub pv: Vec<Move>,
    /// Where enemy pieces are likeliest to be, by kind: for people who cannot
    /// see them either.
    pub likely: Vec<(Role, Square, f64)>,
    /// Named figures that only this kind of agent has: sizes of beliefs,
    /// worlds, expansions a second.
    pub metrics: Vec<(&'static str, f64)>,
}
