//! One game without sockets, storage or threads: the true state, the
//! observations of each side, the clocks and the dice.

mod agent_clock;
mod dice;

use std::time::Duration;

use foglight_play::{GameClock, Next, Report, Session};
use foglight_rules::{
    Action, ByColor, Color, Game, Move, Observation, Outcome, Position, Record, State,
};

use super::refusal::Refusal;
use crate::{
    domain::{ActionText, GameSettings, GameSettingsError, commit_reveal::CommitRevealDice, text},
    store::StoredAction,
    wire::{
        Clocks, GameInfo, MoveEvent, MoveLogEntry, ObservationDto, PastEvent, RollEvent, SideColor,
        Status, WatchEvent,
        spectator::{LiveGame, PublicGame},
    },
    workers::pause,
};

/// Plies after which a game is drawn.
pub const MAX_PLIES: u32 = 1000;

/// Own moves before which an agent accepts no draw: the start is balanced, so
/// that otherwise the strongest agent would accept there.
const EARLY: u32 = 20;

/// A requested move: text from people, a value from agents.
#[derive(Clone, Copy, Debug)]
pub enum Asked<'a> {
    Text(&'a str),
    Move(Move),
}

/// A legal action that must be stored before it is played.
#[derive(Clone, Debug)]
pub struct NextMove {
    clock: Option<GameClock>,
    next: Session,
    action: Action,
    pub stored: StoredAction,
    now: u64,
}

impl NextMove {
    /// The outcome if this action ends the game.
    pub fn outcome(&self) -> Option<Outcome> {
        self.next.outcome()
    }
}

/// The events that an action causes for both sides.
pub(crate) enum SessionEvent {
    Move(Box<ByColor<MoveEvent>>),
    Roll(Box<ByColor<RollEvent>>),
}

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Milliseconds that a side has left at `now`.
fn left(clock: &GameClock, side: Color, now: u64) -> u64 {
    let left = clock.left_at(side, ms(now)).unwrap_or_default();
    left.as_millis() as u64
}

/// What a side saw after each ply of a game so far: a replay of it, for the
/// pool.
pub(super) fn past(record: &Record, side: Color) -> PastEvent {
    let mut replay = record.replay();
    let mut seen = Some(replay.state().observe(side));
    PastEvent::new(std::iter::from_fn(|| {
        let next = seen.take()?;
        if let Some(Ok(_)) = replay.step() {
            seen = Some(replay.state().observe(side));
        }
        pause();
        Some(next)
    }))
}

pub(crate) struct GameSession {
    /// The settings of the game.
    pub terms: GameSettings,
    game: Game,
    start: Position,
    session: Session,
    logs: ByColor<Vec<MoveLogEntry>>,
    last: Option<(Move, ActionText)>,
    tokens: Vec<(u32, Color, String)>,
    clock: Option<GameClock>,
    fair: Option<CommitRevealDice>,
    clocks: Vec<u64>,
    roll: Option<String>,
    moved: ByColor<u32>,
    /// The side with an open draw offer.
    pub offer: Option<Color>,
    /// The last report of each agent.
    pub reports: ByColor<Option<Report>>,
}

impl GameSession {
    pub fn new(terms: GameSettings) -> Result<GameSession, GameSettingsError> {
        let (game, start) = terms.game()?;
        Ok(GameSession {
            session: Session::new(game, start, Some(MAX_PLIES)),
            logs: ByColor::default(),
            last: None,
            tokens: Vec::new(),
            clock: terms.clock.map(|clock| {
                let control = clock.control();
                GameClock::new(ByColor::new_with(|_| Some(control)))
            }),
            fair: terms
                .dice_seed
                .clone()
                .map(|seed| CommitRevealDice::new(seed, terms.dice_clients.clone())),
            clocks: Vec::new(),
            roll: None,
            moved: ByColor::default(),
            offer: None,
            reports: ByColor::default(),
            game,
            start,
            terms,
        })
    }

