//! Algorithms 1 (alpha-beta) and 2 (quiescence) of the thesis. A cutoff returns
//! beta: the alpha that algorithm 1 prints there would make every refuted move a
//! winning one.

use foglight_rules::{Move, Observation, Position};

use super::{Carry, ThesisSettings, generator::place, sense::Sense};
use foglight_play::Budget;

/// Maximum depth of quiescence. The thesis has no limit; this one is deeper than
/// any capture sequence that changes a choice.
const MAX_CAPTURES: u32 = 32;

/// State of a running search.
pub(super) struct Search<'a> {
    sense: &'a Sense,
    settings: &'a ThesisSettings,
    budget: &'a Budget,
    /// Depth of the running iteration.
    depth: u32,
    nodes: u64,
    stopped: bool,
    /// Principal variation from the root.
    line: Vec<Move>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        sense: &'a Sense,
        settings: &'a ThesisSettings,
        budget: &'a Budget,
    ) -> Search<'a> {
        Search {
            sense,
            settings,
            budget,
            depth: settings.depth,
            nodes: 0,
            stopped: false,
            line: Vec::new(),
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Principal variation of the last search.
    pub(super) fn line(&self) -> &[Move] {
        &self.line
    }

    /// The root moves that raised alpha, the best last, and the depth at which
    /// they did. With `deepen` an iteration that was stopped counts only if it is
    /// the first.
    pub(super) fn run(&mut self, observation: &Observation) -> (u32, Vec<(Move, f64)>) {
        if self.settings.deepen {
            self.depth = 1;
        }
        let mut raised = self.iteration(observation);
        let mut reached = self.depth;
        while self.depth < self.settings.depth && !self.stopped {
            let line = self.line.clone();
            self.depth += 1;
            let next = self.iteration(observation);
            if self.stopped {
                self.line = line;
                break;
            }
            (reached, raised) = (self.depth, next);
        }
        (reached, raised)
    }

    /// The root moves that raised alpha at one depth. A move whose search was
    /// stopped is dropped, except that the first move gets its static score.
    fn iteration(&mut self, observation: &Observation) -> Vec<(Move, f64)> {
        let root = self.sense.root;
        let mut raised = Vec::new();
        let mut alpha = f64::NEG_INFINITY;
        for m in self.ordered(&root, observation.legal_moves().to_vec()) {
            let next = self.after(&root, m);
            let carried = self.carried(&next);
            let mut line = Vec::new();
            let mut below =
                self.alpha_beta(&next, f64::NEG_INFINITY, -alpha - carried, 1, &mut line);
            if self.stopped && !raised.is_empty() {
                break;
            }
            if self.stopped {
                line.clear();
                below = self.sense.evaluate(&next) - self.risk_at_limit(&next);
            }
            let score = -below - carried;
            if score > alpha {
                alpha = score;
                raised.push((m, score));
                extend(&mut self.line, m, &line);
            }
        }
        raised
    }

    /// Orders moves by origin square from a8 to h1, with `ordering` captures
    /// first.
    pub(super) fn ordered(&self, position: &Position, mut moves: Vec<Move>) -> Vec<Move> {
        if self.settings.by_offset {
            moves.sort_by_cached_key(|m| place(position.board(), m));
        } else {
            moves.sort_by_key(|m| (7 - m.from().rank() as u32, m.from().file() as u32));
        }
        if self.settings.ordering {
            moves.sort_by_key(|m| position.captured(*m).is_none());
        }
        moves
    }

    fn after(&mut self, position: &Position, m: Move) -> Position {
        let mut next = *position;
        self.sense.game.play_unchecked(&mut next, m);
        self.nodes += 1;
        if self.nodes & 255 == 0 {
            self.stopped |= self.budget.out_of_time() || !self.budget.allows(self.nodes);
        }
        next
    }

    /// Risk charged after an own move with option `carry`, else zero.
    fn carried(&self, next: &Position) -> f64 {
        if next.turn() == self.sense.side || self.settings.risk == 0.0 {
            return 0.0;
        }
        self.settings.risk
            * match self.settings.carry {
                Carry::Off => 0.0,
                Carry::All => self.sense.risk(next),
                Carry::One => self.sense.highest_risk(next),
            }
    }

    fn alpha_beta(
        &mut self,
        position: &Position,
        mut alpha: f64,
        beta: f64,
        depth: u32,
        line: &mut Vec<Move>,
    ) -> f64 {
        if depth >= self.depth || !position.both_kings() || self.stopped {
            let score = self.quiesce(position, alpha, beta, 0, line);
            return score - self.risk_at_limit(position);
        }
        let moves = self.sense.moves(position);
        let moves = self.ordered(position, moves);
        let enemy = position.turn() != self.sense.side;
        let mut below = Vec::new();
        let passed = || after_null_move(self.sense, position);
        if moves.is_empty() {
            return -self.alpha_beta(&passed(), -beta, -alpha, depth + 1, line);
        }
        if enemy && self.settings.may_pass {
            let score = -self.alpha_beta(&passed(), -beta, -alpha, depth + 1, &mut below);
            if score >= beta {
                return beta;
            }
            alpha = alpha.max(score);
        }
        for m in moves {
            let next = self.after(position, m);
            let carried = self.carried(&next);
            below.clear();
            // The window of the child excludes the risk charged to this move.
            let (low, high) = (-beta - carried, -alpha - carried);
            let score = -self.alpha_beta(&next, low, high, depth + 1, &mut below) - carried;
            if score >= beta {
                return beta;
            }
            if score > alpha {
                alpha = score;
                extend(line, m, &below);
            }
        }
        alpha
    }

    /// The risk of the agent's pieces, from the view of the side to move. At the
    /// even depths of the thesis that side is the agent.
    fn risk_at_limit(&self, position: &Position) -> f64 {
        if self.settings.carry != Carry::Off || self.settings.risk == 0.0 {
            return 0.0;
        }
        let risk = self.settings.risk * self.sense.risk(position);
        if position.turn() == self.sense.side {
            risk
        } else {
            -risk
        }
    }

    fn quiesce(
        &mut self,
        position: &Position,
        mut alpha: f64,
        beta: f64,
        taken: u32,
        line: &mut Vec<Move>,
    ) -> f64 {
        let stand = self.sense.evaluate(position);
        if stand >= beta {
            return beta;
        }
        alpha = alpha.max(stand);
        if taken == MAX_CAPTURES || self.stopped {
            return alpha;
        }
        let moves = self.sense.moves(position).into_iter();
        let noisy = moves
            .filter(|m| position.captured(*m).is_some() || m.promotion().is_some())
            .collect();
        for m in self.ordered(position, noisy) {
            let next = self.after(position, m);
            let mut below = Vec::new();
            let score = -self.quiesce(&next, -beta, -alpha, taken + 1, &mut below);
            if score >= beta {
                return beta;
            }
            if score > alpha {
                alpha = score;
                extend(line, m, &below);
            }
        }
        alpha
    }
}

