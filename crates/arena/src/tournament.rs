//! Matches: many games on several threads, journalled, counted, resumable.

use std::{
    collections::BTreeMap,
    sync::{
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{self, Receiver, SyncSender},
    },
    thread,
};

use foglight_engine::dice::luck::{Adjusted, Scored};
use foglight_rules::{ByColor, Color, Game};

use crate::{
    journal::{Journal, JournalError},
    luck,
    record::{GameRecord, Named, Telemetry},
    schedule::{Fixture, Plan},
    stats::{Outcome, Pentanomial, Sprt, Summary, Verdict, Wdl},
};
use foglight_play::{Fault, GameConfig, Limits, Player, session};
use foglight_uci::MONOTONIC;

/// Makes a player for one game; called on the thread that plays it.
pub type MakePlayer = dyn Fn() -> Result<Box<dyn Player>, Fault> + Send + Sync;

/// One of those who play.
pub struct Contestant {
    /// The name in the match.
    pub name: String,
    /// The agent with its options, or a command.
    pub agent: String,
    /// Limits of its moves.
    pub limits: Limits,
    /// Makes the player.
    pub make: Box<MakePlayer>,
    /// May one player serve many games, one after another?
    pub reusable: bool,
}

/// A match to be played.
pub struct Tournament {
    /// The rules.
    pub game: Game,
    /// Who plays.
    pub contestants: Vec<Contestant>,
    /// Who meets whom.
    pub plan: Plan,
    /// Threads that play.
    pub concurrency: usize,
    /// Full moves after which a game is drawn.
    pub max_moves: Option<u32>,
    /// A sequential test that ends the match; only for two contestants.
    pub sprt: Option<Sprt>,
    /// Go on after a player went away or stalled.
    pub recover: bool,
    /// Tell when games begin, not only when they end.
    pub announce: bool,
}

/// What happens in a match, as it happens.
#[derive(Debug)]
pub enum Event<'a> {
    /// A game begins.
    Started(&'a Fixture),
    /// A game is over and journalled.
    Finished {
        /// The game.
        record: &'a GameRecord,
        /// Who failed, and how, if anybody did.
        fault: Option<&'a (Color, Fault)>,
        /// The tally with it.
        tally: &'a Tally,
    },
}

/// Why a match could not be played to its end.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The journal is of another match.
    #[error(
        "game {number} of the journal is not the one of this match ({what}); expected the journal of a match with the same options"
    )]
    OtherMatch {
        /// Which game.
        number: u64,
        /// What differs.
        what: &'static str,
    },
    /// A player went away or stalled, and nobody said to go on.
    #[error("{name} {fault}; expected it to go on playing (-recover would let the match go on)")]
    Fault {
        /// Who.
        name: String,
        /// How.
        fault: Fault,
    },
}

/// A finished game.
#[derive(Clone, Copy, Debug)]
struct Done {
    players: ByColor<usize>,
    for_white: Outcome,
    /// White's luck with the dice, where there are any.
    luck: Option<f64>,
}

/// Results so far, between every two contestants.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    finished: BTreeMap<u64, Done>,
    games_a_pair: u64,
    /// Pairs that the test has seen, in the order of the schedule.
    tested: Pentanomial,
    verdict: Option<Verdict>,
}

impl Done {
    fn outcome_for(&self, contestant: usize) -> Option<Outcome> {
        if self.players.white == contestant {
            Some(self.for_white)
        } else {
            (self.players.black == contestant).then(|| self.for_white.flipped())
        }
    }
}

impl Tally {
    fn new(games_a_pair: u32) -> Tally {
        Tally {
            games_a_pair: u64::from(games_a_pair),
            ..Tally::default()
        }
    }

    fn add(
        &mut self,
        number: u64,
        players: ByColor<usize>,
        record: &GameRecord,
        luck: Option<f64>,
    ) {
        let Some(outcome) = record.record.outcome else {
            return;
        };
        let for_white = match outcome.winner {
            None => Outcome::Draw,
            Some(Color::White) => Outcome::Win,
            Some(Color::Black) => Outcome::Loss,
        };
        let done = Done {
            players,
            for_white,
            luck,
        };
        self.finished.insert(number, done);
    }

    /// Games finished.
    pub fn games(&self) -> u64 {
        self.finished.len() as u64
    }

