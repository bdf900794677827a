//! A network as the judge of what pieces are worth in dice chess: the shape of
//! plain chess with weights of its own. Kings in danger are not its business,
//! that part of the evaluation is exact.

use std::sync::{Arc, LazyLock};

use foglight_rules::{Board, Color, Move, Position};

use super::value::{Node, Odds, Pieces, UNIT};
use crate::eval::{
    Leaf as _, Network,
    network::{Accumulator, Weights},
};

/// Log-odds in [`UNIT`] of a centipawn: 400 centipawns are ten to one.
const CENTIPAWN: f32 = UNIT as f32 * std::f32::consts::LN_10 / 400.0;

static SHIPPED: LazyLock<Arc<Weights>> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../../data/weights/dice_network.bin");
    Arc::new(Weights::from_bytes(bytes).expect("the network that is shipped is whole"))
});

/// The network with weights for dice.
#[derive(Clone)]
pub struct DiceNetwork {
    network: Network,
    odds: Odds,
}

impl DiceNetwork {
    /// The shipped weights; `docs/network.md` tells how they were made.
    pub fn shipped() -> DiceNetwork {
        DiceNetwork::new(SHIPPED.clone())
    }

    /// With these weights.
    pub fn new(weights: Arc<Weights>) -> DiceNetwork {
        DiceNetwork {
            network: Network::new(weights),
            odds: Odds::new(),
        }
    }
}

impl Pieces for DiceNetwork {
    type Sum = Accumulator;

    fn sum_of(&self, position: &Position) -> Accumulator {
        self.network.accumulate(position)
    }

    #[inline]
    fn sum_after(&self, sum: &Accumulator, before: &Position, m: Move) -> Accumulator {
        self.network.carry_on(sum, before, m, before.captured(m))
    }

    #[inline]
    fn chance(&self, sum: &Accumulator, board: &Board, side: Color) -> f32 {
        let centipawns = self.network.weigh(sum, side, board.occupied().count());
        self.odds.at((centipawns as f32 * CENTIPAWN) as i32)
    }
}

impl super::plain::Evaluate for DiceNetwork {
    fn value(&self, position: &Position) -> f64 {
        f64::from(Node::new(*position, self).value(self))
    }
}
