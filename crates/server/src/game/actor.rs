//! The actor of one game: takes requests one by one, stores before it
//! acknowledges, and tells each viewer what it may know.

mod agents;
mod requests;

use std::{sync::Arc, time::Duration};

use foglight_arena::record::Telemetry;
use foglight_rules::{ByColor, Color, Outcome, Termination};
use tokio::{sync::mpsc, time};

use agents::Troubles;

use super::{
    handle::{Attached, Command, CommandResult, Handle, Question, Viewer},
    practice::{Practice, RestingPractice},
    refusal::Refusal,
    registry::{Games, Notice, NoticeKind, Place, memory_of},
    seat::AgentSeat,
    session::{Asked, GameSession, NextMove, SessionEvent, past},
    viewers::Viewers,
};
use crate::{
    domain::Seat,
    store::StoredEnd,
    wire::{EndEvent, Frame, Online, OutcomeDto, Ratings, SideColor, StateEvent},
    workers::{Held, Reservation, Share, Work},
};

/// Requests that may wait for a game.
const QUEUE: usize = 64;
/// Messages that may wait for a socket.
const SOCKET_QUEUE: usize = 64;
/// How long a game that nobody looks at stays in memory.
const IDLE: Duration = Duration::from_secs(120);

pub(super) struct Actor {
    games: Arc<Games>,
    table: GameSession,
    actions: usize,
    sides: ByColor<Viewers>,
    watchers: Viewers,
    agents: ByColor<Option<AgentSeat>>,
    share: Share,
    memory: Reservation,
    /// Held while a game between agents runs.
    show: Option<Held>,
    troubles: Troubles,
    practice: Option<Practice>,
    resting: Option<RestingPractice>,
    telemetry: Vec<Telemetry>,
    rematch: ByColor<bool>,
    ratings: Option<Ratings>,
    sockets: u64,
    /// Held while a clock of this game runs.
    ticking: Option<Arc<()>>,
    /// Weak, so that a game nobody can reach ends.
    me: mpsc::WeakSender<Command>,
}

/// Starts the actor of a game.
pub(super) fn start(
    games: Arc<Games>,
    table: GameSession,
    actions: usize,
    telemetry: Vec<Telemetry>,
    place: Place,
) -> Handle {
    let (commands, queue) = mpsc::channel(QUEUE);
    let version = games.first_version;
    let actor = Actor {
        games,
        actions,
        sides: ByColor::new_with(|_| Viewers::new(version)),
        watchers: Viewers::new(version),
        agents: ByColor::default(),
        share: place.share,
        memory: place.memory,
        show: place.show,
        troubles: Troubles::default(),
        practice: None,
        resting: None,
        telemetry,
        rematch: ByColor::default(),
        ratings: None,
        sockets: 0,
        ticking: None,
        me: commands.downgrade(),
        table,
    };
    tokio::spawn(actor.run(queue));
    Handle { commands }
}

impl Actor {
    async fn run(mut self, mut queue: mpsc::Receiver<Command>) {
        self.advance().await;
        loop {
            let wait = self.wait();
            let ticks = self.table.flags_at().is_some() && self.table.outcome().is_none();
            self.ticking = ticks.then(|| Arc::clone(&self.games.ticking));
            tokio::select! {
                command = queue.recv() => match command {
                    Some(command) => self.handle(command).await,
                    None => return,
                },
                () = time::sleep(wait) => {
                    self.flag().await;
                    if wait == IDLE && self.is_idle() {
                        break;
                    }
                    if wait == IDLE {
                        self.rest_agents();
                    }
                }
            }
        }
        queue.close();
        while let Some(command) = queue.recv().await {
            self.handle(command).await;
        }
    }

    /// Until a clock falls, or until somebody might have left.
    fn wait(&self) -> Duration {
        let now = self.games.time.now();
        match self.table.flags_at() {
            Some((side, at)) if self.table.outcome().is_none() && !self.is_agents(side) => {
                Duration::from_millis(at.saturating_sub(now) + 1).min(IDLE)
            }
            _ => IDLE,
        }
    }

    fn is_idle(&self) -> bool {
        let looked_at = self.watchers.any() || Color::ALL.iter().any(|&s| self.sides.get(s).any());
        let agent_acts = self.table.to_act().is_some_and(|side| self.is_agents(side));
        !looked_at && !agent_acts && !self.table.terms.only_agents()
            || self.table.outcome().is_some() && !looked_at
    }

