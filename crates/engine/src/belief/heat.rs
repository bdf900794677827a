//! Where the enemy's pieces may be: a probability for each kind and square.

use foglight_rules::{Role, Square};

use super::world::World;

/// The probability of each kind of enemy piece on each square.
#[derive(Clone, PartialEq, Debug)]
pub struct Heat {
    shares: [[f64; 64]; 6],
}

impl Default for Heat {
    fn default() -> Heat {
        Heat {
            shares: [[0.0; 64]; 6],
        }
    }
}

impl Heat {
    /// Of worlds that are all as likely as each other.
    pub fn of<'a>(worlds: impl IntoIterator<Item = &'a World>) -> Heat {
        Heat::weighted(worlds.into_iter().map(|world| (world, 1.0)))
    }

    /// Of worlds with weights.
    pub fn weighted<'a>(worlds: impl IntoIterator<Item = (&'a World, f64)>) -> Heat {
        let mut heat = Heat::default();
        let mut total = 0.0;
        for (world, weight) in worlds {
            total += weight;
            for (square, role) in world.iter() {
                *heat.get_mut(role, square) += weight;
            }
        }
        if total > 0.0 {
            let shares = heat.shares.as_flattened_mut();
            shares.iter_mut().for_each(|share| *share /= total);
        }
        heat
    }

    /// The probability of a piece on a square.
    pub fn get(&self, role: Role, square: Square) -> f64 {
        self.shares[role as usize - 1][square as usize]
    }

    /// The same, to change.
    pub fn get_mut(&mut self, role: Role, square: Square) -> &mut f64 {
        &mut self.shares[role as usize - 1][square as usize]
    }

    /// The probability that any enemy piece stands on a square.
    pub fn any(&self, square: Square) -> f64 {
        Role::ALL.iter().map(|&role| self.get(role, square)).sum()
    }

    /// Half the sum of all differences: 0 for equal, for one piece 1 for disjoint.
    pub fn distance(&self, other: &Heat) -> f64 {
        let pairs = self.shares.as_flattened().iter();
        let pairs = pairs.zip(other.shares.as_flattened());
        pairs.map(|(a, b)| (a - b).abs()).sum::<f64>() / 2.0
    }
}
