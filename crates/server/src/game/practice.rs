//! Practice: belief and advice for a player, computed from the player's
//! observations only.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use foglight_play::{Budget, Player as _, Report};
use foglight_rules::{Color, Observation, Record};
use tokio::sync::mpsc;

use super::{
    handle::PracticeSettings,
    pooled::{Guarded, Means, PooledPlayer},
    registry::Games,
    seat::show_all,
    session::GameSession,
};
use crate::{
    wire::{Frame, PracticeEvent},
    workers::{self, MemoryFull, PROCESSOR, Share},
};

/// Thinking time of the adviser.
const ADVICE: Duration = Duration::from_millis(700);

/// A practice without its adviser: the side, its settings and its socket.
pub(super) type RestingPractice = (Color, PracticeSettings, mpsc::Sender<Frame>);

pub(super) struct Practice {
    side: Color,
    wish: PracticeSettings,
    frames: mpsc::Sender<Frame>,
    adviser: PooledPlayer,
    /// Number of the latest request; answers to earlier ones are dropped.
    asked: Arc<AtomicU64>,
}

impl Practice {
    /// Follows a game from its start.
    pub fn new(
        games: &Games,
        table: &GameSession,
        side: Color,
        wish: PracticeSettings,
        frames: mpsc::Sender<Frame>,
        share: &Share,
    ) -> Result<Practice, MemoryFull> {
        let (game, agents) = (*table.start().0, games.agents.clone());
        let spec = workers::advisor(&game);
        let means = Means {
            pool: games.pool.clone(),
            share: share.clone(),
            memory: games.memory.reserve_agent(&share.payer, spec)?,
        };
        let (build, seed) = (move || agents.build(spec, &game), table.terms.seed);
        let adviser = PooledPlayer::start(build, means, table.start(), side, seed);
        show_all(&adviser, table, side);
        Ok(Practice {
            side,
            wish,
            frames,
            adviser,
            asked: Arc::default(),
        })
    }

    /// The side that practises.
    pub fn side(&self) -> Color {
        self.side
    }

    /// Changes the settings or the socket.
    pub fn change(&mut self, wish: PracticeSettings, frames: mpsc::Sender<Frame>) {
        (self.wish, self.frames) = (wish, frames);
    }

    pub fn see(&self, observation: &Observation) {
        self.adviser.see(observation);
    }

    /// Lets the adviser go. Returns what it takes to start again.
    pub fn rest(self) -> RestingPractice {
        self.asked.fetch_add(1, Ordering::Relaxed); // no answer is due any more
        (self.side, self.wish, self.frames)
    }

    /// Ends the adviser's game.
    pub fn end(self, record: Record) {
        self.adviser.end(record);
    }

    /// Computes the hints for the current ply. An adviser that has failed answers
    /// nothing: then the player is told that there are no more hints.
    pub fn work(&self, table: &GameSession) {
        if !self.wish.on {
            return;
        }
        let number = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        let (wish, frames, asked) = (self.wish, self.frames.clone(), Arc::clone(&self.asked));
        let now = table.observation(self.side).clone();
        let due = move || asked.load(Ordering::Relaxed) == number;
        let (still_due, seen, silent) = (due.clone(), now.clone(), frames.clone());
        let answered = self.adviser.ask(move |adviser| {
            if due() {
                tell(adviser, &now, wish, &frames);
            }
        });
        tokio::spawn(async move {
            if answered.await.is_err() && still_due() {
                let _ = silent.try_send(Frame::answer(&PracticeEvent::lost(&seen)));
            }
        });
    }
}

fn tell(
    adviser: &mut Guarded,
    now: &Observation,
    wish: PracticeSettings,
    frames: &mpsc::Sender<Frame>,
) {
    let belief = adviser.player().and_then(|player| player.belief());
    let news = match belief {
        _ if now.position().is_some() => PracticeEvent::open(now),
        Some(belief) => PracticeEvent::new(now, belief, wish.heat),
        None => PracticeEvent::lost(now),
    };
    // A closed or full socket only misses a hint.
    let _ = frames.try_send(Frame::answer(&news));
    if wish.mix
        && !now.legal_moves().is_empty()
        && let Some(report) = advice(adviser, now)
    {
        let _ = frames.try_send(Frame::answer(&news.with_advice(&report)));
    }
}

fn advice(adviser: &mut Guarded, now: &Observation) -> Option<Report> {
    let budget = Budget::time(ADVICE, PROCESSOR);
    let answer = adviser.act(now, &budget).ok()?;
    let mut report = answer.report.unwrap_or_default();
    if report.policy.is_empty() {
        report.policy.push((answer.m, 1.0));
    }
    Some(report)
}
