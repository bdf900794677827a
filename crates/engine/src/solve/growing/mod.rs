//! Growing-tree equilibrium search for two players with hidden information:
//! predictive CFR+ on a tree that is grown where both sides want to go, under
//! a root layer that keeps earlier promises. After Obscuro (Zhang & Sandholm,
//! arXiv 2506.01242) and GT-CFR (Schmid et al. 2023). Knows nothing of chess.
//!
//! Values are those of [`Player::Us`]: we maximise, they minimise.

pub mod average;
pub mod carry;
pub mod game;
pub mod games;
pub mod gate;
pub mod infoset;
mod lanes;
pub mod regret;
pub mod response;
pub mod run;
pub mod solver;
pub mod tree;
pub mod walk;

pub use average::Averages;
pub use carry::{Carried, Carrying, carry};
pub use game::{Child, Growing, Player, link};
pub use gate::{Gate, Group, Prior, Root};
pub use infoset::Sets;
pub use run::{Limits, Spent, run};
pub use solver::{Solver, SolverSettings};
pub use tree::{Kind, Tree};
