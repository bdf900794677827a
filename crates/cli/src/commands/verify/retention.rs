//! `foglight verify retention`: how often a bounded belief keeps the true
//! position, by replaying games.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::PathBuf,
    sync::Arc,
    time::Instant,
};

use clap::{Args, ValueEnum};
use foglight_arena::queue::{JsonWork, Work};
use foglight_engine::belief::{BeliefTracker, Keeping, ReplyModel};
use foglight_play::rng::derive;
use foglight_rules::{Color, Record, Turn, Variant};
use serde::{Deserialize, Serialize};

use super::tally::{RetentionRow, SideTally};
use crate::{
    commands::{
        cluster::{ClusterArgs, Hands, Host, Listed},
        matches::interrupt_flag,
        train::bar,
    },
    failure::CliError,
};

/// Replays the fog games of journals, follows the belief of both sides at a cap,
/// and tells for each way of keeping positions how often the true position is
/// among them before a side's moves, how likely it is, and what an update costs.
/// Intervals are 95 % over sides of games.
#[derive(Args, Clone, Serialize, Deserialize)]
#[command(
    after_help = "Example:\n  foglight verify retention games.jsonl --max-positions 20000 --keep even weighted"
)]
pub(in crate::commands) struct VerifyRetention {
    /// Journals of matches (`match -jsonout`)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Maximum size of a belief; several are compared
    #[arg(long, num_args = 1.., default_values_t = [50_000])]
    max_positions: Vec<usize>,

    /// Ways of keeping positions
    #[arg(long, num_args = 1.., value_enum, default_values_t = [Way::Even, Way::Weighted])]
    keep: Vec<Way>,

    /// Model of the enemy's replies (`train replies --out`) instead of the
    /// shipped one
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    /// Follow every n-th game
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    stride: u64,

    /// Games at a time
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=256))]
    #[serde(skip)]
    threads: u64,

    #[command(flatten)]
    #[serde(skip)]
    cluster: ClusterArgs,

    /// Seed of the draws
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Print one JSON array
    #[arg(long)]
    #[serde(skip)]
    json: bool,
}

/// How a belief beyond its cap keeps positions.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
enum Way {
    /// A uniform subset
    Even,
    /// By the odds of the moves that lead to a position
    Weighted,
    /// The same, with a backlog of dropped positions
    Backlog,
}

impl std::fmt::Display for Way {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let value = self.to_possible_value().expect("no way is hidden");
        f.write_str(value.get_name())
    }
}

/// The games, once for each cap and way of keeping.
pub(in crate::commands) struct RetentionGames {
    options: VerifyRetention,
    games: Vec<Record>,
    trials: Vec<Trial>,
    files: BTreeMap<String, Vec<u8>>,
}

struct Trial {
    way: Way,
    cap: usize,
    tracker: BeliefTracker,
}

impl Listed for RetentionGames {
    fn open(options: VerifyRetention, host: Host) -> Result<RetentionGames, CliError> {
        let games = options.games(&host)?;
        let weighted = options.weighted(&host)?;
        let mut trials = Vec::new();
        for &cap in &options.max_positions {
            for &way in &options.keep {
                let tracker = BeliefTracker::new(cap, 1);
                let tracker = match way {
                    Way::Even => tracker.keeping(Keeping::Even),
                    Way::Weighted => tracker.keeping(weighted.clone()),
                    Way::Backlog => tracker.keeping(weighted.clone()).with_backlog(),
                };
                trials.push(Trial { way, cap, tracker });
            }
        }
        Ok(RetentionGames {
            options,
            games,
            trials,
            files: host.files(),
        })
    }
}

impl JsonWork for RetentionGames {
    const KIND: &'static str = "verify retention";
    type Options = VerifyRetention;

    fn options(&self) -> &VerifyRetention {
        &self.options
    }

    fn repeats(&self) -> bool {
        true
    }

    fn same(&self, one: &[SideTally; 2], other: &[SideTally; 2]) -> bool {
        one.iter().zip(other).all(|(one, other)| one.is_same(other))
    }
}

impl Work for RetentionGames {
    type Output = [SideTally; 2];
    type Tools = ();

    fn tools(&self) {}

    fn do_item(&self, item: u64, (): &mut (), _: &dyn Fn() -> bool) -> Option<[SideTally; 2]> {
        let games = self.games.len() as u64;
        let (trial, number) = (&self.trials[(item / games) as usize], item % games);
        let game = &self.games[number as usize];
        Some(Color::ALL.map(|side| {
            let seed = derive(self.options.seed, 2 * number + u64::from(side.is_black()));
            follow(game, side, trial.tracker.clone(), seed)
        }))
    }
}

