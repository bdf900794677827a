//! The clock of an agent: it stands while the agent waits for a processor.

use std::time::Duration;

use foglight_rules::Color;

use super::{GameSession, left, ms};
use crate::wire::Clocks;

impl GameSession {
    /// The clocks while that of the side to move stands, as it was at the start
    /// of its turn.
    pub fn standing_clocks(&self, now: u64) -> Option<Clocks> {
        let mut clock = self.clock.clone()?;
        clock.give_back(Duration::MAX, ms(now));
        clock.stop(ms(now));
        Some(Clocks {
            white: left(&clock, Color::White, now),
            black: left(&clock, Color::Black, now),
            running: None,
        })
    }

    /// Charges the side to move, whose clock has run, no more than `charge`
    /// until `now`.
    pub(crate) fn charge_at_most(&mut self, charge: Duration, now: u64) {
        let Some(((_, at), clock)) = self.flags_at().zip(self.clock.as_mut()) else {
            return;
        };
        let left = clock.running().and_then(|side| clock.left(side));
        let ran = ms(now).saturating_sub(ms(at).saturating_sub(left.unwrap_or_default()));
        clock.give_back(ran.saturating_sub(charge), ms(now));
    }
}
