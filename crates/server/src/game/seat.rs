//! The seat of an agent: passes it every observation at once, runs its search
//! in the pool, and returns its move to the game.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use foglight_arena::MONOTONIC;
use foglight_play::{Budget, Clock, Report, session::agent_seed};
use foglight_rules::{Color, Observation, Record, Termination};
use tokio::{sync::mpsc, time::Instant};

use super::{
    handle::{Chosen, Command},
    pooled::PooledPlayer,
    registry::Games,
    session::GameSession,
};
use crate::{domain::Seat, workers};

/// Move time when neither the agent nor the game sets a limit.
const USUAL: Duration = Duration::from_millis(500);
/// Replies are sent at multiples of this: thinking time depends on the agent's
/// information and must not leak to its opponent.
const STEP: Duration = Duration::from_millis(250);

/// An agent's reply to the game.
pub(super) struct AgentReply {
    pub side: Color,
    /// The ply for which the reply is meant.
    pub ply: u32,
    pub chosen: Chosen,
    pub report: Option<Report>,
}

/// An agent seated in a game.
pub(super) struct AgentSeat {
    side: Color,
    player: PooledPlayer,
    stop: Arc<AtomicBool>,
    thinking: bool,
    bounded: bool,
}

impl AgentSeat {
    /// Builds the agent of a side, if the seat is an agent's, and replays the
    /// game to it.
    pub fn new(
        games: &Games,
        table: &GameSession,
        side: Color,
    ) -> Option<Result<AgentSeat, String>> {
        let Seat::Agent { spec, .. } = table.terms.chair(side) else {
            return None;
        };
        let (game, _) = table.start();
        let built = match table.terms.trusted {
            true => games.agents.build_trusted(spec, game),
            false => games.agents.rebuild(spec, game),
        };
        let seated = built.map(|player| {
            let seed = agent_seed(table.terms.seed, 0, side);
            let player =
                PooledPlayer::start(player, games.moves.clone(), table.start(), side, seed);
            show_all(&player, table, side);
            AgentSeat {
                side,
                player,
                stop: Arc::default(),
                thinking: false,
                bounded: workers::is_bounded(spec),
            }
        });
        Some(seated.map_err(|e| e.to_string()))
    }

    pub fn see(&self, observation: &Observation) {
        self.player.see(observation);
    }

    pub(crate) fn return_agent(&mut self) {
        self.thinking = false;
    }

    /// Starts the search for a move, unless one is running.
    pub fn think(&mut self, games: &Games, table: &GameSession, to: &mpsc::WeakSender<Command>) {
        if std::mem::replace(&mut self.thinking, true) {
            return;
        }
        let (side, ply) = (self.side, table.ply());
        let observation = table.observation(side).clone();
        let allowance = self.allowance(table, games.time.now());
        let answer =
            self.player.ask(
                move |player| match player.act(&observation, &allowance.budget()) {
                    Ok(answer) => (Ok(answer.m), answer.report),
                    Err(fault) => (Err(fault.termination()), None),
                },
            );
        let pause = Duration::from_millis(table.terms.pause);
        let to = to.clone();
        let began = Instant::now();
        let steady = !table.terms.only_agents();
        tokio::spawn(async move {
            let (chosen, report) = answer.await.unwrap_or((Err(Termination::Stall), None));
            let spent = began.elapsed();
            let shown = if steady { next_step(spent) } else { spent };
            tokio::time::sleep_until(began + shown.max(pause)).await;
            let thought = AgentReply {
                side,
                ply,
                chosen,
                report,
            };
            if let Some(to) = to.upgrade() {
                let _ = to.send(Command::Thought(Box::new(thought))).await; // the game may be gone
            }
        });
    }

    fn allowance(&self, table: &GameSession, now: u64) -> Allowance {
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

    /// Ends the agent's game and its search.
    pub fn end(self, record: Record) {
        self.stop.store(true, Ordering::Relaxed);
        self.player.end(record);
    }
}

impl Drop for AgentSeat {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn next_step(spent: Duration) -> Duration {
    let steps = spent.as_millis() / STEP.as_millis() + 1;
    STEP * u32::try_from(steps).unwrap_or(u32::MAX)
}

/// Passes a player all observations of its side from the start until now.
pub(super) fn show_all(player: &PooledPlayer, table: &GameSession, side: Color) {
    let record = table.record();
    let mut replay = record.replay();
    player.see(&replay.state().observe(side));
    while let Some(Ok(_)) = replay.step() {
        player.see(&replay.state().observe(side));
    }
}

/// Time limits of a move, counted from the start of its job.
struct Allowance {
    movetime: Option<Duration>,
    clock: Option<Clock>,
    stop: Arc<AtomicBool>,
    asked: Instant,
}

impl Allowance {
    fn budget(&self) -> Budget {
        let mut budget = Budget::default().timed(MONOTONIC);
        (budget.movetime, budget.longest) = (self.movetime, Some(workers::MAX_MOVE_TIME));
        budget.clock = self.clock.map(|clock| Clock {
            left: clock.left.saturating_sub(self.asked.elapsed()),
            ..clock
        });
        budget.with_stop(Arc::clone(&self.stop))
    }
}
