//! A network that evaluates pieces in dice chess: the architecture of plain
//! chess with its own weights. It does not evaluate king danger, which is
//! computed exactly.

use std::sync::{Arc, LazyLock};

use foglight_rules::{Color, Move, Position, Role};

use super::value::{CaptureOdds, UNIT};
use crate::eval::{
    Evaluator, Network,
    network::{Accumulator, NetworkWeights},
};

/// Log-odds in [`UNIT`] of a centipawn: 400 centipawns are ten to one.
const CENTIPAWN: f32 = UNIT as f32 * std::f32::consts::LN_10 / 400.0;

static SHIPPED: LazyLock<Arc<NetworkWeights>> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../../data/weights/dice_network.bin");
    Arc::new(NetworkWeights::from_bytes(bytes).expect("the embedded network is valid"))
});

/// The network with weights for dice.
#[derive(Clone)]
pub struct DiceNetwork {
    network: Network,
    odds: CaptureOdds,
}

impl DiceNetwork {
    /// The default weights; `docs/network.md` describes their training.
    pub fn default_network() -> DiceNetwork {
        DiceNetwork::new(SHIPPED.clone())
    }

    pub fn new(weights: Arc<NetworkWeights>) -> DiceNetwork {
        DiceNetwork {
            network: Network::new(weights),
            odds: CaptureOdds::new(),
        }
    }
}

/// The network's sums, and the number of pieces left.
#[derive(Clone, Copy)]
pub struct DiceAccumulator {
    sums: Accumulator,
    men: u8,
}

impl Evaluator<Color, f32> for DiceNetwork {
    type Accumulator = DiceAccumulator;

    fn refresh(&self, position: &Position) -> DiceAccumulator {
        DiceAccumulator {
            sums: self.network.refresh(position),
            men: position.board().occupied().count() as u8,
        }
    }

    #[inline]
    fn update(
        &self,
        before_move: &DiceAccumulator,
        before: &Position,
        m: Move,
        taken: Option<Role>,
    ) -> DiceAccumulator {
        DiceAccumulator {
            sums: self.network.update(&before_move.sums, before, m, taken),
            men: before_move.men - u8::from(taken.is_some()),
        }
    }

    #[inline]
    fn evaluate(&self, side: &Color, accumulator: &DiceAccumulator) -> f32 {
        let men = usize::from(accumulator.men);
        let centipawns = self.network.weigh(&accumulator.sums, *side, men);
        self.odds.at((centipawns as f32 * CENTIPAWN) as i32)
    }
}
