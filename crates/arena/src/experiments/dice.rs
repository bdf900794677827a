//! The experiments of the Maastricht paper (seed 002), from the engine's table.

use foglight_engine::dice::experiments::{self, Figure};
use foglight_rules::Game;

use super::{Published, Study, pairing};

/// The study, at the paper's own thinking times or quicker ones.
pub(super) fn study(quick: bool) -> Study {
    let pairings = experiments::all(quick).into_iter().map(|row| {
        let published = match row.published {
            Figure::Rate(rate) => Published::WinRate(rate),
            Figure::None => Published::Nothing,
        };
        pairing(&row.label, &row.one, &row.other, row.games, published)
    });
    Study {
        name: "dice",
        about: "goal-based, MCTS, hybrid and expectiminimax in one-die chess (seed 002)",
        game: Game::dice1(),
        max_moves: None,
        pairings: pairings.collect(),
    }
}
