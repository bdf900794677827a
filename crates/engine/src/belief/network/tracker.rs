//! A belief network that follows a game.

use std::sync::Arc;

use foglight_rules::Observation;

use super::{BeliefNetwork, ObservationHistory, WeightedBelief, default_network};
use crate::belief::{BeliefSet, EnemyMaterial, Evidence, World, weights};
use foglight_play::Marginals;

/// A network and what one side remembers of a game.
#[derive(Clone, Debug)]
pub struct BeliefNetworkTracker {
    network: Arc<BeliefNetwork>,
    memory: ObservationHistory,
    power: f64,
}

impl Default for BeliefNetworkTracker {
    fn default() -> BeliefNetworkTracker {
        BeliefNetworkTracker::new(default_network())
    }
}

impl BeliefNetworkTracker {
    pub fn new(network: Arc<BeliefNetwork>) -> BeliefNetworkTracker {
        BeliefNetworkTracker {
            network,
            memory: ObservationHistory::default(),
            power: WeightedBelief::POWER,
        }
    }

    /// The same memory before another network.
    #[must_use]
    pub fn with_network(mut self, network: Arc<BeliefNetwork>) -> BeliefNetworkTracker {
        self.network = network;
        self
    }

    /// The same with another power of the weights, see [`Weighed::POWER`].
    #[must_use]
    pub(crate) fn with_power(mut self, power: f64) -> BeliefNetworkTracker {
        self.power = power;
        self
    }

    /// A new game begins, the enemy's men where the observer knows.
    #[must_use]
    pub(crate) fn from_start(mut self, enemy: &World) -> BeliefNetworkTracker {
        self.memory = ObservationHistory::of_start(enemy);
        self
    }

    /// A new game begins.
    pub fn start(&mut self) {
        self.memory = ObservationHistory::default();
    }

    /// Learns what is seen, every single move.
    pub fn see(&mut self, observation: &Observation) {
        self.memory.see(observation);
    }

    /// The chance of each kind of enemy piece on each square.
    pub fn marginals(&self, roster: &EnemyMaterial, evidence: &Evidence) -> Marginals {
        self.network.marginals(&self.memory, roster, evidence)
    }

    /// The same as weights to draw boards by, see [`crate::belief::weights`].
    pub fn weights(&self, roster: &EnemyMaterial, evidence: &Evidence) -> Marginals {
        weights(&self.marginals(roster, evidence), roster, evidence)
    }

    /// The positions of an exact belief, weighed.
    pub(crate) fn weigh(&self, belief: &BeliefSet, roster: &EnemyMaterial) -> WeightedBelief {
        let evidence = belief.evidence();
        let heat = self.marginals(roster, evidence);
        WeightedBelief::new(belief.worlds(), evidence, &heat, self.power)
    }
}
