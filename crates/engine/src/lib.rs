//! The brains of Foglight: evaluation, belief, search and the agents made of
//! them. No input or output; clocks, threads and randomness come in through a
//! [`Budget`] and a seed.

pub mod agent;
pub mod agents;
pub mod belief;
pub mod book;
pub mod budget;
pub mod dice;
pub mod eval;
pub mod judge;
pub mod registry;
pub mod report;
pub mod rng;
pub mod search;
pub mod solve;
pub mod spec;
pub mod tablebase;
pub mod train;

pub use agent::Agent;
pub use budget::{Budget, Clock};
pub use registry::{Entry, Player, Providers};
pub use report::Report;
pub use rng::{Rng, seeded};
pub use spec::{Spec, SpecError};

/// The code of the tutorial is run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/tutorial.md")]
struct Tutorial;
