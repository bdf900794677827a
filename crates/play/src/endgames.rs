//! Interface to endgame tablebases; the caller opens their files.

use std::sync::Arc;

use foglight_rules::{Move, Position};

/// Result of perfect play for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TablebaseResult {
    /// The side to move loses.
    Loss,
    /// A draw, with or without the 50-move rule.
    Draw,
    /// The side to move wins.
    Win,
}

/// Tablebase of plain chess endgames.
pub trait Endgames: Send + Sync {
    /// Maximum number of pieces in its positions.
    fn pieces(&self) -> usize;

    /// The best move of a position and its result, if the tables have it.
    fn best(&self, position: &Position) -> Option<(Move, TablebaseResult)>;
}

/// Opens the tables of a folder.
pub type OpenTables = dyn Fn(&str) -> std::io::Result<Arc<dyn Endgames>> + Send + Sync;
