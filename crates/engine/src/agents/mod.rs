//! The agents, a file each.

pub mod dice;
pub mod expectiminimax;
pub mod goal;
pub mod greedy;
pub mod mcts;
pub mod random;
