//! What known plans do to an agent, over many games.
//!
//! The games are a list of units, numbered before the first is played; each is a
//! function of its number and of the options alone.

use std::{
    collections::BTreeMap,
    error::Error,
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
};

use foglight_play::{Fault, GameConfig, Player, rng, session};
use foglight_rules::{ByColor, Game, Outcome, Record, Termination};
use foglight_uci::MONOTONIC;
use serde::{Deserialize, Serialize};

use super::{
    AttackError,
    attacker::Attacker,
    plan::{AttackPlan, PlanCursor, start_name},
};
use crate::{
    journal::Journal,
    queue::{Threads, Work, WorkEvent, WorkQueue},
    record::{GameRecord, PlayerInfo, Telemetry},
    stats::{
        GameScore, Wdl,
        interval::{Interval, proportion_interval, score_interval},
        score::LEVEL,
    },
    tournament::MatchEntrant,
};

/// Where the games of an attack end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
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

/// A game, or why there is none.
pub type Played = Result<Box<GameRecord>, AttackError>;

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

    /// Plays the games that the journal does not contain yet, on threads of this
    /// process, and returns a row for each plan. `stop` ends it between two moves;
    /// finished games stay.
    pub fn run(
        &self,
        journal: Option<Journal>,
        before: Vec<GameRecord>,
        stop: &AtomicBool,
        tell: impl FnMut(&GameRecord),
    ) -> Result<Vec<AttackRow>, AttackError> {
        self.run_on(&Threads(self.concurrency), journal, before, stop, tell)
    }

    /// The same on a queue.
    pub fn run_on<Q: WorkQueue<AttackCount>>(
        &self,
        queue: &Q,
        mut journal: Option<Journal>,
        before: Vec<GameRecord>,
        stop: &AtomicBool,
        mut tell: impl FnMut(&GameRecord),
    ) -> Result<Vec<AttackRow>, AttackError>
    where
        Q::Error: Error + Send + Sync + 'static,
    {
        for record in &before {
            self.recognise(record)?;
        }
        let mut games: BTreeMap<u64, PlayedUnit> = before.into_iter().map(PlayedUnit::of).collect();
        let mut left: Vec<u64> = (0..self.len()).collect();
        left.retain(|index| !games.contains_key(&(index + 1)));
        let mut count = |played: Played| -> Result<(), AttackError> {
            let record = *played?;
            if let Some(journal) = &mut journal {
                journal.append(&record.to_json())?;
            }
            tell(&record);
            games.extend([PlayedUnit::of(record)]);
            Ok(())
        };
        let mut counted: Result<(), AttackError> = Ok(());
        let stopped = || stop.load(Ordering::Relaxed);
        let ran = queue.run(self, &mut left.into_iter(), &stopped, &mut |event| {
            if let WorkEvent::Finished(_, played) = event {
                counted = count(played);
            }
            match counted {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        counted?;
        ran.map_err(|error| AttackError::Queue(Box::new(error)))?;
        Ok(self.rows(&games))
    }

    /// Checks that a journal's game is the unit of its number.
    pub(super) fn recognise(&self, record: &GameRecord) -> Result<(), AttackError> {
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

    pub(super) fn lost(&self, fault: Fault) -> AttackError {
        let name = self.engine.name.clone();
        AttackError::Fault { name, fault }
    }

    /// Plays one unit; `None` if it was stopped.
    fn play(
        &self,
        index: u64,
        seats: &mut SparePlayers,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Box<GameRecord>>, AttackError> {
        let (plan, seed) = self.unit(index);
        let over = AtomicBool::new(false);
        let lost = |fault| self.lost(fault);
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
        Ok(Some(Box::new(GameRecord {
            seed,
            clocks: played.clocks,
            number: index + 1,
            pair: index / self.plans.len() as u64 + 1,
            telemetry: played.reports.iter().map(Telemetry::of_move).collect(),
            ..GameRecord::new(played.record, self.players(plan))
        })))
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
    fn rows(&self, games: &BTreeMap<u64, PlayedUnit>) -> Vec<AttackRow> {
        let plans = self.plans.iter().enumerate();
        plans
            .map(|(i, plan)| {
                let of_plan = |number: u64| (number - 1) % self.plans.len() as u64 == i as u64;
                let games = games.iter().filter(|(number, _)| of_plan(**number));
                self.row(plan, games.map(|(_, game)| game))
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
    record: Record,
    /// The last mover's own value.
    value: Option<f64>,
}

impl PlayedUnit {
    /// With its number.
    fn of(game: GameRecord) -> (u64, PlayedUnit) {
        let last = game.record.actions.len().checked_sub(1);
        let mut told = game.telemetry.iter().rev();
        let told = told.find(|row| Some(row.ply as usize) == last);
        let unit = PlayedUnit {
            value: told.and_then(|row| row.value),
            record: game.record,
        };
        (game.number, unit)
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

impl Work for AttackCount {
    type Output = Played;
    type Tools = SparePlayers;

    fn tools(&self) -> SparePlayers {
        SparePlayers::default()
    }

    fn do_item(
        &self,
        item: u64,
        seats: &mut SparePlayers,
        stopped: &dyn Fn() -> bool,
    ) -> Option<Played> {
        self.play(item, seats, stopped).transpose()
    }
}

/// Players of one thread that may play several games in sequence.
#[derive(Default)]
pub struct SparePlayers(Vec<Box<dyn Player>>);

impl SparePlayers {
    fn take(&mut self, engine: &MatchEntrant) -> Result<Box<dyn Player>, Fault> {
        match self.0.pop().filter(|_| engine.reusable) {
            Some(seat) => Ok(seat),
            None => (engine.make)(),
        }
    }
}
