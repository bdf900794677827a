//! The tables and figures of Gindi et al. (`dmu`).

use std::sync::atomic::AtomicBool;

use foglight_research::dmu::{ABOUT, GAMES, NAME, ROWS, head, quality};

use super::{ExperimentArgs, estimate, stopped};
use crate::failure::CliError;

/// Games from which particles are sampled, per hundred games of a row.
const POSITIONS: u64 = 40;
/// Measured seconds of a game of a row and of a game of particles.
const SECONDS: (f64, f64) = (0.02, 4.0);

pub(crate) fn run(how: &ExperimentArgs, stop: &AtomicBool) -> Result<(), CliError> {
    let games = how.games_for(GAMES);
    let sources = (games * POSITIONS / GAMES).max(3);
    let rows = ROWS.len() as u64 * games;
    let seconds = rows as f64 * SECONDS.0 + sources as f64 * SECONDS.1;
    estimate(NAME, rows + sources, seconds);
    let mut text = format!("{NAME}: {ABOUT}\n\n{}", head());
    for row in &ROWS {
        let measured = row.play(games, how.seed, &|| stopped(stop));
        text.push_str(&row.text(&measured));
    }
    let quality = quality(sources, how.seed, &|| stopped(stop));
    text.push_str(&format!(
        "\nFigures 10 and 11: {sources} games, ten particles of each generator at each of White's moves\n\n{}",
        quality.table()
    ));
    how.finish(NAME, &text, &quality.figures())
}
