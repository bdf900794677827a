//! An experiment that is a round robin: ratings and a table of scores.

use std::{fmt::Write as _, sync::atomic::AtomicBool};

use foglight_arena::{
    schedule::{Format, SchedulePlan},
    stats::rating::{Crosstable, RatingList, RatingOptions},
    tournament::{MatchEntrant, Standing, Tournament},
};
use foglight_research::experiments::evaluators::{EvaluatorField, FieldPlayer, starts};
use foglight_uci::client::{EngineConfig, UciEngine};

use super::{ExperimentArgs, page::Section, run::run_all};
use crate::{commands::matches::inside, failure::CliError};

/// Plays the round robin and prints its ratings.
pub(crate) fn run(
    how: &ExperimentArgs,
    field: &EvaluatorField,
    stop: &AtomicBool,
) -> Result<Section, CliError> {
    let games = match (how.games, how.quick) {
        (Some(games), _) => games,
        (None, true) => 2,
        (None, false) => field.games,
    };
    let rounds = games.div_ceil(2);
    let contestants = contestants(field)?;
    let tournament = Tournament {
        game: field.game,
        plan: SchedulePlan {
            contestants: contestants.len(),
            format: Format::RoundRobin,
            rounds,
            games: 2,
            repeat: true,
            starts: starts(rounds as usize, how.seed),
            seed: how.seed,
        },
        contestants,
        shard: how.shard,
        concurrency: how.concurrency,
        max_moves: Some(200),
        sprt: None,
        recover: true,
        announce: false,
        time_scale: 1.0,
    };
    let journal = format!("{}.jsonl", field.name);
    let (_, tally) = run_all(how, &tournament, &journal, field.name, stop)?;
    let names: Vec<&str> = tournament
        .contestants
        .iter()
        .map(|contestant| contestant.name.as_str())
        .collect();
    let text = format!(
        "{}: {}\n\n{}",
        field.name,
        field.about,
        table(&names, &tally)?
    );
    how.finish(field.name, text, Vec::new())
}

/// The contestants available here; without an installed Stockfish it is left
/// out with a note to the user.
fn contestants(field: &EvaluatorField) -> Result<Vec<MatchEntrant>, CliError> {
    let mut found = Vec::new();
    for (name, player) in &field.players {
        match player {
            FieldPlayer::Agent(agent) => found.push(MatchEntrant {
                name: name.clone(),
                agent: (*agent).to_owned(),
                limits: field.limits,
                engine: None,
                make: inside(agent, field.game)?,
                reusable: false,
            }),
            FieldPlayer::Stockfish(elo) => match stockfish(field, name, *elo) {
                Ok(contestant) => found.push(contestant),
                Err(why) => {
                    eprintln!("{name} is left out: {why} (Debian: apt-get install stockfish)")
                }
            },
        }
    }
    Ok(found)
}

fn stockfish(field: &EvaluatorField, name: &str, elo: u32) -> Result<MatchEntrant, String> {
    let usual = ["stockfish", "/usr/games/stockfish"];
    let mut missing = String::new();
    for command in usual {
        let launch = launch(command, elo);
        match UciEngine::launch(&launch) {
            Ok(_) => return Ok(contestant(field, name, launch)),
            Err(fault) => missing = fault.to_string(),
        }
    }
    Err(missing)
}

fn launch(command: &str, elo: u32) -> EngineConfig {
    EngineConfig {
        command: command.to_owned(),
        options: vec![
            ("UCI_LimitStrength".to_owned(), "true".to_owned()),
            ("UCI_Elo".to_owned(), elo.to_string()),
        ],
        ..EngineConfig::default()
    }
}

fn contestant(field: &EvaluatorField, name: &str, launch: EngineConfig) -> MatchEntrant {
    MatchEntrant {
        name: name.to_owned(),
        agent: name.to_owned(),
        limits: field.limits,
        engine: Some(launch.clone()),
        make: Box::new(move || {
            Ok(Box::new(UciEngine::launch(&launch)?) as Box<dyn foglight_play::Player>)
        }),
        reusable: true,
    }
}

/// Ratings, the best first, and the score of every two contestants in percent.
fn table(names: &[&str], tally: &Standing) -> Result<String, CliError> {
    let n = names.len();
    let mut cross = Crosstable::new(n);
    for one in 0..n {
        for other in one + 1..n {
            cross.add(one, other, tally.between(one, other));
        }
    }
    let list = RatingList::new(&cross, RatingOptions::default());
    let list = list.map_err(|error| CliError::Run(error.into()))?;
    let order: Vec<usize> = list.rows.iter().map(|row| row.agent).collect();
    let mut text = "| player | Elo | 95 % | games | score |".to_owned();
    for place in 1..=n {
        let _ = write!(text, " {place} |");
    }
    text.push_str("\n|---|---|---|---|---|");
    text.push_str(&"---|".repeat(n));
    for (place, row) in list.rows.iter().enumerate() {
        let _ = write!(
            text,
            "\n| {} {} | {:+.0} | +/- {:.0} | {} | {:.1} % |",
            place + 1,
            names[row.agent],
            row.rating,
            row.error,
            row.wdl.games(),
            100.0 * row.wdl.score_rate(),
        );
        for &other in &order {
            let wdl = cross.between(row.agent, other);
            if wdl.games() == 0 {
                text.push_str(" |");
            } else {
                let _ = write!(text, " {:.0} |", 100.0 * wdl.score_rate());
            }
        }
    }
    text.push('\n');
    Ok(text)
}
