//! Fitting evaluations and move models to games. Pure functions of games and
//! a seed; files and progress bars are the caller's.

pub mod dice_value;
pub mod logistic;
