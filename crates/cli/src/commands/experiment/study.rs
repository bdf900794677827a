//! A study that is matches.

use std::{path::PathBuf, sync::atomic::AtomicBool};

use foglight_arena::{
    experiments::{Pairing, Study, head, row},
    journal::Journal,
    limits::Limits,
    record::GameRecord,
    report::{Options, Report, Source, report},
    schedule::{Format, Plan},
    tournament::{Contestant, Event, Tournament},
};
use indicatif::{ProgressBar, ProgressStyle};

use super::{Experiment, estimate, stopped};
use crate::{
    commands::matches::{inside, on_terminal},
    failure::Failure,
    files,
};

pub fn run(how: &Experiment, study: &Study, stop: &AtomicBool) -> Result<(), Failure> {
    let games = |pairing: &Pairing| paired(how.games_for(pairing.games));
    let total: u64 = study.pairings.iter().map(games).sum();
    let seconds = study.pairings.iter();
    let seconds: f64 = seconds
        .map(|pairing| games(pairing) as f64 * pairing.seconds_a_game())
        .sum();
    estimate(study.name, total, seconds / how.concurrency.max(1) as f64);
    let mut table = format!("{}: {}\n\n{}", study.name, study.about, head(study));
    let mut played: Vec<(String, Vec<GameRecord>)> = Vec::new();
    for (i, pairing) in study.pairings.iter().enumerate() {
        match play(how, study, i, pairing, stop) {
            Ok(records) => {
                table.push_str(&row(pairing, &records));
                table.push('\n');
                played.push((pairing.label.clone(), records));
            }
            // Without Stockfish its rows cannot be played; the others can.
            Err(Failure::Input(reason)) if pairing.one.contains("judge=stockfish") => {
                table.push_str(&format!(
                    "| {} | 0 | not played: {reason} |\n",
                    pairing.label
                ));
            }
            Err(failure) => return Err(failure),
        }
        if stopped(stop) {
            break;
        }
    }
    let page = page(&played);
    if let Some(dir) = &how.out {
        let path = dir.join(format!("{}.html", study.name));
        files::write(&path, page.html.as_bytes())?;
    }
    how.finish(study.name, &table, &page.figures)
}

/// Games come in pairs.
fn paired(games: u64) -> u64 {
    games.div_ceil(2) * 2
}

/// The page of all matches, which draws the figures of the thesis for each.
fn page(played: &[(String, Vec<GameRecord>)]) -> Report {
    let sources = played.iter();
    let sources: Vec<Source> = sources
        .map(|(name, records)| Source { name, records })
        .collect();
    report(&sources, &Options::default())
}

/// The journal of a pairing.
fn journal_path(how: &Experiment, study: &Study, number: usize) -> Option<PathBuf> {
    let dir = how.out.as_ref()?;
    Some(dir.join(format!("{}-{:02}.jsonl", study.name, number + 1)))
}

fn play(
    how: &Experiment,
    study: &Study,
    number: usize,
    pairing: &Pairing,
    stop: &AtomicBool,
) -> Result<Vec<GameRecord>, Failure> {
    let tournament = tournament(how, study, pairing)?;
    let (journal, before) = match journal_path(how, study, number) {
        None => (None, Vec::new()),
        Some(path) => {
            let (journal, before) = Journal::resume(&path).map_err(Failure::input)?;
            (Some(journal), before)
        }
    };
    let bar = on_terminal().then(|| progress(&tournament, &pairing.label));
    let mut records = before.clone();
    let tally = tournament.run(journal, before, stop, |event| {
        if let Event::Finished { record, .. } = event {
            records.push(record.clone());
            bar.iter().for_each(|bar| bar.inc(1));
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    tally.map_err(|error| Failure::Run(error.into()))?;
    Ok(records)
}

fn tournament(how: &Experiment, study: &Study, pairing: &Pairing) -> Result<Tournament, Failure> {
    let game = study.game_of(pairing);
    let contestant = |agent: &str, name: String| -> Result<Contestant, Failure> {
        Ok(Contestant {
            name,
            agent: agent.to_owned(),
            limits: Limits::default(),
            make: inside(agent, game)?,
            reusable: false,
        })
    };
    // An agent against itself: the two are told apart by a number.
    let twins = pairing.one == pairing.other;
    let name = |agent: &str, number: u32| match twins {
        true => format!("{agent} ({number})"),
        false => agent.to_owned(),
    };
    Ok(Tournament {
        game,
        contestants: vec![
            contestant(&pairing.one, name(&pairing.one, 1))?,
            contestant(&pairing.other, name(&pairing.other, 2))?,
        ],
        plan: Plan {
            contestants: 2,
            format: Format::RoundRobin,
            rounds: paired(how.games_for(pairing.games)) / 2,
            games: 2,
            repeat: true,
            starts: vec![game.start()],
            seed: how.seed,
        },
        concurrency: how.concurrency,
        max_moves: study.max_moves,
        sprt: None,
        recover: false,
        announce: false,
    })
}

fn progress(tournament: &Tournament, label: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg}: {bar:30} {pos}/{len} games, {eta} left");
    let bar = ProgressBar::new(tournament.plan.len());
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(label.to_owned());
    bar
}
