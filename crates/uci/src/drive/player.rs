//! An outside engine as a player of the referee.

use std::time::Duration;

use foglight_play::{Answer, Budget, Fault, Player};
use foglight_rules::{Color, Game, Observation, Position, Record};

use super::Outside;

impl Player for Outside {
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
        Outside::act(self, observation, budget, grace(budget, limit))
    }

    fn end(&mut self, _: &Record) {
        Outside::end(self);
    }
}

/// Time that an outside engine gets beyond its budget before it is given up.
fn grace(budget: &Budget, limit: Option<Duration>) -> Duration {
    const MIN_GRACE: Duration = Duration::from_millis(100);
    let planned = budget.clock.map(|clock| clock.left).or(budget.movetime);
    let beyond = limit
        .zip(planned)
        .map(|(limit, planned)| limit.saturating_sub(planned));
    beyond.unwrap_or_default().max(MIN_GRACE)
}
