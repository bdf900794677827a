//! Review of moves on the positions that were possible for the player: the actual
//! position in plain chess, a sample of the belief in fog.

use std::collections::{BTreeSet, HashMap};

use crate::{
    belief::{BeliefReplay, BeliefSet},
    eval::{Network, network::default_network},
    search::{
        Evaluation, SearchAnalyser,
        analyser::{best, value_after},
    },
};
use foglight_play::{AnalysisLimit, Rng, seeded};
use foglight_rules::{
    Action, Color, Game, Move, Position, Record, Size, State, Turn, Variant, notation::san,
};
use rand::Rng as _;

use super::{MoveClass, MoveReview, ReviewSettings, Safety, why};

/// Number of best moves per board that become candidates.
const TOP: usize = 3;
/// Maximum number of moves compared with the played one.
const CANDIDATES: usize = 5;
/// Nodes of the comparison that confirms a fault, for each of its two moves over
/// all boards, in units of [`ReviewSettings::nodes`].
const CONFIRMING: u64 = 128;
/// Pieces up to which chess is mostly won or drawn: of positions of played
/// games, those with so few and values of the network's search below 0.3 had a
/// median value of nearly 0 for Stockfish, those above 0.45 one as large or larger.
const FEW: usize = 7;
/// The value from which an advantage with few pieces counts in full.
const WINNING: f64 = 0.5;

/// What a review of known boards finds.
#[derive(Default)]
pub(super) struct Reviewed {
    pub moves: Vec<MoveReview>,
    pub losses: Vec<why::LostPiece>,
    /// Plies played when the belief lost the true position.
    pub lost_at: Option<u32>,
}

/// Reviews every move of a side and collects its lost pieces, until the belief
/// loses the true position.
pub(super) fn evaluate(
    record: &Record,
    states: &[State],
    side: Color,
    settings: &ReviewSettings,
    wanted: &dyn Fn(u32) -> bool,
    progress: &mut dyn FnMut(usize, usize),
) -> Reviewed {
    let fog = !record.game.has_full_view(side);
    let mut trace = BeliefReplay::new(&states[0], side, Some(settings.cap), settings.seed);
    let mut bench = Bench {
        analyser: analyser(&states[0]),
        teller: analyser(&states[0]),
        settings: *settings,
        rng: seeded(settings.seed),
    };
    let mut found = Reviewed::default();
    for (i, (state, action)) in states.iter().zip(&record.actions).enumerate() {
        progress(i, record.actions.len());
        let Action::Move(played) = *action else {
            continue;
        };
        let next = &states[i + 1];
        if state.turn() != Turn::Player(side) {
            if fog {
                found
                    .losses
                    .extend(why::loss(trace.belief(), state, next, side));
            }
        } else if wanted(state.plies()) {
            let belief = fog.then(|| trace.belief());
            found
                .moves
                .push(bench.evaluated(state, next, played, belief));
        }
        if fog && trace.follow(next).is_err() {
            found.lost_at = Some(next.plies());
            break;
        }
    }
    progress(record.actions.len(), record.actions.len());
    found
}

/// A search with the evaluation that overrates least: the network, on the board
/// that it was trained on.
fn analyser(start: &State) -> SearchAnalyser {
    match start.position().size() {
        Size::FULL => SearchAnalyser::new(Evaluation::new(Network::new(default_network()))),
        _ => SearchAnalyser::default(),
    }
}

struct Bench {
    analyser: SearchAnalyser,
    /// Analyses the true positions. Separate from `analyser`, whose transposition
    /// table must not contain what the player could not know.
    teller: SearchAnalyser,
    settings: ReviewSettings,
    rng: Rng,
}

/// Result of comparing the played move with others on the same boards.
struct ComparedMoves {
    value: f64,
    loss: f64,
    error: f64,
    best: Move,
}

impl ComparedMoves {
    /// The class of the played move.
    fn class(&self, played: Move) -> MoveClass {
        MoveClass::of(self.loss, self.error, self.best == played)
    }
}

impl Bench {
    /// The boards to analyse: the true one without a belief, else a sample of it.
    fn boards(&mut self, belief: Option<&BeliefSet>, state: &State) -> Vec<Position> {
        let Some(belief) = belief else {
            return vec![*state.position()];
        };
        let count = self.settings.worlds.min(belief.count());
        let mut drawn = BTreeSet::new();
        while drawn.len() < count {
            drawn.insert(self.rng.random_range(0..belief.count()));
        }
        drawn
            .into_iter()
            .map(|i| belief.evidence().position(&belief.worlds()[i]))
            .collect()
    }

