//! What known plans do to an agent, over many games.
//!
//! The games are a list of units, numbered before the first is played; each is a
//! function of its number and of the options alone.

use std::{
    sync::{
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc,
    },
    thread,
};

use foglight_play::{Fault, GameConfig, Player, rng, session};
use foglight_rules::{ByColor, Game, Outcome, Record, Termination};
use foglight_uci::MONOTONIC;
use serde::Serialize;

use super::{
    AttackError,
    attacker::Attacker,
    plan::{AttackPlan, PlanCursor, start_name},
};
use crate::{
    journal::Journal,
    record::{GameRecord, PlayerInfo, Telemetry},
    stats::{
        GameScore, Wdl,
        interval::{Interval, proportion_interval, score_interval},
        score::LEVEL,
    },
    tournament::MatchEntrant,
};

/// Where the games of an attack end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AttackEnd {
    /// With the plan: only kings count.
    Plan,
    /// After one move more of the attacker, whose value of its position then
    /// counts as its score.
    Estimate,
    /// By the rules.
    Game,
}

/// Plans, each played for a number of games against one engine.
pub struct AttackCount {
    pub game: Game,
    pub plans: Vec<AttackPlan>,
    /// The engine that is attacked, and that plays on for the attacker.
    pub engine: MatchEntrant,
    /// Games of each plan.
    pub games: u64,
    pub seed: u64,
    pub end: AttackEnd,
    /// Full moves after which a game is drawn.
    pub max_moves: Option<u32>,
    pub concurrency: usize,
}

/// Results of one plan.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AttackRow {
    pub side: &'static str,
    pub start: String,
    /// Its steps; empty where the engine plays by itself.
    pub plan: String,
    pub source: String,
    pub games: u64,
    /// Games in which the plan took the king.
    pub kings: u64,
    /// Interval of their share.
    pub kings_interval: Interval,
    /// Results of the finished games for the attacker.
    pub wdl: Wdl,
    /// Points of the attacker per game that is finished or estimated.
    pub score: Option<f64>,
    pub score_interval: Interval,
}

/// Number of finished units that may wait to be counted.
const AHEAD: usize = 64;

