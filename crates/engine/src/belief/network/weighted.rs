//! The exact belief with an opinion: its positions, which are all that can be,
//! weighed by chances of single squares.

use rand::Rng as _;

use crate::belief::{Evidence, World};
use foglight_play::{Marginals, Rng};

/// No chance is smaller: a network may be wrong, an exact belief is not.
const MIN_PROBABILITY: f64 = 1e-4;

/// Worlds with weights, to draw from.
#[derive(Clone, Debug)]
pub struct WeightedBelief {
    weights: Vec<f64>,
    /// The sums of the weights up to each world.
    sums: Vec<f64>,
}

impl WeightedBelief {
    /// The power that the product of the chances is taken to. Men do not stand
    /// independently of each other: the product alone is far too sure.
    pub const POWER: f64 = 0.25;

    /// Each world by the product of the chances of its hidden men and of its
    /// empty squares, to a power.
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

    /// The place of a world, drawn by weight; none where there is no world.
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

/// For a kind on a dark square, the logarithm of its chance over that of
/// nothing there.
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
