//! Evaluation: positions in, values out.

pub mod classic;
pub mod ensemble;
pub mod michniewski;
pub mod network;
pub mod score;

use foglight_rules::{Move, Position, Role};

pub use classic::Classic;
pub use network::Network;
pub use score::Score;

/// A static evaluation that is kept up to date from move to move. Its value is
/// for the side to move: hundredths of a pawn of a `Position`; under dice, where
/// a search asks for boards of which it makes no positions, the win probability
/// by the side to roll and the accumulator alone.
pub trait Evaluator<At = Position, Value = i32> {
    /// What is kept along a line of moves, `()` if nothing is.
    type Accumulator: Copy + Send + Sync;

    /// A search of this position is about to begin.
    fn prepare(&mut self, _position: &Position) {}

    /// Computes the accumulator of a position from scratch.
    fn refresh(&self, position: &Position) -> Self::Accumulator;

    /// The accumulator after a move that took `taken`.
    fn update(
        &self,
        accumulator: &Self::Accumulator,
        before: &Position,
        m: Move,
        taken: Option<Role>,
    ) -> Self::Accumulator;

    /// The value for the side to move.
    fn evaluate(&self, at: &At, accumulator: &Self::Accumulator) -> Value;
}

/// Hundredths of a pawn for the side to move, of a position of any size.
pub fn evaluate(evaluator: &mut impl Evaluator, position: &Position) -> i32 {
    evaluator.prepare(position);
    evaluator.evaluate(position, &evaluator.refresh(position))
}

/// Centipawns as a value from -1 to 1: the logistic curve of ratings, on which
/// 400 are ten to one.
pub fn value_of(centipawns: i32) -> f64 {
    2.0 / (1.0 + 10f64.powf(f64::from(-centipawns) / 400.0)) - 1.0
}

/// The centipawns of a value: [`value_of`] the other way, cut at ±3000.
pub fn centipawns_of(value: f64) -> i32 {
    let won = (value.clamp(-1.0, 1.0) + 1.0) / 2.0;
    if won <= 0.0 || won >= 1.0 {
        return if won <= 0.0 { -3000 } else { 3000 };
    }
    (400.0 * (won / (1.0 - won)).log10()).clamp(-3000.0, 3000.0) as i32
}

/// The value of a piece in pawns; the king above all.
pub fn piece_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 1000,
    }
}
