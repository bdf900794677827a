//! `foglight experiment`: reruns a study of a source document and prints its
//! table beside the published one.

use std::{
    fmt::Write as _,
    io::{self, Write},
    path::PathBuf,
    sync::atomic::AtomicBool,
};

use clap::Args;
use foglight_arena::{
    experiments::{self, Pairing, Seats, Study, evaluators},
    journal::Journal,
    limits::Limits,
    schedule::{Format, Plan},
    tournament::{Contestant, Event, Tally, Tournament},
};
use indicatif::{ProgressBar, ProgressStyle};

mod field;

use super::experiment_tables::{self as tables, Row};
use super::matches::{inside, interrupt_flag, on_terminal};
use crate::{failure::Failure, files};

/// Plays the matches of a study and prints published and own figures side by
/// side; `list` names the studies, `all` runs every one.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  foglight experiment ermlick --games 100 --out results\n  foglight experiment dice --quick --out results"
)]
pub struct Experiment {
    /// The study, `list` or `all`
    name: String,

    /// Games of each pairing, in the place of the source's number
    #[arg(long)]
    games: Option<u64>,

    /// A twentieth of the source's games, at least ten, and for sources with
    /// long thinking times a hundredth of these; a single pair of games of
    /// every two in a round robin
    #[arg(long, conflicts_with_all = ["games", "faster"])]
    quick: bool,

    /// Divide the source's thinking times by this
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    faster: u64,

    /// Play only the pairings whose label contains these words
    #[arg(long)]
    only: Option<String>,

    /// A folder for the table and the journals; a study that was broken off
    /// there goes on
    #[arg(long)]
    out: Option<PathBuf>,

