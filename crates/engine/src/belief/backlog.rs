//! Positions that a cap dropped, to be followed again when few are left.

use std::collections::VecDeque;

use foglight_rules::Observation;

use super::set::BeliefSet;

/// Most cuts that are remembered.
const CUTS: usize = 4;

/// The likeliest positions that the latest cuts dropped, and what was observed
/// since the oldest of these cuts.
#[derive(Clone, Debug, Default)]
pub(super) struct Backlog {
    cuts: VecDeque<BeliefSet>,
    seen: VecDeque<Observation>,
}

impl Backlog {
    /// Adds an observation and what the cut after it dropped.
    pub(super) fn note(&mut self, observation: &Observation, dropped: Option<BeliefSet>) {
        if !self.cuts.is_empty() {
            self.seen.push_back(observation.clone());
        }
        if let Some(dropped) = dropped {
            self.cuts.push_back(dropped);
            if self.cuts.len() > CUTS {
                self.cuts.pop_front();
            }
            let oldest = self.cuts.front().map_or(0, BeliefSet::plies);
            self.seen.retain(|observation| observation.plies() > oldest);
        }
    }

    /// Removes the latest cut and returns those of its positions that fit all
    /// observations since. If none does, goes on with the cut before it.
    pub(super) fn regrow(&mut self) -> Option<BeliefSet> {
        while let Some(mut belief) = self.cuts.pop_back() {
            let from = belief.plies();
            let mut since = self.seen.iter().filter(|seen| seen.plies() > from);
            if since.all(|observation| belief.update(observation).is_ok()) {
                return Some(belief);
            }
        }
        None
    }
}