    /// How the sequential test ended, if it has.
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    fn outcome_for(&self, number: u64, contestant: usize) -> Option<Outcome> {
        self.finished.get(&number)?.outcome_for(contestant)
    }

    /// Wins, draws and losses of one contestant against another.
    pub fn between(&self, one: usize, other: usize) -> Wdl {
        let mut wdl = Wdl::default();
        for done in self.finished.values() {
            if let (Some(outcome), Some(_)) = (done.outcome_for(one), done.outcome_for(other)) {
                wdl.record(outcome);
            }
        }
        wdl
    }

    /// White's wins, draws and losses, whoever played.
    pub fn white(&self) -> Wdl {
        let mut wdl = Wdl::default();
        for done in self.finished.values() {
            wdl.record(done.for_white);
        }
        wdl
    }

    /// White's score as played and with the luck taken out, whoever played.
    pub fn luck_of_white(&self) -> Option<Adjusted> {
        let games = self.finished.iter().filter_map(|(number, done)| {
            let (score, luck) = (done.for_white.points(), done.luck?);
            let pair = (number - 1) / self.games_a_pair.max(1);
            Some((pair, Scored { score, luck }))
        });
        luck::adjusted(games)
    }

    /// The score of one contestant against another as played and with the luck
    /// of the dice taken out; `None` without dice or for too few games.
    pub fn luck(&self, one: usize, other: usize) -> Option<Adjusted> {
        let games = self.finished.iter().filter_map(|(number, done)| {
            done.outcome_for(other)?;
            let score = done.outcome_for(one)?.points();
            let luck = match done.players.white == one {
                true => done.luck?,
                false => -done.luck?,
            };
            let pair = (number - 1) / self.games_a_pair.max(1);
            Some((pair, Scored { score, luck }))
        });
        luck::adjusted(games)
    }

    /// The outcomes of a finished pair, from 0, for a contestant.
    fn pair_for(&self, pair: u64, contestant: usize) -> Option<(Outcome, Outcome)> {
        let first = self.outcome_for(2 * pair + 1, contestant)?;
        let second = self.outcome_for(2 * pair + 2, contestant)?;
        Some((first, second))
    }

    /// The finished pairs of one contestant against another.
    pub fn pairs(&self, one: usize, other: usize) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        let last = self.finished.keys().next_back().copied().unwrap_or(0);
        for pair in 0..last.div_ceil(2) {
            let met = self.outcome_for(2 * pair + 1, other).is_some();
            if let (Some((first, second)), true) = (self.pair_for(pair, one), met) {
                pairs.record(first, second);
            }
        }
        pairs
    }

    /// The summary of a match between two: by pairs where games are paired.
    pub fn summary(&self, one: usize, other: usize, sprt: Option<&Sprt>) -> Summary {
        if self.games_a_pair == 2 {
            let pairs = match self.verdict {
                Some(_) => self.tested,
                None => self.pairs(one, other),
            };
            Summary::of_pairs(pairs, sprt)
        } else {
            Summary::of_games(self.between(one, other), sprt)
        }
    }

    /// Lets the sequential test see the pairs that are complete, in the order
    /// of the schedule, so that it ends at the same pair on any number of threads.
    fn test(&mut self, sprt: &Sprt) {
        while let (None, Some((first, second))) =
            (self.verdict, self.pair_for(self.tested.pairs(), 0))
        {
            self.tested.record(first, second);
            let verdict = sprt.verdict(sprt.llr_of_pairs(self.tested));
            self.verdict = (verdict != Verdict::Continue).then_some(verdict);
        }
    }
}

/// News that may wait to be counted; after that the playing threads wait too.
const AHEAD: usize = 64;

/// What a playing thread tells.
enum News {
    Started(Fixture),
    Finished(Box<Finished>),
}

struct Finished {
    fixture: Fixture,
    record: GameRecord,
    line: String,
    luck: Option<f64>,
    fault: Option<(Color, Fault)>,
}

