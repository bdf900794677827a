//! Dice chess: evaluations, exact expectation, tree search, and the luck of the
//! dice.

pub mod dice1_search;
pub mod dice3_search;
pub mod luck;
pub mod mcts;
pub mod move_model;
mod network;
mod partial_turn;
pub mod reference;
pub mod rolls;
pub mod search;
pub mod table;
pub mod terms;
pub mod turns;
pub mod value;

use foglight_rules::Position;

pub use network::DiceNetwork;
pub use rolls::{Rolled, king_risk};
pub use terms::{EvalTerm, EvalTerms};
pub use value::{DiceNode, PieceSquareValues, win_probability};

/// The win probability of the side to roll, with one die.
pub(crate) type WinProbability = fn(&Position) -> f64;

/// Every evaluator of the pieces under dice. To add one: a file here and a
/// line.
pub const EVALUATORS: [(&str, WinProbability); 2] = [
    ("tables", |position| {
        win_probability(PieceSquareValues::of_size(position.size()), position)
    }),
    ("network", |position| {
        win_probability(&DiceNetwork::default_network(), position)
    }),
];