impl AttackCount {
    /// Number of games in all.
    pub fn len(&self) -> u64 {
        self.plans.len() as u64 * self.games
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The plan of a unit, and its seed. All plans share the seeds of their games,
    /// so that a plan's figures do not depend on the others.
    fn unit(&self, index: u64) -> (&AttackPlan, u64) {
        let plans = self.plans.len() as u64;
        let (game, plan) = (index / plans, index % plans);
        (&self.plans[plan as usize], rng::derive(self.seed, game))
    }

    /// Plays the games that the journal does not contain yet and returns a row for
    /// each plan. `stop` ends it between two moves; finished games stay.
    pub fn run(
        &self,
        mut journal: Option<Journal>,
        before: Vec<GameRecord>,
        stop: &AtomicBool,
        mut tell: impl FnMut(&GameRecord),
    ) -> Result<Vec<AttackRow>, AttackError> {
        for record in &before {
            self.recognise(record)?;
        }
        let mut games: Vec<PlayedUnit> = before.into_iter().map(PlayedUnit::of).collect();
        games.sort_by_key(|game| game.number);
        games.dedup_by_key(|game| game.number);
        let done: Vec<u64> = games.iter().map(|game| game.number).collect();
        let (next, halt) = (AtomicU64::new(0), AtomicBool::new(false));
        let stopped = || stop.load(Ordering::Relaxed) || halt.load(Ordering::Relaxed);
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel(AHEAD);
            for _ in 0..self.concurrency.max(1) {
                let (sender, next, done) = (sender.clone(), &next, &done);
                let stopped = &stopped;
                scope.spawn(move || self.work(next, done, stopped, &sender));
            }
            drop(sender);
            let mut listen = || {
                for played in &receiver {
                    let record: GameRecord = played?;
                    if let Some(journal) = &mut journal {
                        journal.append(&record.to_json())?;
                    }
                    tell(&record);
                    games.push(PlayedUnit::of(record));
                }
                Ok(())
            };
            let heard = listen();
            halt.store(true, Ordering::Relaxed);
            drop(receiver);
            heard
        })
        .map(|()| self.rows(&games))
    }

    /// Checks that a journal's game is the unit of its number.
    fn recognise(&self, record: &GameRecord) -> Result<(), AttackError> {
        let number = record.number;
        let wrong = |what| AttackError::OtherAttack { number, what };
        if number == 0 || number > self.len() {
            return Err(wrong("no such number"));
        }
        let (plan, seed) = self.unit(number - 1);
        if record.players != self.players(plan) {
            return Err(wrong("another plan or engine"));
        }
        if record.seed != seed {
            return Err(wrong("another seed"));
        }
        if record.record.game != self.game || record.record.start != plan.start {
            return Err(wrong("another game or start"));
        }
        if record.record.outcome.is_none() && self.end == AttackEnd::Game {
            return Err(wrong("without a result"));
        }
        Ok(())
    }

    fn work(
        &self,
        next: &AtomicU64,
        done: &[u64],
        stopped: &(dyn Fn() -> bool + Sync),
        sender: &mpsc::SyncSender<Result<GameRecord, AttackError>>,
    ) {
        let mut seats = Seats::default();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= self.len() || stopped() {
                return;
            }
            if done.binary_search(&(index + 1)).is_ok() {
                continue;
            }
            let Some(played) = self.play(index, &mut seats, stopped).transpose() else {
                return;
            };
            if sender.send(played).is_err() {
                return;
            }
        }
    }

    /// Plays one unit; `None` if it was stopped.
    fn play(
        &self,
        index: u64,
        seats: &mut Seats,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Option<GameRecord>, AttackError> {
        let (plan, seed) = self.unit(index);
        let over = AtomicBool::new(false);
        let lost = |fault| AttackError::Fault {
            name: self.engine.name.clone(),
            fault,
        };
        let mut defender = seats.take(&self.engine).map_err(lost)?;
        let mut engine = match self.end {
            AttackEnd::Plan => None,
            _ => Some(seats.take(&self.engine).map_err(lost)?),
        };
        let config = GameConfig {
            limits: ByColor::new_with(|_| self.engine.limits),
            max_moves: self.max_moves,
            time: MONOTONIC,
            ..GameConfig::new(self.game, plan.start, seed, 0)
        };
        let playing = engine.as_mut().map(|seat| seat.as_mut() as &mut dyn Player);
        let mut attacker = Attacker::new(plan, playing, self.end, &over);
        let mut sides: ByColor<Option<&mut dyn Player>> = ByColor::default();
        *sides.get_mut(plan.side) = Some(&mut attacker);
        *sides.get_mut(!plan.side) = Some(defender.as_mut());
        let players = sides.map(|side| side.expect("both sides have a player"));
        let ended = || over.load(Ordering::Relaxed);
        let played = session::play(&config, players, &|| stopped() || ended());
        if let Some((_, fault @ (Fault::Disconnect(_) | Fault::Stall(_)))) = played.fault {
            return Err(lost(fault));
        }
        seats.0.push(defender);
        seats.0.extend(engine);
        if played.record.outcome.is_none() && !ended() {
            return Ok(None);
        }
        Ok(Some(GameRecord {
            seed,
            clocks: played.clocks,
            number: index + 1,
            pair: index / self.plans.len() as u64 + 1,
            telemetry: played.reports.iter().map(Telemetry::of_move).collect(),
            ..GameRecord::new(played.record, self.players(plan))
        }))
    }

    /// The players as recorded in games.
    fn players(&self, plan: &AttackPlan) -> ByColor<PlayerInfo> {
        let engine = self.engine.named();
        let then = match self.end {
            AttackEnd::Plan => "then stop".to_owned(),
            AttackEnd::Estimate => format!("then a move of {}", engine.agent),
            AttackEnd::Game => format!("then {}", engine.agent),
        };
        let attacker = PlayerInfo {
            name: "attacker".to_owned(),
            agent: format!("{plan} {then}").trim().to_owned(),
            limits: engine.limits.clone(),
        };
        ByColor::new_with(|side| match side == plan.side {
            true => attacker.clone(),
            false => engine.clone(),
        })
    }

    /// A row for each plan.
    fn rows(&self, games: &[PlayedUnit]) -> Vec<AttackRow> {
        let plans = self.plans.iter().enumerate();
        plans
            .map(|(i, plan)| {
                let of_plan = |number: u64| (number - 1) % self.plans.len() as u64 == i as u64;
                self.row(plan, games.iter().filter(|game| of_plan(game.number)))
            })
            .collect()
    }

    fn row<'a>(
        &self,
        plan: &AttackPlan,
        played: impl Iterator<Item = &'a PlayedUnit>,
    ) -> AttackRow {
        let (mut games, mut kings, mut wdl) = (0, 0, Wdl::default());
        let (mut judged, mut points) = (0, 0.0);
        for game in played {
            games += 1;
            kings += u64::from(takes_king(plan, &game.record));
            let finished = game.record.outcome.filter(|_| self.end != AttackEnd::Plan);
            if let Some(outcome) = finished {
                wdl.record(score_of(plan, outcome));
            } else if self.end == AttackEnd::Estimate {
                judged += 1;
                points += game.value.map_or(0.5, |value| (1.0 + value) / 2.0);
            }
        }
        (judged, points) = (judged + wdl.games(), points + wdl.points());
        AttackRow {
            side: plan.side.fold_wb("white", "black"),
            start: start_name(&self.game, &plan.start),
            plan: plan.to_string(),
            source: plan.source.clone(),
            games,
            kings,
            kings_interval: proportion_interval(kings, games, LEVEL),
            wdl,
            score: (judged > 0).then(|| points / judged as f64),
            score_interval: score_interval(points, judged, LEVEL),
        }
    }
}

