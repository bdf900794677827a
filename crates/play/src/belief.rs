//! The interface by which a referee checks an agent's belief.

use foglight_rules::{Position, Role, Square};

/// A set of positions that an agent considers possible.
pub trait Belief {
    /// Number of positions in it.
    fn count(&self) -> usize;

    /// Whether every position consistent with the observations is in it.
    fn is_exact(&self) -> bool;

    /// Whether a position is in it.
    fn contains(&self, position: &Position) -> bool {
        self.standing(position).is_some()
    }

    /// How likely the belief holds a position, `None` if it is not in it.
    fn standing(&self, position: &Position) -> Option<BeliefStanding>;

    /// Probability of each enemy piece on each square.
    fn marginals(&self) -> Marginals;

    /// Iterates over its positions.
    fn positions(&self) -> Box<dyn Iterator<Item = Position> + '_>;
}

/// A position's place among those of a belief.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BeliefStanding {
    /// Its probability in the belief.
    pub probability: f64,
    /// Rank by probability, from 1; equal probabilities share their mean rank.
    pub rank: f64,
}

/// Probability of each enemy role on each square.
#[derive(Clone, PartialEq, Debug)]
pub struct Marginals {
    shares: [[f64; 64]; 6],
}

impl Default for Marginals {
    fn default() -> Marginals {
        Marginals {
            shares: [[0.0; 64]; 6],
        }
    }
}

impl Marginals {
    /// Marginals of weighted placements, each a list of pieces on squares.
    pub fn weighted<P>(placements: impl IntoIterator<Item = (P, f64)>) -> Marginals
    where
        P: IntoIterator<Item = (Square, Role)>,
    {
        let mut marginals = Marginals::default();
        let mut total = 0.0;
        for (pieces, weight) in placements {
            total += weight;
            for (square, role) in pieces {
                *marginals.get_mut(role, square) += weight;
            }
        }
        if total > 0.0 {
            let shares = marginals.shares.as_flattened_mut();
            shares.iter_mut().for_each(|share| *share /= total);
        }
        marginals
    }

    /// Probability of an enemy role on a square.
    pub fn get(&self, role: Role, square: Square) -> f64 {
        self.shares[role as usize - 1][square as usize]
    }

    /// Mutable access to [`Marginals::get`].
    pub fn get_mut(&mut self, role: Role, square: Square) -> &mut f64 {
        &mut self.shares[role as usize - 1][square as usize]
    }

    /// Probability that any enemy piece stands on a square.
    pub fn any(&self, square: Square) -> f64 {
        Role::ALL.iter().map(|&role| self.get(role, square)).sum()
    }

    /// Half the sum of absolute differences: 0 for equal marginals, 1 for
    /// disjoint ones of a single piece.
    pub fn distance(&self, other: &Marginals) -> f64 {
        let pairs = self.shares.as_flattened().iter();
        let pairs = pairs.zip(other.shares.as_flattened());
        pairs.map(|(a, b)| (a - b).abs()).sum::<f64>() / 2.0
    }
}
