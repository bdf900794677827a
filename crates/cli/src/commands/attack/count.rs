//! Counting what the plans of a file do.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use foglight_arena::{
    attack::{AttackCount, AttackEnd, AttackError, AttackPlan, AttackRow, read_plans},
    journal::{Journal, JournalError},
    record::GameRecord,
};
use foglight_rules::Game;
use serde_json::json;

use super::{
    engine::{EngineOptions, hands},
    table::{progress, write_table},
};
use crate::{
    commands::{
        cluster::{ClusterArgs, failure_of},
        matches::interrupt_flag,
    },
    failure::CliError,
    files,
    options::GameOptions,
};

/// Options that say where games end: by the rules, if none is given.
#[derive(Args, Clone, Copy)]
pub(super) struct EndOptions {
    /// End each game with its plan and count kings only
    #[arg(long)]
    kings_only: bool,

    /// End each game one move after its plan, and take the value that the engine
    /// then tells as the attacker's score
    #[arg(long, conflicts_with = "kings_only")]
    estimate: bool,
}

impl EndOptions {
    pub(super) fn end(self) -> AttackEnd {
        match self {
            EndOptions {
                kings_only: true, ..
            } => AttackEnd::Plan,
            EndOptions { estimate: true, .. } => AttackEnd::Estimate,
            _ => AttackEnd::Game,
        }
    }
}

#[derive(Args)]
pub(super) struct Count {
    #[command(flatten)]
    engine: EngineOptions,

    /// The file of plans
    #[arg(long, value_name = "FILE", required = true)]
    plans: Option<PathBuf>,

    /// Games of each plan
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,

    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    end: EndOptions,

    /// Full moves after which a game is drawn
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: u32,

    /// Games at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    concurrency: u64,

    #[command(flatten)]
    cluster: ClusterArgs,

    /// Journal of the games: a new file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Go on with a journal: the same options, no game twice
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    resume: Option<PathBuf>,

    #[command(flatten)]
    game: GameOptions,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Count {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let count = self.attack()?;
        let (journal, before) = self.journal()?;
        let stop = interrupt_flag()?;
        let bar = progress(count.len(), before.len() as u64, "games");
        let hands = hands(&self.cluster, self.concurrency, &count.engine, count.game)?;
        let result = count.run_on(&hands, journal, before, &stop, |_| {
            if let Some(bar) = &bar {
                bar.inc(1);
            }
        });
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        let rows = result.map_err(failure)?;
        self.print(&count, &rows)?;
        hands.end()
    }

    fn attack(&self) -> Result<AttackCount, CliError> {
        let game = self.game.game()?;
        let path = self.plans.as_ref();
        let plans = read_file(&game, path.expect("required without a subcommand"))?;
        Ok(AttackCount {
            game,
            plans: with_baselines(plans, self.end.end()),
            engine: self.engine.entrant(game)?,
            games: self.games,
            seed: self.seed,
            end: self.end.end(),
            max_moves: Some(self.max_moves),
            concurrency: self.concurrency as usize,
        })
    }

    fn journal(&self) -> Result<(Option<Journal>, Vec<GameRecord>), CliError> {
        let wrong = |error: JournalError| CliError::input(error);
        if let Some(path) = &self.resume {
            let (journal, before) = Journal::resume(path).map_err(wrong)?;
            return Ok((Some(journal), before));
        }
        let journal = self.out.as_deref().map(Journal::create).transpose();
        Ok((journal.map_err(wrong)?, Vec::new()))
    }

    fn print(&self, count: &AttackCount, rows: &[AttackRow]) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        let engine = count.engine.named();
        if self.json {
            let answer = json!({
                "agent": engine.agent,
                "limits": engine.limits,
                "seed": self.seed,
                "end": count.end,
                "rows": rows,
            });
            writeln!(out, "{answer}")?;
            return Ok(());
        }
        write_table(&mut out, &engine.agent, rows)?;
        Ok(())
    }
}

/// The plans, after the engine by itself from each of their starts, unless only
/// kings count.
pub(super) fn with_baselines(plans: Vec<AttackPlan>, end: AttackEnd) -> Vec<AttackPlan> {
    let mut all: Vec<AttackPlan> = Vec::new();
    for plan in plans.iter().filter(|_| end != AttackEnd::Plan) {
        let alone = AttackPlan::by_itself(plan.side, plan.start);
        if !all.contains(&alone) {
            all.push(alone);
        }
    }
    all.extend(plans);
    all
}

/// The plans of a file.
pub(super) fn read_file(game: &Game, path: &Path) -> Result<Vec<AttackPlan>, CliError> {
    let wrong = |what: String| CliError::Input(format!("{}: {what}", path.display()));
    let text = files::read_text(path)?;
    let plans = read_plans(game, &text).map_err(|error| wrong(error.to_string()))?;
    match plans.is_empty() {
        true => Err(wrong("expected at least one plan".to_owned())),
        false => Ok(plans),
    }
}

/// A wrong journal or an engine without a fixed answer is invalid input; other
/// errors are failed runs.
pub(super) fn failure(error: AttackError) -> CliError {
    match error {
        AttackError::OtherAttack { .. } | AttackError::Fickle { .. } => CliError::input(error),
        AttackError::Queue(error) => failure_of(error),
        _ => CliError::Run(error.into()),
    }
}