    fn evaluated(
        &mut self,
        state: &State,
        next: &State,
        played: Move,
        belief: Option<&BeliefSet>,
    ) -> MoveReview {
        let game = state.game();
        let forced = state.legal_moves().len() == 1;
        let boards = &self.boards(belief, state);
        let mut compared = self.compare(game, boards, played, forced);
        if compared.class(played).is_fault() {
            // Other positions: the best move was chosen on these.
            let others = self.boards(belief, state);
            let again = self.confirm(game, &others, played, compared.best);
            if again.loss < compared.loss {
                compared = again;
            }
        }
        let same = compared.best == played;
        let verdict = match forced {
            true => MoveClass::Forced,
            false => compared.class(played),
        };
        MoveReview {
            ply: state.plies(),
            played: played.to_string(),
            san: san::write(game, state.position(), played),
            best: (!same).then(|| compared.best.to_string()),
            best_san: (!same).then(|| san::write(game, state.position(), compared.best)),
            safety: belief.map(|_| Safety {
                played: safe_share(game, boards, played),
                best: safe_share(game, boards, compared.best),
            }),
            value: compared.value,
            loss: compared.loss,
            error: compared.error,
            class: verdict,
            luck: 0.0,
            count: belief.map_or(1, BeliefSet::count),
            exact: belief.is_none_or(BeliefSet::is_exact),
            truth: self.truth(state, next, played),
        }
    }

    /// The value of the played move in the true position.
    fn truth(&mut self, state: &State, next: &State, played: Move) -> f64 {
        let side = state.position().turn();
        match next.outcome() {
            Some(outcome) => super::value_of(outcome, side),
            None => {
                let nodes = self.settings.nodes * 4;
                let (game, board) = (state.game(), state.position());
                let limit = AnalysisLimit::nodes(nodes);
                let (value, _) = value_after(&self.teller, game, board, played, limit);
                chances(game, board, value)
            }
        }
    }

    fn value_after(&self, game: &Game, board: &Position, m: Move, times: u64) -> f64 {
        let nodes = self.settings.nodes * times;
        let limit = AnalysisLimit::nodes(nodes);
        let (value, _) = value_after(&self.analyser, game, board, m, limit);
        chances(game, board, value)
    }

    /// Compares the played move with the candidates. With few boards each gets more
    /// nodes, so that the cost of a review stays the same.
    fn compare(
        &mut self,
        game: &Game,
        boards: &[Position],
        played: Move,
        forced: bool,
    ) -> ComparedMoves {
        let times = self.times(boards);
        let mut moves = vec![played];
        if !forced {
            moves.extend(self.candidates(game, boards, played, times));
        }
        weigh(&moves, &self.values(game, boards, &moves, times))
    }

    /// Compares the played move again with the one that seemed best: a short search
    /// may overlook what makes a fault none. The milder of both comparisons counts.
    fn confirm(&self, game: &Game, boards: &[Position], played: Move, best: Move) -> ComparedMoves {
        let moves = [played, best];
        let times = (CONFIRMING / boards.len().max(1) as u64).max(1);
        weigh(&moves, &self.values(game, boards, &moves, times))
    }

    /// The share of a review's nodes for each board, in units of its settings.
    fn times(&self, boards: &[Position]) -> u64 {
        (self.settings.worlds / boards.len().max(1)).clamp(1, 8) as u64
    }

    /// The values of moves, a row for each board.
    fn values(
        &self,
        game: &Game,
        boards: &[Position],
        moves: &[Move],
        times: u64,
    ) -> Vec<Vec<f64>> {
        let row = |board| {
            let each = moves.iter();
            each.map(|&m| self.value_after(game, board, m, times))
                .collect()
        };
        boards.iter().map(row).collect()
    }

