//! The agents of a game: their seats, their replies, and what happens when one
//! fails.

use std::time::Duration;

use foglight_arena::record::Telemetry;
use foglight_rules::{ByColor, Color, Move, Outcome, Termination};
use tokio::time::sleep;

use super::{
    super::{
        handle::Command,
        practice::Practice,
        refusal::Refusal,
        seat::{AgentReply, AgentSeat},
        session::Asked,
    },
    Actor,
};
use crate::{
    domain::Seat,
    wire::{Frame, PracticeEvent, QueueEvent},
};

/// Failures after which an agent is given up: the game is then drawn and not
/// rated.
const GIVE_UP: u32 = 3;

/// Failures of the agents of a game.
#[derive(Default)]
pub(super) struct Troubles {
    count: ByColor<u32>,
    /// Whether a retry is on its way.
    waiting: bool,
}

impl Actor {
    /// Whether the seat of a side is an agent's.
    pub(super) fn is_agents(&self, side: Color) -> bool {
        matches!(self.table.terms.chair(side), Seat::Agent { .. })
    }

    /// Whether a side is an agent's that owes an answer: its clock is settled
    /// when that comes.
    pub(super) fn is_thinking(&self, side: Color) -> bool {
        let seat = self.agents.get(side).as_ref();
        self.is_agents(side) && seat.is_none_or(AgentSeat::is_thinking)
    }

    /// Seats the agent of a side that has no seat, if there is memory.
    fn seat_agent(&mut self, side: Color) {
        if self.agents.get(side).is_none() {
            let seat = AgentSeat::new(&self.games, &self.table, side, &self.share);
            *self.agents.get_mut(side) = seat.and_then(Result::ok);
        }
    }

    /// Lets agents go that nobody has needed for a while, and their memory. They
    /// come back when it is their turn.
    pub(super) fn rest_agents(&mut self) {
        if self
            .table
            .to_act()
            .is_some_and(|side| !self.is_agents(side))
        {
            self.agents = ByColor::default();
            let hints = self.practice.take().map(Practice::rest);
            self.resting = hints.or(self.resting.take());
        }
    }

    /// Brings the adviser back that was let go.
    pub(super) fn wake_adviser(&mut self) {
        if let Some((side, wish, frames)) = self.resting.take()
            && self.wish(side, wish, frames.clone()).is_err()
        {
            // Without memory there are no hints until they are asked for again.
            let none = PracticeEvent::lost(self.table.observation(side));
            let _ = frames.try_send(Frame::answer(&none));
        }
    }

    /// Throws the dice of agents and has them think, as far as they are due.
    pub(super) async fn advance(&mut self) {
        while let Some(side) = self.table.to_act()
            && self.is_agents(side)
        {
            if self.table.is_chance() {
                if self.table.waits_for_seed() || self.roll(side, self.table.ply()).await.is_err() {
                    return; // the disk is full: the game waits
                }
                continue;
            }
            if self.troubles.waiting {
                return; // the retry comes
            }
            self.seat_agent(side);
            match self.agents.get_mut(side) {
                Some(seat) => seat.think(&self.games, &self.table, &self.me),
                None => self.retry_after(Duration::from_secs(1)),
            }
            return;
        }
    }

    /// Tries again later. The agent's clock stands meanwhile.
    fn retry_after(&mut self, pause: Duration) {
        self.troubles.waiting = true;
        self.tell_queue(None);
        let me = self.me.clone();
        tokio::spawn(async move {
            sleep(pause).await;
            if let Some(me) = me.upgrade() {
                let _ = me.send(Command::Retry).await; // the game may be gone
            }
        });
    }

    pub(super) async fn retry(&mut self) {
        self.troubles.waiting = false;
        self.advance().await;
    }

    /// Tells everybody how long the agent to move still waits.
    pub(super) fn tell_queue(&mut self, place: Option<usize>) {
        let Some(side) = self.table.to_act().filter(|&side| self.is_agents(side)) else {
            return;
        };
        let news = QueueEvent {
            by: side.into(),
            place,
            clocks: self.table.standing_clocks(self.games.time.now()),
        };
        self.watchers.tell(&news);
        for side in Color::ALL {
            self.sides.get_mut(side).tell(&news);
        }
    }

    pub(super) async fn thought(&mut self, thought: AgentReply) {
        let side = thought.side;
        if let Some(seat) = self.agents.get_mut(side) {
            seat.return_agent(thought.pace);
        }
        if self.table.outcome().is_some() || thought.ply != self.table.ply() {
            return;
        }
        let now = self.games.time.now();
        self.table.charge_at_most(thought.charge, now);
        match thought.chosen {
            Some(m) => self.chosen(m, thought).await,
            None => self.failed(side).await,
        }
    }

    async fn chosen(&mut self, m: Move, thought: AgentReply) {
        let (side, ply) = (thought.side, thought.ply);
        let reported = self.telemetry.len();
        let report = thought.report.as_ref();
        let report = report.map(|report| Telemetry::of(ply, report));
        self.telemetry.extend(report); // it is stored with a move that ends the game
        *self.table.reports.get_mut(side) = thought.report;
        match self.play(side, ply, Asked::Move(m), "").await {
            Ok(()) => return self.advance().await,
            Err(Refusal::Illegal(_)) => {
                self.end(Outcome::win(!side, Termination::IllegalMove))
                    .await;
            }
            Err(Refusal::Unsaved) => self.retry_after(Duration::from_secs(1)),
            Err(_) => {}
        }
        if self.table.outcome().is_none() {
            self.telemetry.truncate(reported);
        }
    }

    /// A failed agent is built again and sees the whole game. One that fails
    /// again and again neither loses nor wins.
    async fn failed(&mut self, side: Color) {
        *self.agents.get_mut(side) = None;
        let count = self.troubles.count.get_mut(side);
        *count += 1;
        if *count < GIVE_UP {
            let pause = Duration::from_secs(1 << *count);
            return self.retry_after(pause);
        }
        self.table.terms.rated = false;
        if self
            .games
            .store
            .change_terms(&self.table.terms, None)
            .await
            .is_err()
        {
            return self.retry_after(Duration::from_secs(10));
        }
        self.end(Outcome::draw(Termination::Stall)).await;
    }
}
