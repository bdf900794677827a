//! The experiments of the Maastricht paper (seed 002), from the engine's table.

use foglight_engine::dice::experiments::{self, Figure};
use foglight_rules::Game;

use super::{Pairing, Published, Study};

/// The study, at the paper's own thinking times.
pub(super) fn study() -> Study {
    let pairings = experiments::all(false).into_iter().map(|row| Pairing {
        label: row.label,
        one: row.one,
        other: row.other,
        games: row.games,
        published: match row.published {
            Figure::Rate(rate) => Published::WinRate(rate),
            Figure::None => Published::Nothing,
        },
    });
    Study {
        name: "dice",
        about: "goal-based, MCTS, hybrid and expectiminimax in one-die chess (seed 002)",
        game: Game::dice1(),
        max_moves: None,
        pairings: pairings.collect(),
    }
}
