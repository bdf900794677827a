//! Exact solutions of small games.

pub mod qmdp;

pub use qmdp::{Qmdp, QmdpSettings, SolveError};
