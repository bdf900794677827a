//! The dice of a game: the players' seeds, and rolls once both are named.

use foglight_rules::{Action, Color};

use super::{super::refusal::Refusal, GameSession, NextMove};
use crate::domain::{ActionText, GameSettings};

impl GameSession {
    /// Prepares a side's roll without making it.
    pub(crate) fn plan_roll(&self, side: Color, ply: u32, now: u64) -> Result<NextMove, Refusal> {
        self.check_turn(side, ply, now)?;
        let fair = self.fair.as_ref().ok_or(Refusal::NoRoll)?;
        if !fair.is_ready() {
            return Err(Refusal::NoSeed);
        }
        let roll = fair.next(self.session.state()).ok_or(Refusal::NoRoll)?;
        let action = Action::Roll(roll);
        Ok(self.plan(action, ActionText::new(action), String::new(), now))
    }

    /// The settings with a player's seed of the dice; `None` if it is named
    /// already.
    pub(crate) fn with_seed(
        &self,
        side: Color,
        seed: &str,
    ) -> Result<Option<GameSettings>, Refusal> {
        let fair = self.fair.as_ref().ok_or(Refusal::NoRoll)?;
        if fair.clients().of(side).is_some() {
            return Ok(None);
        }
        let mut terms = self.terms.clone();
        terms.dice_clients.name(side, seed, fair.count());
        Ok(Some(terms))
    }

    /// Sets the settings that [`GameSession::with_seed`] returned.
    pub(crate) fn set_seeds(&mut self, terms: GameSettings) {
        if let Some(fair) = &mut self.fair {
            fair.set_clients(terms.dice_clients.clone());
        }
        self.terms = terms;
    }

    /// Whether a roll that is due waits for a player's seed.
    pub(crate) fn waits_for_seed(&self) -> bool {
        self.is_chance() && self.fair.as_ref().is_some_and(|fair| !fair.is_ready())
    }
}
