//! `foglight suite`: best-move suites in EPD.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
    time::{Duration, Instant},
};

use clap::Args;
use foglight_engine::search::{Evaluation, Searcher, suite};
use foglight_play::Budget;
use foglight_rules::{Game, Position};
use foglight_uci::MONOTONIC;
use serde_json::json;

use crate::{failure::CliError, providers};

/// Runs the classic search on a suite of positions with known best moves and
/// prints the number solved.
#[derive(Args)]
#[command(after_help = "Example:\n  foglight suite data/epd/wacnew.epd --ms 1000")]
pub(crate) struct Suite {
    /// The suite, in EPD; decompress it first
    file: PathBuf,

    /// Milliseconds a position
    #[arg(long, default_value_t = 1000)]
    ms: u64,

    /// Nodes a position instead of time; repeats exactly
    #[arg(long)]
    nodes: Option<u64>,

    /// Megabytes of the transposition table
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=4096))]
    hash: u64,

    /// Evaluator of the leaves: classic, network, or a file of weights
    #[arg(long, default_value = "classic")]
    eval: String,

    /// Also print the unsolved problems
    #[arg(long)]
    missed: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Suite {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let file = self.file.display();
        let text = fs::read_to_string(&self.file)
            .map_err(|error| CliError::input(format!("suite '{file}': {error}")))?;
        let problems = suite::parse(&text).map_err(CliError::input)?;
        let mut searcher = Searcher::new(self.hash as usize);
        let mut missed = Vec::new();
        let start = Instant::now();
        let budget = || match self.nodes {
            Some(nodes) => Budget::nodes(nodes),
            None => Budget::time(Duration::from_millis(self.ms), MONOTONIC),
        };
        let mut told = |problem: &suite::Problem, m| {
            if problem.most() > Option::map_or(m, 0, |m| problem.worth(m)) {
                missed.push(problem.id.clone());
            }
        };
        let mut leaf = Evaluation::from_option("suite", &self.eval, &providers::all())
            .map_err(CliError::input)?;
        let mut search = |position: &Position| {
            searcher.clear();
            leaf.search_top(&mut searcher, (&Game::chess(), position), &[], &budget(), 1)
        };
        let score = suite::run(&problems, &mut search, &mut told);
        let seconds = start.elapsed().as_secs_f64();
        let speed = score.nodes as f64 / seconds;
        let mut out = io::stdout().lock();
        if self.json {
            let object = json!({
                "problems": score.problems, "solved": score.solved, "points": score.points,
                "most": score.most, "nodes": score.nodes, "seconds": seconds, "missed": missed,
            });
            writeln!(out, "{object}")?;
            return Ok(());
        }
        writeln!(out, "{} of {} solved", score.solved, score.problems)?;
        writeln!(out, "{} of {} points", score.points, score.most)?;
        writeln!(out, "{} nodes, {speed:.0} a second", score.nodes)?;
        if self.missed {
            writeln!(out, "missed: {}", missed.join(", "))?;
        }
        Ok(())
    }
}
