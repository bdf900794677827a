//! Searches: a position, an evaluation and a budget in, a judgement out.

pub mod alphabeta;

pub use alphabeta::{Found, RootMove, Searcher};
