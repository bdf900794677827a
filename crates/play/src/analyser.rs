//! Analysis of known positions, by our own search or an external engine.

use foglight_rules::{Game, Move, Position};

/// Limits of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AnalysisLimit {
    /// Maximum depth of the search.
    pub depth: Option<u32>,
    /// Maximum nodes of the search.
    pub nodes: Option<u64>,
    /// Number of moves to rank, the best first.
    pub moves: usize,
}

impl AnalysisLimit {
    /// Limit for the best move only, by nodes.
    pub const fn nodes(nodes: u64) -> AnalysisLimit {
        AnalysisLimit {
            depth: None,
            nodes: Some(nodes),
            moves: 1,
        }
    }

    /// Limit for a number of moves, by depth.
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
    /// Nodes searched for it.
    pub nodes: u64,
}

impl Analysis {
    /// The value of the position for the mover, in centipawns.
    pub fn centipawns(&self) -> Option<i32> {
        self.moves.first().map(|(_, value)| *value)
    }
}

/// Ranks the moves of known positions: our search, or an external engine.
pub trait Analyser: Send + Sync {
    /// Analyses each position, in order. `None` where there is no analysis: a
    /// position outside the engine's game, or an engine that failed repeatedly.
    /// Always returns.
    fn analyse(
        &self,
        game: &Game,
        positions: &[Position],
        limit: AnalysisLimit,
    ) -> Vec<Option<Analysis>>;

    /// Clears state from earlier positions, for a new game.
    fn clear(&self) {}
}
