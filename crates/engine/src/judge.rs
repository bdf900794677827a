//! Judges from outside: another program's opinion of a position.

use foglight_rules::{Move, Position};

/// How hard a judge should look.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Effort {
    /// Depth of its search.
    pub depth: Option<u32>,
    /// Nodes of its search.
    pub nodes: Option<u64>,
    /// How many moves it should tell of, the best first.
    pub moves: usize,
}

impl Effort {
    /// One move, by so many nodes.
    pub const fn nodes(nodes: u64) -> Effort {
        Effort {
            depth: None,
            nodes: Some(nodes),
            moves: 1,
        }
    }

    /// So many moves, to a depth.
    pub const fn depth(depth: u32, moves: usize) -> Effort {
        Effort {
            depth: Some(depth),
            nodes: None,
            moves,
        }
    }
}

/// What a judge says of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opinion {
    /// Moves with their values in centipawns for the mover, the best first.
    pub moves: Vec<(Move, i32)>,
}

impl Opinion {
    /// The value of the position for the mover, in centipawns.
    pub fn centipawns(&self) -> Option<i32> {
        self.moves.first().map(|(_, value)| *value)
    }
}

/// Somebody outside who judges positions of plain chess.
pub trait Judge: Send + Sync {
    /// An opinion of each position, in their order; `None` where it has none:
    /// a position that is not one of plain chess, or a judge that failed again
    /// and again. Never waits for ever.
    fn judge(&self, positions: &[Position], effort: Effort) -> Vec<Option<Opinion>>;
}
