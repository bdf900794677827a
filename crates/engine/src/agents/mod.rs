//! The agents, a file each.

pub mod greedy;
pub mod random;
