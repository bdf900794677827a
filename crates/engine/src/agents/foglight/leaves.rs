//! What leaves are worth: the evaluator's opinion of every move of a position.

use std::sync::Arc;

use foglight_rules::{Game, Move, Position, Role};

use crate::{
    eval::{michniewski, value_of},
    search::Evaluation,
};
use foglight_play::{Analyser, AnalysisLimit, rng::derive};

/// Estimates stay within this of nought, so that real wins outrank them.
pub(crate) const MAX_LEAF_VALUE: f64 = 0.95;

#[derive(Clone)]
pub enum LeafModel {
    /// Material and seen squares.
    Simple,
    /// An evaluator and a small search of captures.
    Inside(Evaluation),
    /// An outside engine, looking one ply deep; where it cannot, as above.
    Outside(Arc<dyn Analyser>, Evaluation),
}

/// A judge, and how its opinion becomes a value.
#[derive(Clone)]
pub struct LeafEvaluator {
    pub model: LeafModel,
    /// Centipawns that make ten to one.
    pub scale: f64,
    /// Spread of the errors that a weaker level makes.
    pub noise: f64,
    /// What the errors come from.
    pub seed: u64,
}

impl LeafEvaluator {
    /// Centipawns as a value within [`MOST`].
    pub fn value_of(&self, centipawns: i32) -> f64 {
        let scaled = f64::from(centipawns) * 400.0 / self.scale;
        MAX_LEAF_VALUE * value_of(scaled as i32)
    }

    /// The value of each move to the side that makes it. The moves come with
    /// the positions they lead to, none of which is decided.
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
            LeafModel::Outside(judge, own) => {
                outside_scores(judge.as_ref(), own, game, position, moves)
            }
        };
        let with_noise = |(score, (_, next, _)): (i32, &(Move, Position, Option<Role>))| {
            (self.value_of(score) + self.error(next)).clamp(-MAX_LEAF_VALUE, MAX_LEAF_VALUE) as f32
        };
        scores.into_iter().zip(moves).map(with_noise).collect()
    }

    /// The value of a position to the side to move.
    pub fn value(&mut self, game: &Game, position: &Position) -> f64 {
        let score = match &mut self.model {
            LeafModel::Simple => simple(game, position),
            LeafModel::Inside(own) | LeafModel::Outside(_, own) => {
                own.capture_score(game, position)
            }
        };
        self.value_of(score)
    }

    /// The error that this level always makes in this position.
    fn error(&self, position: &Position) -> f64 {
        if self.noise <= 0.0 {
            return 0.0;
        }
        let bits = derive(self.seed, position.hash());
        // The sum of four even numbers is close to a bell curve.
        let sum: f64 = (0..4)
            .map(|i| (bits >> (16 * i) & 0xffff) as f64 / 65_535.0 - 0.5)
            .sum();
        self.noise * sum * 3f64.sqrt()
    }
}

/// Material and seen squares, for the side to move.
fn simple(game: &Game, position: &Position) -> i32 {
    let us = position.turn();
    let side = |side| -> i32 {
        michniewski::material(position.board(), side)
            + 2 * game.visible_squares(position, side).count() as i32
    };
    side(us) - side(!us)
}

/// What the outside judge says of each move; a move that it does not name, as
/// it leaves the king to be taken or the judge refuses the board, goes to our
/// own evaluation.
fn outside_scores(
    judge: &dyn Analyser,
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
    let opinion = judge
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
