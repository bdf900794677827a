//! Why a piece was lost: who could have taken it, by all that was known.

use std::collections::HashMap;

use crate::belief::BeliefSet;
use foglight_rules::{Color, Move, Position, Role, Square, State, View};

/// Positions of the belief that are asked; more would not change the answer.
const ASKED: usize = 4000;

/// A piece that may have been the taker, and where it came from.
#[derive(Clone, PartialEq, Debug)]
pub struct Capturer {
    /// The kind of piece before the move, as a letter.
    pub piece: char,
    /// Where it came from.
    pub from: String,
    /// How likely that was, by all that had been seen.
    pub chance: f64,
}

/// A piece that was lost.
#[derive(Clone, PartialEq, Debug)]
pub struct LostPiece {
    /// Single moves played before the capture.
    pub ply: u32,
    /// Where the piece stood.
    pub square: String,
    /// Its kind, as a letter.
    pub piece: char,
    /// Before it happened: the share of the possible positions in which the
    /// enemy could take it.
    pub danger: f64,
    /// Who could have taken it, knowing what is seen afterwards; likeliest
    /// first, the chances adding up to 1.
    pub takers: Vec<Capturer>,
    /// Who took it. The chance is the one that it had among the takers.
    pub actual: Capturer,
}

/// What the enemy's move from `state` to `next` took from the side, if
/// anything. `belief` is the side's belief in `state`.
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

/// What the positions say.
#[derive(Default)]
struct Count {
    asked: usize,
    endangered: usize,
    /// By kind and origin: every legal move of a position is as likely.
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

/// Counters aside, which positions of a belief do not have.
fn same_sight(a: &View, b: &View) -> bool {
    a.rows() == b.rows()
}

/// Where what a move takes stands.
fn taken_square(position: &Position, m: Move) -> Option<Square> {
    position.captured(m)?;
    Some(m.capture_square())
}
