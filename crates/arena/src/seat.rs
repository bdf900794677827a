//! The two chairs at the board: an agent of ours or a program from outside.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};

use foglight_engine::{Agent, Budget, Report, belief::ExactBelief};
use foglight_rules::{Color, Game, Move, Observation, Position, Record};
use foglight_uci::drive::Outside;

pub use foglight_uci::drive::Fault;

/// A player's answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move.
    pub m: Move,
    /// What it thought.
    pub report: Option<Report>,
    /// The time that it took, which its clock is charged with.
    pub elapsed: Duration,
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

    /// What the player believes possible, if it tells: the referee, who knows
    /// the truth, checks it.
    fn belief(&self) -> Option<&ExactBelief> {
        None
    }
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
        guarded(|| {
            let began = Instant::now();
            let m = self.0.act(observation, budget);
            Answer {
                m,
                elapsed: began.elapsed(),
                report: self.0.report(),
            }
        })
    }

    fn end(&mut self, record: &Record) {
        // A game that is over cannot be lost any more.
        let _ = guarded(|| self.0.end(record));
    }

    fn belief(&self) -> Option<&ExactBelief> {
        self.0.belief()
    }
}

impl Seat for Outside {
    fn start(
        &mut self,
        game: &Game,
        start: &Position,
        side: Color,
        seed: u64,
    ) -> Result<(), Fault> {
        Outside::start(self, game, start, side, seed)
    }

    fn see(&mut self, observation: &Observation) -> Result<(), Fault> {
        Outside::see(self, observation)
    }

    fn act(
        &mut self,
        observation: &Observation,
        budget: &Budget,
        limit: Option<Duration>,
    ) -> Result<Answer, Fault> {
        // The clock that counts is the referee's: a late answer is waited for
        // just long enough to call it late.
        let answer = Outside::act(self, observation, budget, grace(budget, limit))?;
        Ok(Answer {
            m: answer.m,
            report: Some(answer.report),
            elapsed: answer.elapsed,
        })
    }

    fn end(&mut self, _: &Record) {
        Outside::end(self);
    }
}

/// What an outside engine gets beyond its budget before it is given up.
fn grace(budget: &Budget, limit: Option<Duration>) -> Duration {
    const LEAST: Duration = Duration::from_millis(100);
    let planned = budget.clock.map(|clock| clock.left).or(budget.movetime);
    let beyond = limit
        .zip(planned)
        .map(|(limit, planned)| limit.saturating_sub(planned));
    beyond.unwrap_or_default().max(LEAST)
}
