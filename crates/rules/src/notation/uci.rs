//! UCI moves: `e2e4`, `e7e8q`, castling as the king's move; and rolls.

use crate::{
    action::{Action, MoveError},
    dice::Dice,
    moves::Move,
    state::State,
};

impl State {
    /// Reads an action and checks that it can be done now. The error is the
    /// same whatever may be hidden.
    pub fn parse_action(&self, text: &str) -> Result<Action, MoveError> {
        if let Some(letters) = text.strip_prefix("roll:") {
            let roll = Dice::parse(letters).filter(|roll| {
                letters == roll.to_string() && self.chance().iter().any(|(dice, _)| dice == roll)
            });
            return roll.map(Action::Roll).ok_or_else(|| MoveError::roll(text));
        }
        find(text, &self.moves()).map(Action::Move)
    }
}

/// The legal move with exactly this text.
pub fn find(text: &str, legal: &[Move]) -> Result<Move, MoveError> {
    legal
        .iter()
        .copied()
        .find(|m| m.to_string() == text)
        .ok_or_else(|| MoveError::illegal(text))
}