/// What is kept of a game that was played.
struct PlayedUnit {
    number: u64,
    record: Record,
    /// The last mover's own value.
    value: Option<f64>,
}

impl PlayedUnit {
    fn of(game: GameRecord) -> PlayedUnit {
        let last = game.record.actions.len().checked_sub(1);
        let mut told = game.telemetry.iter().rev();
        let told = told.find(|row| Some(row.ply as usize) == last);
        PlayedUnit {
            number: game.number,
            value: told.and_then(|row| row.value),
            record: game.record,
        }
    }
}

fn score_of(plan: &AttackPlan, outcome: Outcome) -> GameScore {
    match outcome.winner {
        None => GameScore::Draw,
        Some(winner) if winner == plan.side => GameScore::Win,
        Some(_) => GameScore::Loss,
    }
}

/// Whether the plan took the king: its attacker won by that, and every move of
/// the attacker was the plan's. The engine's own capture after an empty plan
/// does not count.
fn takes_king(plan: &AttackPlan, record: &Record) -> bool {
    let won = Outcome::win(plan.side, Termination::KingCaptured);
    if record.outcome != Some(won) || plan.steps.is_empty() {
        return false;
    }
    let mut cursor = PlanCursor::new(plan);
    let mut by_plan = true;
    let walked = record.replay().each(|state, action| {
        if state.position().turn() == plan.side {
            let planned = cursor.next(&state.observe(plan.side));
            by_plan &= planned.map(foglight_rules::Action::Move) == Some(action);
        }
    });
    by_plan && walked.is_ok()
}

/// Players of one thread that may play several games in sequence.
#[derive(Default)]
struct Seats(Vec<Box<dyn Player>>);

impl Seats {
    fn take(&mut self, engine: &MatchEntrant) -> Result<Box<dyn Player>, Fault> {
        match self.0.pop().filter(|_| engine.reusable) {
            Some(seat) => Ok(seat),
            None => (engine.make)(),
        }
    }
}
