//! The tables and figures of Gindi et al. (`dmu`).

use std::{collections::BTreeMap, sync::atomic::AtomicBool};

use foglight_research::dmu::{
    ABOUT, DmuGames, DmuOptions, GAMES, NAME, Quality, QualityGames, QualityOptions, ROWS, head,
};

use super::{ExperimentArgs, estimate, page::Section};
use crate::{
    commands::cluster::{Hands, Host, Listed},
    failure::CliError,
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

impl Listed for QualityGames {
    fn open(options: QualityOptions, _: Host) -> Result<QualityGames, CliError> {
        Ok(QualityGames(options))
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
    let mut parts = BTreeMap::new();
    let figures = QualityGames(QualityOptions { seed: how.seed });
    hands.each(&figures, 0..sources, stop, |item, part| {
        parts.insert(item, part);
        Ok(())
    })?;
    // In their order, since sums of fractions depend on it.
    let mut quality = Quality::default();
    parts.values().for_each(|part| quality.add(part));
    text.push_str(&format!(
        "\n{FIGURES}: {sources} games, ten particles of each generator at each of White's moves\n\n{}",
        quality.table()
    ));
    how.finish(NAME, text, quality.figures())
}
