//! The attacker as a player: it gets observations only, like every other.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use foglight_play::{Answer, Belief, Budget, Fault, Player};
use foglight_rules::{Color, Game, Move, Observation, Position, Record, Turn};

use super::{
    count::AttackEnd,
    plan::{AttackPlan, PlanCursor},
};

/// Plays a plan, then lets an engine play on. The engine follows the game from
/// its start.
pub struct Attacker<'a> {
    plan: &'a AttackPlan,
    engine: Option<&'a mut dyn Player>,
    end: AttackEnd,
    over: &'a AtomicBool,
    cursor: PlanCursor<'a>,
    choice: Option<Move>,
}

impl<'a> Attacker<'a> {
    /// An attacker that sets `over` as soon as its game should be stopped, since
    /// `end` is reached. Only an attack that ends with its plan needs no engine.
    pub fn new(
        plan: &'a AttackPlan,
        engine: Option<&'a mut dyn Player>,
        end: AttackEnd,
        over: &'a AtomicBool,
    ) -> Attacker<'a> {
        Attacker {
            plan,
            engine,
            end,
            over,
            cursor: PlanCursor::new(plan),
            choice: None,
        }
    }
}

impl Player for Attacker<'_> {
    fn start(
        &mut self,
        game: &Game,
        start: &Position,
        side: Color,
        seed: u64,
    ) -> Result<(), Fault> {
        self.cursor = PlanCursor::new(self.plan);
        self.over.store(false, Ordering::Relaxed);
        match &mut self.engine {
            Some(engine) => engine.start(game, start, side, seed),
            None => Ok(()),
        }
    }

    fn see(&mut self, observation: &Observation) -> Result<(), Fault> {
        if observation.turn() == Turn::Player(observation.side()) {
            self.choice = self.cursor.next(observation);
            let over = self.choice.is_none() && self.end == AttackEnd::Plan;
            self.over.store(over, Ordering::Relaxed);
        }
        match &mut self.engine {
            Some(engine) => engine.see(observation),
            None => Ok(()),
        }
    }

    fn act(
        &mut self,
        observation: &Observation,
        budget: &Budget,
        limit: Option<Duration>,
    ) -> Result<Answer, Fault> {
        if let Some(m) = self.choice {
            return Ok(Answer {
                m,
                report: None,
                elapsed: Duration::ZERO,
            });
        }
        let engine = self.engine.as_mut();
        let engine = engine.expect("without an engine the game stops with the plan");
        let answer = engine.act(observation, budget, limit);
        let over = self.end == AttackEnd::Estimate;
        self.over.store(over, Ordering::Relaxed);
        answer
    }

    fn end(&mut self, record: &Record) {
        if let Some(engine) = &mut self.engine {
            engine.end(record);
        }
    }

    fn belief(&self) -> Option<&dyn Belief> {
        self.engine.as_ref().and_then(|engine| engine.belief())
    }
}
