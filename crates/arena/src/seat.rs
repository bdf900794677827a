//! The two chairs at the board: an agent of ours or a program from outside.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

use foglight_engine::{Agent, Budget, Report};
use foglight_rules::{Color, Game, Move, Observation, Position, Record};

/// How a player failed, other than by losing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// It went away.
    #[error("disconnects ({0})")]
    Disconnect(String),
    /// It stopped answering.
    #[error("connection stalls ({0})")]
    Stall(String),
    /// Its time ran out.
    #[error("loses on time")]
    Timeout,
    /// It answered what is not a legal move.
    #[error("makes an illegal move: {0}")]
    Illegal(String),
}

/// A player's answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move.
    pub m: Move,
    /// What it thought.
    pub report: Option<Report>,
}

/// A player as the referee deals with it: it may fail.
pub trait Seat: Send {
    /// A game begins, from a start that both sides know.
    fn start(&mut self, game: &Game, start: &Position, side: Color, seed: u64)
    -> Result<(), Fault>;

    /// This is what is known now.
    fn see(&mut self, observation: &Observation) -> Result<(), Fault>;

    /// Chooses a move; an answer that takes longer than `limit` is not waited for.
    fn act(
        &mut self,
        observation: &Observation,
        budget: &Budget,
        limit: Option<Duration>,
    ) -> Result<Answer, Fault>;

    /// The game is over.
    fn end(&mut self, record: &Record);
}

/// An agent in this process. A panic of its own is its own defeat.
pub struct Inside(pub Box<dyn Agent>);

fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| Fault::Disconnect("the agent panicked".into()))
}

impl Seat for Inside {
    fn start(&mut self, game: &Game, _: &Position, side: Color, seed: u64) -> Result<(), Fault> {
        guarded(|| self.0.start(game, side, seed))
    }

    fn see(&mut self, observation: &Observation) -> Result<(), Fault> {
        guarded(|| self.0.see(observation))
    }

    fn act(
        &mut self,
        observation: &Observation,
        budget: &Budget,
        _: Option<Duration>,
    ) -> Result<Answer, Fault> {
        guarded(|| Answer {
            m: self.0.act(observation, budget),
            report: self.0.report(),
        })
    }

    fn end(&mut self, record: &Record) {
        // A game that is over cannot be lost any more.
        let _ = guarded(|| self.0.end(record));
    }
}
