//! `foglight perft`: node counts and speed.

use std::{
    io::{self, IsTerminal, Write},
    time::{Duration, Instant},
};

use clap::Args;
use foglight_rules::{Action, Game, Position, perft, roots, under};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Map, Value, json};

use crate::{failure::CliError, options::PositionOptions};

/// Delay before a progress bar appears.
const PATIENCE: Duration = Duration::from_secs(2);

/// Counts the sequences of plies of a given length. Draw rules do not count; in
/// dice games each distinct roll counts once.
#[derive(Args)]
#[command(after_help = "Example:\n  foglight perft --game fog --depth 4 --divide")]
pub(crate) struct Perft {
    #[command(flatten)]
    position: PositionOptions,

    /// Number of plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: u32,

    /// Also print the count under each first move or roll
    #[arg(long)]
    divide: bool,

    /// Print one JSON object: nodes, seconds, and divide if asked for
    #[arg(long)]
    json: bool,
}

impl Perft {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let (game, position) = self.position.read()?;
        let start = Instant::now();
        let parts = match self.depth {
            0 => Vec::new(),
            _ => count(&game, &position, self.depth),
        };
        let nodes = match self.depth {
            0 => perft(&game, &position, 0),
            _ => parts.iter().map(|(_, nodes)| nodes).sum(),
        };
        self.print(&parts, nodes, start.elapsed().as_secs_f64())?;
        Ok(())
    }

    fn print(&self, parts: &[(String, u64)], nodes: u64, seconds: f64) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if self.json {
            let mut object = json!({ "nodes": nodes, "seconds": seconds });
            if self.divide {
                let parts: Map<String, Value> = parts
                    .iter()
                    .map(|(action, nodes)| (action.clone(), json!(nodes)))
                    .collect();
                object["divide"] = Value::Object(parts);
            }
            return writeln!(out, "{object}");
        }
        if self.divide {
            for (action, nodes) in parts {
                writeln!(out, "{action}: {nodes}")?;
            }
        }
        let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
        writeln!(out, "{nodes} nodes")?;
        writeln!(out, "{seconds:.3} s, {speed:.1} million nodes a second")
    }
}

/// The count under each first action, sorted by its text.
fn count(game: &Game, position: &Position, depth: u32) -> Vec<(String, u64)> {
    let mut actions: Vec<(String, Action)> = roots(game, position)
        .into_iter()
        .map(|action| (action.to_string(), action))
        .collect();
    actions.sort_by(|a, b| a.0.cmp(&b.0));
    let mut progress = Progress::new(actions.len());
    actions
        .into_iter()
        .map(|(text, action)| {
            let nodes = under(game, position, action, depth);
            progress.step();
            (text, nodes)
        })
        .collect()
}

/// Progress bar, shown once the work has taken longer than [`PATIENCE`].
struct Progress {
    start: Instant,
    done: u64,
    total: u64,
    bar: Option<ProgressBar>,
}

impl Progress {
    fn new(total: usize) -> Progress {
        Progress {
            start: Instant::now(),
            done: 0,
            total: total as u64,
            bar: None,
        }
    }

    fn step(&mut self) {
        self.done += 1;
        if self.bar.is_none() && self.start.elapsed() > PATIENCE && io::stderr().is_terminal() {
            let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta}");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            self.bar = Some(ProgressBar::new(self.total).with_style(style));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
