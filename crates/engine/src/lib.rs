//! Evaluation, belief tracking, search, and the agents built from them. The
//! crate does no I/O: time, threads and randomness come from a
//! [`Budget`](foglight_play::Budget) and a seed.

pub mod agents;
pub mod belief;
pub mod book;
pub mod dice;
pub mod eval;
pub mod memory;
pub mod registry;
pub mod review;
pub mod search;
pub mod solve;
pub mod tablebase;

/// Runs the code of the tutorial as doctests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/tutorial.md")]
struct Tutorial;
