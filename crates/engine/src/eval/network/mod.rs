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

use std::sync::Arc;

use foglight_rules::{Castling, Color, Game, Kind, Move, Position, Role, Square};

use super::{Evaluator, Leaf, value_of};
use features::feature;
pub use kernel::{Speed, Vector};
pub use weights::{HIDDEN, INPUTS, Weights, WeightsError};

/// The first layer's sums for both sides' views of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accumulator {
    white: [i16; HIDDEN],
    black: [i16; HIDDEN],
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
            self.change(&mut sums, position, (square, piece.color, piece.role), true);
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

    fn change(
        &self,
        sums: &mut Accumulator,
        position: &Position,
        (square, side, role): (Square, Color, Role),
        add: bool,
    ) {
        let size = position.size();
        let row = |view| &self.weights.rows[feature(size, view, square, side, role)];
        let (white, black) = (row(Color::White), row(Color::Black));
        self.speed.change(&mut sums.white, white, add);
        self.speed.change(&mut sums.black, black, add);
    }

    /// The rook's part of a castling move.
    fn castle(&self, sums: &mut Accumulator, before: &Position, m: Move) {
        let side = before.turn();
        let (from, to) = Castling::ending_on(m.to()).expect("a castling").rook;
        self.change(sums, before, (from, side, Role::Rook), false);
        self.change(sums, before, (to, side, Role::Rook), true);
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
        self.change(&mut sums, before, (m.from(), side, role), false);
        self.change(&mut sums, before, (m.to(), side, after), true);
        if m.kind() == Kind::Castle {
            self.castle(&mut sums, before, m);
        }
        if let Some(taken) = taken {
            let square = match m.kind() {
                Kind::EnPassant => Position::victim_square(m.to()),
                _ => m.to(),
            };
            self.change(&mut sums, before, (square, !side, taken), false);
        }
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
