//! Where rolls come from.

use foglight_rules::Dice;
use rand::Rng as _;

use crate::rng::{self, Rng, weighted_index};

/// Decides which of the possible rolls comes.
pub trait DiceSource {
    /// The next roll among `chances`, which is not empty.
    fn roll(&mut self, chances: &[(Dice, f64)]) -> Dice;
}

/// The dice of a seeded game: the k-th roll comes from the k-th number of the
/// seed, whatever was played in between.
#[derive(Clone, Debug)]
pub struct SeededDice(Rng);

impl SeededDice {
    /// The dice of a pair of games.
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

/// The roll in whose share of 0..1 the number falls.
///
/// # Panics
/// If there is no roll to choose from.
pub fn weighted(chances: &[(Dice, f64)], number: f64) -> Dice {
    let place = weighted_index(chances.iter().map(|(_, chance)| *chance), number);
    chances[place.expect("a roll that can come")].0
}
