//! Practice: an adviser beside a player, made of nothing but the player's
//! observations, and what it believes.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use foglight_arena::MONOTONIC;
use foglight_play::{Budget, Player as _, Report};
use foglight_rules::{Color, Observation, Record};
use tokio::sync::mpsc;

use super::{
    handle::PracticeSettings,
    pooled::{Guarded, PooledPlayer},
    registry::Games,
    seat::show_all,
    session::GameSession,
};
use crate::{
    wire::{Frame, PracticeEvent},
    workers,
};

/// How long the adviser thinks.
const ADVICE: Duration = Duration::from_millis(700);

pub(super) struct Practice {
    side: Color,
    wish: PracticeSettings,
    frames: mpsc::Sender<Frame>,
    adviser: PooledPlayer,
    /// The number of the last question: those before it are out of date.
    asked: Arc<AtomicU64>,
}

impl Practice {
    /// Starts to follow a game from its start.
    pub fn new(
        games: &Games,
        table: &GameSession,
        side: Color,
        wish: PracticeSettings,
        frames: mpsc::Sender<Frame>,
    ) -> Option<Practice> {
        let (game, _) = table.start();
        let adviser = games.agents.build(workers::advisor(game), game).ok()?;
        let (pool, seed) = (games.study.clone(), table.terms.seed);
        let adviser = PooledPlayer::start(adviser, pool, table.start(), side, seed);
        show_all(&adviser, table, side);
        Some(Practice {
            side,
            wish,
            frames,
            adviser,
            asked: Arc::default(),
        })
    }

    /// Whose practice it is.
    pub fn side(&self) -> Color {
        self.side
    }

    /// Another wish, or another socket.
    pub fn change(&mut self, wish: PracticeSettings, frames: mpsc::Sender<Frame>) {
        (self.wish, self.frames) = (wish, frames);
    }

    pub fn see(&self, observation: &Observation) {
        self.adviser.see(observation);
    }

    /// The game is over.
    pub fn end(self, record: Record) {
        self.adviser.end(record);
    }

    /// Works out what is to be told now.
    pub fn work(&self, table: &GameSession) {
        if !self.wish.on {
            return;
        }
        let number = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        let (wish, frames, asked) = (self.wish, self.frames.clone(), Arc::clone(&self.asked));
        let now = table.observation(self.side).clone();
        drop(self.adviser.ask(move |adviser| {
            if asked.load(Ordering::Relaxed) == number {
                tell(adviser, &now, wish, &frames);
            }
        }));
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
        None => return, // nothing honest can be said
    };
    // A socket that is gone or full misses a hint, no more.
    let _ = frames.try_send(Frame::answer(&news));
    if wish.mix
        && !now.legal_moves().is_empty()
        && let Some(report) = advice(adviser, now)
    {
        let _ = frames.try_send(Frame::answer(&news.with_advice(&report)));
    }
}

fn advice(adviser: &mut Guarded, now: &Observation) -> Option<Report> {
    let budget = Budget::time(ADVICE, MONOTONIC);
    let answer = adviser.act(now, &budget).ok()?;
    let mut report = answer.report.unwrap_or_default();
    if report.policy.is_empty() {
        report.policy.push((answer.m, 1.0));
    }
    Some(report)
}
