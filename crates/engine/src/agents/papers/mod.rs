//! The agents that the papers describe, report or propose as future work.

pub mod despot;
pub mod ensemble;
pub mod expectiminimax;
pub mod goal;
pub mod mcts;
pub mod metaposition;
pub mod pbsa;
pub(crate) mod pimc;
pub mod pomcp;
pub mod qmdp;
pub mod thesis;
pub mod ubsa;