/// Replaces a principal variation by a move and the variation below it.
fn extend(line: &mut Vec<Move>, m: Move, below: &[Move]) {
    line.clear();
    line.push(m);
    line.extend_from_slice(below);
}

/// The same position with the other side to move.
fn after_null_move(sense: &Sense, position: &Position) -> Position {
    let mut parts = position.setup();
    parts.turn = !parts.turn;
    parts.ep_squares = foglight_rules::Bitboard::EMPTY;
    sense
        .game
        .position(parts)
        .expect("a turn given away leaves a position")
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{QUIET, seen, sense_by},
        *,
    };

    #[test]
    fn a_first_move_that_was_stopped_has_its_static_score_and_no_line() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let settings = ThesisSettings { depth: 8, ..QUIET };
        let sense = sense_by(fen, &settings);
        let budget = Budget::nodes(1_000);
        let mut search = Search::new(&sense, &settings, &budget);
        let (_, raised) = search.run(&seen(fen));
        let &[(m, score)] = &raised[..] else {
            panic!("expected one move, stopped: {raised:?}");
        };
        let next = search.after(&sense.root, m);
        assert_eq!(score, -sense.evaluate(&next));
        assert_eq!(search.line(), [m]);
    }

    /// Cut short, deepening has the moves and the line of the last whole depth.
    #[test]
    fn deepening_keeps_the_last_whole_iteration() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let run = |depth: u32, deepen: bool, budget: &Budget| {
            let settings = ThesisSettings {
                depth,
                deepen,
                ..QUIET
            };
            let sense = sense_by(fen, &settings);
            let mut search = Search::new(&sense, &settings, budget);
            let found = search.run(&seen(fen));
            ((found, search.line().to_vec()), search.nodes())
        };
        let (whole, _) = run(2, false, &Budget::default());
        let (deepened, nodes) = run(2, true, &Budget::default());
        assert_eq!(deepened, whole);
        // The third iteration is cut short.
        assert_eq!(run(8, true, &Budget::nodes(nodes + 300)).0, whole);
    }
}