    async fn flag(&mut self) {
        let now = self.games.time.now();
        if let Some((side, at)) = self.table.flags_at()
            && !self.is_thinking(side)
            && at <= now
            && self.table.outcome().is_none()
        {
            self.end(Outcome::win(!side, Termination::Timeout)).await;
        }
    }

    /// Does what a request asks for. An answer that nobody waits for any more
    /// is dropped.
    async fn handle(&mut self, command: Command) {
        match command {
            Command::Attach {
                viewer,
                seen,
                reply,
            } => {
                let _ = reply.send(self.attach(viewer, seen));
                self.tell_online();
            }
            Command::Detach { viewer, socket } => self.detach(viewer, socket),
            Command::Move {
                side,
                ply,
                text: [text, token],
                reply,
            } => {
                let _ = reply.send(self.play(side, ply, Asked::Text(&text), &token).await);
                self.advance().await;
            }
            Command::Roll { side, ply, reply } => {
                let _ = reply.send(self.roll(side, ply).await);
                self.advance().await;
            }
            Command::Seed { side, seed, reply } => {
                let _ = reply.send(self.seed(side, &seed).await);
                self.advance().await;
            }
            Command::Resign { side, reply } => {
                let _ = reply.send(self.resign(side).await);
            }
            Command::Draw { side, draw, reply } => {
                let _ = reply.send(self.draw(side, draw).await);
            }
            Command::Rematch { side, reply } => {
                let _ = reply.send(self.rematch(side).await);
            }
            Command::Join {
                person,
                rating,
                reply,
            } => {
                let _ = reply.send(self.join(person, rating).await);
                self.advance().await;
            }
            Command::Ask(question) => self.answer(question),
            Command::Practice {
                side,
                wish,
                frames,
                reply,
            } => {
                let _ = reply.send(self.wish(side, wish, frames));
            }
            Command::Thought(thought) => self.thought(*thought).await,
            Command::Queued(place) => self.tell_queue(Some(place)),
            Command::Retry => self.retry().await,
        }
    }

    fn detach(&mut self, viewer: Viewer, socket: u64) {
        self.viewers(viewer).remove(socket);
        self.tell_online();
    }

    fn answer(&self, question: Question) {
        match question {
            Question::Info { reply } => {
                let clocks = self.table.clocks(self.games.time.now());
                let _ = reply.send((self.table.info(), clocks));
            }
            Question::SideOf { player, reply } => {
                let _ = reply.send(self.table.terms.side_of(&player));
            }
            Question::Observation { side, reply } => {
                let _ = reply.send(self.table.seen(side));
            }
            Question::Past { side, reply } => {
                let record = self.table.record();
                let (pool, share) = (self.games.pool.clone(), self.share.clone());
                tokio::spawn(async move {
                    let work = move |_: &_| past(&record, side);
                    let past = pool.run(&share, Work::Request, work).await;
                    let _ = reply.send(past.map_err(Refusal::Busy));
                });
            }
        }
    }

    fn viewers(&mut self, viewer: Viewer) -> &mut Viewers {
        match viewer {
            Some(side) => self.sides.get_mut(side),
            None => &mut self.watchers,
        }
    }

    fn attach(&mut self, viewer: Viewer, seen: Option<u64>) -> Attached {
        self.sockets += 1;
        let socket = self.sockets;
        let state = self.state(viewer);
        let (sender, frames) = mpsc::channel(SOCKET_QUEUE);
        let viewers = self.viewers(viewer);
        let first = viewers
            .missed(seen)
            .unwrap_or_else(|| vec![Frame::event(&state, viewers.version())]);
        viewers.add(socket, sender);
        Attached {
            first,
            frames,
            socket,
        }
    }

    fn online(&self) -> Online {
        let there = |side: Color| {
            self.sides.get(side).any() || matches!(self.table.terms.chair(side), Seat::Agent { .. })
        };
        Online {
            white: there(Color::White),
            black: there(Color::Black),
        }
    }

    fn tell_online(&mut self) {
        let online = self.online();
        for side in Color::ALL {
            self.sides.get_mut(side).tell_if_new(&online);
        }
    }

    /// All that a viewer may know.
    fn state(&self, viewer: Viewer) -> StateEvent {
        let now = self.games.time.now();
        let over = self.table.outcome();
        let live = viewer.is_none().then(|| self.table.live(now)).flatten();
        StateEvent {
            info: self.table.info(),
            you: viewer.map(SideColor::from),
            observation: viewer.map(|side| self.table.seen(side)),
            log: viewer.map_or(Vec::new(), |side| self.table.log(side).to_vec()),
            clocks: self.table.clocks(now),
            draw: self.table.offer.map(SideColor::from),
            commit: self.table.fair().map(|fair| fair.commit()),
            seed: viewer
                .and_then(|side| self.table.terms.dice_clients.of(side))
                .map(str::to_owned),
            online: self.online(),
            end: over.map(OutcomeDto::from),
            watch: (viewer.is_none() && live.is_none()).then(|| self.table.watch(now)),
            live,
            reveal: over.and_then(|_| self.table.fair().and_then(|fair| fair.reveal())),
        }
    }

