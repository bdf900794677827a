//! Searches of known boards: from a position, an evaluator and a budget to
//! scored moves.

pub mod alphabeta;
pub mod analyser;
mod captures;
pub mod evaluation;
pub mod suite;
pub mod tree;

pub use alphabeta::{RootMove, SearchResult, Searcher};
pub use analyser::SearchAnalyser;
pub use evaluation::{EVALUATORS, Evaluation};
pub use tree::{PlainSearch, SearchMethod};
