//! Fitting numbers to games: no input or output, progress through callbacks.

pub mod classic;
pub mod ensemble;
pub mod selfplay;
