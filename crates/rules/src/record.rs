//! Records: what was done in a game, from which everything else follows.

use crate::{
    games::Game,
    notation::uci::MoveError,
    outcome::Outcome,
    position::Position,
    state::{Action, State},
};

/// A game as it was played: the rules, the start, every action of players and
/// chance, and how it ended. Views, PGN and training data are derived from it.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The rules.
    pub game: Game,
    /// Where it began.
    pub start: Position,
    /// Moves and rolls, in order.
    pub actions: Vec<Action>,
    /// How it ended; the board alone does not tell of clocks and resignations.
    pub outcome: Option<Outcome>,
}

/// An action of a record that its own rules do not allow.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("action {number} of the record: {error}")]
pub struct ReplayError {
    /// Which action, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub error: MoveError,
}

impl Record {
    /// Every state from the start to the end, one more than actions.
    pub fn states(&self) -> Result<Vec<State>, ReplayError> {
        let mut state = State::new(self.game, self.start);
        let mut states = Vec::with_capacity(self.actions.len() + 1);
        for (i, &action) in self.actions.iter().enumerate() {
            states.push(state.clone());
            state.play(action).map_err(|error| ReplayError {
                number: i + 1,
                error,
            })?;
        }
        if let Some(outcome) = self.outcome {
            state.adjudicate(outcome);
        }
        states.push(state);
        Ok(states)
    }
}
