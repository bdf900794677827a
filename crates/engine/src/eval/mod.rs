//! Static evaluation of positions.

pub mod classic;
pub mod ensemble;
pub mod michniewski;
pub mod network;
pub mod score;

use foglight_rules::{Move, Position, Role};

pub use classic::Classic;
pub use network::Network;
pub use score::Score;

/// A static evaluation that is updated incrementally from move to move. Its
/// value is for the side to move: centipawns of a `Position`; under dice, where
/// a search evaluates boards without building positions, the win probability
/// computed from the side to roll and the accumulator alone.
pub trait Evaluator<At = Position, Value = i32> {
    /// Incremental state along a line of moves, `()` if there is none.
    type Accumulator: Copy + Send + Sync;

    /// Prepares for a search of this position.
    fn prepare(&mut self, _position: &Position) {}

    /// Computes the accumulator of a position from scratch.
    fn refresh(&self, position: &Position) -> Self::Accumulator;

    /// The accumulator after a move that captured `taken`.
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

/// Centipawns for the side to move, of a position of any size.
pub fn evaluate(evaluator: &mut impl Evaluator, position: &Position) -> i32 {
    evaluator.prepare(position);
    evaluator.evaluate(position, &evaluator.refresh(position))
}

/// Converts centipawns to a value from -1 to 1 by the logistic curve of Elo
/// ratings, on which 400 are ten to one.
pub fn value_of(centipawns: i32) -> f64 {
    2.0 / (1.0 + 10f64.powf(f64::from(-centipawns) / 400.0)) - 1.0
}

/// The inverse of [`value_of`], clamped to ±3000.
pub fn centipawns_of(value: f64) -> i32 {
    let won = (value.clamp(-1.0, 1.0) + 1.0) / 2.0;
    if won <= 0.0 || won >= 1.0 {
        return if won <= 0.0 { -3000 } else { 3000 };
    }
    (400.0 * (won / (1.0 - won)).log10()).clamp(-3000.0, 3000.0) as i32
}

/// The value of a piece in pawns; the king's exceeds all others.
pub fn piece_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 1000,
    }
}
