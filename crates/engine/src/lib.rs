//! Evaluation, belief, search and the agents made of them. No input or output;
//! time, threads and randomness come in through a
//! [`Budget`](foglight_play::Budget) and a seed.

pub mod agents;
pub mod belief;
pub mod book;
pub mod dice;
pub mod eval;
pub mod registry;
pub mod review;
pub mod search;
pub mod solve;
pub mod tablebase;

/// The code of the tutorial is run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/tutorial.md")]
struct Tutorial;
