//! Beliefs that the referee compared with the truth.

use std::collections::BTreeMap;

use crate::record::TRUE_POSITION;

/// The figure by which an agent says whether its belief is whole.
const EXACT: &str = "exact";

/// Beliefs of one kind.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Coverage {
    /// So many were compared.
    pub all: u64,
    /// In so many of them the truth was.
    pub held: u64,
}

/// The beliefs of an agent, one before each of its moves.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct BeliefCoverage {
    /// Those said to hold every position that fits.
    pub exact: Coverage,
    /// Those said to hold a part of them.
    pub bounded: Coverage,
}

impl BeliefCoverage {
    /// Counts what was told of a move, if both spoke: a move that needs no
    /// belief, such as the taking of a king, may come without the agent's word.
    pub fn add(&mut self, figures: &BTreeMap<String, f64>) {
        let (Some(&exact), Some(&truth)) = (figures.get(EXACT), figures.get(TRUE_POSITION)) else {
            return;
        };
        let kind = match exact > 0.0 {
            true => &mut self.exact,
            false => &mut self.bounded,
        };
        kind.all += 1;
        kind.held += u64::from(truth > 0.0);
    }

    pub fn is_empty(&self) -> bool {
        self.exact.all + self.bounded.all == 0
    }
}
