//! Endgame tables, opened by whoever may read files.

use std::sync::Arc;

use foglight_rules::{Move, Position};

/// Result of perfect play for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TablebaseResult {
    /// Lost.
    Loss,
    /// Drawn, by the 50-move rule or without it.
    Draw,
    /// Won.
    Win,
}

/// Knows endgames of plain chess.
pub trait Endgames: Send + Sync {
    /// Most pieces of a position that can be known.
    fn pieces(&self) -> usize;

    /// The best move of a position and what it leads to, if known.
    fn best(&self, position: &Position) -> Option<(Move, TablebaseResult)>;
}

/// Opens the tables of a folder.
pub type OpenTables = dyn Fn(&str) -> std::io::Result<Arc<dyn Endgames>> + Send + Sync;