impl Tournament {
    /// Plays what the journal does not hold yet. `stop` ends the match between
    /// two moves; games in progress are given up, finished ones are kept.
    pub fn run(
        &self,
        mut journal: Option<Journal>,
        before: Vec<GameRecord>,
        stop: &AtomicBool,
        mut tell: impl FnMut(Event<'_>),
    ) -> Result<Tally, MatchError> {
        let mut tally = self.recount(&before)?;
        let done: Vec<u64> = tally.finished.keys().copied().collect();
        let next = AtomicU64::new(0);
        let halt = AtomicBool::new(tally.verdict.is_some());
        let stopped = || stop.load(Ordering::Relaxed) || halt.load(Ordering::Relaxed);
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel(AHEAD);
            for _ in 0..self.concurrency.max(1) {
                let sender = sender.clone();
                let (next, done, stopped) = (&next, &done, &stopped);
                scope.spawn(move || self.work(next, done, stopped, &sender));
            }
            drop(sender);
            let result = self.listen(&receiver, journal.as_mut(), &mut tally, &halt, &mut tell);
            halt.store(true, Ordering::Relaxed);
            result
        })?;
        Ok(tally)
    }

    /// Counts the games of a journal, after checking that they are of this match.
    fn recount(&self, before: &[GameRecord]) -> Result<Tally, MatchError> {
        let mut tally = Tally::new(self.plan.games);
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
            let luck = luck::of_white(&record.record);
            tally.add(number, fixture.players, record, luck);
        }
        if let Some(sprt) = &self.sprt {
            tally.test(sprt);
        }
        Ok(tally)
    }

    /// A playing thread: takes the next game until there are none.
    fn work(
        &self,
        next: &AtomicU64,
        done: &[u64],
        stopped: &(dyn Fn() -> bool + Sync),
        sender: &SyncSender<News>,
    ) {
        let mut players = Players::new(self.contestants.len());
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= self.plan.len() || stopped() {
                return;
            }
            let fixture = self.plan.fixture(index);
            if done.binary_search(&fixture.number).is_ok() {
                continue;
            }
            if self.announce && sender.send(News::Started(fixture)).is_err() {
                return;
            }
            let Some(finished) = self.play(&fixture, &mut players, stopped) else {
                return;
            };
            if sender.send(News::Finished(Box::new(finished))).is_err() {
                return;
            }
        }
    }

    /// One game; `None` if it was stopped before its end.
    fn play(
        &self,
        fixture: &Fixture,
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
        let named = |i: usize| {
            let contestant: &Contestant = &self.contestants[i];
            Named {
                name: contestant.name.clone(),
                agent: contestant.agent.clone(),
                limits: contestant.limits.to_string(),
            }
        };
        let record = GameRecord {
            record: played.record,
            seed: fixture.seed,
            leg: fixture.leg,
            players: fixture.players.map(named),
            clocks: played.clocks,
            number: fixture.number,
            pair: fixture.pair,
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

    /// The one thread that journals and counts.
    fn listen(
        &self,
        receiver: &Receiver<News>,
        mut journal: Option<&mut Journal>,
        tally: &mut Tally,
        halt: &AtomicBool,
        tell: &mut impl FnMut(Event<'_>),
    ) -> Result<(), MatchError> {
        for news in receiver {
            let finished = match news {
                News::Started(fixture) => {
                    tell(Event::Started(&fixture));
                    continue;
                }
                News::Finished(finished) => finished,
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
            tell(Event::Finished {
                record: &finished.record,
                fault: finished.fault.as_ref(),
                tally,
            });
            if tally.verdict.is_some() {
                halt.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// A player that went away or stalled ends the match, unless it recovers.
    fn fatal(&self, finished: &Finished) -> Option<(Color, Fault)> {
        let (side, fault) = finished.fault.as_ref()?;
        let gone = matches!(fault, Fault::Disconnect(_) | Fault::Stall(_));
        (gone && !self.recover).then(|| (*side, fault.clone()))
    }
}

/// The players of one thread, kept from game to game.
struct Players(Vec<Vec<Box<dyn Player>>>);

impl Players {
    fn new(contestants: usize) -> Players {
        Players((0..contestants).map(|_| Vec::new()).collect())
    }

    fn take(&mut self, contestants: &[Contestant], i: usize) -> Box<dyn Player> {
        let kept = self.0[i].pop().filter(|_| contestants[i].reusable);
        kept.unwrap_or_else(|| match (contestants[i].make)() {
            Ok(seat) => seat,
            Err(fault) => Box::new(Absent(fault)),
        })
    }

    fn give_back(&mut self, i: usize, seat: Box<dyn Player>) {
        self.0[i].push(seat);
    }
}

/// A player that could not be made: it fails at once, in the way that it did.
struct Absent(Fault);

impl Player for Absent {
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
