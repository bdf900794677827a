//! The interface of every player: person, program or outside engine.

use foglight_rules::{Color, Game, Move, Observation, Record};

use crate::{belief::ExactBelief, budget::Budget, report::Report};

/// A player. Only [`Agent::act`] is compulsory, so the smallest bot is one
/// method. No method takes a position: what an agent may know arrives as an
/// [`Observation`], and the truth only in [`Agent::end`].
///
/// The order of calls: `start` once; then, for every single move of the game,
/// by whichever side, `see` with what is seen after it, and `act` when it is
/// this agent's turn (with the same observation); `end` once.
pub trait Agent: Send {
    /// A new game begins.
    fn start(&mut self, _game: &Game, _side: Color, _seed: u64) {}

    /// Something happened: this is what is known now. Called before the first
    /// move too.
    fn see(&mut self, _observation: &Observation) {}

    /// Chooses one of `observation.moves()`, which is never empty here.
    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move;

    /// The game is over, and this is all that happened.
    fn end(&mut self, _record: &Record) {}

    /// What was thought about the last move.
    fn report(&self) -> Option<Report> {
        None
    }

    /// What it believes possible, for a referee who knows the truth and checks.
    fn belief(&self) -> Option<&ExactBelief> {
        None
    }
}
