//! `foglight verify retention`: how often a bounded belief keeps the true
//! position, by replaying games.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Instant,
};

use clap::{Args, ValueEnum};
use foglight_arena::journal;
use foglight_engine::belief::{BeliefTracker, Keeping};
use foglight_play::rng::derive;
use foglight_rules::{Color, Record, Turn, Variant};
use indicatif::ProgressBar;

use super::tally::{RetentionRow, SideTally};
use crate::{
    commands::{
        matches::interrupt_flag,
        train::{bar, read_model},
    },
    failure::CliError,
};

/// Replays the fog games of journals, follows the belief of both sides at a cap,
/// and tells for each way of keeping positions how often the true position is
/// among them before a side's moves, how likely it is, and what an update costs.
/// Intervals are 95 % over sides of games.
#[derive(Args)]
#[command(
    after_help = "Example:\n  foglight verify retention games.jsonl --max-positions 20000 --keep even weighted"
)]
pub(super) struct VerifyRetention {
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
    threads: u64,

    /// Seed of the draws
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Print one JSON array
    #[arg(long)]
    json: bool,
}

/// How a belief beyond its cap keeps positions.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
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

impl VerifyRetention {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let stop = interrupt_flag()?;
        let games = self.games()?;
        let mut rows = Vec::new();
        let trials = self.max_positions.len() * self.keep.len();
        let bar = bar((trials * games.len()) as u64, "games");
        for &cap in &self.max_positions {
            for &way in &self.keep {
                let tracker = BeliefTracker::new(cap, 1).keeping(self.keeping(way)?);
                let tracker = match way {
                    Way::Backlog => tracker.with_backlog(),
                    _ => tracker,
                };
                let sides = self.follow_all(&games, &tracker, &stop, &bar);
                rows.push(RetentionRow::of(&way.to_string(), cap, &sides));
            }
        }
        bar.finish_and_clear();
        print(&rows, self.json)
    }

    fn keeping(&self, way: Way) -> Result<Keeping, CliError> {
        match (way, &self.model) {
            (Way::Even, _) => Ok(Keeping::Even),
            (_, None) => Ok(Keeping::weighted()),
            (_, Some(path)) => Ok(Keeping::Weighted(Arc::new(read_model(path)?))),
        }
    }

    fn games(&self) -> Result<Vec<Record>, CliError> {
        let mut games = Vec::new();
        for path in &self.files {
            let read = journal::read(path).map_err(CliError::input)?;
            games.extend(read.into_iter().map(|game| game.record));
        }
        games.retain(|game| matches!(game.game.variant(), Variant::Fog(_)));
        let games: Vec<Record> = games.into_iter().step_by(self.stride as usize).collect();
        match games.is_empty() {
            true => Err(CliError::input("expected journals with games of fog")),
            false => Ok(games),
        }
    }

    /// Both sides of all games, on all threads; the order of sides is not fixed.
    fn follow_all(
        &self,
        games: &[Record],
        tracker: &BeliefTracker,
        stop: &AtomicBool,
        bar: &ProgressBar,
    ) -> Vec<SideTally> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut sides = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= games.len() || stop.load(Ordering::Relaxed) {
                    return sides;
                }
                for side in Color::ALL {
                    let seed = derive(self.seed, 2 * number as u64 + u64::from(side.is_black()));
                    sides.push(follow(&games[number], side, tracker.clone(), seed));
                }
                bar.inc(1);
            }
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..self.threads).map(|_| scope.spawn(work)).collect();
            let done = workers.into_iter().map(|worker| worker.join());
            done.flat_map(|sides| sides.expect("a follower does not panic"))
                .collect()
        })
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
