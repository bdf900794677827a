//! The chair of an agent: it thinks in the pool and comes back with a move.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use foglight_arena::MONOTONIC;
use foglight_play::{Budget, Clock, Report};
use foglight_play::{InProcess, Player, session::agent_seed};
use foglight_rules::{Color, Observation, Reason};
use tokio::{sync::mpsc, time::Instant};

use super::{
    handle::{Chosen, Command},
    table::Table,
    terms::Chair,
};
use crate::{app::App, think};

/// Time for a move when neither the agent nor the game sets any.
const USUAL: Duration = Duration::from_millis(500);
/// Answers are shown at multiples of this only: how long an agent thinks
/// depends on what it knows, and must not be told to its opponent.
const STEP: Duration = Duration::from_millis(250);

/// An agent's answer on its way back to the game.
pub(super) struct Thought {
    /// Whose.
    pub side: Color,
    /// The ply that it is meant for.
    pub ply: u32,
    /// The agent, for its next move.
    pub agent: Option<InProcess>,
    /// The move.
    pub chosen: Chosen,
    /// What it thought.
    pub report: Option<Report>,
}

/// An agent at the board.
pub(super) struct AgentSeat {
    side: Color,
    agent: Option<InProcess>,
    /// What it has not been shown yet.
    unseen: Vec<Observation>,
    stop: Arc<AtomicBool>,
    thinking: bool,
    bounded: bool,
}

impl AgentSeat {
    /// Builds the agent of a side, if one sits there, and has it catch up with
    /// the game.
    pub fn new(app: &App, table: &Table, side: Color) -> Option<Result<AgentSeat, String>> {
        let Chair::Agent { spec, .. } = table.terms.chair(side) else {
            return None;
        };
        let (game, start) = table.start();
        Some(
            think::rebuild(spec, game, &app.providers)
                .map(|player| {
                    let mut agent = InProcess(Box::new(player));
                    let seed = agent_seed(table.terms.seed, 0, side);
                    // A panic here will come again at its first move.
                    let _ = agent.start(game, start, side, seed);
                    AgentSeat {
                        side,
                        agent: Some(agent),
                        unseen: observations(table, side),
                        stop: Arc::default(),
                        thinking: false,
                        bounded: think::is_bounded(spec),
                    }
                })
                .map_err(|e| e.to_string()),
        )
    }

    /// Something happened.
    pub fn see(&mut self, observation: &Observation) {
        self.unseen.push(observation.clone());
    }

    /// Takes the agent back after it thought.
    pub fn sit(&mut self, agent: Option<InProcess>) {
        self.thinking = false;
        self.agent = agent;
    }

    /// Has it think about its move, unless it does already.
    pub fn think(&mut self, app: &App, table: &Table, to: &mpsc::WeakSender<Command>) {
        let Some(mut agent) = self.agent.take().filter(|_| !self.thinking) else {
            return;
        };
        self.thinking = true;
        let (side, ply) = (self.side, table.ply());
        let seen = std::mem::take(&mut self.unseen);
        let observation = table.observation(side).clone();
        let allowance = self.allowance(table, app.time.now());
        let pause = Duration::from_millis(table.terms.pause);
        let (pool, to) = (app.moves.clone(), to.clone());
        let began = Instant::now();
        let steady = !table.terms.only_agents();
        tokio::spawn(async move {
            let done = pool
                .run(move || {
                    let chosen = answer(&mut agent, &seen, &observation, &allowance);
                    (agent, chosen)
                })
                .await;
            let (agent, (chosen, report)) = match done {
                Ok((agent, chosen)) => (Some(agent), chosen),
                Err(_) => (None, (Err(Reason::Stall), None)),
            };
            let spent = began.elapsed();
            let shown = if steady { next_step(spent) } else { spent };
            tokio::time::sleep_until(began + shown.max(pause)).await;
            let thought = Thought {
                side,
                ply,
                agent,
                chosen,
                report,
            };
            if let Some(to) = to.upgrade() {
                let _ = to.send(Command::Thought(Box::new(thought))).await; // the game may be gone
            }
        });
    }

    fn allowance(&self, table: &Table, now: u64) -> Allowance {
        let clock = table
            .time_left(self.side, now)
            .map(|(left, increment)| Clock {
                left: Duration::from_millis(left).saturating_sub(STEP),
                increment: Duration::from_millis(increment),
            });
        Allowance {
            movetime: (clock.is_none() && !self.bounded).then_some(USUAL),
            clock,
            stop: Arc::clone(&self.stop),
            asked: Instant::now(),
        }
    }

    /// The game is over: no more thinking.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Drop for AgentSeat {
    fn drop(&mut self) {
        self.stop();
    }
}

fn next_step(spent: Duration) -> Duration {
    let steps = spent.as_millis() / STEP.as_millis() + 1;
    STEP * u32::try_from(steps).unwrap_or(u32::MAX)
}

/// Every observation of a side from the start up to now.
pub(super) fn observations(table: &Table, side: Color) -> Vec<Observation> {
    let states = table.record().states().unwrap_or_default();
    states.iter().map(|state| state.observe(side)).collect()
}

/// What a move may cost, from the moment that a thread is free for it.
struct Allowance {
    movetime: Option<Duration>,
    clock: Option<Clock>,
    stop: Arc<AtomicBool>,
    asked: Instant,
}

impl Allowance {
    fn budget(&self) -> Budget {
        let mut budget = Budget::default().timed(MONOTONIC);
        (budget.movetime, budget.longest) = (self.movetime, Some(think::LONGEST));
        budget.clock = self.clock.map(|clock| Clock {
            left: clock.left.saturating_sub(self.asked.elapsed()),
            ..clock
        });
        budget.with_stop(Arc::clone(&self.stop))
    }
}

fn answer(
    agent: &mut InProcess,
    seen: &[Observation],
    observation: &Observation,
    allowance: &Allowance,
) -> (Chosen, Option<Report>) {
    let told = seen.iter().try_for_each(|o| agent.see(o));
    let answered = told.and_then(|()| agent.act(observation, &allowance.budget(), None));
    match answered {
        Ok(answer) if observation.moves().contains(&answer.m) => (Ok(answer.m), answer.report),
        Ok(_) => (Err(Reason::IllegalMove), None),
        Err(fault) => (Err(fault.termination()), None),
    }
}
