//! `foglight match --rerun FILE`: plays a recorded match again.

use std::{io::Write, path::Path};

use foglight_arena::record::GameRecord;
use foglight_play::{GameConfig, Limits, Player, session};
use foglight_rules::{ByColor, Color};
use foglight_uci::MONOTONIC;

use super::{args::MatchArgs, inside, interrupt_flag, read_journal};
use crate::failure::CliError;

/// Plays every game of a journal again with its agents, options, limits, start
/// and seed, and reports which games were reproduced.
pub(crate) fn run(path: &Path, words: &MatchArgs) -> Result<(), CliError> {
    let mut records = read_journal(path)?;
    records.sort_by_key(|record| record.number);
    let stop = interrupt_flag()?;
    let mut out = std::io::stdout().lock();
    let (mut same, mut other) = (0, 0);
    for record in &records {
        let again = replay(record, words.max_moves, &|| {
            stop.load(std::sync::atomic::Ordering::Relaxed)
        })?;
        if again.outcome.is_none() {
            break;
        }
        let equal = again == record.record;
        if equal {
            same += 1;
        } else {
            other += 1;
        }
        if !words.json && !words.quiet {
            let (white, black) = (&record.players.white.name, &record.players.black.name);
            let now = again.outcome.map_or("*", |outcome| outcome.result());
            let then = record
                .record
                .outcome
                .map_or("*", |outcome| outcome.result());
            let verdict = if equal { "same moves" } else { "other moves" };
            writeln!(
                out,
                "Game {} ({white} vs {black}): {now}, recorded {then}, {verdict}",
                record.number
            )?;
        }
    }
    if words.json {
        writeln!(
            out,
            "{}",
            serde_json::json!({"games": same + other, "same": same})
        )?;
    } else {
        writeln!(out, "{same} of {} games came out the same", same + other)?;
    }
    Ok(())
}

fn replay(
    record: &GameRecord,
    max_moves: Option<u32>,
    stop: &dyn Fn() -> bool,
) -> Result<foglight_rules::Record, CliError> {
    let game = record.record.game;
    let limits = |side: Color| -> Result<Limits, CliError> {
        record
            .players
            .get(side)
            .limits
            .parse()
            .map_err(CliError::input)
    };
    let config = GameConfig {
        limits: ByColor {
            white: limits(Color::White)?,
            black: limits(Color::Black)?,
        },
        max_moves: limit_of(record).or(max_moves),
        time: MONOTONIC,
        ..GameConfig::new(game, record.record.start, record.seed, record.leg)
    };
    let seat = |side: Color| -> Result<_, CliError> {
        let make = inside(&record.players.get(side).agent, game)?;
        make().map_err(CliError::input)
    };
    let (mut white, mut black) = (seat(Color::White)?, seat(Color::Black)?);
    let seats = ByColor {
        white: white.as_mut() as &mut dyn Player,
        black: black.as_mut() as &mut dyn Player,
    };
    Ok(session::play(&config, seats, stop).record)
}

/// The move limit of the match, from a game that ended by it.
fn limit_of(record: &GameRecord) -> Option<u32> {
    let reached = record
        .record
        .outcome
        .is_some_and(|outcome| outcome.reason == foglight_rules::Termination::MoveLimit);
    reached.then(|| record.plies() as u32 / 2)
}
