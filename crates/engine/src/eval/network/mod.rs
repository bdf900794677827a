//! A small network in the process: (768 -> [`HIDDEN`]) x 2 -> 1, quantised, its
//! first layer kept up to date from move to move.
//!
//! The shape is the one that chess engines call NNUE (Nasu 2018): one input for
//! each piece on each square, seen from both sides, the hidden units of the side
//! to move first. It is taught on positions of king-capture chess, so it knows
//! kings that can be taken, which no engine of plain chess does.

pub mod features;
mod kernel;
pub mod weights;

use std::sync::{Arc, LazyLock};

use foglight_rules::{Castling, Color, Game, Kind, Move, Position, Role, Square};

use super::{Evaluator, Leaf, value_of};
use features::feature;
use kernel::Change;
pub use kernel::{Speed, Vector};
pub use weights::{HIDDEN, INPUTS, Weights, WeightsError};

/// The first layer's sums for both sides' views of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accumulator {
    white: [i16; HIDDEN],
    black: [i16; HIDDEN],
}

static SHIPPED: LazyLock<Arc<Weights>> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../../../data/weights/network.bin");
    Arc::new(Weights::from_bytes(bytes).expect("the network that is shipped is whole"))
});

/// The numbers that are shipped; `docs/network.md` tells how they were made.
pub fn shipped() -> Arc<Weights> {
    SHIPPED.clone()
}

/// The network as an evaluation.
#[derive(Clone)]
pub struct Network {
    weights: Arc<Weights>,
    speed: Speed,
}

impl Network {
    /// With these weights, as fast as the machine allows.
    pub fn new(weights: Arc<Weights>) -> Network {
        Network::with_speed(weights, Speed::detect())
    }

    /// The same through one of the code paths: they give the same bits.
    pub fn with_speed(weights: Arc<Weights>, speed: Speed) -> Network {
        Network { weights, speed }
    }

    /// The sums of a position, worked out from nothing.
    pub fn accumulate(&self, position: &Position) -> Accumulator {
        let mut sums = Accumulator {
            white: self.weights.bias,
            black: self.weights.bias,
        };
        for (square, piece) in position.board().iter() {
            let man = (square, piece.color, piece.role);
            self.apply(&mut sums, &[self.change(position, man, true)]);
        }
        sums
    }

    /// Hundredths of a pawn for the side to move.
    pub fn judge(&self, sums: &Accumulator, turn: Color) -> i32 {
        let (own, other) = match turn {
            Color::White => (&sums.white, &sums.black),
            Color::Black => (&sums.black, &sums.white),
        };
        let sum = self.speed.output(own, other, &self.weights.output);
        self.weights.centipawns(sum)
    }

    fn apply(&self, sums: &mut Accumulator, changes: &[Change]) {
        let Accumulator { white, black } = sums;
        self.speed.change([white, black], changes);
    }

    /// A man that comes or goes.
    #[inline]
    fn change(
        &self,
        position: &Position,
        (square, side, role): (Square, Color, Role),
        add: bool,
    ) -> Change<'_> {
        let size = position.size();
        let row = |view| &self.weights.rows[feature(size, view, square, side, role)];
        let rows = [row(Color::White), row(Color::Black)];
        Change { rows, add }
    }

    /// The rook's part of a castling move.
    fn castle(&self, sums: &mut Accumulator, before: &Position, m: Move) {
        let side = before.turn();
        let (from, to) = Castling::ending_on(m.to()).expect("a castling").rook;
        let changes = [
            self.change(before, (from, side, Role::Rook), false),
            self.change(before, (to, side, Role::Rook), true),
        ];
        self.apply(sums, &changes);
    }
}

impl Leaf for Network {
    type Carried = Accumulator;

    fn carry(&self, position: &Position) -> Accumulator {
        self.accumulate(position)
    }

    fn carry_on(
        &self,
        mut sums: Accumulator,
        before: &Position,
        m: Move,
        taken: Option<Role>,
    ) -> Accumulator {
        let side = before.turn();
        let role = before.mover(m);
        let after = m.promotion().unwrap_or(role);
        let gone = self.change(before, (m.from(), side, role), false);
        let come = self.change(before, (m.to(), side, after), true);
        let Some(taken) = taken else {
            self.apply(&mut sums, &[gone, come]);
            if m.kind() == Kind::Castle {
                self.castle(&mut sums, before, m);
            }
            return sums;
        };
        let square = match m.kind() {
            Kind::EnPassant => Position::victim_square(m.to()),
            _ => m.to(),
        };
        let victim = self.change(before, (square, !side, taken), false);
        self.apply(&mut sums, &[gone, come, victim]);
        sums
    }

    fn centipawns(&mut self, position: &Position, sums: Accumulator) -> i32 {
        self.judge(&sums, position.turn())
    }
}

impl Evaluator for Network {
    fn values(&mut self, _: &Game, positions: &[Position], values: &mut Vec<f64>) {
        values.extend(positions.iter().map(|position| {
            let sums = self.accumulate(position);
            value_of(self.judge(&sums, position.turn()))
        }));
    }
}
