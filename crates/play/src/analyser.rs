//! Analysis of known boards: by our own search, or by a program from outside.

use foglight_rules::{Game, Move, Position};

/// How hard an analyser should look.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AnalysisLimit {
    /// Depth of its search.
    pub depth: Option<u32>,
    /// Nodes of its search.
    pub nodes: Option<u64>,
    /// How many moves it should rank, the best first.
    pub moves: usize,
}

impl AnalysisLimit {
    /// One move, by a number of nodes.
    pub const fn nodes(nodes: u64) -> AnalysisLimit {
        AnalysisLimit {
            depth: None,
            nodes: Some(nodes),
            moves: 1,
        }
    }

    /// A number of moves, to a depth.
    pub const fn depth(depth: u32, moves: usize) -> AnalysisLimit {
        AnalysisLimit {
            depth: Some(depth),
            nodes: None,
            moves,
        }
    }
}

/// The ranked moves of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// Moves with their values in centipawns for the mover, the best first.
    pub moves: Vec<(Move, i32)>,
    /// Nodes spent.
    pub nodes: u64,
}

impl Analysis {
    /// The value of the position for the mover, in centipawns.
    pub fn centipawns(&self) -> Option<i32> {
        self.moves.first().map(|(_, value)| *value)
    }
}

/// Ranks the moves of known boards: our search, or an external engine.
pub trait Analyser: Send + Sync {
    /// The analysis of each position, in their order; `None` where there is
    /// none: for an engine of plain chess a position that is not one, or an
    /// engine that failed repeatedly. Always returns.
    fn analyse(
        &self,
        game: &Game,
        positions: &[Position],
        limit: AnalysisLimit,
    ) -> Vec<Option<Analysis>>;

    /// Forgets what earlier positions taught: a new game begins.
    fn clear(&self) {}
}
