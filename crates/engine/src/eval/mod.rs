//! Evaluation: positions in, values out.

pub mod classic;
pub mod michniewski;
pub mod network;
pub mod score;
pub mod seed;

use foglight_rules::{Move, Position, Role};

pub use classic::Classic;
pub use network::Network;
pub use score::Score;

/// Judges the leaves of a search in hundredths of a pawn. What can be carried
/// along from move to move is the [`Leaf::Carried`] value, `()` if nothing is.
pub trait Leaf {
    /// What is kept up to date along a line of moves.
    type Carried: Copy;

    /// A search of this position is about to begin.
    fn prepare(&mut self, _position: &Position) {}

    /// The carried value of a position, worked out from nothing.
    fn carry(&self, position: &Position) -> Self::Carried;

    /// The carried value after a move that took `taken`.
    fn carry_on(
        &self,
        carried: &Self::Carried,
        before: &Position,
        m: Move,
        taken: Option<Role>,
    ) -> Self::Carried;

    /// Hundredths of a pawn for the side to move.
    fn centipawns(&mut self, position: &Position, carried: &Self::Carried) -> i32;
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