    /// Restores a stored game. Time between `alive` and `now`, when the server
    /// was down, is charged to neither side.
    pub(crate) fn restore(
        mut terms: GameSettings,
        stored: &[StoredAction],
        outcome: Option<Outcome>,
        alive: u64,
        now: u64,
    ) -> Result<GameSession, GameSettingsError> {
        let is_roll = |row: &&StoredAction| row.action.as_str().starts_with("roll:");
        terms.name_agents_seeds(stored.iter().filter(is_roll).count() as u64);
        let mut table = GameSession::new(terms)?;
        let mut last = None;
        for row in stored {
            let action = table.state().parse_action(row.action.as_str());
            let action = action.map_err(|error| table.terms.unreadable(error))?;
            let text = row.action.clone();
            let plan = table.plan(action, text, row.token.clone(), row.at);
            table.carry_out(plan);
            if let Some((clock, left)) = table.clock.as_mut().zip(row.left) {
                clock.set(left.map(ms));
            }
            last = Some(row.at);
        }
        if let Some(clock) = &mut table.clock {
            let running = clock.running();
            let spent = last.map_or(0, |at| alive.saturating_sub(at));
            clock.stop(ms(last.unwrap_or(now)));
            if let Some(row) = stored.last() {
                clock.set(row.left.unwrap_or_default().map(ms));
            }
            clock.run(running, ms(now.saturating_sub(spent)));
        }
        if let Some(outcome) = outcome {
            table.adjudicate(outcome, now);
        }
        Ok(table)
    }

    /// The side to act; in dice games also the side to roll.
    pub(crate) fn to_act(&self) -> Option<Color> {
        match self.session.next() {
            Next::Roll(side) | Next::Ask(side) if !self.terms.is_open() => Some(side),
            _ => None,
        }
    }

    /// Whether the dice must be rolled now.
    pub(crate) fn is_chance(&self) -> bool {
        matches!(self.session.next(), Next::Roll(_))
    }

