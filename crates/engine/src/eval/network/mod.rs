//! A small in-process network: (768 -> [`HIDDEN`]) x 2 -> 1, quantised, its
//! first layer updated incrementally.
//!
//! The architecture is NNUE (Nasu 2018): one input for each piece on each
//! square, in both perspectives, the hidden units of the side to move first. It
//! is trained on positions of king-capture chess, so it handles kings that can
//! be captured, which engines of plain chess do not.

pub mod features;
mod kernel;
pub mod weights;

use std::sync::{Arc, LazyLock};

use foglight_rules::{Castling, Color, Game, Move, MoveKind, Position, Role, Square};

use super::Evaluator;
use features::{Perspective, seen_men};
use kernel::Rows;
pub use kernel::Speed;
pub use weights::{HEADS, HIDDEN, INPUTS, NetworkWeights, head_of};

/// The first layer's sums for both perspectives of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accumulator {
    white: [i16; HIDDEN],
    black: [i16; HIDDEN],
}

static SHIPPED: LazyLock<Arc<NetworkWeights>> =
    LazyLock::new(|| whole(include_bytes!("../../../../../data/weights/network.bin")));
static FOG: LazyLock<Arc<NetworkWeights>> =
    LazyLock::new(|| whole(include_bytes!("../../../../../data/weights/fog.bin")));

fn whole(bytes: &[u8]) -> Arc<NetworkWeights> {
    Arc::new(NetworkWeights::from_bytes(bytes).expect("the embedded network is valid"))
}

/// The default weights, for boards that both sides see; `docs/network.md`
/// describes their training.
pub fn default_network() -> Arc<NetworkWeights> {
    SHIPPED.clone()
}

/// The default weights, trained further on results of fog games.
pub fn default_fog_network() -> Arc<NetworkWeights> {
    FOG.clone()
}

/// The network as an evaluator.
#[derive(Clone)]
pub struct Network {
    weights: Arc<NetworkWeights>,
    speed: Speed,
}

impl Network {
    /// An evaluator with these weights on the fastest code path of the machine.
    pub fn new(weights: Arc<NetworkWeights>) -> Network {
        Network::with_speed(weights, Speed::detect())
    }

    /// An evaluator on a given code path; all give the same bits.
    pub fn with_speed(weights: Arc<NetworkWeights>, speed: Speed) -> Network {
        Network { weights, speed }
    }

    /// Centipawns of complete sums, for a side to move and a number of pieces.
    #[inline]
    pub(crate) fn weigh(&self, sums: &Accumulator, turn: Color, men: usize) -> i32 {
        let (own, other) = match turn {
            Color::White => (&sums.white, &sums.black),
            Color::Black => (&sums.black, &sums.white),
        };
        let head = &self.weights.heads[head_of(men)];
        let sum = self.speed.output(own, other, &head.weights);
        head.centipawns(sum)
    }

    /// The sums with the inputs of visible pieces, which change too much from
    /// move to move for incremental updates.
    fn with_sight(&self, mut sums: Accumulator, position: &Position) -> Accumulator {
        let looks = looks(position);
        for (square, side, role) in seen_men(position) {
            let row =
                |look: Perspective| &self.weights.rows[INPUTS + look.feature(square, side, role)];
            self.add(&mut sums, looks.map(row));
        }
        sums
    }

    fn add(&self, sums: &mut Accumulator, rows: Rows) {
        self.speed.add(&mut sums.white, rows[0]);
        self.speed.add(&mut sums.black, rows[1]);
    }

    /// Updates the sums for a piece that moves and possibly captures.
    #[inline]
    fn shift(&self, sums: &mut Accumulator, gone: Rows, come: Rows, victim: Option<Rows>) {
        let Accumulator { white, black } = sums;
        self.speed.shift([white, black], gone, come, victim);
    }

    /// The rows of a piece on a square.
    #[inline]
    fn rows(
        &self,
        looks: [Perspective; 2],
        (square, side, role): (Square, Color, Role),
    ) -> Rows<'_> {
        looks.map(|look| &self.weights.rows[look.feature(square, side, role)])
    }

    /// Updates the sums for the rook of a castling move.
    fn castle(&self, sums: &mut Accumulator, looks: [Perspective; 2], side: Color, m: Move) {
        let (from, to) = Castling::ending_on(m.to()).expect("a castling").rook;
        let gone = self.rows(looks, (from, side, Role::Rook));
        let come = self.rows(looks, (to, side, Role::Rook));
        self.shift(sums, gone, come, None);
    }

    /// Recomputes a perspective if its king has changed wings or is gone.
    fn turn_looks(
        &self,
        sums: &mut Accumulator,
        looks: [Perspective; 2],
        before: &Position,
        m: Move,
    ) {
        let mut after = *before;
        Game::fog().play_unchecked(&mut after, m);
        let now = self::looks(&after);
        if now == looks {
            return;
        }
        let fresh = self.refresh(&after);
        if now[0] != looks[0] {
            sums.white = fresh.white;
        }
        if now[1] != looks[1] {
            sums.black = fresh.black;
        }
    }
}

/// White's perspective and Black's.
#[inline]
fn looks(position: &Position) -> [Perspective; 2] {
    [Color::White, Color::Black].map(|view| Perspective::new(position, view))
}

impl Evaluator for Network {
    type Accumulator = Accumulator;

    fn refresh(&self, position: &Position) -> Accumulator {
        let mut sums = Accumulator {
            white: self.weights.bias,
            black: self.weights.bias,
        };
        let looks = looks(position);
        for (square, piece) in position.board().iter() {
            let man = (square, piece.color, piece.role);
            self.add(&mut sums, self.rows(looks, man));
        }
        sums
    }

    fn update(
        &self,
        sums: &Accumulator,
        before: &Position,
        m: Move,
        taken: Option<Role>,
    ) -> Accumulator {
        let side = before.turn();
        let role = before.mover(m);
        let after = m.promotion().unwrap_or(role);
        let looks = looks(before);
        let gone = self.rows(looks, (m.from(), side, role));
        let come = self.rows(looks, (m.to(), side, after));
        let victim = taken.map(|taken| self.rows(looks, (m.capture_square(), !side, taken)));
        let mut sums = *sums;
        self.shift(&mut sums, gone, come, victim);
        if m.kind() == MoveKind::Castle {
            self.castle(&mut sums, looks, side, m);
        }
        if role == Role::King || taken == Some(Role::King) {
            self.turn_looks(&mut sums, looks, before, m);
        }
        sums
    }

    fn evaluate(&self, position: &Position, sums: &Accumulator) -> i32 {
        let looked;
        let sums = if self.weights.has_sight() {
            looked = self.with_sight(*sums, position);
            &looked
        } else {
            sums
        };
        self.weigh(sums, position.turn(), position.board().occupied().count())
    }
}
