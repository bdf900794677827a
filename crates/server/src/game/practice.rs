//! Practice: a player's own belief, kept beside the game and made of nothing
//! but the player's observations.

use std::time::Duration;

use foglight_arena::MONOTONIC;
use foglight_engine::belief::ExactBelief;
use foglight_play::{Budget, Report};
use foglight_play::{InProcess, Player};
use foglight_rules::{Color, Observation};
use tokio::sync::mpsc;

use super::{
    handle::{Command, PracticeWish},
    seat::observations,
    table::Table,
};
use crate::{
    app::App,
    think,
    wire::{Frame, PracticeNews},
};

/// The most positions that are kept. Beyond them the count is a lower bound,
/// and said to be.
const CAP: usize = 300_000;
/// How long the adviser thinks.
const ADVICE: Duration = Duration::from_millis(700);

/// What is kept between two plies. It is away while a thread works on it.
struct Kept {
    belief: Option<ExactBelief>,
    adviser: InProcess,
}

/// A player's practice.
pub(super) struct Practice {
    side: Color,
    wish: PracticeWish,
    frames: mpsc::Sender<Frame>,
    kept: Option<Kept>,
    unseen: Vec<Observation>,
    /// Something came while the thread was at work.
    again: bool,
}

/// What a thread gives back.
pub(super) struct PracticeDone {
    kept: Kept,
}

impl Practice {
    /// Starts to follow a game from its start.
    pub fn new(
        app: &App,
        table: &Table,
        side: Color,
        wish: PracticeWish,
        frames: mpsc::Sender<Frame>,
    ) -> Option<Practice> {
        let (game, start) = table.start();
        let player = think::build(think::advisor(game), game, &app.providers).ok()?;
        let mut adviser = InProcess(Box::new(player));
        adviser.start(game, start, side, table.terms.seed).ok()?;
        let belief = (!game.sees_all(side))
            .then(|| ExactBelief::new(game, side, start).with_cap(CAP, table.terms.seed));
        Some(Practice {
            side,
            wish,
            frames,
            kept: Some(Kept { belief, adviser }),
            unseen: observations(table, side),
            again: false,
        })
    }

    /// Whose practice it is.
    pub fn side(&self) -> Color {
        self.side
    }

    /// Another wish, or another socket.
    pub fn change(&mut self, wish: PracticeWish, frames: mpsc::Sender<Frame>) {
        (self.wish, self.frames) = (wish, frames);
    }

    /// Something happened.
    pub fn see(&mut self, observation: &Observation) {
        self.unseen.push(observation.clone());
    }

    /// Takes back what a thread had.
    pub fn resume(&mut self, done: PracticeDone) -> bool {
        self.kept = Some(done.kept);
        std::mem::take(&mut self.again)
    }

    /// Works out what is to be told now.
    pub fn work(&mut self, app: &App, table: &Table, to: &mpsc::WeakSender<Command>) {
        if !self.wish.on {
            return;
        }
        let Some(mut kept) = self.kept.take() else {
            self.again = true;
            return;
        };
        let seen = std::mem::take(&mut self.unseen);
        let now = table.observation(self.side).clone();
        let (wish, frames) = (self.wish, self.frames.clone());
        let (pool, to) = (app.study.clone(), to.clone());
        tokio::spawn(async move {
            let done = pool.run(move || {
                kept.tell(&seen, &now, wish, &frames);
                PracticeDone { kept }
            });
            if let Ok(done) = done.await
                && let Some(to) = to.upgrade()
            {
                let _ = to.send(Command::PracticeDone(Box::new(done))).await; // the game may be gone
            }
        });
    }
}

impl Kept {
    fn tell(
        &mut self,
        seen: &[Observation],
        now: &Observation,
        wish: PracticeWish,
        frames: &mpsc::Sender<Frame>,
    ) {
        for observation in seen {
            if let Some(belief) = &mut self.belief
                && belief.update(observation).is_err()
            {
                return; // a cap cut the truth away: nothing honest can be said
            }
            let _ = self.adviser.see(observation); // it will fail again when asked
        }
        let news = match &self.belief {
            Some(belief) => PracticeNews::new(now, belief, wish.heat),
            None => PracticeNews::open(now),
        };
        // A socket that is gone or full misses a hint, no more.
        let _ = frames.try_send(Frame::answer(&news));
        if wish.mix
            && !now.moves().is_empty()
            && let Some(report) = self.advice(now)
        {
            let _ = frames.try_send(Frame::answer(&news.with_advice(&report)));
        }
    }

    fn advice(&mut self, now: &Observation) -> Option<Report> {
        let answer = self
            .adviser
            .act(now, &Budget::time(ADVICE, MONOTONIC), None)
            .ok()?;
        let mut report = answer.report.unwrap_or_default();
        if report.mix.is_empty() {
            report.mix.push((answer.m, 1.0));
        }
        Some(report)
    }
}