    /// Games at a time
    #[arg(long, default_value_t = 2)]
    concurrency: usize,

    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Experiment {
    pub fn run(&self) -> Result<(), Failure> {
        let studies = experiments::all();
        let field = evaluators::field();
        if self.name == "list" {
            return list(&studies, &field);
        }
        let whole = self.name == "all" || self.name == field.name;
        let chosen: Vec<&Study> = studies
            .iter()
            .filter(|study| self.name == "all" || study.name == self.name)
            .collect();
        if chosen.is_empty() && !whole {
            let names: Vec<&str> = studies.iter().map(|study| study.name).collect();
            return Err(Failure::input(format!(
                "no study '{}'; expected one of list, all, {}, {}",
                self.name.chars().take(40).collect::<String>(),
                names.join(", "),
                field.name
            )));
        }
        let stop = interrupt_flag()?;
        for study in chosen {
            self.study(study, &stop)?;
        }
        if whole {
            self.field(&field, &stop)?;
        }
        Ok(())
    }

    fn games_of(&self, pairing: &Pairing) -> u64 {
        let games = match (self.games, self.quick) {
            (Some(games), _) => games,
            (None, true) => (pairing.games / 20).max(10),
            (None, false) => pairing.games,
        };
        games.div_ceil(2) * 2 // games come in pairs
    }

    fn study(&self, study: &Study, stop: &AtomicBool) -> Result<(), Failure> {
        let faster = match self.quick {
            true => study.quick_times,
            false => self.faster,
        };
        let mut rows = Vec::new();
        for (i, pairing) in study.pairings.iter().enumerate() {
            let wanted = self.only.as_ref();
            if wanted.is_some_and(|words| !pairing.label.contains(words)) {
                continue;
            }
            let tally = self.play(study, i, &pairing.hastened(faster), stop)?;
            rows.push(Row::new(pairing, &tally));
            if stop.load(std::sync::atomic::Ordering::Relaxed) {
                break;
            }
        }
        let mut table = tables::text(study, &rows);
        let _ = writeln!(table, "\nAgain: `{}`", self.command(study.name));
        if let Some(dir) = &self.out {
            files::write(&dir.join(format!("{}.md", study.name)), table.as_bytes())?;
            for (name, svg) in tables::figures(study, &rows) {
                files::write(&dir.join(format!("{name}.svg")), svg.as_bytes())?;
            }
        }
        writeln!(io::stdout(), "{table}")?;
        Ok(())
    }

    /// The command that repeats this run.
    fn command(&self, name: &str) -> String {
        let games = match (self.games, self.quick) {
            (Some(games), _) => format!(" --games {games}"),
            (None, true) => " --quick".to_owned(),
            (None, false) => String::new(),
        };
        let faster = match self.faster {
            1 => String::new(),
            times => format!(" --faster {times}"),
        };
        let only = self.only.as_ref();
        let only = only.map_or(String::new(), |words| format!(" --only '{words}'"));
        format!(
            "foglight experiment {name}{games}{faster}{only} --seed {}",
            self.seed
        )
    }

    fn play(
        &self,
        study: &Study,
        number: usize,
        pairing: &Pairing,
        stop: &AtomicBool,
    ) -> Result<Tally, Failure> {
        let tournament = self.tournament(study, pairing)?;
        let journal = format!("{}-{:02}.jsonl", study.name, number + 1);
        self.run_all(&tournament, &journal, &pairing.label, stop)
    }

    /// Plays a match, journalled where a folder was given.
    fn run_all(
        &self,
        tournament: &Tournament,
        journal: &str,
        label: &str,
        stop: &AtomicBool,
    ) -> Result<Tally, Failure> {
        let (journal, before) = match &self.out {
            None => (None, Vec::new()),
            Some(dir) => {
                std::fs::create_dir_all(dir)?;
                let (journal, before) =
                    Journal::resume(&dir.join(journal)).map_err(Failure::input)?;
                (Some(journal), before)
            }
        };
        let bar = on_terminal().then(|| progress(tournament, label));
        let tally = tournament.run(journal, before, stop, |event| {
            if let (Event::Finished { .. }, Some(bar)) = (event, &bar) {
                bar.inc(1);
            }
        });
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        tally.map_err(|error| Failure::Run(error.into()))
    }

    fn tournament(&self, study: &Study, pairing: &Pairing) -> Result<Tournament, Failure> {
        let contestant = |agent: &str, name: &str| -> Result<Contestant, Failure> {
            Ok(Contestant {
                name: name.to_owned(),
                agent: agent.to_owned(),
                limits: Limits::default(),
                make: inside(agent, study.game)?,
                reusable: false,
            })
        };
        let names = if pairing.one == pairing.other {
            (
                format!("{} (1)", pairing.one),
                format!("{} (2)", pairing.other),
            )
        } else {
            (pairing.one.clone(), pairing.other.clone())
        };
        let legs = match pairing.seats {
            Seats::Pairs => 2,
            Seats::FirstBlack | Seats::Single => 1,
        };
        Ok(Tournament {
            game: study.game,
            contestants: vec![
                contestant(&pairing.one, &names.0)?,
                contestant(&pairing.other, &names.1)?,
            ],
            plan: Plan {
                contestants: 2,
                format: match pairing.seats {
                    Seats::FirstBlack => Format::FirstBlack,
                    Seats::Pairs | Seats::Single => Format::RoundRobin,
                },
                rounds: self.games_of(pairing) / u64::from(legs),
                games: legs,
                repeat: true,
                starts: vec![study.game.start()],
                seed: self.seed,
            },
            concurrency: self.concurrency,
            max_moves: study.max_moves,
            sprt: None,
            recover: false,
            announce: false,
        })
    }
}

fn progress(tournament: &Tournament, label: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg}: {bar:30} {pos}/{len} games, {eta} left");
    let bar = ProgressBar::new(tournament.plan.len());
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(label.to_owned());
    bar
}

fn list(studies: &[Study], field: &evaluators::Field) -> Result<(), Failure> {
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
    let players = field.players.len();
    let games = (players * (players - 1) / 2) as u64 * field.games;
    let (name, about) = (field.name, field.about);
    writeln!(out, "{name:<12} {about} ({players} players, {games} games)")?;
    Ok(())
}
