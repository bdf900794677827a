//! State of a UCI session, and the effect of each command.

use std::{
    collections::VecDeque,
    io::{self, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::SyncSender,
    },
    thread,
    time::{Duration, Instant},
};

use foglight_play::{Agent, Budget, Clock, Report};
use foglight_rules::{Color, Move, Observation};

use super::{
    Event, ServerSetup, report,
    seat::EngineSeat,
    settings::{Change, EngineSettings},
    table::EngineGame,
};
use crate::{
    MONOTONIC, Protocol, ProtocolError, Reply, UciCommand,
    command::{self, GoLimits, ObserveCommand},
    reply::{Id, SearchInfo},
};

/// Commands that may wait for the end of a search.
const MAX_WAITING: usize = 100_000;

/// Result of a search thread.
pub(super) struct Thought {
    player: Option<Box<dyn Agent>>,
    best: Option<Move>,
    report: Option<Report>,
    elapsed: Duration,
}

/// A search that runs, or has ended with its answer still held back.
struct Search {
    stop: Arc<AtomicBool>,
    observation: Observation,
    /// Whether the answer waits for `stop` or `ponderhit`.
    hold: bool,
    ponder: bool,
    /// Whether the search ends by itself after a given amount of work or time.
    bounded: bool,
    /// Time for the move after `ponderhit`.
    target: Option<Duration>,
    until: Option<Instant>,
    done: Option<Thought>,
}

/// Processes commands and writes replies.
pub(super) struct UciServer<W> {
    output: W,
    protocol: Protocol,
    settings: EngineSettings,
    table: Option<EngineGame>,
    seat: EngineSeat,
    search: Option<Search>,
    waiting: VecDeque<UciCommand>,
    events: SyncSender<Event>,
    debug: bool,
    ended: bool,
    quitting: bool,
}

impl<W: Write> UciServer<W> {
    pub fn new(output: W, setup: ServerSetup, events: SyncSender<Event>) -> UciServer<W> {
        UciServer {
            output,
            protocol: setup.protocol,
            settings: EngineSettings::new(setup.agent),
            table: None,
            seat: EngineSeat::new(setup.providers, setup.build),
            search: None,
            waiting: VecDeque::new(),
            events,
            debug: false,
            ended: false,
            quitting: false,
        }
    }

    /// Whether there is nothing left to process or to answer.
    pub fn is_finished(&self) -> bool {
        self.ended && self.search.is_none() && self.waiting.is_empty()
    }

    /// Time until the search must be stopped, if there is a limit.
    pub fn time_left(&self) -> Option<Duration> {
        let until = self.search.as_ref()?.until?;
        Some(until.saturating_duration_since(Instant::now()))
    }

    /// Processes a command, now or after the search.
    pub fn hear(&mut self, heard: Result<UciCommand, ProtocolError>) -> io::Result<()> {
        let command = match heard {
            Ok(command) => command,
            Err(error) => return self.complain(&error.to_string()),
        };
        match command {
            UciCommand::Quit => {
                // Every requested search is answered first, as GUIs and scripts
                // expect.
                self.stop();
                (self.ended, self.quitting) = (true, true);
                Ok(())
            }
            UciCommand::IsReady => self.say(&Reply::ReadyOk),
            UciCommand::Uci => self.introduce(),
            UciCommand::Stop => {
                // The waiting searches were requested before this.
                if self.waiting.iter().any(|c| matches!(c, UciCommand::Go(_))) {
                    self.waiting.push_back(UciCommand::Stop);
                }
                self.stop();
                Ok(())
            }
            UciCommand::PonderHit => {
                self.ponder_hit();
                Ok(())
            }
            command if self.search.is_none() => self.obey(command),
            _ if self.waiting.len() >= MAX_WAITING => {
                self.complain("too many commands during a search; this one is lost")
            }
            command => {
                self.waiting.push_back(command);
                Ok(())
            }
        }
    }

    /// Answers a search that may be answered, then processes the commands that
    /// waited for it.
    pub(crate) fn catch_up(&mut self) -> io::Result<()> {
        loop {
            self.answer()?;
            if self.search.is_some() {
                // A waiting `stop` belongs to the search that waited before it.
                if matches!(self.waiting.front(), Some(UciCommand::Stop)) {
                    self.waiting.pop_front();
                    self.stop();
                    continue;
                }
                return Ok(());
            }
            match self.waiting.pop_front() {
                Some(command) => self.obey(command)?,
                None => return Ok(()),
            }
        }
    }

    /// Called when no more commands will come: ends a search without a bound of
    /// its own.
    pub(crate) fn end_of_input(&mut self) {
        self.ended = true;
        if self.search.as_ref().is_some_and(|search| !search.bounded) {
            self.stop();
        }
    }

    /// Stops the search soon and releases its answer.
    pub fn stop(&mut self) {
        self.raise_stop();
        if let Some(search) = &mut self.search {
            search.hold = false;
            search.until = None;
        }
    }