    /// The moves with the most votes over all boards, without the played one.
    fn candidates(
        &mut self,
        game: &Game,
        boards: &[Position],
        played: Move,
        times: u64,
    ) -> Vec<Move> {
        let mut votes: HashMap<Move, f64> = HashMap::new();
        for board in boards {
            let nodes = self.settings.nodes * times;
            let limit = AnalysisLimit {
                moves: TOP,
                ..AnalysisLimit::nodes(nodes)
            };
            let (best, _) = best(&self.analyser, game, board, limit);
            for (rank, (m, _)) in best.into_iter().enumerate() {
                *votes.entry(m).or_default() += 1.0 / (1 + rank) as f64;
            }
        }
        votes.remove(&played);
        let mut moves: Vec<(Move, f64)> = votes.into_iter().collect();
        moves.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        moves.truncate(CANDIDATES);
        moves.into_iter().map(|(m, _)| m).collect()
    }
}

/// What a value means for the result: with few pieces a small advantage of chess
/// is mostly a draw.
fn chances(game: &Game, board: &Position, value: f64) -> f64 {
    match game.variant() {
        Variant::Chess if board.board().occupied().count() <= FEW => {
            value * (value.abs() / WINNING).min(1.0).powi(2)
        }
        _ => value,
    }
}

/// Share of the boards on which the enemy can capture neither the moved piece nor
/// the king after the move.
fn safe_share(game: &Game, boards: &[Position], m: Move) -> f64 {
    let safe = |board: &&Position| {
        let mut next = **board;
        game.play_unchecked(&mut next, m);
        let king = next.board().king(board.turn());
        let replies = game.legal_moves(&next);
        let mut captured = replies.iter().map(|reply| reply.capture_square());
        !captured.any(|square| square == m.to() || Some(square) == king)
    };
    boards.iter().filter(safe).count() as f64 / boards.len().max(1) as f64
}

/// Compares the first move with the others; `values` has one row per board.
///
/// The best move is chosen on one half of the boards and measured on the other,
/// both ways, so that sampling noise does not count as a loss.
fn weigh(moves: &[Move], values: &[Vec<f64>]) -> ComparedMoves {
    let mean = |of: &dyn Fn(usize) -> bool, column: usize| {
        let rows = (0..values.len()).filter(|&row| of(row));
        let (sum, n) = rows.fold((0.0, 0), |(sum, n), row| (sum + values[row][column], n + 1));
        sum / f64::from(n.max(1))
    };
    let best_on = |of: &dyn Fn(usize) -> bool| {
        let better = |&a: &usize, &b: &usize| mean(of, a).total_cmp(&mean(of, b)).then(b.cmp(&a));
        (0..moves.len()).max_by(better).unwrap_or(0)
    };
    let all = |_: usize| true;
    let best = best_on(&all);
    let rivals = match values.len() {
        0 | 1 => [best, best],
        _ => [best_on(&|row| row % 2 == 0), best_on(&|row| row % 2 == 1)],
    };
    let rival = |row: usize| rivals[1 - row % 2];
    let gaps: Vec<f64> = (0..values.len())
        .map(|row| values[row][rival(row)] - values[row][0])
        .collect();
    let n = gaps.len().max(1) as f64;
    let gap = gaps.iter().sum::<f64>() / n;
    let spread: f64 = gaps.iter().map(|g| (g - gap).powi(2)).sum();
    let loss = if best == 0 { 0.0 } else { gap.max(0.0) };
    ComparedMoves {
        value: mean(&all, 0) + loss,
        loss,
        error: (spread / (n * (n - 1.0).max(1.0))).sqrt(),
        best: if loss > 0.0 { moves[best] } else { moves[0] },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foglight_rules::notation::uci;

    fn two() -> Vec<Move> {
        let moves = State::start(Game::fog()).legal_moves();
        ["e2e4", "d2d4"]
            .iter()
            .map(|text| uci::find(text, &moves).expect("a legal move"))
            .collect()
    }

    #[test]
    fn a_move_that_is_worse_everywhere_loses_the_difference() {
        let values = vec![vec![0.0, 0.4], vec![0.2, 0.6], vec![-0.2, 0.2]];
        let found = weigh(&two(), &values);
        assert!((found.loss - 0.4).abs() < 1e-12 && found.error < 1e-12);
        assert!((found.value - 0.4).abs() < 1e-12);
        assert_eq!(found.best, two()[1]);
    }

    #[test]
    fn what_is_better_by_chance_only_is_no_loss() {
        // Chosen on either half, the rival scores worse on the other half.
        let values = vec![
            vec![0.0, 0.5],
            vec![0.0, -0.4],
            vec![0.0, 0.5],
            vec![0.0, -0.4],
        ];
        let found = weigh(&two(), &values);
        assert!(found.loss < 0.05, "{}", found.loss);
    }
}
