//! `foglight experiment`: reruns an experiment of a paper and prints its table
//! beside the published one.

mod dmu;
mod field;
mod page;
mod run;
mod tables;

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use clap::Args;
use foglight_arena::{report::Figure, schedule::Shard, stats::running::KFactor};
use foglight_research::{
    dmu::{ABOUT, GAMES, NAME, ROWS},
    experiments::{self, Experiment, evaluators},
};

use self::page::Section;
use super::{cluster::ClusterArgs, matches::interrupt_flag};
use crate::{failure::CliError, files};

/// Reruns an experiment and prints published and own results side by side;
/// `list` names the experiments, `all` runs every one. With --out the table,
/// the journals, a page and all figures are written.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  foglight experiment all --quick\n  foglight experiment thesis --out results\n  foglight experiment dice --only 'figure 6' --time-divisor 50"
)]
pub(crate) struct ExperimentArgs {
    /// The experiment, `list` or `all`
    name: String,

    /// Games of each pairing, instead of the paper's number
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: Option<u64>,

    /// A twentieth of the paper's games, ten at least, and shorter thinking
    /// times where the paper's are long; a single pair of games of every two in
    /// a round robin: all experiments in minutes
    #[arg(long, conflicts_with_all = ["games", "time_divisor"])]
    quick: bool,

    /// Divide the paper's thinking times by this
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    time_divisor: u64,

    /// Give agents so many nodes (playouts of `mcts`) in place of each second of
    /// the paper's thinking times: the games repeat on any machine
    #[arg(long, value_name = "N", conflicts_with_all = ["quick", "time_divisor"], value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes_a_second: Option<u64>,

    /// Play only the pairings whose label contains this text
    #[arg(long)]
    only: Option<String>,

    /// A folder for tables, journals, figures and a page of all of them
    /// (index.html); an interrupted experiment there is resumed
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Play part K of N of every match, in a folder of its own; `foglight merge`
    /// joins the journals, from which a run without it makes the tables
    #[arg(long, value_name = "K/N", requires = "out", default_value = "1/1")]
    shard: Shard,

    /// Games played concurrently
    #[arg(long, default_value_t = 2)]
    concurrency: usize,

    #[command(flatten)]
    cluster: ClusterArgs,

    /// Games of chess from which figures 10 and 11 of `dmu` take their positions,
    /// in place of games of the engine
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// K-factor of the thesis's running ratings; `fide`: 40 for 30 games, then
    /// 20, and 10 from 2400 on
    #[arg(long, default_value_t = KFactor::default(), value_name = "K")]
    k: KFactor,

    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl ExperimentArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let studies = experiments::all();
        let round_robin = evaluators::field();
        if self.name == "list" {
            return list(&studies, &round_robin);
        }
        let all = self.name == "all";
        let chosen: Vec<&Experiment> = studies
            .iter()
            .filter(|study| all || study.name == self.name)
            .collect();
        let with_tables = all || self.name == NAME;
        let with_field = all || self.name == round_robin.name;
        if chosen.is_empty() && !with_tables && !with_field {
            let names: Vec<&str> = studies.iter().map(|study| study.name).collect();
            return Err(CliError::input(format!(
                "no experiment '{}'; expected one of list, all, {}, {}, {}",
                self.name.chars().take(40).collect::<String>(),
                names.join(", "),
                NAME,
                round_robin.name,
            )));
        }
        if let Some(dir) = &self.out {
            std::fs::create_dir_all(dir)
                .map_err(|error| CliError::input(format!("--out {}: {error}", dir.display())))?;
        }
        let stop = interrupt_flag()?;
        let mut sections = Vec::new();
        if with_tables {
            sections.push(dmu::run(self, &stop)?);
        }
        for study in chosen {
            if !stopped(&stop) {
                sections.push(run::run(self, study, &stop)?);
            }
        }
        if with_field && !stopped(&stop) {
            sections.push(field::run(self, &round_robin, &stop)?);
        }
        if let Some(dir) = &self.out {
            let path = dir.join("index.html");
            files::write(&path, page::html(&sections).as_bytes())?;
            writeln!(io::stdout(), "{}", path.display())?;
        }
        Ok(())
    }

    /// Number of games to play for this many in the paper.
    fn games_for(&self, source: u64) -> u64 {
        match (self.games, self.quick) {
            (Some(games), _) => games,
            (None, true) => (source / 20).max(10),
            (None, false) => source,
        }
    }

    /// The command that repeats this run.
    fn command(&self, study: &str) -> String {
        let games = match (self.games, self.quick) {
            (Some(games), _) => format!(" --games {games}"),
            (None, true) => " --quick".to_owned(),
            (None, false) => String::new(),
        };
        let faster = match (self.nodes_a_second, self.time_divisor) {
            (Some(nodes), _) => format!(" --nodes-a-second {nodes}"),
            (None, 1) => String::new(),
            (None, times) => format!(" --time-divisor {times}"),
        };
        let only = self.only.as_ref();
        let only = only.map_or(String::new(), |words| format!(" --only '{words}'"));
        let pgn = self.pgn.as_ref();
        let pgn = pgn.map_or(String::new(), |path| format!(" --pgn {}", path.display()));
        format!(
            "foglight experiment {study}{games}{faster}{only}{pgn} --seed {}",
            self.seed
        )
    }

    /// Prints a finished table, and writes it with its figures.
    fn finish(&self, name: &str, table: String, figures: Vec<Figure>) -> Result<Section, CliError> {
        let command = self.command(name);
        let text = format!("{table}\nAgain: `{command}`\n");
        if let Some(dir) = &self.out {
            files::write(&dir.join(format!("{name}.md")), text.as_bytes())?;
            save_figures(&dir.join(name), &figures)?;
        }
        writeln!(io::stdout(), "{text}")?;
        Ok(Section {
            name: name.to_owned(),
            command,
            table,
            figures,
        })
    }
}

/// Writes figures into a folder of their own.
fn save_figures(dir: &Path, figures: &[Figure]) -> Result<(), CliError> {
    if figures.is_empty() {
        return Ok(());
    }
    std::fs::create_dir_all(dir)?;
    for figure in figures {
        let path = dir.join(format!("{}.svg", figure.name));
        files::write(&path, figure.svg.as_bytes())?;
    }
    Ok(())
}

/// Prints the estimated duration to standard error.
fn estimate(name: &str, games: u64, seconds: f64) {
    let time = match seconds {
        s if s < 90.0 => format!("{:.0} s", s.max(1.0)),
        s if s < 5400.0 => format!("{:.0} minutes", s / 60.0),
        s => format!("{:.1} hours", s / 3600.0),
    };
    eprintln!("{name}: {games} games, about {time} on an idle machine");
}

fn stopped(stop: &AtomicBool) -> bool {
    stop.load(Ordering::Relaxed)
}

fn list(studies: &[Experiment], field: &evaluators::EvaluatorField) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    for study in studies {
        let games: u64 = study.pairings.iter().map(|pairing| pairing.games).sum();
        writeln!(
            out,
            "{:<12} {} ({} pairings, {games} games)",
            study.name,
            study.about,
            study.pairings.len()
        )?;
    }
    writeln!(
        out,
        "{:<12} {} ({} rows, {} games)",
        NAME,
        ABOUT,
        ROWS.len(),
        ROWS.len() as u64 * GAMES
    )?;
    let players = field.players.len();
    let games = (players * (players - 1) / 2) as u64 * field.games;
    let (name, about) = (field.name, field.about);
    writeln!(out, "{name:<12} {about} ({players} players, {games} games)")?;
    Ok(())
}
