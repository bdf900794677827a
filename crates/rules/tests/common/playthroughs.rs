//! The seeds of the playthroughs in `data/playthroughs/`. Each game ends with a
//! king captured or mated; between them they show castling, en passant, promotion
//! and every kind of sighting. Most fog rule sets share a game, so that their
//! files show where the rules differ.

use foglight_rules::{FogRules, Game, Variant, playthrough::playthrough};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

const fn seed(game: &Game) -> u64 {
    match game.variant() {
        Variant::Chess => 576,
        Variant::Fog(FogRules::Thesis) => 728,
        Variant::Fog(_) => 3846,
        Variant::Dice1 => 1132,
        Variant::Dice3 => 52,
    }
}

/// The playthrough of a game as it is generated now.
pub fn text(game: &Game) -> String {
    let seed = seed(game);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    format!("seed: {seed}\n{}", playthrough(game, &mut rng))
}
