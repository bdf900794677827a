//! A belief network that follows a game.

use std::sync::Arc;

use foglight_rules::Observation;

use super::{BeliefNetwork, ObservationHistory, WeightedBelief, default_network};
use crate::belief::{BeliefSet, EnemyMaterial, Evidence, World, weights};
use foglight_play::Marginals;

/// A network and the observation history of one side.
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

    /// Keeps the history and replaces the network.
    #[must_use]
    pub fn with_network(mut self, network: Arc<BeliefNetwork>) -> BeliefNetworkTracker {
        self.network = network;
        self
    }

    /// Sets the power of the weights, see [`WeightedBelief::POWER`].
    #[must_use]
    pub(crate) fn with_power(mut self, power: f64) -> BeliefNetworkTracker {
        self.power = power;
        self
    }

    /// Starts a new game from known squares of the enemy's pieces.
    #[must_use]
    pub(crate) fn starting_with(mut self, enemy: &World) -> BeliefNetworkTracker {
        self.memory = ObservationHistory::of_start(enemy);
        self
    }

    /// Clears the history for a new game.
    pub fn start(&mut self) {
        self.memory = ObservationHistory::default();
    }

    /// Adds the observation of a ply; call it after every ply.
    pub fn see(&mut self, observation: &Observation) {
        self.memory.see(observation);
    }

    /// The probability of each enemy piece type on each square.
    pub fn marginals(&self, roster: &EnemyMaterial, evidence: &Evidence) -> Marginals {
        self.network.marginals(&self.memory, roster, evidence)
    }

    /// The same as weights for sampling boards, see [`crate::belief::weights`].
    pub fn weights(&self, roster: &EnemyMaterial, evidence: &Evidence) -> Marginals {
        weights(&self.marginals(roster, evidence), roster, evidence)
    }

    /// The positions of a belief set with weights from the network.
    pub(crate) fn weigh(&self, belief: &BeliefSet, roster: &EnemyMaterial) -> WeightedBelief {
        let evidence = belief.evidence();
        let heat = self.marginals(roster, evidence);
        WeightedBelief::new(belief.worlds(), evidence, &heat, self.power)
    }
}