    fn raise_stop(&self) {
        if let Some(search) = &self.search {
            search.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Continues the search by its own clock.
    fn ponder_hit(&mut self) {
        if let Some(search) = self.search.as_mut().filter(|search| search.ponder) {
            search.ponder = false;
            search.hold = false;
            search.until = search.target.map(|target| Instant::now() + target);
        }
    }

    /// Handles the end of a search.
    pub fn thought(&mut self, thought: Thought) -> io::Result<()> {
        if let Some(search) = &mut self.search {
            search.done = Some(thought);
        }
        self.answer()
    }

    /// Handles an intermediate result of a search.
    pub fn news(&mut self, info: SearchInfo) -> io::Result<()> {
        self.say(&Reply::Info(info))
    }

    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        writeln!(self.output, "{}", self.protocol.write_reply(reply))?;
        self.output.flush()
    }

    fn complain(&mut self, text: &str) -> io::Result<()> {
        self.say(&Reply::note(format!("error: {text}")))
    }

    fn introduce(&mut self) -> io::Result<()> {
        let name = format!("Foglight {}", env!("CARGO_PKG_VERSION"));
        self.say(&Reply::Id(Id::Name(name)))?;
        self.say(&Reply::Id(Id::Author("the Foglight authors".to_owned())))?;
        for declared in self.settings.declared() {
            self.say(&Reply::Option(declared))?;
        }
        self.say(&Reply::UciOk)
    }

    /// Processes a command while no search runs.
    fn obey(&mut self, command: UciCommand) -> io::Result<()> {
        match command {
            UciCommand::Debug { on } => {
                self.debug = on;
                Ok(())
            }
            UciCommand::SetOption { name, value } => {
                self.set_option(&name, value.as_deref().unwrap_or_default())
            }
            UciCommand::UciNewGame => {
                self.table = None;
                self.seat.new_game();
                Ok(())
            }
            UciCommand::Position(position) => self.set_position(&position),
            UciCommand::Observe(observe) => self.observe(&observe),
            UciCommand::Go(limits) => self.go(&limits),
            // Processed immediately, never queued.
            UciCommand::Uci
            | UciCommand::IsReady
            | UciCommand::Stop
            | UciCommand::PonderHit
            | UciCommand::Quit => Ok(()),
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        match self.settings.set(name, value) {
            Ok(Change::None) => {}
            Ok(Change::Player) => self.seat.clear(),
            Ok(Change::Game) => {
                self.table = None;
                self.seat.clear();
            }
            Err(error) => return self.complain(&error),
        }
        match self.debug {
            true => self.say(&Reply::note(format!("option {name} is {value}"))),
            false => Ok(()),
        }
    }

    fn set_position(&mut self, position: &command::PositionCommand) -> io::Result<()> {
        let mut before = self.table.take();
        let moves: &[String] = match position {
            command::PositionCommand::Open { moves, .. } => moves,
            _ => &[],
        };
        if self.settings.imply(position) {
            before = None;
            self.seat.clear();
        }
        let game = self.settings.game();
        let (table, new) = match EngineGame::set(before, game, position) {
            Ok(set) => set,
            Err(error) => {
                self.seat.new_game();
                return self.complain(&error);
            }
        };
        if new {
            self.seat.new_game();
        }
        match table {
            EngineGame::Open(mut open) => {
                let advanced = open.advance(moves);
                self.table = Some(EngineGame::Open(open));
                advanced.or_else(|error| self.complain(&error))
            }
            EngineGame::Fog(_) => {
                self.table = Some(table);
                self.show()
            }
        }
    }

    fn observe(&mut self, observe: &ObserveCommand) -> io::Result<()> {
        let Some(EngineGame::Fog(fog)) = &mut self.table else {
            return self.complain("observe: expected position fog startpos you white before it");
        };
        match fog.observe(observe) {
            Ok(doubts) => {
                for doubt in doubts {
                    self.say(&Reply::note(doubt))?;
                }
                self.show()
            }
            Err(error) => self.complain(&error),
        }
    }

    /// Shows the agent new observations in fog, where its side is known.
    fn show(&mut self) -> io::Result<()> {
        let Some(table) = &self.table else {
            return Ok(());
        };
        let side = table.observation().side();
        let notes = self.seat.follow(&self.settings, table, side);
        self.complain_of_all(notes)
    }

    fn complain_of_all(&mut self, notes: Vec<String>) -> io::Result<()> {
        notes.iter().try_for_each(|note| self.complain(note))
    }

    fn go(&mut self, limits: &GoLimits) -> io::Result<()> {
        if self.table.is_none() {
            self.say(&Reply::note("no position was given: this is the start"))?;
            self.table = Some(EngineGame::start(self.settings.game()));
            self.seat.new_game();
        }
        let observation = match &self.table {
            Some(table) => table.observation(),
            None => return Ok(()),
        };
        self.show()?;
        let stop = Arc::new(AtomicBool::new(false));
        let budget = self.budget(limits, observation.side());
        let hold = limits.infinite || limits.ponder;
        let search = Search {
            stop: Arc::clone(&stop),
            hold,
            ponder: limits.ponder,
            bounded: !hold
                && (limits.movetime.is_some() || limits.nodes.is_some() || limits.depth.is_some()),
            target: budget.target(),
            until: None,
            done: None,
            observation: observation.clone(),
        };
        let bounded = search.bounded;
        self.search = Some(search);
        let events = self.events.clone();
        let started = Instant::now();
        let mut budget = budget.with_stop(stop).with_listener(move |report| {
            let info = report::main_line(&report, started.elapsed());
            // The receiver is gone after `quit`.
            let _ = events.send(Event::News(Box::new(info)));
        });
        if hold {
            (budget.movetime, budget.clock) = (None, None);
            budget.infinite = true;
        }
        self.start_thinking(observation, budget);
        if self.quitting || self.ended && !bounded {
            self.stop();
        }
        Ok(())
    }

    fn start_thinking(&mut self, observation: Observation, budget: Budget) {
        let player = self.seat.take();
        if observation.legal_moves().is_empty() || player.is_none() {
            let thought = Thought {
                player,
                best: observation.legal_moves().first().copied(),
                report: None,
                elapsed: Duration::ZERO,
            };
            if let Some(search) = &mut self.search {
                search.done = Some(thought);
            }
            return;
        }
        let events = self.events.clone();
        thread::spawn(move || {
            let thought = think(player, &observation, &budget);
            // The receiver is gone after `quit`.
            let _ = events.send(Event::Thought(Box::new(thought)));
        });
    }

    fn budget(&self, limits: &GoLimits, side: Color) -> Budget {
        let (left, increment) = match side {
            Color::White => (limits.wtime, limits.winc),
            Color::Black => (limits.btime, limits.binc),
        };
        let clock = left.map(|left| Clock {
            left: Duration::from_millis(left.min(MAX_MILLIS)),
            increment: Duration::from_millis(increment.unwrap_or(0).min(MAX_MILLIS)),
        });
        let movetime = limits.movetime.map(|ms| ms.min(MAX_MILLIS));
        let depth = limits
            .depth
            .map(|depth| depth.try_into().unwrap_or(u32::MAX));
        let mut budget = Budget::default().timed(MONOTONIC);
        budget.movetime = movetime.map(Duration::from_millis);
        budget.clock = clock;
        budget.nodes = limits.nodes;
        budget.depth = depth;
        budget.threads = self.settings.threads;
        budget
    }

    /// Writes the result of the search, unless it is held back.
    fn answer(&mut self) -> io::Result<()> {
        let ready = |search: &Search| search.done.is_some() && !search.hold;
        if !self.search.as_ref().is_some_and(ready) {
            return Ok(());
        }
        let Some((search, thought)) = self
            .search
            .take()
            .and_then(|mut search| search.done.take().map(|thought| (search, thought)))
        else {
            return Ok(());
        };
        let moves = search.observation.legal_moves();
        match thought.player {
            Some(player) => self.seat.give_back(player),
            None if moves.is_empty() => {}
            None => {
                self.complain("the agent failed; this is any legal move")?;
                self.seat.clear();
            }
        }
        let best = thought.best.filter(|best| moves.contains(best));
        if best.is_none() && thought.best.is_some() {
            self.complain("the agent chose no legal move; this is any")?;
        }
        let best = best.or(moves.first().copied());
        let mut ponder = None;
        if let (Some(report), Some(best)) = (&thought.report, best) {
            for reply in report::replies(report, thought.elapsed) {
                self.say(&reply)?;
            }
            ponder = report::ponder(&self.settings.game(), report, best);
        }
        if best.is_none() {
            self.say(&Reply::note("there is no legal move"))?;
        }
        self.say(&Reply::BestMove {
            best: best.map(|best| best.to_string()),
            ponder: ponder.map(|ponder| ponder.to_string()),
        })
    }
}

/// A year: longer clocks make no difference, and sums do not overflow.
const MAX_MILLIS: u64 = 365 * 24 * 3600 * 1000;

fn think(player: Option<Box<dyn Agent>>, observation: &Observation, budget: &Budget) -> Thought {
    let started = Instant::now();
    let thought = catch_unwind(AssertUnwindSafe(|| {
        let mut player = player?;
        let best = player.act(observation, budget);
        let report = player.report();
        Some((player, best, report))
    }));
    let elapsed = started.elapsed();
    match thought {
        Ok(Some((player, best, report))) => Thought {
            player: Some(player),
            best: Some(best),
            report,
            elapsed,
        },
        _ => Thought {
            player: None,
            best: observation.legal_moves().first().copied(),
            report: None,
            elapsed,
        },
    }
}
