//! Players as a referee sees them: they may fail.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

use foglight_rules::{Color, Game, Move, Observation, Position, Record, Termination};

use crate::{Agent, Belief, Budget, Report};

/// Failure of a player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// The player disconnected, never connected, or cannot play the game.
    #[error("disconnects: {0}")]
    Disconnect(String),
    /// The player is connected but sends no valid answer.
    #[error("connection stalls: {0}")]
    Stall(String),
    /// The player is alive but did not answer in time.
    #[error("loses on time")]
    Timeout,
    /// The player answered with an illegal move.
    #[error("makes an illegal move: {0}")]
    Illegal(String),
}

impl Fault {
    /// The reason for which a game ends with this failure.
    pub fn termination(&self) -> Termination {
        match self {
            Fault::Disconnect(_) => Termination::Disconnect,
            Fault::Stall(_) => Termination::Stall,
            Fault::Timeout => Termination::Timeout,
            Fault::Illegal(_) => Termination::IllegalMove,
        }
    }
}

/// A player's answer to a request for a move.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The move that the player chose.
    pub m: Move,
    /// Report of the search behind it.
    pub report: Option<Report>,
    /// Time to charge to the player's clock.
    pub elapsed: Duration,
}

/// An agent or an external engine in a game.
pub trait Player: Send {
    /// Starts a game from a position that both sides know.
    fn start(&mut self, game: &Game, start: &Position, side: Color, seed: u64)
    -> Result<(), Fault>;

    /// Receives the observation before the first move, and after every action.
    fn see(&mut self, observation: &Observation) -> Result<(), Fault>;

    /// Chooses a move; fails if the answer takes longer than `limit`.
    fn act(
        &mut self,
        observation: &Observation,
        budget: &Budget,
        limit: Option<Duration>,
    ) -> Result<Answer, Fault>;

    /// Ends the game; the record is complete.
    fn end(&mut self, record: &Record);

    /// The positions that the player considers possible, if it reports them.
    fn belief(&self) -> Option<&dyn Belief> {
        None
    }
}

/// An agent in this process. If it panics, it forfeits.
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
        // A finished game cannot be forfeited.
        let _ = guarded(|| self.0.end(record));
    }

    fn belief(&self) -> Option<&dyn Belief> {
        self.0.belief()
    }
}

/// An agent whose panics are not caught: in self-play there is no opponent to
/// award the win to.
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
