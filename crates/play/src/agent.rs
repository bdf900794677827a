//! The interface of every player: human, program or external engine.

use foglight_rules::{Color, Game, Move, Observation, Record};

use crate::{belief::Belief, budget::Budget, report::Report};

/// A player. Only [`Agent::act`] is required, so the smallest bot is one method.
/// No method receives a position: information arrives as an [`Observation`], and
/// the true game only in [`Agent::end`].
///
/// Every driver guarantees this order of calls: `start`, then `see` with the
/// first observation; after every action of the game, by either side or by the
/// dice, `see` with the new observation; `act` on this agent's turn, with the
/// observation that it saw last; `end` once. `start` may follow again, for
/// another game with the same agent.
pub trait Agent: Send {
    /// Starts a new game and resets all state.
    fn start(&mut self, _game: &Game, _side: Color, _seed: u64) {}

    /// Receives the observation before the first move, and after every action.
    fn see(&mut self, _observation: &Observation) {}

    /// Chooses one of `observation.legal_moves()`, which is never empty here.
    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move;

    /// Receives the full record once the game is over.
    fn end(&mut self, _record: &Record) {}

    /// Report of the search behind the last move.
    fn report(&self) -> Option<Report> {
        None
    }

    /// The positions that it considers possible, so that a referee can check
    /// whether the true position is among them.
    fn belief(&self) -> Option<&dyn Belief> {
        None
    }
}