    async fn play(
        &mut self,
        side: Color,
        ply: u32,
        asked: Asked<'_>,
        token: &str,
    ) -> CommandResult<()> {
        if self.table.is_repeat(side, ply, token) {
            return Ok(());
        }
        let now = self.games.time.now();
        let plan = self.table.plan_move(side, ply, asked, token, now);
        if plan
            .as_ref()
            .is_err_and(|refusal| *refusal == Refusal::Flag)
        {
            self.flag().await;
        }
        self.commit(plan?).await
    }

    async fn roll(&mut self, side: Color, ply: u32) -> CommandResult<()> {
        let now = self.games.time.now();
        let plan = self.table.plan_roll(side, ply, now)?;
        self.commit(plan).await
    }

    /// Stores what was planned, then plays it, then tells of it.
    async fn commit(&mut self, plan: NextMove) -> CommandResult<()> {
        let end = plan.outcome().map(|outcome| self.end_of(outcome));
        let stored = self
            .games
            .store
            .add_action(
                &self.table.terms,
                self.actions,
                plan.stored.clone(),
                end.clone(),
            )
            .await;
        let ratings = stored.map_err(|_| Refusal::Unsaved)?;
        self.actions += 1;
        self.memory.grow_to(memory_of(self.actions));
        let news = self.table.carry_out(plan);
        match &news {
            SessionEvent::Move(news) => {
                for side in Color::ALL {
                    self.sides.get_mut(side).tell(news.get(side));
                }
            }
            SessionEvent::Roll(news) => {
                for side in Color::ALL {
                    self.sides.get_mut(side).tell(news.get(side));
                }
            }
        }
        self.tell_watchers();
        self.show_agents();
        if let Some(end) = end {
            self.ratings = ratings;
            self.ended(end.outcome);
        }
        Ok(())
    }

    fn tell_watchers(&mut self) {
        let now = self.games.time.now();
        match self.table.live(now) {
            Some(live) if self.table.terms.is_public() => self.watchers.tell(&live),
            _ => self.watchers.tell(&self.table.watch(now)),
        }
    }

    fn show_agents(&mut self) {
        for side in Color::ALL {
            if let Some(seat) = self.agents.get(side) {
                seat.see(self.table.observation(side));
            }
        }
        match &self.practice {
            Some(practice) => {
                practice.see(self.table.observation(practice.side()));
                practice.work(&self.table);
            }
            None => self.wake_adviser(),
        }
    }

    fn end_of(&self, outcome: Outcome) -> StoredEnd {
        StoredEnd {
            outcome,
            at: self.games.time.now(),
            telemetry: self.telemetry.clone(),
        }
    }

    /// Ends the game for a reason that is not on the board.
    async fn end(&mut self, outcome: Outcome) {
        if self.table.outcome().is_some() {
            return;
        }
        let end = self.end_of(outcome);
        // If the disk is full the end will come again: by the clock, by the player.
        if let Ok(ratings) = self.games.store.end_game(&self.table.terms, end).await {
            self.ratings = ratings;
            self.table.adjudicate(outcome, self.games.time.now());
            self.ended(outcome);
        }
    }

    /// Tells everybody that it is over.
    fn ended(&mut self, outcome: Outcome) {
        self.show = None;
        let now = self.games.time.now();
        let mut news = EndEvent::new(outcome);
        news.clocks = self.table.clocks(now);
        news.ratings = self.ratings;
        news.reveal = self.table.fair().and_then(|fair| fair.reveal());
        self.watchers.tell(&news);
        for side in Color::ALL {
            news.observation = Some(self.table.seen(side));
            self.sides.get_mut(side).tell(&news);
            if let Some(seat) = self.agents.get_mut(side).take() {
                seat.end(self.table.record());
            }
        }
        if let Some(practice) = self.practice.take() {
            practice.end(self.table.record());
        }
        self.notify(NoticeKind::Finish);
        (self.games.finished)(&self.table);
    }

    fn notify(&self, kind: NoticeKind) {
        let notice = Notice::new(kind, &self.table);
        let _ = self.games.notices.send(notice); // nobody listens: nothing to tell
    }
}
