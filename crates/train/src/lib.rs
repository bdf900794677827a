//! Fits evaluations and move models to games. Pure functions of games and a
//! seed, progress through callbacks; files and progress bars are the caller's.

mod adam;
pub mod belief;
pub mod classic;
pub mod dice_games;
pub mod dice_value;
pub mod ensemble;
pub mod logistic;
pub mod network;
pub mod replies;
pub mod selfplay;
mod shards;
