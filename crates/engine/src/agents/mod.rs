//! The agents, one file each. Agents that implement papers are in `papers`.

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

/// Whether some player of the game sees the whole board: chess, and fog with a
/// full view for a side.
fn known_board(game: &Game) -> bool {
    match game.variant() {
        Variant::Chess => true,
        Variant::Fog(_) => Color::ALL.into_iter().any(|side| game.has_full_view(side)),
        Variant::Dice1 | Variant::Dice3 => false,
    }
}

/// Draws a legal move uniformly. Fallback of agents that need the whole board
/// when part of it is hidden.
fn random_move(observation: &Observation, rng: &mut Rng) -> Move {
    *observation
        .legal_moves()
        .choose(rng)
        .expect("a move to choose")
}

/// Limits a budget without any limit to one second, so that every move ends.
/// An infinite budget is left alone: its owner stops the search.
fn never_endless(budget: &mut Budget) {
    if !budget.infinite
        && budget.target().is_none()
        && budget.nodes.is_none()
        && budget.depth.is_none()
    {
        budget.movetime = Some(Duration::from_secs(1));
    }
}
