//! The interface of every player: person, program or outside engine.

use foglight_rules::{Color, Game, Move, Observation, Record};

use crate::{belief::Belief, budget::Budget, report::Report};

/// A player. Only [`Agent::act`] is compulsory, so the smallest bot is one
/// method. No method takes a position: what an agent may know arrives as an
/// [`Observation`], and the true game only in [`Agent::end`].
///
/// The order of calls, kept by every driver: `start`, then `see` with the
/// first observation; then for every action of the game, by either side or
/// by the dice, `see` with the observation after it; `act` when it is this
/// agent's turn, with the observation that it saw last; `end` once. `start`
/// may come again, for another game with the same agent.
pub trait Agent: Send {
    /// A new game begins.
    fn start(&mut self, _game: &Game, _side: Color, _seed: u64) {}

    /// The observation before the first move, and after every action.
    fn see(&mut self, _observation: &Observation) {}

    /// Chooses one of `observation.moves()`, which is never empty here.
    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move;

    /// The game is over, and this is all that happened.
    fn end(&mut self, _record: &Record) {}

    /// The search behind the last move.
    fn report(&self) -> Option<Report> {
        None
    }

    /// The positions that it considers possible, for a referee that checks
    /// whether the true one is among them.
    fn belief(&self) -> Option<&dyn Belief> {
        None
    }
}
