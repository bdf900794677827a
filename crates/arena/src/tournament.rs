//! Matches: many games on several threads, journalled, counted, resumable.

use std::{
    collections::HashSet,
    error::Error,
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use foglight_rules::{ByColor, Color, Game, Sight};

use crate::{
    digest::Digest,
    journal::{Journal, JournalError},
    luck,
    queue::{Threads, Work, WorkEvent, WorkQueue},
    record::{GameRecord, PlayerInfo, Telemetry},
    schedule::{SchedulePlan, ScheduledGame, Shard},
    stamp::Stamp,
    stats::Sprt,
};
use foglight_play::{Fault, GameConfig, Limits, Player, session};
use foglight_uci::{MONOTONIC, client::EngineConfig};

pub use crate::tally::Standing;

/// Creates a player for one game, on the thread that plays it.
pub type MakePlayer = dyn Fn() -> Result<Box<dyn Player>, Fault> + Send + Sync;

/// A contestant of a match.
pub struct MatchEntrant {
    /// Name in the match.
    pub name: String,
    /// Agent with its options, or a command.
    pub agent: String,
    /// Limits of its moves.
    pub limits: Limits,
    /// The external engine; an agent of the registry otherwise.
    pub engine: Option<EngineConfig>,
    pub make: Box<MakePlayer>,
    /// Whether one instance may play several games in sequence.
    pub reusable: bool,
}

impl MatchEntrant {
    /// The contestant as recorded in games.
    pub fn named(&self) -> PlayerInfo {
        PlayerInfo {
            name: self.name.clone(),
            agent: self.agent.clone(),
            limits: self.limits.to_string(),
        }
    }
}

/// Configuration of a match.
pub struct Tournament {
    pub game: Game,
    pub contestants: Vec<MatchEntrant>,
    pub plan: SchedulePlan,
    /// Part of the plan that this process plays.
    pub shard: Shard,
    pub concurrency: usize,
    /// Full moves after which a game is drawn.
    pub max_moves: Option<u32>,
    /// Sequential test that ends the match; only for two contestants.
    pub sprt: Option<Sprt>,
    /// Whether to continue after a player disconnects or stalls.
    pub recover: bool,
    /// Whether to report the start of games as well as their end.
    pub announce: bool,
    /// Factor of all time limits, for a machine of another speed.
    pub time_scale: f64,
}

/// Progress event of a match.
#[derive(Debug)]
pub enum MatchEvent<'a> {
    Started(&'a ScheduledGame),
    /// A game has ended and is journalled.
    Finished {
        record: &'a GameRecord,
        /// The side that failed, and its fault.
        fault: Option<&'a (Color, Fault)>,
        /// Results including this game.
        tally: &'a Standing,
    },
}

/// Reasons for which a match ends early.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The journal belongs to another match.
    #[error(
        "game {number} of the journal is not the one of this match ({what}); expected the journal of a match with the same options"
    )]
    OtherMatch { number: u64, what: &'static str },
    /// A player disconnected or stalled without `recover`.
    #[error("{name} {fault}; expected it to go on playing (-recover would let the match go on)")]
    Fault { name: String, fault: Fault },
    /// The queue cannot go on.
    #[error(transparent)]
    Queue(#[from] Box<dyn Error + Send + Sync>),
}

/// A game that was played, not yet counted.
pub struct Finished {
    pub(crate) fixture: ScheduledGame,
    pub(crate) record: GameRecord,
    /// The line of the journal.
    pub(crate) line: String,
    pub(crate) luck: Option<f64>,
    pub(crate) fault: Option<(Color, Fault)>,
}

impl Tournament {
    /// Stamp of the match, shared by its shards.
    fn stamp(&self) -> Stamp {
        let (game, plan) = (&self.game, &self.plan);
        let mut digest = Digest::default();
        digest.text(game.name());
        digest.text(game.rules_name().unwrap_or_default());
        for side in Color::ALL {
            digest.byte(u8::from(game.sight(side) == Sight::Full));
        }
        digest.number(game.halfmove_limit().map_or(0, u64::from));
        digest.number(self.max_moves.map_or(0, u64::from));
        for contestant in &self.contestants {
            digest.text(&contestant.agent);
            digest.text(&contestant.limits.to_string());
        }
        digest.byte(u8::from(plan.repeat));
        for start in &plan.starts {
            digest.text(&game.fen(start));
        }
        let engines = self.contestants.iter().map(|one| one.name.clone());
        Stamp {
            digest: format!("{:016x}", digest.value()),
            seed: plan.seed,
            engines: engines.collect(),
            format: plan.format,
            rounds: plan.rounds,
            games: plan.games,
        }
    }

    /// Number of games played here: those of the plan, or of its shard.
    pub fn games(&self) -> u64 {
        self.shard.games(&self.plan)
    }

    /// Plays the games that the journal does not contain yet, on threads of this
    /// process. `stop` ends the match between two moves; games in progress are
    /// abandoned, finished games stay.
    pub fn run(
        &self,
        journal: Option<Journal>,
        before: Vec<GameRecord>,
        stop: &AtomicBool,
        tell: impl FnMut(MatchEvent<'_>),
    ) -> Result<Standing, MatchError> {
        self.run_on(&Threads(self.concurrency), journal, before, stop, tell)
    }

    /// The same on a queue.
    pub fn run_on<Q: WorkQueue<Tournament>>(
        &self,
        queue: &Q,
        journal: Option<Journal>,
        before: Vec<GameRecord>,
        stop: &AtomicBool,
        tell: impl FnMut(MatchEvent<'_>),
    ) -> Result<Standing, MatchError>
    where
        Q::Error: Error + Send + Sync + 'static,
    {
        let tally = self.recount(&before)?;
        if tally.verdict().is_some() {
            return Ok(tally);
        }
        let done = tally.numbers();
        let mut left = (0..self.plan.len()).filter(|index| {
            let held = self.shard.holds(self.plan.pair_of(*index));
            held && done.binary_search(&(index + 1)).is_err()
        });
        let mut count = Count {
            tournament: self,
            journal,
            tally,
            tell,
            error: None,
        };
        let stopped = || stop.load(Ordering::Relaxed);
        let ran = queue.run(self, &mut left, &stopped, &mut |event| count.take(event));
        match count.error {
            Some(error) => Err(error),
            None => ran
                .map(|()| count.tally)
                .map_err(|error| MatchError::Queue(Box::new(error))),
        }
    }

    /// Counts the games of a journal after checking that they belong to this
    /// match.
    fn recount(&self, before: &[GameRecord]) -> Result<Standing, MatchError> {
        let mut tally = Standing::new(self.plan.games);
        let mut known = HashSet::new();
        for record in before {
            let number = record.number;
            let wrong = |what| MatchError::OtherMatch { number, what };
            if !known.insert(number) {
                return Err(wrong("twice in it"));
            }
            let fixture = self.check(record).map_err(wrong)?;
            let luck = luck::of_white(&record.record);
            tally.add(number, fixture.players, record, luck);
        }
        if let Some(sprt) = &self.sprt {
            tally.test(sprt);
        }
        Ok(tally)
    }

    /// The game of the plan that this is; the error names what is different.
    pub(crate) fn check(&self, record: &GameRecord) -> Result<ScheduledGame, &'static str> {
        if record.number == 0 || record.number > self.plan.len() {
            return Err("no such number");
        }
        let fixture = self.plan.fixture(record.number - 1);
        for side in Color::ALL {
            let ours = &self.contestants[*fixture.players.get(side)];
            let theirs = record.players.get(side);
            if (&ours.name, &ours.agent) != (&theirs.name, &theirs.agent) {
                return Err("other players");
            }
        }
        if (record.seed, record.leg) != (fixture.seed, fixture.leg) {
            return Err("another seed");
        }
        if record.record.game != self.game || record.record.start != fixture.start {
            return Err("another game or start");
        }
        if !self.shard.holds(fixture.pair) {
            return Err("of another shard");
        }
        Ok(fixture)
    }

    /// Plays one game; `None` if it was stopped before its end.
    fn play(
        &self,
        fixture: &ScheduledGame,
        stamp: &Arc<Stamp>,
        players: &mut Players,
        stopped: &dyn Fn() -> bool,
    ) -> Option<Finished> {
        let config = GameConfig {
            limits: fixture
                .players
                .map(|i| self.contestants[i].limits.scaled(self.time_scale)),
            max_moves: self.max_moves,
            time: MONOTONIC,
            ..GameConfig::new(self.game, fixture.start, fixture.seed, fixture.leg)
        };
        let mut seats =
            ByColor::new_with(|side| players.take(&self.contestants, *fixture.players.get(side)));
        let played = session::play(
            &config,
            ByColor {
                white: seats.white.as_mut(),
                black: seats.black.as_mut(),
            },
            &|| stopped(),
        );
        let faulty = played.fault.as_ref().map(|(side, _)| *side);
        for (side, seat) in [(Color::White, seats.white), (Color::Black, seats.black)] {
            if faulty != Some(side) {
                players.give_back(*fixture.players.get(side), seat);
            }
        }
        played.record.outcome?;
        let record = GameRecord {
            record: played.record,
            seed: fixture.seed,
            leg: fixture.leg,
            players: fixture.players.map(|i| self.contestants[i].named()),
            clocks: played.clocks,
            number: fixture.number,
            pair: fixture.pair,
            plan: Some(stamp.clone()),
            telemetry: played.reports.iter().map(Telemetry::of_move).collect(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        Some(Finished {
            fixture: *fixture,
            line: record.to_json(),
            luck: luck::of_white(&record.record),
            record,
            fault: played.fault,
        })
    }

    /// The fault that ends the match: a disconnect or stall without `recover`.
    fn fatal(&self, finished: &Finished) -> Option<(Color, Fault)> {
        let (side, fault) = finished.fault.as_ref()?;
        let gone = matches!(fault, Fault::Disconnect(_) | Fault::Stall(_));
        (gone && !self.recover).then(|| (*side, fault.clone()))
    }
}

impl Work for Tournament {
    type Output = Box<Finished>;
    type Tools = Table;

    fn tools(&self) -> Table {
        Table {
            players: Players::new(self.contestants.len()),
            stamp: Arc::new(self.stamp()),
        }
    }

    fn do_item(
        &self,
        item: u64,
        table: &mut Table,
        stopped: &dyn Fn() -> bool,
    ) -> Option<Box<Finished>> {
        let fixture = self.plan.fixture(item);
        let Table { players, stamp } = table;
        self.play(&fixture, stamp, players, stopped).map(Box::new)
    }
}

/// Journals and counts the finished games.
struct Count<'a, T> {
    tournament: &'a Tournament,
    journal: Option<Journal>,
    tally: Standing,
    tell: T,
    error: Option<MatchError>,
}

impl<T: FnMut(MatchEvent<'_>)> Count<'_, T> {
    fn take(&mut self, event: WorkEvent<Box<Finished>>) -> ControlFlow<()> {
        let counted = match event {
            WorkEvent::Started(item) => {
                if self.tournament.announce {
                    let fixture = self.tournament.plan.fixture(item);
                    (self.tell)(MatchEvent::Started(&fixture));
                }
                return ControlFlow::Continue(());
            }
            WorkEvent::Finished(_, finished) => self.add(&finished),
        };
        match counted {
            Ok(()) if self.tally.verdict().is_none() => ControlFlow::Continue(()),
            Ok(()) => ControlFlow::Break(()),
            Err(error) => {
                self.error = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn add(&mut self, finished: &Finished) -> Result<(), MatchError> {
        if let Some((side, fault)) = self.tournament.fatal(finished) {
            let name = finished.record.players.get(side).name.clone();
            return Err(MatchError::Fault { name, fault });
        }
        if let Some(journal) = &mut self.journal {
            journal.append(&finished.line)?;
        }
        let fixture = &finished.fixture;
        let (players, luck) = (fixture.players, finished.luck);
        self.tally
            .add(fixture.number, players, &finished.record, luck);
        if let Some(sprt) = &self.tournament.sprt {
            self.tally.test(sprt);
        }
        (self.tell)(MatchEvent::Finished {
            record: &finished.record,
            fault: finished.fault.as_ref(),
            tally: &self.tally,
        });
        Ok(())
    }
}

/// What a thread plays its games with.
pub struct Table {
    players: Players,
    pub(crate) stamp: Arc<Stamp>,
}

/// Players of one thread, reused from game to game.
struct Players(Vec<Vec<Box<dyn Player>>>);

impl Players {
    fn new(contestants: usize) -> Players {
        Players((0..contestants).map(|_| Vec::new()).collect())
    }

    fn take(&mut self, contestants: &[MatchEntrant], i: usize) -> Box<dyn Player> {
        let kept = self.0[i].pop().filter(|_| contestants[i].reusable);
        kept.unwrap_or_else(|| match (contestants[i].make)() {
            Ok(seat) => seat,
            Err(fault) => Box::new(FailedPlayer(fault)),
        })
    }

    fn give_back(&mut self, i: usize, seat: Box<dyn Player>) {
        self.0[i].push(seat);
    }
}

/// Stands for a player that could not be created: every call returns
/// the fault.
struct FailedPlayer(Fault);

impl Player for FailedPlayer {
    fn start(
        &mut self,
        _: &Game,
        _: &foglight_rules::Position,
        _: Color,
        _: u64,
    ) -> Result<(), Fault> {
        Err(self.0.clone())
    }

    fn see(&mut self, _: &foglight_rules::Observation) -> Result<(), Fault> {
        Err(self.0.clone())
    }

    fn act(
        &mut self,
        _: &foglight_rules::Observation,
        _: &foglight_play::Budget,
        _: Option<std::time::Duration>,
    ) -> Result<foglight_play::Answer, Fault> {
        Err(self.0.clone())
    }

    fn end(&mut self, _: &foglight_rules::Record) {}
}
