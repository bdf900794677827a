//! The belief network: maps the observations of a side, over time, to the
//! probability of each enemy piece type on each square. Ermlick 2023 names it
//! as the first item of future work.
//!
//! It returns a tensor, as UBSA and PBSA do, and starts from UBSA: a network of
//! zeros returns [`super::tensor::uniform`].

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
    let weights = BeliefWeights::from_bytes(bytes).expect("the embedded network is valid");
    Arc::new(BeliefNetwork::new(&weights))
});

/// The default network; `docs/network.md` describes its training.
pub fn default_network() -> Arc<BeliefNetwork> {
    SHIPPED.clone()
}

/// A network that predicts where hidden pieces are.
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

    /// The probability of each enemy piece type on each square. Layers sum to
    /// the pieces left, and shown pieces are certain. A board of a size it was
    /// not trained on gets the uniform tensor.
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
