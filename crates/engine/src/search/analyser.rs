//! The alpha-beta search as an analyser of known boards.

use std::sync::{Mutex, PoisonError};

use foglight_play::{Analyser, Analysis, AnalysisLimit, Budget};
use foglight_rules::{Game, Move, Position};

use super::{
    alphabeta::{Searcher, score_value},
    evaluation::Evaluation,
};

/// Size of its transposition table in mebibytes.
const TABLE: usize = 4;

/// The alpha-beta search as an analyser. Its tables persist until it is
/// cleared.
pub struct SearchAnalyser(Mutex<(Searcher, Evaluation)>);

impl Default for SearchAnalyser {
    fn default() -> SearchAnalyser {
        SearchAnalyser::new(Evaluation::default())
    }
}

impl SearchAnalyser {
    /// An analyser with this evaluation at its leaves.
    pub fn new(evaluation: Evaluation) -> SearchAnalyser {
        SearchAnalyser(Mutex::new((Searcher::new(TABLE), evaluation)))
    }
}

impl Analyser for SearchAnalyser {
    fn analyse(
        &self,
        game: &Game,
        positions: &[Position],
        limit: AnalysisLimit,
    ) -> Vec<Option<Analysis>> {
        let mut own = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (searcher, evaluation) = &mut *own;
        let mut budget = Budget::default();
        (budget.nodes, budget.depth) = (limit.nodes, limit.depth);
        let mut analyse = |position| {
            let board = (game, position);
            let found = evaluation.search_top(searcher, board, &[], &budget, limit.moves);
            let moves = found.moves.iter().take(limit.moves);
            Some(Analysis {
                moves: moves.map(|root| (root.m, root.score)).collect(),
                nodes: found.nodes,
            })
        };
        positions.iter().map(&mut analyse).collect()
    }

    fn clear(&self) {
        let mut own = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        own.0.clear();
    }
}

/// The best moves for the side to move with their values, +1 won and -1 lost,
/// the best first; and the nodes spent.
pub fn best(
    analyser: &dyn Analyser,
    game: &Game,
    position: &Position,
    limit: AnalysisLimit,
) -> (Vec<(Move, f64)>, u64) {
    let analyses = analyser.analyse(game, std::slice::from_ref(position), limit);
    let Some(Some(analysis)) = analyses.into_iter().next() else {
        return (Vec::new(), 0);
    };
    let moves = analysis.moves.into_iter();
    let moves = moves.map(|(m, centipawns)| (m, score_value(centipawns)));
    (moves.collect(), analysis.nodes)
}

/// The value of a move for its mover, and the nodes spent.
pub fn value_after(
    analyser: &dyn Analyser,
    game: &Game,
    position: &Position,
    m: Move,
    limit: AnalysisLimit,
) -> (f64, u64) {
    let mut next = *position;
    game.play_unchecked(&mut next, m);
    if let Some(outcome) = game.outcome(&next) {
        return (2.0 * outcome.score(position.turn()) - 1.0, 0);
    }
    let (replies, nodes) = best(analyser, game, &next, limit);
    (replies.first().map_or(0.0, |(_, value)| -value), nodes)
}
