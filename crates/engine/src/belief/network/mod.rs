//! The belief network: from what a side has seen, over time, to the chance of
//! each kind of enemy piece on each square. Seed 001 (Ermlick) names it as the
//! first thing that it would do next.
//!
//! It answers with a tensor, as UBSA and PBSA do, and begins where UBSA ends:
//! a network of zeros says what [`super::tensor::uniform`] says.

mod balance;
pub mod features;
pub mod floats;
mod history;
mod tracker;
mod weighted;
pub mod weights;

pub use features::Features;
pub use history::ObservationHistory;
pub use tracker::BeliefNetworkTracker;
pub use weighted::WeightedBelief;
pub use weights::BeliefWeights;

use std::sync::{Arc, LazyLock};

use foglight_rules::{Color, Role};

use self::floats::FloatBeliefWeights;
use super::{EnemyMaterial, Evidence, tensor};
use foglight_play::Marginals;

static SHIPPED: LazyLock<Arc<BeliefNetwork>> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../../../data/weights/belief.bin");
    let weights = BeliefWeights::from_bytes(bytes).expect("the network that is shipped is whole");
    Arc::new(BeliefNetwork::new(&weights))
});

/// The network that is shipped; `docs/network.md` tells how it was made.
pub fn default_network() -> Arc<BeliefNetwork> {
    SHIPPED.clone()
}

/// A network that tells where hidden men may be.
#[derive(Clone, Debug)]
pub struct BeliefNetwork {
    floats: FloatBeliefWeights,
}

impl BeliefNetwork {
    pub fn new(weights: &BeliefWeights) -> BeliefNetwork {
        BeliefNetwork {
            floats: weights.floats(),
        }
    }

    /// The chance of each kind of enemy piece on each square. The layers add up
    /// to the men that are left, and what is shown is certain. A board of
    /// another size than it has learnt gets the even tensor.
    pub fn marginals(
        &self,
        memory: &ObservationHistory,
        roster: &EnemyMaterial,
        evidence: &Evidence,
    ) -> Marginals {
        let mut heat = tensor::uniform(roster, evidence);
        if !evidence.size().is_full() {
            return heat;
        }
        let features = Features::new(memory, roster, evidence);
        let mut chances = self.floats.chances(&features);
        balance::balance(&mut chances, &features.field);
        for square in evidence.hidden_squares() {
            let turned = match evidence.side() {
                Color::White => square,
                Color::Black => square.flip_vertical(),
            };
            for role in Role::ALL {
                *heat.get_mut(role, square) = f64::from(chances[turned as usize][role as usize]);
            }
        }
        heat
    }
}
