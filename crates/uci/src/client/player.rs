//! An external engine as a player of the referee.

use std::time::{Duration, Instant};

use foglight_play::{Answer, Budget, Fault, Player};
use foglight_rules::{Color, Game, Observation, Position, Record, notation::uci};

use super::{UNTIMED, UciEngine, info::InfoCollector, limits, time_limit, tracker::GameTracker};
use crate::{UciCommand, text::quoted};

impl Player for UciEngine {
    fn start(
        &mut self,
        game: &Game,
        start: &Position,
        side: Color,
        seed: u64,
    ) -> Result<(), Fault> {
        self.choose_game(game)?;
        if self.declares("Seed") {
            self.set("Seed", &seed.to_string());
        }
        self.tell(&UciCommand::UciNewGame);
        let sheet = GameTracker::new(*game, *start, side);
        if let Some(position) = sheet.opening() {
            self.tell(&UciCommand::Position(position));
        }
        self.sheet = Some(sheet);
        self.wait_until_ready()?;
        self.owed = 0;
        Ok(())
    }

    fn see(&mut self, observation: &Observation) -> Result<(), Fault> {
        let sheet = self.sheet.as_mut();
        if let Some(observe) = sheet.and_then(|sheet| sheet.see(observation)) {
            self.tell(&UciCommand::Observe(observe));
        }
        Ok(())
    }

    /// The referee's clock decides: a late answer is awaited just long enough
    /// to be classified as late, without a time limit until [`UNTIMED`].
    fn act(
        &mut self,
        observation: &Observation,
        budget: &Budget,
        limit: Option<Duration>,
    ) -> Result<Answer, Fault> {
        if budget.threads != self.threads && self.declares("Threads") {
            self.set("Threads", &budget.threads.to_string());
            self.threads = budget.threads;
        }
        if let Some(position) = self.sheet.as_ref().and_then(GameTracker::position) {
            self.tell(&UciCommand::Position(position));
        }
        self.wait_until_ready()?;
        let go = UciCommand::Go(limits(budget));
        let grace = grace(budget, limit);
        let started = Instant::now();
        self.tell(&go);
        let deadline =
            started + time_limit(budget).map_or(UNTIMED.max(grace), |limit| limit + grace);
        let mut hearing = InfoCollector::default();
        let (best, at) = self.await_move(deadline, &mut hearing)?;
        let named = |text: &str| uci::find(text, observation.legal_moves()).ok();
        match best.as_deref().and_then(named) {
            Some(m) => Ok(Answer {
                m,
                report: Some(hearing.report(observation)),
                elapsed: at.saturating_duration_since(started),
            }),
            None => {
                let text = best.as_deref().map_or("no move".to_owned(), quoted);
                Err(Fault::Illegal(text))
            }
        }
    }

    fn end(&mut self, _: &Record) {
        self.sheet = None;
    }
}

/// Time beyond its budget after which an external engine is abandoned.
fn grace(budget: &Budget, limit: Option<Duration>) -> Duration {
    const MIN_GRACE: Duration = Duration::from_millis(100);
    let planned = budget.clock.map(|clock| clock.left).or(budget.movetime);
    let beyond = limit.map(|limit| limit.saturating_sub(planned.unwrap_or_default()));
    beyond.unwrap_or_default().max(MIN_GRACE)
}
