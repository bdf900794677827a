//! An experiment that consists of matches.

use std::sync::atomic::AtomicBool;

use foglight_arena::{
    journal::Journal,
    record::GameRecord,
    report::{MatchReport, Matchup, ReportOptions, Source, report},
    schedule::{Format, SchedulePlan},
    stats::running::KFactor,
    tournament::{MatchEntrant, MatchEvent, Standing, Tournament},
};
use foglight_play::Limits;
use foglight_research::{
    experiments::{Experiment, Published, PublishedMatch, Seats},
    play_stats::PlayStats,
    thesis,
};
use indicatif::{ProgressBar, ProgressStyle};

use super::{
    ExperimentArgs, estimate,
    page::Section,
    stopped,
    tables::{self, Row},
};
use crate::{
    commands::{
        cluster::Hands,
        matches::{inside, match_failure, on_terminal},
    },
    failure::CliError,
    files,
};

pub(crate) fn run(
    how: &ExperimentArgs,
    study: &Experiment,
    stop: &AtomicBool,
) -> Result<Section, CliError> {
    let faster = match how.quick {
        true => study.quick_times,
        false => how.time_divisor,
    };
    let limited = |pairing: &PublishedMatch| match how.nodes_a_second {
        Some(nodes) => pairing.counted(nodes),
        None => pairing.hastened(faster),
    };
    let wanted = |pairing: &&PublishedMatch| {
        let words = how.only.as_ref();
        words.is_none_or(|words| pairing.label.contains(words))
    };
    let chosen = study.pairings.iter().filter(wanted);
    let hastened = chosen.map(limited);
    let (games, seconds) = hastened.fold((0, 0.0), |(games, seconds), pairing| {
        let n = pairing.games_to_play(how.games_for(pairing.games));
        (games + n, seconds + n as f64 * pairing.seconds_a_game())
    });
    estimate(study.name, games, seconds / how.concurrency.max(1) as f64);
    let mut played = Played::default();
    for (i, pairing) in study.pairings.iter().enumerate() {
        if !wanted(&pairing) {
            continue;
        }
        match play(how, study, i, &limited(pairing), stop) {
            Ok((records, tally)) => played.add(pairing, records, &tally, how.k),
            // Rows with Stockfish are skipped if it is not installed.
            Err(CliError::Input(reason)) if pairing.one.contains("analyser=stockfish") => {
                played
                    .missing
                    .push_str(&format!("\n{}: not played: {reason}\n", pairing.label));
            }
            Err(failure) => return Err(failure),
        }
        if stopped(stop) {
            break;
        }
    }
    let mut figures = Vec::new();
    if let Some(dir) = &how.out {
        let page = played.page(how.k);
        let path = dir.join(format!("{}.html", study.name));
        files::write(&path, page.html.as_bytes())?;
        figures = page.figures;
        figures.extend(tables::figures(study, &played.rows));
    }
    how.finish(study.name, played.text(study), figures)
}

/// Results of an experiment.
#[derive(Default)]
struct Played {
    records: Vec<(String, Vec<GameRecord>)>,
    rows: Vec<Row>,
    /// Rows of the thesis's own table.
    sets: String,
    missing: String,
}

impl Played {
    fn add(
        &mut self,
        pairing: &PublishedMatch,
        records: Vec<GameRecord>,
        tally: &Standing,
        k: KFactor,
    ) {
        match &pairing.published {
            Published::Set(set) => {
                let row = thesis::row(&pairing.label, set, &records, k);
                self.sets.push_str(&row);
                self.sets.push('\n');
            }
            _ => self.rows.push(Row::new(pairing, tally)),
        }
        self.records.push((pairing.label.clone(), records));
    }

    fn text(&self, study: &Experiment) -> String {
        let table = match self.sets.is_empty() {
            true => tables::text(study, &self.rows),
            false => format!(
                "{}: {}\n\n{}{}",
                study.name,
                study.about,
                thesis::head(),
                self.sets
            ),
        };
        let habits = match study.habits {
            true => self.habits(),
            false => String::new(),
        };
        let appendix = study.appendix.map_or(String::new(), |table| table());
        table + &self.missing + &habits + &appendix
    }

