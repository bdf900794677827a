//! Exact solutions of small games.

pub mod fog;
pub mod qmdp;

pub use fog::{FogError, FogSettings, FogSolution, solve_fog};
pub use qmdp::{Qmdp, QmdpSettings, QmdpSolver, SolveError};
