//! The agents, a file each; those of the papers in a folder of their own.

pub mod classic;
pub mod dice;
pub mod foglight;
pub mod greedy;
pub mod papers;
pub mod random;

use std::time::Duration;

use foglight_rules::{Color, Game, Move, Observation, Variant};
use rand::seq::IndexedRandom;

use foglight_play::{Budget, Rng};

/// Games in which a position is known: chess, and fog where a side sees all.
fn known_board(game: &Game) -> bool {
    match game.variant() {
        Variant::Chess => true,
        Variant::Fog(_) => Color::ALL.into_iter().any(|side| game.has_full_view(side)),
        Variant::Dice1 | Variant::Dice3 => false,
    }
}

/// Any legal move: what is left to a player of known boards who sees none.
fn random_move(observation: &Observation, rng: &mut Rng) -> Move {
    *observation
        .legal_moves()
        .choose(rng)
        .expect("a move to choose")
}

/// Gives a budget without any limit a second, so that every move ends, unless
/// somebody is there to end it.
fn never_endless(budget: &mut Budget) {
    if !budget.infinite
        && budget.target().is_none()
        && budget.nodes.is_none()
        && budget.depth.is_none()
    {
        budget.movetime = Some(Duration::from_secs(1));
    }
}