    /// The outcome, if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.session.outcome()
    }

    pub fn ply(&self) -> u32 {
        self.state().plies()
    }

    /// The true state, for the dice and for spectators allowed to see it.
    fn state(&self) -> &State {
        self.session.state()
    }

    /// The current observation of a side.
    pub fn observation(&self, side: Color) -> &Observation {
        self.session.observation(side)
    }

    /// The current observation of a side as sent to clients.
    pub fn seen(&self, side: Color) -> ObservationDto {
        ObservationDto::new(self.observation(side), &|m| self.text(m))
    }

    /// The text of a move. The last move's text was made when it was stored.
    fn text(&self, m: Move) -> ActionText {
        match &self.last {
            Some((last, text)) if *last == m => text.clone(),
            _ => ActionText::from(m),
        }
    }

    /// The rules and the start, which both sides know.
    pub fn start(&self) -> (&Game, &Position) {
        (&self.game, &self.start)
    }

    /// The move list of a side, as far as it could see the moves.
    pub fn log(&self, side: Color) -> &[MoveLogEntry] {
        self.logs.get(side)
    }

    pub fn fair(&self) -> Option<&CommitRevealDice> {
        self.fair.as_ref()
    }

    /// Whether the agent of a side accepts a draw: after [`EARLY`] own moves,
    /// if the value of its last one is not positive. An agent that reports no
    /// value declines, and so does every agent if anything is hidden from its
    /// opponent: the value depends on that.
    pub(crate) fn takes_draw(&self, agent: Color) -> bool {
        if self.observation(!agent).position().is_none() {
            return false;
        }
        let report = self.reports.get(agent).as_ref();
        let pawns = |report: &Report| report.centipawns.map(f64::from);
        let value = report.and_then(|report| report.value.or_else(|| pawns(report)));
        *self.moved.get(agent) >= EARLY && value.is_some_and(|value| value <= 0.0)
    }

    pub fn clocks(&self, now: u64) -> Option<Clocks> {
        self.clock.as_ref().map(|clock| Clocks {
            white: left(clock, Color::White, now),
            black: left(clock, Color::Black, now),
            running: clock.running().map(SideColor::from),
        })
    }

    /// Time left and increment of a side.
    pub fn time_left(&self, side: Color, now: u64) -> Option<(u64, u64)> {
        let (clock, terms) = self.clock.as_ref().zip(self.terms.clock)?;
        Some((left(clock, side, now), terms.increment))
    }

    /// The side whose flag falls next, and when.
    pub fn flags_at(&self) -> Option<(Color, u64)> {
        let (side, at) = self.clock.as_ref()?.flags_at()?;
        Some((side, at.as_millis() as u64))
    }

    /// The public information about the game.
    pub fn info(&self) -> GameInfo {
        let mut info = GameInfo::new(&self.terms, &self.game, &self.start);
        info.ply = self.ply();
        if let Some(outcome) = self.outcome() {
            info.close(outcome);
        }
        debug_assert!(info.status != Status::Open || info.ply == 0);
        info
    }

    /// The information for spectators of a game with a person in it.
    pub fn watch(&self, now: u64) -> WatchEvent {
        WatchEvent {
            ply: self.ply(),
            turn: self.state().position().turn().into(),
            clocks: self.clocks(now),
        }
    }

    /// The full information for spectators, if they may have it. An agent's
    /// report would advise a person who plays against it, so that only games
    /// between agents show reports.
    pub fn live(&self, now: u64) -> Option<LiveGame> {
        let public = PublicGame::of(&self.terms, self.state())?;
        let silent = ByColor::default();
        let reports = match self.terms.only_agents() {
            true => &self.reports,
            false => &silent,
        };
        let live = LiveGame::new(
            public,
            &|m| self.text(m),
            self.roll.clone(),
            reports,
            self.clocks(now),
        );
        let mover = self.state().last().map(|ply| ply.side);
        let entry = mover.and_then(|side| self.log(side).last());
        Some(live.with_san(entry.and_then(MoveLogEntry::san).map(str::to_owned)))
    }

    /// The record of the game so far.
    pub fn record(&self) -> Record {
        self.session.record()
    }

    /// Milliseconds that the mover had left after each move.
    pub(crate) fn clock_history(&self) -> &[u64] {
        &self.clocks
    }

    /// Whether this side has already played this very move.
    pub(crate) fn is_repeat(&self, side: Color, ply: u32, token: &str) -> bool {
        self.tokens
            .iter()
            .any(|(p, s, t)| (*p, *s, t.as_str()) == (ply, side, token))
    }

    fn check_turn(&self, side: Color, ply: u32, now: u64) -> Result<(), Refusal> {
        if self.outcome().is_some() {
            return Err(Refusal::Over);
        }
        if self.terms.is_open() {
            return Err(Refusal::Open);
        }
        let expected = self.ply();
        if ply != expected {
            let found = ply;
            return Err(Refusal::Stale { found, expected });
        }
        if self.to_act() != Some(side) {
            return Err(Refusal::Turn);
        }
        match self.flags_at() {
            Some((_, at)) if at <= now => Err(Refusal::Flag),
            _ => Ok(()),
        }
    }

    /// Checks a side's move without playing it.
    pub(crate) fn plan_move(
        &self,
        side: Color,
        ply: u32,
        asked: Asked<'_>,
        token: &str,
        now: u64,
    ) -> Result<NextMove, Refusal> {
        self.check_turn(side, ply, now)?;
        if self.is_chance() {
            return Err(Refusal::Dice);
        }
        // Checked against the moves in the side's observation: the same list as
        // the state's, and independent of anything hidden.
        let m = match asked {
            Asked::Text(text) => text::read(text, self.observation(side).legal_moves())?,
            Asked::Move(m) => self.session.check(side, m).map(|()| m)?,
        };
        Ok(self.plan(Action::Move(m), ActionText::from(m), token.to_owned(), now))
    }

    fn plan(&self, action: Action, text: ActionText, token: String, now: u64) -> NextMove {
        let mut next = self.session.clone();
        next.apply(action);
        let clock = self.clock_after(action, next.state(), now);
        let shown = clock.as_ref();
        let shown = shown.map(|clock| ByColor::new_with(|side| left(clock, side, now)));
        NextMove {
            stored: StoredAction {
                action: text,
                token,
                at: now,
                left: shown,
            },
            clock,
            next,
            action,
            now,
        }
    }

    /// The clocks after an action. The first move of each side is free, so that
    /// no time is lost before both are present.
    fn clock_after(&self, action: Action, next: &State, now: u64) -> Option<GameClock> {
        let mut clock = self.clock.clone()?;
        let mover = self.state().position().turn();
        let turn = next.position().turn();
        let ran = clock.running().is_some();
        clock.stop(ms(now));
        let moved = matches!(action, Action::Move(_));
        if moved && ran && turn != mover {
            clock.add_increment(mover);
        }
        let begun = *self.moved.get(turn) > 0 || (turn == mover && ran);
        let runs = next.outcome().is_none() && begun;
        clock.run(runs.then_some(turn), ms(now));
        Some(clock)
    }

    /// Plays a prepared action and returns the events for each side.
    pub fn carry_out(&mut self, plan: NextMove) -> SessionEvent {
        let NextMove {
            clock,
            next,
            action,
            stored,
            now,
        } = plan;
        let mover = self.state().position().turn();
        let ply = self.ply();
        self.clock = clock;
        if let (Action::Roll(dice), Some(fair)) = (action, &mut self.fair) {
            fair.note(self.session.state(), dice);
        }
        let old = std::mem::replace(&mut self.session, next);
        match action {
            Action::Roll(dice) => {
                self.roll = Some(dice.to_string());
                SessionEvent::Roll(Box::new(ByColor::new_with(|side| {
                    self.roll_news(side, mover, dice.to_string(), now)
                })))
            }
            Action::Move(m) => {
                self.last = Some((m, stored.action));
                *self.moved.get_mut(mover) += 1;
                if self.offer == Some(!mover) {
                    self.offer = None;
                }
                self.tokens.push((ply, mover, stored.token));
                let shown = stored.left.map(|left| *left.get(mover));
                self.clocks.extend(shown);
                let roll = self.roll.take();
                SessionEvent::Move(Box::new(ByColor::new_with(|side| {
                    self.move_news(side, &old, roll.clone(), shown, now)
                })))
            }
        }
    }

    fn roll_news(&self, side: Color, by: Color, roll: String, now: u64) -> RollEvent {
        RollEvent {
            observation: self.seen(side),
            roll,
            number: self.fair.as_ref().map_or(0, |fair| fair.count() - 1),
            by: by.into(),
            clocks: self.clocks(now),
        }
    }

    fn move_news(
        &mut self,
        side: Color,
        before: &Session,
        roll: Option<String>,
        clock: Option<u64>,
        now: u64,
    ) -> MoveEvent {
        let after = self.session.observation(side);
        let before = before.observation(side);
        let entry = MoveLogEntry::between(before, after, &|m| self.text(m), roll, clock);
        let news = MoveEvent {
            observation: self.seen(side),
            entry: entry.clone(),
            clocks: self.clocks(now),
        };
        self.logs.get_mut(side).push(entry);
        news
    }

    /// Ends the game for a reason that is not on the board.
    pub fn adjudicate(&mut self, outcome: Outcome, now: u64) {
        if let Some(clock) = &mut self.clock {
            clock.stop(ms(now));
        }
        self.session.adjudicate(outcome);
    }
}