    /// Table of the players' behaviour in each match.
    fn habits(&self) -> String {
        let mut text = PlayStats::head().to_owned();
        for (label, records) in &self.records {
            let Some(first) = records.first() else {
                continue;
            };
            for player in [&first.players.white, &first.players.black] {
                let habits = PlayStats::of(records, &player.name);
                text.push_str(&habits.row(label, &player.name));
            }
        }
        text
    }

    /// The page of all matches; the thesis has its own figures for each.
    fn page(&self, k: KFactor) -> MatchReport {
        let sources = self.records.iter();
        let sources: Vec<Source> = sources
            .map(|(name, records)| Source { name, records })
            .collect();
        let figures = move |matchup: &Matchup<'_>| thesis::figures(matchup, k);
        let options = ReportOptions {
            figures: (!self.sets.is_empty()).then_some(&figures),
            ..ReportOptions::default()
        };
        report(&sources, &options)
    }
}

fn play(
    how: &ExperimentArgs,
    study: &Experiment,
    number: usize,
    pairing: &PublishedMatch,
    stop: &AtomicBool,
) -> Result<(Vec<GameRecord>, Standing), CliError> {
    let tournament = tournament(how, study, pairing)?;
    let journal = format!("{}-{:02}.jsonl", study.name, number + 1);
    run_all(how, &tournament, &journal, &pairing.label, stop)
}

/// Plays a match, journalled if a folder was given.
pub(super) fn run_all(
    how: &ExperimentArgs,
    tournament: &Tournament,
    journal: &str,
    label: &str,
    stop: &AtomicBool,
) -> Result<(Vec<GameRecord>, Standing), CliError> {
    let (journal, before) = match &how.out {
        None => (None, Vec::new()),
        Some(dir) => {
            let (journal, before) = Journal::resume(&dir.join(journal)).map_err(CliError::input)?;
            (Some(journal), before)
        }
    };
    let bar = on_terminal().then(|| progress(tournament, label));
    let hands = Hands::of_match(&how.cluster, tournament)?;
    let mut records = before.clone();
    let take = |event: MatchEvent<'_>| {
        if let MatchEvent::Finished { record, .. } = event {
            records.push(record.clone());
            bar.iter().for_each(|bar| bar.inc(1));
        }
    };
    let tally = tournament.run_on(&hands, journal, before, stop, take);
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let tally = tally.map_err(match_failure)?;
    hands.end()?;
    // Threads finish in any order.
    records.sort_by_key(|record| record.number);
    Ok((records, tally))
}

fn tournament(
    how: &ExperimentArgs,
    study: &Experiment,
    pairing: &PublishedMatch,
) -> Result<Tournament, CliError> {
    let game = study.game_of(pairing);
    let contestant = |agent: &str, name: String| -> Result<MatchEntrant, CliError> {
        Ok(MatchEntrant {
            name,
            agent: agent.to_owned(),
            limits: Limits::default(),
            engine: None,
            make: inside(agent, game)?,
            reusable: false,
        })
    };
    // An agent against itself: the two get different numbers.
    let twins = pairing.one == pairing.other;
    let name = |agent: &str, number: u32| match twins {
        true => format!("{agent} ({number})"),
        false => agent.to_owned(),
    };
    let legs = match pairing.seats {
        Seats::Pairs => 2,
        Seats::FirstBlack | Seats::Single => 1,
    };
    Ok(Tournament {
        game,
        contestants: vec![
            contestant(&pairing.one, name(&pairing.one, 1))?,
            contestant(&pairing.other, name(&pairing.other, 2))?,
        ],
        plan: SchedulePlan {
            contestants: 2,
            format: match pairing.seats {
                Seats::FirstBlack => Format::FirstBlack,
                Seats::Pairs | Seats::Single => Format::RoundRobin,
            },
            rounds: pairing.games_to_play(how.games_for(pairing.games)) / u64::from(legs),
            games: legs,
            repeat: true,
            starts: vec![game.start()],
            seed: how.seed,
        },
        shard: how.shard,
        concurrency: how.concurrency,
        max_moves: study.max_moves,
        sprt: None,
        recover: false,
        announce: false,
        time_scale: 1.0,
    })
}

fn progress(tournament: &Tournament, label: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg}: {bar:30} {pos}/{len} games, {eta} left");
    let bar = ProgressBar::new(tournament.plan.len());
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(label.to_owned());
    bar
}
