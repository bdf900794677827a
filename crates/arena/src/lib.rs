//! Matches, statistics and records, on which every claim of strength rests.

pub mod attack;
pub mod digest;
pub mod journal;
pub mod luck;
pub mod merge;
pub mod openings;
pub mod pgn;
pub mod queue;
pub mod record;
pub mod remote;
pub mod report;
pub mod schedule;
pub mod stamp;
pub mod stats;
pub mod tally;
pub mod tournament;

/// Runs the worked example of CONTRIBUTING.md.
#[cfg(doctest)]
#[doc = include_str!("../../../CONTRIBUTING.md")]
pub struct Contributing;

pub use foglight_uci::MONOTONIC;
