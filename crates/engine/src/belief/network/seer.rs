//! A belief network that follows a game.

use std::sync::Arc;

use foglight_rules::Observation;

use super::{BeliefNetwork, Memory, Weighed, shipped};
use crate::belief::{Evidence, ExactBelief, Roster, World, weights};
use foglight_play::Marginals;

/// A network and what one side remembers of a game.
#[derive(Clone, Debug)]
pub struct Seer {
    network: Arc<BeliefNetwork>,
    memory: Memory,
    power: f64,
}

impl Default for Seer {
    fn default() -> Seer {
        Seer::new(shipped())
    }
}

impl Seer {
    /// With this network.
    pub fn new(network: Arc<BeliefNetwork>) -> Seer {
        Seer {
            network,
            memory: Memory::default(),
            power: Weighed::POWER,
        }
    }

    /// The same memory before another network.
    #[must_use]
    pub fn with_network(mut self, network: Arc<BeliefNetwork>) -> Seer {
        self.network = network;
        self
    }

    /// The same with another power of the weights, see [`Weighed::POWER`].
    #[must_use]
    pub fn with_power(mut self, power: f64) -> Seer {
        self.power = power;
        self
    }

    /// A new game begins, the enemy's men where the observer knows.
    #[must_use]
    pub fn from_start(mut self, enemy: &World) -> Seer {
        self.memory = Memory::of_start(enemy);
        self
    }

    /// A new game begins.
    pub fn start(&mut self) {
        self.memory = Memory::default();
    }

    /// Learns what is seen, every single move.
    pub fn see(&mut self, observation: &Observation) {
        self.memory.see(observation);
    }

    /// The chance of each kind of enemy piece on each square.
    pub fn marginals(&self, roster: &Roster, evidence: &Evidence) -> Marginals {
        self.network.marginals(&self.memory, roster, evidence)
    }

    /// The same as weights to draw boards by, see [`crate::belief::weights`].
    pub fn weights(&self, roster: &Roster, evidence: &Evidence) -> Marginals {
        weights(&self.marginals(roster, evidence), roster, evidence)
    }

    /// The positions of an exact belief, weighed.
    pub fn weigh(&self, belief: &ExactBelief, roster: &Roster) -> Weighed {
        let evidence = belief.evidence();
        let heat = self.marginals(roster, evidence);
        Weighed::new(belief.worlds(), evidence, &heat, self.power)
    }
}
