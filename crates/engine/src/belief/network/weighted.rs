//! A belief set whose positions are weighted by marginals of single squares.

use rand::Rng as _;

use crate::belief::{Evidence, World};
use foglight_play::{Marginals, Rng};

/// Lower bound of a probability: the network may be wrong, an exact belief is
/// not.
const MIN_PROBABILITY: f64 = 1e-4;

/// Worlds with weights, for sampling.
#[derive(Clone, Debug)]
pub struct WeightedBelief {
    weights: Vec<f64>,
    /// Cumulative weights of the worlds.
    sums: Vec<f64>,
}

impl WeightedBelief {
    /// Exponent applied to the product of the probabilities. Pieces do not
    /// stand independently of each other, so the product alone is
    /// overconfident.
    pub const POWER: f64 = 0.25;

    /// Weights each world by the product of the probabilities of its hidden
    /// pieces and its empty squares, raised to `power`.
    pub fn new(
        worlds: &[World],
        evidence: &Evidence,
        heat: &Marginals,
        power: f64,
    ) -> WeightedBelief {
        let odds = Odds::new(evidence, heat);
        let logs: Vec<f64> = worlds.iter().map(|world| power * odds.of(world)).collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
        let mut sum = 0.0;
        let sums = weights.iter().map(|weight| {
            sum += weight;
            sum
        });
        WeightedBelief {
            sums: sums.collect(),
            weights,
        }
    }

    /// Samples the index of a world by weight; `None` if there is no world.
    pub fn draw(&self, rng: &mut Rng) -> Option<usize> {
        let total = *self.sums.last()?;
        let at = rng.random::<f64>() * total;
        let place = self.sums.partition_point(|sum| *sum <= at);
        Some(place.min(self.sums.len() - 1))
    }

    /// The weights, in the order of the worlds.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }
}

/// For a piece type on a hidden square, the logarithm of its probability over
/// that of an empty square.
struct Odds {
    logs: [[f64; 64]; 6],
}

impl Odds {
    fn new(evidence: &Evidence, heat: &Marginals) -> Odds {
        let mut logs = [[0.0; 64]; 6];
        for square in evidence.hidden_squares() {
            let nothing = (1.0 - heat.any(square)).max(MIN_PROBABILITY).ln();
            for role in foglight_rules::Role::ALL {
                let chance = heat.get(role, square).max(MIN_PROBABILITY).ln();
                logs[role as usize - 1][square as usize] = chance - nothing;
            }
        }
        Odds { logs }
    }

    fn of(&self, world: &World) -> f64 {
        let men = world.iter();
        men.map(|(square, role)| self.logs[role as usize - 1][square as usize])
            .sum()
    }
}
