//! The root: iterative deepening, aspiration windows, the best few moves.

use foglight_rules::{Move, Position};

use super::{
    SearchResult,
    check_info::CheckInfo,
    histories::arrival,
    node::Node,
    run::SearchThread,
    value::{DECIDED, INFINITE, MAX_PLY, loses_at, plies_to_end},
};
use crate::eval::Evaluator;

/// A root move and its search result.
#[derive(Clone, PartialEq, Debug)]
pub struct RootMove {
    pub m: Move,
    /// Centipawns for the mover; `WON` less the distance if the end is found.
    /// Proven by a finished search; before the first one, the static score.
    pub score: i32,
    /// Principal variation of the search that gave the score, this move first.
    pub pv: Vec<Move>,
    /// Whether the score is of the current depth.
    fresh: bool,
    /// Upper bound of the score proven at the current depth.
    most: i32,
    /// Orders the moves of a depth. It may be an upper bound, or no bound at
    /// all.
    rank: i32,
    /// The rank at the previous depth.
    previous: i32,
}

impl RootMove {
    pub(super) fn new(m: Move, score: i32) -> RootMove {
        RootMove {
            m,
            score,
            pv: vec![m],
            fresh: false,
            most: INFINITE,
            rank: -INFINITE,
            previous: -INFINITE,
        }
    }

    /// Records a score above alpha at the current depth.
    fn prove(&mut self, score: i32, below: &[Move]) {
        (self.score, self.fresh, self.most) = (score, true, INFINITE);
        self.pv.truncate(1);
        self.pv.extend_from_slice(below);
    }

    /// Records a score of at most alpha, an upper bound. It may retract the
    /// result of a narrower window.
    fn limit(&mut self, most: i32) {
        self.most = most;
        self.fresh &= most >= self.score;
    }

    fn begin_depth(&mut self) {
        (self.previous, self.rank) = (self.rank, -INFINITE);
        (self.fresh, self.most) = (false, INFINITE);
    }
}

/// The result of a search stopped on the way to the next depth: `last` holds
/// the best moves of the last finished depth, `moves` those of the next one.
///
/// A move of the next depth counts if its search finished above alpha: its
/// score is then exact, or a lower bound if it reached beta. Such a bound is
/// reported even if the last depth gave more, since scores of two depths do not
/// mix. Any other move has the line of the last depth, and its score as far as
/// the next one's bounds allow: reported in full, scores of 1,000 nodes were
/// too high by 0.02 to 0.05 on average, measured by searches of 60,000. A loss
/// counts only once all moves were tried (`whole`): any other move might avoid
/// it.
fn known_when_stopped(moves: &[RootMove], last: &[RootMove], whole: bool) -> Vec<RootMove> {
    let believed = |score: i32| whole || score > -DECIDED;
    let counts = |root: &&RootMove| root.fresh && believed(root.score);
    let mut known: Vec<RootMove> = moves.iter().filter(counts).cloned().collect();
    for mut root in last.iter().cloned() {
        match moves.iter().find(|now| now.m == root.m) {
            Some(now) if counts(&now) => continue,
            Some(now) if believed(now.most) => root.score = root.score.min(now.most),
            _ => {}
        }
        known.push(root);
    }
    known.sort_by_key(|root| -root.score);
    known.truncate(last.len());
    known
}

/// Half the first window around the score of the last depth.
const WINDOW: i32 = 14;

