#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod average;
mod expand;
mod gadget;
mod game;
mod infosets;
mod lanes;
mod regret;
mod response;
mod reuse;
mod run;
mod solver;
mod tree;

pub use average::AverageStrategy;
pub use gadget::{GadgetPrior, RootGadget, RootInfoset, RootNode};
pub use game::{ExtensiveGame, RootState, Side, Successor, extend_infostate_key, mix};
pub use infosets::{Infosets, MAX_ACTIONS};
pub use response::{StrategyProfile, best_response_value, exploitability};
pub use reuse::{ReuseSettings, ReusedTree, reuse};
pub use run::{SolveLimits, run};
pub use solver::{Solver, SolverSettings};
pub use tree::{GameTree, NodeKind};
