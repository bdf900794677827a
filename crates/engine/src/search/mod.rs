//! Searches: a position, an evaluation and a budget in, a judgement out.

pub mod alphabeta;
pub mod suite;
pub mod tree;

pub use alphabeta::{Found, RootMove, Searcher};
pub use tree::{Plan, Tree};
