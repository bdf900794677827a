//! Referee, matches, statistics and records.
