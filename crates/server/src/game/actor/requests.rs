//! What players ask of a game beside moves.

use foglight_rules::{Color, Outcome, Reason};
use tokio::sync::mpsc;

use super::{
    super::{
        handle::{Answer, Draw, PracticeWish},
        practice::Practice,
        refusal::Refusal,
        registry::NoticeKind,
    },
    Actor,
};
use crate::{
    domain::Chair,
    store::Person,
    wire::{DrawNews, DrawState, Frame, Joined, RematchNews, RematchState},
};

impl Actor {
    pub(super) async fn resign(&mut self, side: Color) -> Answer<()> {
        match self.table.outcome() {
            Some(_) => Err(Refusal::Over),
            None if self.table.terms.is_open() => Err(Refusal::Open),
            None => {
                self.end(Outcome::win(!side, Reason::Resign)).await;
                self.saved()
            }
        }
    }

    fn saved(&self) -> Answer<()> {
        self.table.outcome().map(drop).ok_or(Refusal::Unsaved)
    }

    pub(super) async fn draw(&mut self, side: Color, draw: Draw) -> Answer<()> {
        if self.table.outcome().is_some() {
            return Err(Refusal::Over);
        }
        let offered = self.table.offer == Some(!side);
        match draw {
            Draw::Accept | Draw::Offer if offered => {
                self.end(Outcome::draw(Reason::Agreement)).await;
                self.saved()
            }
            Draw::Accept => Err(Refusal::NoOffer),
            Draw::Offer => {
                self.table.offer = Some(side);
                self.tell_draw(side, DrawState::Offered);
                if matches!(self.table.terms.chair(!side), Chair::Agent { .. }) {
                    return self.answer_draw(!side).await;
                }
                Ok(())
            }
            Draw::Decline if offered => {
                self.table.offer = None;
                self.tell_draw(side, DrawState::Declined);
                Ok(())
            }
            Draw::Decline => Err(Refusal::NoOffer),
        }
    }

    /// An agent's answer to the offer that stands.
    async fn answer_draw(&mut self, agent: Color) -> Answer<()> {
        if self.table.takes_draw(agent) {
            self.end(Outcome::draw(Reason::Agreement)).await;
            return self.saved();
        }
        self.table.offer = None;
        self.tell_draw(agent, DrawState::Declined);
        Ok(())
    }

    fn tell_draw(&mut self, by: Color, state: DrawState) {
        let news = DrawNews {
            by: by.into(),
            state,
        };
        for side in Color::ALL {
            self.sides.get_mut(side).tell(&news);
        }
    }

    pub(super) async fn join(&mut self, person: Person, rating: Option<f64>) -> Answer<Color> {
        if let Some(side) = self.table.terms.side_of(&person.id) {
            return Ok(side);
        }
        let mut terms = self.table.terms.clone();
        let free = Color::ALL
            .into_iter()
            .find(|&side| *terms.chair(side) == Chair::Open);
        let side = free.ok_or(Refusal::Taken)?;
        *terms.chair_mut(side) = Chair::Person {
            player: person.id,
            name: person.name,
            rating,
        };
        let saved = self.games.store.change_terms(&terms).await;
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

    pub(super) async fn rematch(&mut self, side: Color) -> Answer<()> {
        if self.table.outcome().is_none() {
            return Err(Refusal::Running);
        }
        *self.rematch.get_mut(side) = true;
        let other = matches!(self.table.terms.chair(!side), Chair::Agent { .. })
            || *self.rematch.get(!side);
        let mut news = RematchNews {
            by: side.into(),
            state: RematchState::Offered,
            game: self.table.terms.rematch.clone(),
        };
        if other && news.game.is_none() {
            let game = self.games.again(&self.table.terms).await;
            self.table.terms.rematch = Some(game.map_err(|_| Refusal::Unsaved)?);
            let saved = self.games.store.change_terms(&self.table.terms).await;
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
        wish: PracticeWish,
        frames: mpsc::Sender<Frame>,
    ) -> Answer<()> {
        if !self.table.terms.practice {
            return Err(Refusal::NoPractice);
        }
        match &mut self.practice {
            Some(practice) if practice.side() == side => practice.change(wish, frames),
            _ => self.practice = Practice::new(&self.games, &self.table, side, wish, frames),
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
