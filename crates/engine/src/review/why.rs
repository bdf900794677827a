//! Explanation of a lost piece: its possible capturers on the player's
//! information.

use std::collections::HashMap;

use crate::belief::BeliefSet;
use foglight_rules::{Color, Move, Position, Role, Square, State, View};

/// Maximum number of belief positions examined; more would not change the result.
const ASKED: usize = 4000;

/// A possible capturer with its origin square.
#[derive(Clone, PartialEq, Debug)]
pub struct Capturer {
    /// Letter of its piece type before the move.
    pub piece: char,
    /// Origin square of the capture.
    pub from: String,
    /// Probability given the player's observations.
    pub chance: f64,
}

/// A piece that the player lost.
#[derive(Clone, PartialEq, Debug)]
pub struct LostPiece {
    /// Plies played before the capture.
    pub ply: u32,
    /// Square of the lost piece.
    pub square: String,
    /// Letter of its piece type.
    pub piece: char,
    /// Fraction of the possible positions before the capture in which the enemy
    /// could capture the piece.
    pub danger: f64,
    /// Possible capturers given the view after the capture, likeliest first. Their
    /// probabilities sum to 1.
    pub takers: Vec<Capturer>,
    /// The actual capturer, with its probability among `takers`.
    pub actual: Capturer,
}

/// The piece that the side lost by the enemy's move from `state` to `next`, if
/// any. `belief` is the side's belief in `state`.
pub(super) fn loss(
    belief: &BeliefSet,
    state: &State,
    next: &State,
    side: Color,
) -> Option<LostPiece> {
    let (square, role) = next.observe(side).news().lost?;
    let after = View::new(state.game(), next.position(), side);
    let step = belief.count().div_ceil(ASKED).max(1);
    let mut count = Count::default();
    for position in belief.positions().step_by(step) {
        count.ask(state, &position, square, &after);
    }
    let ply = next.last()?;
    let piece = state.position().mover(ply.played);
    let takers = count.takers();
    let from = ply.played.from().to_string();
    let found = takers
        .iter()
        .find(|taker| taker.from == from && taker.piece == piece.upper_char());
    Some(LostPiece {
        ply: state.plies(),
        square: square.to_string(),
        piece: role.upper_char(),
        danger: count.danger(),
        actual: Capturer {
            piece: piece.upper_char(),
            chance: found.map_or(0.0, |taker| taker.chance),
            from,
        },
        takers,
    })
}

/// Counts over the examined positions.
#[derive(Default)]
struct Count {
    asked: usize,
    endangered: usize,
    /// Weight by piece type and origin; all legal moves of a position are equally
    /// likely.
    weights: HashMap<(Role, Square), f64>,
}

impl Count {
    fn ask(&mut self, state: &State, position: &Position, square: Square, after: &View) {
        let game = state.game();
        let moves = game.legal_moves(position);
        let takes: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|&m| taken_square(position, m) == Some(square))
            .collect();
        self.asked += 1;
        self.endangered += usize::from(!takes.is_empty());
        for m in takes {
            let mut next = *position;
            game.play_unchecked(&mut next, m);
            if same_sight(&View::new(game, &next, after.side), after) {
                let key = (position.mover(m), m.from());
                *self.weights.entry(key).or_default() += 1.0 / moves.len() as f64;
            }
        }
    }

    fn danger(&self) -> f64 {
        self.endangered as f64 / self.asked.max(1) as f64
    }

    fn takers(&self) -> Vec<Capturer> {
        let sum: f64 = self.weights.values().sum();
        let mut takers: Vec<Capturer> = self
            .weights
            .iter()
            .map(|(&(role, from), weight)| Capturer {
                piece: role.upper_char(),
                from: from.to_string(),
                chance: weight / sum,
            })
            .collect();
        takers.sort_by(|a, b| {
            b.chance
                .total_cmp(&a.chance)
                .then_with(|| a.from.cmp(&b.from))
        });
        takers
    }
}

/// Whether two views show the same board. Ignores the move counters, which
/// positions of a belief lack.
fn same_sight(a: &View, b: &View) -> bool {
    a.rows() == b.rows()
}

/// The square of the piece that a move captures.
fn taken_square(position: &Position, m: Move) -> Option<Square> {
    position.captured(m)?;
    Some(m.capture_square())
}
