//! Leaf evaluation: values of all moves of a position.

use std::sync::Arc;

use foglight_rules::{Game, Move, Position, Role};

use crate::{
    eval::{michniewski, value_of},
    search::Evaluation,
};
use foglight_play::{Analyser, AnalysisLimit, rng::derive};

/// Bound on the magnitude of estimates, so that actual wins outrank them.
pub(crate) const MAX_LEAF_VALUE: f64 = 0.95;

#[derive(Clone)]
pub enum LeafModel {
    /// Material and number of visible squares.
    Simple,
    /// An evaluator with a short capture search.
    Inside(Evaluation),
    /// An external engine at depth 1; the evaluator scores the moves and
    /// positions for which the engine returns nothing.
    Outside(Arc<dyn Analyser>, Evaluation),
}

/// A leaf model with the conversion of its scores to values.
#[derive(Clone)]
pub struct LeafEvaluator {
    pub model: LeafModel,
    /// Centipawns that correspond to winning odds of ten to one.
    pub scale: f64,
    /// Standard deviation of the random errors of weaker levels.
    pub noise: f64,
    /// Seed of the random errors.
    pub seed: u64,
}

impl LeafEvaluator {
    /// Converts centipawns to a value within plus or minus `MAX_LEAF_VALUE`.
    pub fn value_of(&self, centipawns: i32) -> f64 {
        let scaled = f64::from(centipawns) * 400.0 / self.scale;
        MAX_LEAF_VALUE * value_of(scaled as i32)
    }

    /// The value of each move for the side that makes it. Each move comes with
    /// its resulting position, which must not be decided, and the captured piece.
    pub fn values(
        &mut self,
        game: &Game,
        position: &Position,
        moves: &[(Move, Position, Option<Role>)],
    ) -> Vec<f32> {
        let scores = match &mut self.model {
            LeafModel::Simple => moves
                .iter()
                .map(|(_, next, _)| -simple(game, next))
                .collect(),
            LeafModel::Inside(own) => own.capture_scores(game, position, moves),
            LeafModel::Outside(analyser, own) => {
                outside_scores(analyser.as_ref(), own, game, position, moves)
            }
        };
        let with_noise = |(score, (_, next, _)): (i32, &(Move, Position, Option<Role>))| {
            (self.value_of(score) + self.error(next)).clamp(-MAX_LEAF_VALUE, MAX_LEAF_VALUE) as f32
        };
        scores.into_iter().zip(moves).map(with_noise).collect()
    }

    /// The value of a position for the side to move.
    pub fn value(&mut self, game: &Game, position: &Position) -> f64 {
        let score = match &mut self.model {
            LeafModel::Simple => simple(game, position),
            LeafModel::Inside(own) | LeafModel::Outside(_, own) => {
                own.capture_score(game, position)
            }
        };
        self.value_of(score)
    }

    /// The random error of a position, which is the same at every visit.
    fn error(&self, position: &Position) -> f64 {
        if self.noise <= 0.0 {
            return 0.0;
        }
        let bits = derive(self.seed, position.hash());
        // The sum of four uniform numbers is close to normally distributed.
        let sum: f64 = (0..4)
            .map(|i| (bits >> (16 * i) & 0xffff) as f64 / 65_535.0 - 0.5)
            .sum();
        self.noise * sum * 3f64.sqrt()
    }
}

/// Material and number of visible squares in centipawns, for the side to move.
fn simple(game: &Game, position: &Position) -> i32 {
    let us = position.turn();
    let side = |side| -> i32 {
        michniewski::material(position.board(), side)
            + 2 * game.visible_squares(position, side).count() as i32
    };
    side(us) - side(!us)
}

/// Scores of all moves from the external engine. Our own evaluation scores the
/// moves it omits, because they leave the king capturable or because it rejects
/// the position.
fn outside_scores(
    analyser: &dyn Analyser,
    own: &mut Evaluation,
    game: &Game,
    position: &Position,
    moves: &[(Move, Position, Option<Role>)],
) -> Vec<i32> {
    let own = own.capture_scores(game, position, moves);
    if moves.is_empty() {
        return own;
    }
    let effort = AnalysisLimit::depth(1, moves.len());
    let opinion = analyser
        .analyse(game, std::slice::from_ref(position), effort)
        .pop();
    let Some(opinion) = opinion.flatten() else {
        return own;
    };
    let said = |m: &Move| {
        let mut named = opinion.moves.iter();
        named.find(|(known, _)| known == m).map(|(_, score)| *score)
    };
    let pairs = moves.iter().zip(own);
    pairs
        .map(|((m, _, _), own)| said(m).unwrap_or(own))
        .collect()
}
