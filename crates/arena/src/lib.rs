//! Referee, matches, statistics and records.

pub mod stats;
