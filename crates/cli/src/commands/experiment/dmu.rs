//! The tables and figures of Gindi et al. (`dmu`).

use std::sync::atomic::AtomicBool;

use foglight_research::dmu::{ABOUT, GAMES, NAME, PRESETS, ROWS, head, quality};

use super::{ExperimentArgs, estimate, page::Section, stopped};
use crate::failure::CliError;

/// Games from which particles are sampled, per hundred games of a row.
const POSITIONS: u64 = 40;
/// Label of the figures, for `--only`.
const FIGURES: &str = "figures 10 and 11";
/// Measured seconds of a game of a row and of a game of particles.
const SECONDS: (f64, f64) = (0.02, 4.0);

pub(crate) fn run(how: &ExperimentArgs, stop: &AtomicBool) -> Result<Section, CliError> {
    let games = how.games_for(GAMES);
    let wanted = |label: &str| how.only.as_ref().is_none_or(|words| label.contains(words));
    let rows = || ROWS.iter().filter(|row| wanted(&row.label()));
    let sources = match wanted(FIGURES) {
        true => (games * POSITIONS / GAMES).max(3),
        false => 0,
    };
    let count = (rows().count() * PRESETS.len()) as u64 * games;
    let seconds = count as f64 * SECONDS.0 + sources as f64 * SECONDS.1;
    estimate(NAME, count + sources, seconds);
    let mut text = format!("{NAME}: {ABOUT}\n\n{}", head());
    for row in rows() {
        let measured = PRESETS.map(|preset| row.play(preset, games, how.seed, &|| stopped(stop)));
        text.push_str(&row.text(&measured));
    }
    if sources == 0 {
        return how.finish(NAME, text, Vec::new());
    }
    let quality = quality(sources, how.seed, &|| stopped(stop));
    text.push_str(&format!(
        "\n{FIGURES}: {sources} games, ten particles of each generator at each of White's moves\n\n{}",
        quality.table()
    ));
    how.finish(NAME, text, quality.figures())
}
