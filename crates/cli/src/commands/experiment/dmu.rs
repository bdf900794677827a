//! The tables and figures of Gindi et al. (`dmu`).

use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::AtomicBool},
};

use foglight_engine::search::SearchAnalyser;
use foglight_play::Analyser;
use foglight_research::dmu::{
    ABOUT, DmuGames, DmuOptions, GAMES, NAME, QualitySource, ROWS, head, quality,
};
use foglight_rules::{Action, Variant};

use super::{ExperimentArgs, estimate, page::Section, stopped};
use crate::{
    commands::cluster::{Hands, Host, Listed},
    failure::CliError,
    files, providers,
};

/// Games from which particles are sampled, per hundred games of a row.
const POSITIONS: u64 = 40;
/// Label of the figures, for `--only`.
const FIGURES: &str = "figures 10 and 11";
/// Measured seconds of a game of a row and of a game of particles.
const SECONDS: (f64, f64) = (0.02, 4.0);

impl Listed for DmuGames {
    fn open(options: DmuOptions, _: Host) -> Result<DmuGames, CliError> {
        Ok(DmuGames::new(options))
    }
}

pub(crate) fn run(how: &ExperimentArgs, stop: &AtomicBool) -> Result<Section, CliError> {
    let games = how.games_for(GAMES);
    let wanted = |label: &str| how.only.as_ref().is_none_or(|words| label.contains(words));
    let rows = (0..ROWS.len()).filter(|&row| wanted(&ROWS[row].label()));
    let tables = DmuGames::new(DmuOptions {
        rows: rows.collect(),
        games,
        seed: how.seed,
    });
    let sources = match wanted(FIGURES) {
        true => (games * POSITIONS / GAMES).max(3),
        false => 0,
    };
    let seconds = tables.len() as f64 * SECONDS.0 + sources as f64 * SECONDS.1;
    estimate(
        NAME,
        tables.len() + sources,
        seconds / how.concurrency.max(1) as f64,
    );
    let title = format!("experiment {NAME}");
    let hands = Hands::open(&how.cluster, how.concurrency, title, || Ok(BTreeMap::new()))?;
    let mut ends = BTreeMap::new();
    hands.each(&tables, 0..tables.len(), stop, |item, end| {
        ends.insert(item, end);
        Ok(())
    })?;
    let mut text = format!("{NAME}: {ABOUT}\n\n{}", head());
    for (row, measured) in tables.measured(&ends) {
        text.push_str(&row.text(&measured));
    }
    if sources == 0 {
        return how.finish(NAME, text, Vec::new());
    }
    let (analyser, whose) = analyser();
    let games = given_games(how)?;
    let source = QualitySource {
        games: &games,
        analyser: analyser.as_ref(),
    };
    let quality = quality(sources, how.seed, &source, &|| stopped(stop));
    let of = match games.len() as u64 {
        0 => format!("{sources} games of the engine"),
        given => format!("{} given games", given.min(sources)),
    };
    text.push_str(&format!(
        "\n{FIGURES}: {of}, ten particles of each generator at each of White's moves, valued by {whose}\n\n{}",
        quality.table()
    ));
    how.finish(NAME, text, quality.figures())
}

/// Stockfish, as in the paper, if it is installed, else the own search.
fn analyser() -> (Arc<dyn Analyser>, &'static str) {
    let start = providers::all().stockfish.map(|start| start());
    match start {
        Some(Ok(stockfish)) => (stockfish, "Stockfish"),
        _ => (Arc::new(SearchAnalyser::default()), "our search"),
    }
}

/// The games of plain chess in the file of `--pgn`, from the start position.
fn given_games(how: &ExperimentArgs) -> Result<Vec<Vec<Action>>, CliError> {
    let Some(path) = &how.pgn else {
        return Ok(Vec::new());
    };
    let records = files::read_games(path)?.into_iter().map(|game| game.record);
    let played = records.filter(|record| {
        matches!(record.game.variant(), Variant::Chess) && record.start == record.game.start()
    });
    let games: Vec<_> = played.map(|record| record.actions).collect();
    match games.is_empty() {
        true => Err(CliError::input(format!(
            "--pgn {}: expected games of chess from the start position",
            path.display()
        ))),
        false => Ok(games),
    }
}
