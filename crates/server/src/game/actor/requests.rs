//! Requests of players to a game other than moves.

use foglight_rules::{Color, Outcome, Termination};
use tokio::sync::mpsc;

use super::{
    super::{
        handle::{CommandResult, DrawAction, PracticeSettings},
        practice::Practice,
        refusal::Refusal,
        registry::NoticeKind,
    },
    Actor,
};
use crate::{
    domain::Seat,
    store::Asker,
    wire::{DrawEvent, DrawState, Frame, Joined, RematchEvent, RematchState},
};

impl Actor {
    pub(super) async fn resign(&mut self, side: Color) -> CommandResult<()> {
        match self.table.outcome() {
            Some(_) => Err(Refusal::Over),
            None if self.table.terms.is_open() => Err(Refusal::Open),
            None => {
                self.end(Outcome::win(!side, Termination::Resign)).await;
                self.saved()
            }
        }
    }

    fn saved(&self) -> CommandResult<()> {
        self.table.outcome().map(drop).ok_or(Refusal::Unsaved)
    }

    pub(super) async fn draw(&mut self, side: Color, draw: DrawAction) -> CommandResult<()> {
        if self.table.outcome().is_some() {
            return Err(Refusal::Over);
        }
        let offered = self.table.offer == Some(!side);
        match draw {
            DrawAction::Accept | DrawAction::Offer if offered => {
                self.end(Outcome::draw(Termination::Agreement)).await;
                self.saved()
            }
            DrawAction::Accept => Err(Refusal::NoOffer),
            DrawAction::Offer => {
                self.table.offer = Some(side);
                self.tell_draw(side, DrawState::Offered);
                if matches!(self.table.terms.chair(!side), Seat::Agent { .. }) {
                    return self.answer_draw(!side).await;
                }
                Ok(())
            }
            DrawAction::Decline if offered => {
                self.table.offer = None;
                self.tell_draw(side, DrawState::Declined);
                Ok(())
            }
            DrawAction::Decline => Err(Refusal::NoOffer),
        }
    }

    /// Lets an agent answer the open draw offer.
    async fn answer_draw(&mut self, agent: Color) -> CommandResult<()> {
        if self.table.takes_draw(agent) {
            self.end(Outcome::draw(Termination::Agreement)).await;
            return self.saved();
        }
        self.table.offer = None;
        self.tell_draw(agent, DrawState::Declined);
        Ok(())
    }

    fn tell_draw(&mut self, by: Color, state: DrawState) {
        let news = DrawEvent {
            by: by.into(),
            state,
        };
        for side in Color::ALL {
            self.sides.get_mut(side).tell(&news);
        }
    }

    pub(super) async fn join(
        &mut self,
        person: Asker,
        rating: Option<f64>,
    ) -> CommandResult<Color> {
        let account = person.account().clone();
        if let Some(side) = self.table.terms.side_of(&account.id) {
            return Ok(side);
        }
        let mut terms = self.table.terms.clone();
        let free = Color::ALL
            .into_iter()
            .find(|&side| *terms.chair(side) == Seat::Open);
        let side = free.ok_or(Refusal::Taken)?;
        *terms.chair_mut(side) = Seat::Person {
            player: account.id,
            name: account.name,
            rating,
        };
        let rated = self.games.may_rate(&terms).await;
        terms.rated &= rated.map_err(|_| Refusal::Unsaved)?;
        let saved = self.games.store.change_terms(&terms, Some(person)).await;
        saved.map_err(|_| Refusal::Unsaved)?;
        self.table.terms = terms;
        let news = Joined {
            info: self.table.info(),
        };
        for side in Color::ALL {
            self.sides.get_mut(side).tell(&news);
        }
        self.watchers.tell(&news);
        self.notify(NoticeKind::Start);
        Ok(side)
    }

    /// Stores a player's seed of the dice.
    pub(super) async fn seed(&mut self, side: Color, seed: &str) -> CommandResult<()> {
        let Some(terms) = self.table.with_seed(side, seed)? else {
            return Ok(());
        };
        let saved = self.games.store.change_terms(&terms, None).await;
        saved.map_err(|_| Refusal::Unsaved)?;
        self.table.set_seeds(terms);
        Ok(())
    }

    pub(super) async fn rematch(&mut self, side: Color) -> CommandResult<()> {
        if self.table.outcome().is_none() {
            return Err(Refusal::Running);
        }
        *self.rematch.get_mut(side) = true;
        let other =
            matches!(self.table.terms.chair(!side), Seat::Agent { .. }) || *self.rematch.get(!side);
        let mut news = RematchEvent {
            by: side.into(),
            state: RematchState::Offered,
            game: self.table.terms.rematch.clone(),
        };
        if other && news.game.is_none() {
            let game = self
                .games
                .again(&self.table.terms, self.share.payer.clone())
                .await;
            self.table.terms.rematch = Some(game.map_err(|_| Refusal::Unsaved)?);
            let saved = self.games.store.change_terms(&self.table.terms, None).await;
            saved.map_err(|_| Refusal::Unsaved)?;
            news.game.clone_from(&self.table.terms.rematch);
        }
        if news.game.is_some() {
            news.state = RematchState::Started;
        }
        for side in Color::ALL {
            self.sides.get_mut(side).tell(&news);
        }
        Ok(())
    }

    pub(super) fn wish(
        &mut self,
        side: Color,
        wish: PracticeSettings,
        frames: mpsc::Sender<Frame>,
    ) -> CommandResult<()> {
        if !self.table.terms.practice {
            return Err(Refusal::NoPractice);
        }
        match &mut self.practice {
            Some(practice) if practice.side() == side => practice.change(wish, frames),
            _ => {
                let (games, share) = (&self.games, &self.share);
                let practice = Practice::new(games, &self.table, side, wish, frames, share);
                self.practice = Some(practice?);
            }
        }
        if let Some(practice) = &self.practice {
            practice.work(&self.table);
        }
        if self.table.outcome().is_some()
            && let Some(practice) = self.practice.take()
        {
            practice.end(self.table.record());
        }
        Ok(())
    }
}
