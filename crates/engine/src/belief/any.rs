//! Any kind of belief of one side, followed through a game and shown as
//! marginals.

use crate::belief::{marginals, weighted_marginals};
use std::sync::Arc;

use foglight_rules::{Color, Game, Observation, Position};

use super::{
    evidence::Evidence,
    material::EnemyMaterial,
    network::{BeliefNetwork, BeliefNetworkTracker},
    set::BeliefSet,
    tensor::{self, TensorUpdate},
    world::World,
};
use foglight_play::Marginals;
use foglight_play::{Rng, seeded};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BeliefKind {
    /// Every position consistent with the observations, all equally likely.
    Exact,
    /// Hidden pieces spread evenly over the hidden squares, as in UBSA (Ermlick
    /// 2023).
    Uniform,
    /// A tensor updated from turn to turn, as in PBSA (Ermlick 2023).
    Tensor,
    /// Marginals predicted by the belief network.
    Network,
    /// The positions of [`BeliefKind::Exact`], weighted by the network.
    Weighted,
}

impl BeliefKind {
    fn enumerates(self) -> bool {
        matches!(self, BeliefKind::Exact | BeliefKind::Weighted)
    }
}

/// The belief of one side, followed from the start of a game.
#[derive(Clone, Debug)]
pub struct AnyBelief {
    kind: BeliefKind,
    evidence: Evidence,
    material: EnemyMaterial,
    exact: BeliefSet,
    tensor: Marginals,
    network: BeliefNetworkTracker,
    plies: u32,
    rng: Rng,
}

impl AnyBelief {
    /// A belief from a known start. The exact belief stores at most `cap`
    /// positions.
    pub fn new(
        kind: BeliefKind,
        game: &Game,
        side: Color,
        start: &Position,
        cap: usize,
        seed: u64,
    ) -> AnyBelief {
        let exact = BeliefSet::new(game, side, start).with_cap(cap, seed);
        let evidence = *exact.evidence();
        let world = World::of(start, !side);
        AnyBelief {
            kind,
            evidence,
            material: EnemyMaterial::new(&world, !side),
            exact,
            tensor: marginals([&world]),
            network: BeliefNetworkTracker::default().starting_with(&world),
            plies: 0,
            rng: seeded(seed),
        }
    }

    /// Replaces the default belief network and the power of its weights.
    #[must_use]
    pub fn with_network(mut self, network: Arc<BeliefNetwork>, power: f64) -> AnyBelief {
        self.network = self.network.with_network(network).with_power(power);
        self
    }

    /// Updates the belief with the observation of the next ply.
    pub fn see(&mut self, observation: &Observation) {
        if observation.plies() == self.plies {
            return;
        }
        self.network.see(observation);
        self.plies = observation.plies();
        self.material.update(&observation.news());
        let after = Evidence::new(observation.game(), observation.view());
        match self.kind {
            BeliefKind::Uniform | BeliefKind::Network => {}
            BeliefKind::Exact | BeliefKind::Weighted => {
                if self.exact.update(observation).is_err() {
                    // The cap has removed every consistent position: fall back
                    // to the uniform belief.
                    self.kind = match self.kind {
                        BeliefKind::Weighted => BeliefKind::Network,
                        _ => BeliefKind::Uniform,
                    };
                }
            }
            BeliefKind::Tensor => {
                let how = TensorUpdate::default();
                self.tensor = match observation.news().own_move {
                    Some(_) => tensor::overwritten(&self.tensor, &self.material, &after, &how),
                    None => tensor::progress(
                        &self.tensor,
                        &self.material,
                        &self.evidence,
                        &after,
                        &how,
                        &mut self.rng,
                    ),
                };
            }
        }
        self.evidence = after;
    }

    /// The probability of each enemy piece on each square.
    pub fn marginals(&self) -> Marginals {
        match self.kind {
            BeliefKind::Exact => self.exact.marginals(),
            BeliefKind::Uniform => tensor::uniform(&self.material, &self.evidence),
            BeliefKind::Tensor => self.tensor.clone(),
            BeliefKind::Network => self.network.marginals(&self.material, &self.evidence),
            BeliefKind::Weighted => {
                let weighed = self.network.weigh(&self.exact, &self.material);
                let weights = weighed.weights().iter().copied();
                weighted_marginals(self.exact.worlds().iter().zip(weights))
            }
        }
    }

    /// Number of positions in the exact belief, and whether none was left out.
    pub fn count(&self) -> Option<(usize, bool)> {
        let kept = self.kind.enumerates();
        kept.then(|| (self.exact.count(), self.exact.is_exact()))
    }
}
