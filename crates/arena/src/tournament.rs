//! Matches: many games on several threads, journalled, counted, resumable.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{self, Receiver, SyncSender},
    },
    thread,
};

use foglight_rules::{ByColor, Color, Game, Sight};

use crate::{
    digest::Digest,
    journal::{Journal, JournalError},
    luck,
    record::{GameRecord, PlayerInfo, Telemetry},
    schedule::{SchedulePlan, ScheduledGame, Shard},
    stamp::Stamp,
    stats::Sprt,
};
use foglight_play::{Fault, GameConfig, Limits, Player, session};
use foglight_uci::MONOTONIC;

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
}

/// Messages that may wait to be counted; beyond that the workers block.
const AHEAD: usize = 64;

/// Message of a worker thread.
enum WorkerMessage {
    Started(ScheduledGame),
    Finished(Box<Finished>),
}

struct Finished {
    fixture: ScheduledGame,
    record: GameRecord,
    line: String,
    luck: Option<f64>,
    fault: Option<(Color, Fault)>,
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

    /// Plays the games that the journal does not contain yet. `stop` ends the
    /// match between two moves; games in progress are abandoned, finished games
    /// stay.
    pub fn run(
        &self,
        mut journal: Option<Journal>,
        before: Vec<GameRecord>,
        stop: &AtomicBool,
        mut tell: impl FnMut(MatchEvent<'_>),
    ) -> Result<Standing, MatchError> {
        let mut tally = self.recount(&before)?;
        let done = tally.numbers();
        let stamp = Arc::new(self.stamp());
        let next = AtomicU64::new(0);
        let halt = AtomicBool::new(tally.verdict().is_some());
        let stopped = || stop.load(Ordering::Relaxed) || halt.load(Ordering::Relaxed);
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel(AHEAD);
            for _ in 0..self.concurrency.max(1) {
                let sender = sender.clone();
                let (next, done, stamp, stopped) = (&next, &done, &stamp, &stopped);
                scope.spawn(move || self.work(next, done, stamp, stopped, &sender));
            }
            drop(sender);
            let result = self.listen(&receiver, journal.as_mut(), &mut tally, &halt, &mut tell);
            halt.store(true, Ordering::Relaxed);
            result
        })?;
        Ok(tally)
    }

    /// Counts the games of a journal after checking that they belong to this
    /// match.
    fn recount(&self, before: &[GameRecord]) -> Result<Standing, MatchError> {
        let mut tally = Standing::new(self.plan.games);
        for record in before {
            let number = record.number;
            let wrong = |what| MatchError::OtherMatch { number, what };
            if number == 0 || number > self.plan.len() {
                return Err(wrong("no such number"));
            }
            let fixture = self.plan.fixture(number - 1);
            for side in Color::ALL {
                let ours = &self.contestants[*fixture.players.get(side)];
                let theirs = record.players.get(side);
                if (&ours.name, &ours.agent) != (&theirs.name, &theirs.agent) {
                    return Err(wrong("other players"));
                }
            }
            if (record.seed, record.leg) != (fixture.seed, fixture.leg) {
                return Err(wrong("another seed"));
            }
            if record.record.game != self.game || record.record.start != fixture.start {
                return Err(wrong("another game or start"));
            }
            if !self.shard.holds(fixture.pair) {
                return Err(wrong("of another shard"));
            }
            let luck = luck::of_white(&record.record);
            tally.add(number, fixture.players, record, luck);
        }
        if let Some(sprt) = &self.sprt {
            tally.test(sprt);
        }
        Ok(tally)
    }

    /// Worker thread: plays the next game until none is left.
    fn work(
        &self,
        next: &AtomicU64,
        done: &[u64],
        stamp: &Arc<Stamp>,
        stopped: &(dyn Fn() -> bool + Sync),
        sender: &SyncSender<WorkerMessage>,
    ) {
        let mut players = Players::new(self.contestants.len());
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= self.plan.len() || stopped() {
                return;
            }
            let fixture = self.plan.fixture(index);
            if !self.shard.holds(fixture.pair) || done.binary_search(&fixture.number).is_ok() {
                continue;
            }
            if self.announce && sender.send(WorkerMessage::Started(fixture)).is_err() {
                return;
            }
            let Some(finished) = self.play(&fixture, stamp, &mut players, stopped) else {
                return;
            };
            if sender
                .send(WorkerMessage::Finished(Box::new(finished)))
                .is_err()
            {
                return;
            }
        }
    }

    /// Plays one game; `None` if it was stopped before its end.
    fn play(
        &self,
        fixture: &ScheduledGame,
        stamp: &Arc<Stamp>,
        players: &mut Players,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Option<Finished> {
        let config = GameConfig {
            limits: fixture.players.map(|i| self.contestants[i].limits),
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

    /// Journals and counts the finished games, on a single thread.
    fn listen(
        &self,
        receiver: &Receiver<WorkerMessage>,
        mut journal: Option<&mut Journal>,
        tally: &mut Standing,
        halt: &AtomicBool,
        tell: &mut impl FnMut(MatchEvent<'_>),
    ) -> Result<(), MatchError> {
        for news in receiver {
            let finished = match news {
                WorkerMessage::Started(fixture) => {
                    tell(MatchEvent::Started(&fixture));
                    continue;
                }
                WorkerMessage::Finished(finished) => finished,
            };
            if let Some((side, fault)) = self.fatal(&finished) {
                let name = finished.record.players.get(side).name.clone();
                return Err(MatchError::Fault { name, fault });
            }
            if let Some(journal) = journal.as_deref_mut() {
                journal.append(&finished.line)?;
            }
            let fixture = &finished.fixture;
            let (players, luck) = (fixture.players, finished.luck);
            tally.add(fixture.number, players, &finished.record, luck);
            if let Some(sprt) = &self.sprt {
                tally.test(sprt);
            }
            tell(MatchEvent::Finished {
                record: &finished.record,
                fault: finished.fault.as_ref(),
                tally,
            });
            if tally.verdict().is_some() {
                halt.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// The fault that ends the match: a disconnect or stall without `recover`.
    fn fatal(&self, finished: &Finished) -> Option<(Color, Fault)> {
        let (side, fault) = finished.fault.as_ref()?;
        let gone = matches!(fault, Fault::Disconnect(_) | Fault::Stall(_));
        (gone && !self.recover).then(|| (*side, fault.clone()))
    }
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