impl<E: Evaluator, const TAKE: bool> SearchThread<'_, E, TAKE> {
    /// Iterative deepening until the budget ends. Returns the best `top` of
    /// `moves` with exact scores, the best first, and the finished depth.
    pub(super) fn deepen(
        &mut self,
        position: &Position,
        mut moves: Vec<RootMove>,
        top: usize,
    ) -> (Vec<RootMove>, u32) {
        let top = top.clamp(1, moves.len());
        let carried = self.leaf.refresh(position);
        let standing = self.leaf.evaluate(position, &carried);
        for root in &mut moves {
            root.score = standing.clamp(1 - DECIDED, DECIDED - 1);
        }
        let mut finished = 0;
        let mut doubt: f64 = 1.0;
        for depth in 1..=self.limits.depth.min(MAX_PLY as i32 - 1) {
            self.root_depth = depth;
            let last = moves[..top].to_vec();
            moves.iter_mut().for_each(RootMove::begin_depth);
            for first in 0..top {
                self.aspire(position, &carried, &mut moves[first..], depth);
                if self.stopped {
                    return (known_when_stopped(&moves, &last, first > 0), finished);
                }
            }
            for root in moves.iter_mut().filter(|root| root.rank == -INFINITE) {
                root.rank = root.previous;
            }
            moves[..top].sort_by_key(|root| -root.score);
            finished = depth as u32;
            self.budget
                .on_info(|| SearchResult::tell(&moves, self.nodes, finished));
            doubt = if moves[0].m == last[0].m {
                (doubt * 0.85).max(0.55)
            } else {
                1.5
            };
            if depth > 1 && moves[0].score + 40 < last[0].score {
                doubt = (doubt * 1.3).min(1.8);
            }
            if self.is_settled(&moves, depth) || !self.limits.go_on(self.budget, doubt) {
                break;
            }
        }
        moves.truncate(top);
        (moves, finished)
    }

    fn is_settled(&self, moves: &[RootMove], depth: i32) -> bool {
        let decided = plies_to_end(moves[0].score).is_some_and(|plies| depth > plies as i32 + 6);
        let forced = moves.len() == 1 && self.limits.soft.is_some() && depth >= 8;
        decided || forced
    }

    /// One depth for the best of the given moves, in a window that widens until
    /// it contains the score.
    fn aspire(
        &mut self,
        position: &Position,
        carried: &E::Accumulator,
        moves: &mut [RootMove],
        depth: i32,
    ) {
        let guess = moves[0].previous;
        let mut delta = WINDOW;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= 4 && guess.abs() < DECIDED {
            (alpha, beta) = (guess - delta, guess + delta);
        }
        loop {
            let score = self.search_root(position, carried, moves, depth, alpha, beta);
            moves.sort_by_key(|root| -root.rank);
            if self.stopped {
                return;
            }
            if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (score - delta).max(-INFINITE);
            } else if score >= beta {
                beta = (score + delta).min(INFINITE);
            } else {
                return;
            }
            delta += delta / 2;
            if delta > 600 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
            for root in moves.iter_mut().skip(1) {
                root.rank = -INFINITE;
            }
        }
    }

    fn search_root(
        &mut self,
        position: &Position,
        carried: &E::Accumulator,
        moves: &mut [RootMove],
        depth: i32,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        self.frame(0).eval = None;
        let mut best = -INFINITE;
        for (i, root) in moves.iter_mut().enumerate() {
            root.rank = -INFINITE;
            let score = self.try_root(position, carried, root.m, depth, [alpha, beta], i);
            if self.stopped {
                break;
            }
            #[cfg(test)]
            super::laws::note(depth, root.m, [alpha, score], self.lines.pv(1));
            best = best.max(score);
            if i == 0 || score > alpha {
                root.rank = score;
            }
            if score <= alpha {
                root.limit(score);
                continue;
            }
            root.prove(score, self.lines.pv(1));
            alpha = score;
            if score >= beta {
                break;
            }
        }
        best
    }

    fn try_root(
        &mut self,
        position: &Position,
        carried: &E::Accumulator,
        m: Move,
        depth: i32,
        [alpha, beta]: [i32; 2],
        tried: usize,
    ) -> i32 {
        let role = position.mover(m);
        self.frame(0).arrival = arrival(position, role, m.to());
        self.lines.clear(1);
        let aim = CheckInfo::new(position, position.in_check());
        let Some(step) = self.play(position, carried, m, role, &aim) else {
            return loses_at(2);
        };
        let (next, carried, check) = (step.position, &step.carried, step.check);
        self.path.push(next.hash());
        let below = |depth, cut| Node::below(&next, carried, depth, 1, check, cut);
        let mut score = alpha + 1;
        if tried > 0 {
            let late = tried >= 4 && depth >= 3 && !check && position.captured(m).is_none();
            let place = tried.min(63);
            let less = if late {
                i32::from(self.reductions[depth.min(63) as usize][place]) / 2
            } else {
                0
            };
            score = -self.node::<false>(below(depth - 1 - less, true), -alpha - 1, -alpha);
            if score > alpha && less > 0 {
                score = -self.node::<false>(below(depth - 1, true), -alpha - 1, -alpha);
            }
        }
        if score > alpha && !self.stopped {
            score = -self.node::<true>(below(depth - 1, false), -beta, -alpha);
        }
        self.path.pop();
        score
    }
}
