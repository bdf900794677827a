//! Sources of dice rolls.

use foglight_rules::Dice;
use rand::Rng as _;

use crate::rng::{self, Rng, weighted_index};

/// Draws rolls from their distribution.
pub trait DiceSource {
    /// The next roll among `chances`, which is not empty.
    fn roll(&mut self, chances: &[(Dice, f64)]) -> Dice;
}

/// Dice of a seeded game: the k-th roll depends on the k-th number of the seed
/// only, not on the moves in between.
#[derive(Clone, Debug)]
pub struct SeededDice(Rng);

impl SeededDice {
    /// Dice for the games with this seed.
    pub fn new(seed: u64) -> SeededDice {
        SeededDice(rng::seeded(rng::derive(seed, 0)))
    }
}

impl DiceSource for SeededDice {
    fn roll(&mut self, chances: &[(Dice, f64)]) -> Dice {
        let number: f64 = self.0.random();
        weighted(chances, number)
    }
}

/// The roll in whose share of 0..1 `number` falls.
///
/// # Panics
/// If `chances` is empty.
pub fn weighted(chances: &[(Dice, f64)], number: f64) -> Dice {
    let place = weighted_index(chances.iter().map(|(_, chance)| *chance), number);
    chances[place.expect("a roll that can come")].0
}
