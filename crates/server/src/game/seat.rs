//! The seat of an agent: passes it every observation at once, runs its search
//! in the pool, and returns its move to the game.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use foglight_play::{Answer, Budget, Clock, Fault, Report, session::agent_seed};
use foglight_rules::{Color, Move, Observation, Record};
use tokio::{
    sync::{mpsc, oneshot},
    time::{Instant, interval_at, sleep_until},
};

use super::{
    handle::Command,
    pooled::{Means, PooledPlayer},
    registry::Games,
    session::GameSession,
};
use crate::{
    domain::Seat,
    workers::{
        MAX_MOVE_TIME, MemoryFull, PROCESSOR, Pace, Reservation, Share, WorkerPool, is_bounded,
    },
};

/// Move time when neither the agent nor the game sets a limit.
const USUAL: Duration = Duration::from_millis(500);
/// Processor time that tells nothing.
const NOTHING: Duration = Duration::from_millis(2);
/// Earliest answer to a person.
const AT_ONCE: Duration = Duration::from_millis(250);
/// Time after which a game asks for its place in the queue, and asks again.
const NEWS: Duration = Duration::from_secs(1);

/// An agent's reply to the game.
pub(super) struct AgentReply {
    pub side: Color,
    /// The ply for which the reply is meant.
    pub ply: u32,
    /// The chosen move; `None` if the agent failed.
    pub chosen: Option<Move>,
    pub report: Option<Report>,
    /// The pace for its next moves.
    pub pace: Pace,
    /// Time for its clock. Waiting for a processor costs nothing.
    pub charge: Duration,
}

/// An agent seated in a game.
pub(super) struct AgentSeat {
    side: Color,
    player: PooledPlayer,
    queue: (WorkerPool, Share),
    stop: Arc<AtomicBool>,
    thinking: bool,
    /// Whether the spec limits the search by itself.
    bounded: bool,
    pace: Pace,
}

impl AgentSeat {
    /// Has the agent of a side built, if the seat is an agent's and there is
    /// memory for it, and replays the game to it.
    pub fn new(
        games: &Games,
        table: &GameSession,
        side: Color,
        share: &Share,
    ) -> Option<Result<AgentSeat, MemoryFull>> {
        let Seat::Agent { spec, .. } = table.terms.chair(side) else {
            return None;
        };
        let reserved = games.memory.reserve_agent(&share.payer, spec);
        Some(reserved.map(|memory| AgentSeat::sit(games, table, side, spec, share, memory)))
    }

    fn sit(
        games: &Games,
        table: &GameSession,
        side: Color,
        spec: &str,
        share: &Share,
        memory: Reservation,
    ) -> AgentSeat {
        let (game, _) = table.start();
        let (agents, trusted, game) = (games.agents.clone(), table.terms.trusted, *game);
        let text = spec.to_owned();
        let build = move || match trusted {
            true => agents.build_trusted(&text, &game),
            false => agents.rebuild(&text, &game),
        };
        let queue = (games.pool.clone(), share.clone());
        let means = Means {
            pool: queue.0.clone(),
            share: queue.1.clone(),
            memory,
        };
        let seed = agent_seed(table.terms.seed, 0, side);
        let player = PooledPlayer::start(build, means, table.start(), side, seed);
        show_all(&player, table, side);
        AgentSeat {
            side,
            player,
            queue,
            stop: Arc::default(),
            thinking: false,
            bounded: is_bounded(spec),
            pace: Pace::of(spec),
        }
    }

    pub fn see(&self, observation: &Observation) {
        self.player.see(observation);
    }

    /// Whether it was asked for a move and has not answered.
    pub fn is_thinking(&self) -> bool {
        self.thinking
    }

    pub(crate) fn return_agent(&mut self, pace: Pace) {
        (self.thinking, self.pace) = (false, pace);
    }

