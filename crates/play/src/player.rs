//! Players as a referee deals with them: they may fail.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

use foglight_rules::{Color, Game, Move, Observation, Position, Record, Termination};

use crate::{Agent, Belief, Budget, Report};

/// How a player failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// It went away, was never there, or cannot play the game.
    #[error("disconnects: {0}")]
    Disconnect(String),
    /// It is there and says nothing that counts.
    #[error("connection stalls: {0}")]
    Stall(String),
    /// It did not answer in time, but is alive.
    #[error("loses on time")]
    Timeout,
    /// It answered what is not a legal move.
    #[error("makes an illegal move: {0}")]
    Illegal(String),
}

impl Fault {
    /// How a game ends by it.
    pub fn termination(&self) -> Termination {
        match self {
            Fault::Disconnect(_) => Termination::Disconnect,
            Fault::Stall(_) => Termination::Stall,
            Fault::Timeout => Termination::Timeout,
            Fault::Illegal(_) => Termination::IllegalMove,
        }
    }
}

/// A player's answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The move.
    pub m: Move,
    /// The search behind it.
    pub report: Option<Report>,
    /// The time that its clock is charged with.
    pub elapsed: Duration,
}

/// An agent or an outside engine at the board.
pub trait Player: Send {
    /// A game begins, from a start that both sides know.
    fn start(&mut self, game: &Game, start: &Position, side: Color, seed: u64)
    -> Result<(), Fault>;

    /// The observation before the first move, and after every action.
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

    /// The positions that the player considers possible, if it tells.
    fn belief(&self) -> Option<&dyn Belief> {
        None
    }
}

/// An agent in this process. A panic of its own is its own defeat.
pub struct InProcess(pub Box<dyn Agent>);

fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| Fault::Disconnect("the agent panicked".into()))
}

impl Player for InProcess {
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
        guarded(|| answer(self.0.as_mut(), observation, budget))
    }

    fn end(&mut self, record: &Record) {
        // A game that is over cannot be lost any more.
        let _ = guarded(|| self.0.end(record));
    }

    fn belief(&self) -> Option<&dyn Belief> {
        self.0.belief()
    }
}

/// An agent whose panics are not caught: self-play has no opponent to win by
/// them.
pub(crate) struct Unguarded<'a>(pub &'a mut dyn Agent);

impl Player for Unguarded<'_> {
    fn start(&mut self, game: &Game, _: &Position, side: Color, seed: u64) -> Result<(), Fault> {
        self.0.start(game, side, seed);
        Ok(())
    }

    fn see(&mut self, observation: &Observation) -> Result<(), Fault> {
        self.0.see(observation);
        Ok(())
    }

    fn act(
        &mut self,
        observation: &Observation,
        budget: &Budget,
        _: Option<Duration>,
    ) -> Result<Answer, Fault> {
        Ok(answer(self.0, observation, budget))
    }

    fn end(&mut self, record: &Record) {
        self.0.end(record);
    }
}

fn answer(agent: &mut dyn Agent, observation: &Observation, budget: &Budget) -> Answer {
    let timer = budget.time_source().start();
    let m = agent.act(observation, budget);
    Answer {
        m,
        elapsed: timer.elapsed(),
        report: agent.report(),
    }
}
