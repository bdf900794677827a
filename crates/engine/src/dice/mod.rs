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

use foglight_rules::Position;

pub use network::DiceNetwork;
pub use parts::{Part, Parts};
pub use rolls::{Kinds, Rolled, king_risk};
pub use value::{Node, Values, win_probability};

/// The win probability of the side to roll, with one die.
pub type WinProbability = fn(&Position) -> f64;

/// Every evaluator of what the pieces are worth under dice. To add one: a file
/// here and a line.
pub const EVALUATORS: [(&str, WinProbability); 2] = [
    ("tables", |position| {
        win_probability(Values::of_size(position.size()), position)
    }),
    ("network", |position| {
        win_probability(&DiceNetwork::shipped(), position)
    }),
];
