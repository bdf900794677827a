//! Dice chess: evaluations, exact expectation, tree search, and the luck of
//! the dice.

pub mod luck;
pub mod mcts;
pub mod move_model;
mod network;
pub mod parts;
pub mod plain;
pub mod rolls;
pub mod search;
pub mod table;
pub mod think;
pub mod think3;
pub mod turns;
pub mod value;

pub use network::DiceNetwork;
pub use parts::{Part, Parts};
pub use rolls::{Kinds, Rolled, king_risk};
pub use value::{Node, Pieces, Values};