    /// Starts the search for a move, unless one is running.
    pub fn think(&mut self, games: &Games, table: &GameSession, to: &mpsc::WeakSender<Command>) {
        if std::mem::replace(&mut self.thinking, true) {
            return;
        }
        let observation = table.observation(self.side).clone();
        let budget = self.budget(table, games.time.now());
        let target = budget.clock.and_then(|_| budget.target());
        let answer = self.player.ask(move |player| {
            let budget = budget.timed(PROCESSOR);
            player.act(&observation, &budget)
        });
        let thought = Thought {
            side: self.side,
            ply: table.ply(),
            asked: Instant::now(),
            pace: self.pace,
            target,
            watched: match table.observation(!self.side).position() {
                _ if table.terms.only_agents() => Watched::ByNobody,
                Some(_) => Watched::Openly,
                None => Watched::InTheDark,
            },
            pause: Duration::from_millis(table.terms.pause),
            queue: self.queue.clone(),
        };
        tokio::spawn(thought.wait(answer, to.clone()));
    }

    /// Limits of a move. Their time counts from the start of the search.
    fn budget(&self, table: &GameSession, now: u64) -> Budget {
        let clock = table.time_left(self.side, now);
        let clock = clock.map(|(left, increment)| Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
        });
        let mut budget = Budget::default();
        budget.movetime = (clock.is_none() && !self.bounded).then_some(USUAL);
        (budget.clock, budget.longest) = (clock, Some(MAX_MOVE_TIME));
        budget.with_stop(Arc::clone(&self.stop))
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

/// Who waits for an answer.
#[derive(Clone, Copy)]
enum Watched {
    /// Agents only.
    ByNobody,
    /// An opponent who sees everything that the agent sees.
    Openly,
    /// An opponent from whom something is hidden, who must not learn how long the
    /// agent thinks.
    InTheDark,
}

/// A question to an agent.
struct Thought {
    side: Color,
    ply: u32,
    asked: Instant,
    pace: Pace,
    /// The time that the agent plans to use, if it has a clock.
    target: Option<Duration>,
    watched: Watched,
    /// Minimum time of the answer.
    pause: Duration,
    queue: (WorkerPool, Share),
}

impl Thought {
    /// Waits for the answer and sends it to the game at its time; until then,
    /// sends the place in the queue.
    async fn wait(
        self,
        mut answer: oneshot::Receiver<Result<Answer, Fault>>,
        to: mpsc::WeakSender<Command>,
    ) {
        let mut news = interval_at(self.asked + NEWS, NEWS);
        let answered = loop {
            tokio::select! {
                answered = &mut answer => break answered,
                _ = news.tick() => {
                    let Some(to) = to.upgrade() else { return };
                    if let Some(place) = self.queue.0.place(&self.queue.1) {
                        let _ = to.send(Command::Queued(place)).await; // the game may be gone
                    }
                }
            }
        };
        let (at, reply) = self.reply(answered.ok().and_then(Result::ok));
        sleep_until(at).await;
        if let Some(to) = to.upgrade() {
            let _ = to.send(Command::Thought(Box::new(reply))).await; // the game may be gone
        }
    }

    /// The reply, and when it leaves.
    fn reply(mut self, answer: Option<Answer>) -> (Instant, AgentReply) {
        let used = answer
            .as_ref()
            .map_or(Duration::ZERO, |answer| answer.elapsed);
        let spent = self.asked.elapsed();
        let step = self.pace.step(self.target);
        let (leaves, charge) = match self.watched {
            Watched::ByNobody => (spent, used),
            Watched::Openly => (spent.max(AT_ONCE), used),
            Watched::InTheDark => {
                let slow = self.pace.leaves(used, step);
                let planned = slow.min(self.target.unwrap_or(slow));
                let charge = if used > step { slow } else { planned };
                let leaves = match used < NOTHING {
                    true => spent.max(slow), // it has only waited
                    false => Pace::late(spent, slow),
                };
                (leaves, charge)
            }
        };
        let reply = AgentReply {
            side: self.side,
            ply: self.ply,
            chosen: answer.as_ref().map(|answer| answer.m),
            report: answer.and_then(|answer| answer.report),
            pace: self.pace,
            charge,
        };
        (self.asked + leaves.max(self.pause), reply)
    }
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
