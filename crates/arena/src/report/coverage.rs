//! Coverage: how often beliefs contain the true position, as the referee finds.

use std::collections::BTreeMap;

use crate::record::TRUE_POSITION;

/// Metric by which an agent reports whether its belief is complete.
const EXACT: &str = "exact";

/// Coverage of one class of beliefs.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Coverage {
    /// Number of beliefs compared.
    pub all: u64,
    /// Beliefs that contained the true position.
    pub held: u64,
}

/// Coverage of an agent's beliefs, one before each of its moves.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct BeliefCoverage {
    /// Beliefs reported as complete.
    pub exact: Coverage,
    /// Beliefs reported as a subset of the consistent positions.
    pub bounded: Coverage,
}

impl BeliefCoverage {
    /// Counts the metrics of a move if both agent and referee reported: a move
    /// that needs no belief, such as a king capture, may lack the agent's
    /// metric.
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