impl VerifyRetention {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let stop = interrupt_flag()?;
        let host = Host::here(self.cluster.url.is_some());
        let mut list = RetentionGames::open(self.clone(), host)?;
        let files = std::mem::take(&mut list.files);
        let title = "verify retention".to_owned();
        let hands = Hands::open(&self.cluster, self.threads as usize, title, || Ok(files))?;
        let games = list.games.len();
        let all = (list.trials.len() * games) as u64;
        let bar = bar(all, "games");
        let mut done: BTreeMap<u64, [SideTally; 2]> = BTreeMap::new();
        hands.each(&list, 0..all, &stop, |item, sides| {
            done.insert(item, sides);
            bar.inc(1);
            Ok(())
        })?;
        bar.finish_and_clear();
        let rows = list.trials.iter().enumerate().map(|(i, trial)| {
            let items = (i * games) as u64..((i + 1) * games) as u64;
            let sides: Vec<SideTally> = done
                .range(items)
                .flat_map(|(_, sides)| sides.clone())
                .collect();
            RetentionRow::of(&trial.way.to_string(), trial.cap, &sides)
        });
        print(&rows.collect::<Vec<_>>(), self.json)
    }

    /// Weighted keeping, by the model that was named.
    fn weighted(&self, host: &Host) -> Result<Keeping, CliError> {
        let Some(path) = &self.model else {
            return Ok(Keeping::weighted());
        };
        let model = ReplyModel::parse(&host.text(path)?);
        let model = model.map_err(|e| CliError::input(format!("{}: {e}", path.display())))?;
        Ok(Keeping::Weighted(Arc::new(model)))
    }

    fn games(&self, host: &Host) -> Result<Vec<Record>, CliError> {
        let mut games = Vec::new();
        for path in &self.files {
            games.extend(host.games(path)?.into_iter().map(|game| game.record));
        }
        games.retain(|game| matches!(game.game.variant(), Variant::Fog(_)));
        let games: Vec<Record> = games.into_iter().step_by(self.stride as usize).collect();
        match games.is_empty() {
            true => Err(CliError::input("expected journals with games of fog")),
            false => Ok(games),
        }
    }
}

/// Follows one side through a game.
fn follow(game: &Record, side: Color, mut tracker: BeliefTracker, seed: u64) -> SideTally {
    let mut tally = SideTally::default();
    let mut replay = game.replay();
    tracker.start(seed);
    loop {
        let state = replay.state();
        let observation = state.observe(side);
        let clock = ThreadClock::start();
        tracker.see(&observation);
        let seconds = clock.seconds();
        let belief = tracker.belief().expect("there was an observation");
        if !belief.is_exact() {
            tally.capped_times.push(seconds);
        }
        if observation.turn() == Turn::Player(side) {
            let truth = belief.standing(state.position());
            tally.add(belief.is_exact(), belief.count(), truth);
        }
        if !matches!(replay.step(), Some(Ok(_))) {
            tally.resets = tracker.resets();
            return tally;
        }
    }
}

/// Processor time of this thread; wall time if the system does not report it.
struct ThreadClock {
    wall: Instant,
    used: Option<u64>,
}

impl ThreadClock {
    fn start() -> ThreadClock {
        ThreadClock {
            wall: Instant::now(),
            used: nanoseconds(),
        }
    }

    fn seconds(&self) -> f64 {
        match (self.used, nanoseconds()) {
            (Some(before), Some(now)) => (now - before) as f64 / 1e9,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

fn nanoseconds() -> Option<u64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

fn print(rows: &[RetentionRow], json: bool) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    if json {
        let text = serde_json::to_string(rows).map_err(|e| CliError::Run(e.into()))?;
        writeln!(out, "{text}")?;
        return Ok(());
    }
    if let Some(row) = rows.first() {
        writeln!(
            out,
            "{} moves with an exact belief, {} with a capped one",
            row.exact.moves, row.capped_moves
        )?;
    }
    for row in rows {
        writeln!(
            out,
            "{} of {}: true position kept at {:.1} % of capped moves ({:.1} to {:.1}); log loss {:.2} nats, median rank {:.0} there, {:.2} and {:.0} while exact; {:.0} positions, {} resets, {:.2} ms an update, at most {:.1}",
            row.keep,
            row.max_positions,
            100.0 * row.kept,
            100.0 * row.kept_interval[0],
            100.0 * row.kept_interval[1],
            row.kept_moves.log_loss,
            row.kept_moves.median_rank,
            row.exact.log_loss,
            row.exact.median_rank,
            row.mean_size,
            row.resets,
            row.update_ms,
            row.longest_update_ms
        )?;
    }
    Ok(())
}
