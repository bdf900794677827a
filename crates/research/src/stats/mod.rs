//! Statistics of the papers: pure functions over numbers, each tested on
//! published numbers.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod bounds;
pub mod chi_square;
pub mod kernel;
pub mod normality;
pub mod performance;
pub mod smooth;
pub mod spline;
#[cfg(test)]
mod testing;
