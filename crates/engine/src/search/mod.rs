//! Searches: a position, an evaluation and a budget in, a judgement out.

pub mod alphabeta;
pub mod suite;

pub use alphabeta::{Found, RootMove, Searcher};
