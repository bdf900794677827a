//! A node of the tree: principal variation search with reductions.

use foglight_rules::{Move, MoveList, Position, Variant};

use super::{
    check_info::CheckInfo,
    correction::CorrectionHistory,
    histories::arrival,
    ordering::{self, Choice, Hints, MovePicker},
    pruning::mate_distance,
    run::SearchThread,
    see,
    table::{Bound, TtEntry},
    value::{DECIDED, INFINITE, MAX_PLY, loses_at},
};
use crate::eval::Evaluator;

/// A node and its properties that do not depend on its moves.
pub(super) struct Node<'p, C> {
    pub(super) position: &'p Position,
    pub(super) carried: &'p C,
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) check: bool,
    /// Whether a cut-off is expected.
    pub(super) cut: bool,
    /// Static score, corrected and adjusted by the table; set in the node.
    pub(super) eval: i32,
    /// Static score as the evaluator gives it; set in the node.
    plain: i32,
    /// Whether the static score is better than two plies ago; set in the node.
    pub(super) improving: bool,
}

impl<'p, C> Node<'p, C> {
    pub(super) fn below(
        position: &'p Position,
        carried: &'p C,
        depth: i32,
        ply: usize,
        check: bool,
        cut: bool,
    ) -> Node<'p, C> {
        Node {
            position,
            carried,
            depth,
            ply,
            check,
            cut,
            eval: 0,
            plain: 0,
            improving: false,
        }
    }
}

/// The moves of a node tried so far and their results.
struct Progress {
    alpha: i32,
    best: i32,
    chosen: Option<Move>,
    tried: MoveList,
}

impl<E: Evaluator, const TAKE: bool> SearchThread<'_, E, TAKE> {
    /// The score of a node between alpha and beta. `PV`: the window is open.
    pub(super) fn node<const PV: bool>(
        &mut self,
        mut node: Node<E::Accumulator>,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let (position, ply) = (node.position, node.ply);
        if PV {
            self.lines.clear(ply);
        }
        if node.depth <= 0 {
            return self.quiesce(position, node.carried, alpha, beta, ply, node.check);
        }
        if self.stopped || self.is_drawn(position) || self.is_stale(position, node.check) {
            return 0;
        }
        if ply >= MAX_PLY {
            return self.leaf.evaluate(position, node.carried);
        }
        let (alpha, beta) = mate_distance(alpha, beta, ply);
        if alpha >= beta {
            return alpha;
        }
        let excluded = self.frame(ply).excluded;
        let key = self.key(position);
        let known = if excluded.is_some() {
            None
        } else {
            self.table.get(key, ply)
        };
        if !PV
            && let Some(known) = known.filter(|known| known.depth >= node.depth)
            && position.halfmoves() < 90
            && answers(&known, alpha, beta)
        {
            return known.score;
        }
        self.static_score(&mut node, known);
        if !PV
            && !node.check
            && excluded.is_none()
            && let Some(score) = self.prune_node(&node, alpha, beta)
        {
            return score;
        }
        if self.stopped {
            return 0;
        }
        if node.depth >= 4 && excluded.is_none() && known.is_none_or(|known| known.best.is_none()) {
            node.depth -= 1; // internal iterative reduction: no table move
        }
        self.moves_of::<PV>(&node, alpha, beta, known, excluded)
    }

    /// Computes the static score of the node and adjusts it by the table entry.
    fn static_score(&mut self, node: &mut Node<E::Accumulator>, known: Option<TtEntry>) {
        if node.check {
            self.frame(node.ply).eval = None;
            return;
        }
        let plain = match known {
            Some(known) => known.eval,
            None => self.leaf.evaluate(node.position, node.carried),
        };
        let place = CorrectionHistory::place(node.position);
        let eval = self.corrections.correct(plain, place);
        self.frame(node.ply).eval = Some(eval);
        let earlier = self.frames[node.ply + super::run::BACK - 2].eval;
        node.improving = earlier.is_some_and(|earlier| eval > earlier);
        node.plain = plain;
        node.eval = match known {
            Some(known) if known.score.abs() < DECIDED && sharper(&known, eval) => known.score,
            _ => eval,
        };
    }

    fn moves_of<const PV: bool>(
        &mut self,
        node: &Node<E::Accumulator>,
        alpha: i32,
        beta: i32,
        known: Option<TtEntry>,
        excluded: Option<Move>,
    ) -> i32 {
        let (position, ply) = (node.position, node.ply);
        let mut picker = self.picker(node, known.and_then(|known| known.best));
        let aim = CheckInfo::new(position, node.check);
        let mut progress = Progress {
            alpha,
            best: -INFINITE,
            chosen: None,
            tried: MoveList::new(),
        };
        while let Some(choice) = picker.next(position, self.memory) {
            let m = choice.m;
            if Some(m) == excluded {
                continue;
            }
            let tried = progress.tried.len() as i32;
            let safe = progress.best > -DECIDED;
            if safe && tried > 0 && self.skips(node, &aim, choice, tried, progress.alpha) {
                continue;
            }
            let deeper = match self.extension(node, m, known, excluded, beta) {
                Ok(deeper) => deeper,
                Err(score) => return score,
            };
            if self.stopped {
                return 0;
            }
            let score = self.try_move::<PV>(node, choice, &aim, &progress, beta, deeper);
            if self.stopped {
                return 0;
            }
            let Some(score) = score else {
                continue;
            };
            progress.tried.push(m);
            if self.takes::<PV>(node, choice, score, &mut progress, beta) {
                break;
            }
        }
        if progress.best == -INFINITE {
            if excluded.is_some() {
                return alpha;
            }
            return self.stuck(position, ply, node.check);
        }
        if excluded.is_none() {
            self.remember(node, alpha, beta, &progress);
        }
        progress.best
    }

    #[inline(always)]
    fn picker(&mut self, node: &Node<E::Accumulator>, hash: Option<Move>) -> MovePicker {
        let hints = Hints {
            hash,
            killers: self.frame(node.ply).killers,
            before: self.before(node.ply),
        };
        self.frames[node.ply + super::run::BACK + 1].killers = [None; 2];
        if node.check {
            MovePicker::listed(
                node.position,
                &self.moves(node.position),
                self.memory,
                hints,
            )
        } else {
            MovePicker::staged(hints)
        }
    }

    fn extension(
        &mut self,
        node: &Node<E::Accumulator>,
        m: Move,
        known: Option<TtEntry>,
        excluded: Option<Move>,
        beta: i32,
    ) -> Result<i32, i32> {
        let Some(known) = known.filter(|known| known.best == Some(m)) else {
            return Ok(0);
        };
        let test = node.depth >= 7
            && excluded.is_none()
            && known.depth >= node.depth - 3
            && matches!(known.bound, Bound::Lower | Bound::Exact)
            && known.score.abs() < DECIDED
            && (node.ply as i32) < 2 * self.root_depth;
        if test {
            self.singular(node, m, known.score, beta)
        } else {
            Ok(0)
        }
    }

    /// Plays one move and searches it with a null window before the full one.
    /// Returns `None` if the move is not legal.
    fn try_move<const PV: bool>(
        &mut self,
        node: &Node<E::Accumulator>,
        choice: Choice,
        aim: &CheckInfo,
        progress: &Progress,
        beta: i32,
        deeper: i32,
    ) -> Option<i32> {
        let (position, ply) = (node.position, node.ply);
        let (alpha, m) = (progress.alpha, choice.m);
        if PV {
            self.lines.clear(ply + 1); // else a sibling's line could follow this move
        }
        let role = position.mover(m);
        self.frame(ply).arrival = arrival(position, role, m.to());
        let Some(step) = self.play(position, node.carried, m, role, aim) else {
            return TAKE.then_some(loses_at(ply + 2));
        };
        let (next, carried, check) = (&step.position, &step.carried, step.check);
        self.path.push(next.hash());
        let mut depth = node.depth - 1 + deeper;
        if deeper == 0
            && check
            && (ply as i32) < 2 * self.root_depth
            && (node.depth <= 8 || PV)
            && !ordering::is_bad(choice.order)
            && see::gains(position, m, 0)
        {
            depth += 1;
        }
        let below = |depth, cut| Node::below(next, carried, depth, ply + 1, check, cut);
        let tried = progress.tried.len() as i32;
        let mut score = -INFINITE;
        let mut open = PV && tried == 0;
        if !open {
            let reduced = depth - self.late_reduction::<PV>(node, choice, tried, check);
            let reduced = reduced.clamp(depth.min(1), depth);
            score = -self.node::<false>(
                below(reduced, reduced < depth || !node.cut),
                -alpha - 1,
                -alpha,
            );
            if score > alpha && reduced < depth {
                score = -self.node::<false>(below(depth, !node.cut), -alpha - 1, -alpha);
            }
            open = PV && score > alpha && score < beta;
        }
        if open && !self.stopped {
            score = -self.node::<true>(below(depth, false), -beta, -alpha);
        }
        self.path.pop();
        Some(score)
    }

    fn late_reduction<const PV: bool>(
        &self,
        node: &Node<E::Accumulator>,
        Choice { order, quiet, .. }: Choice,
        tried: i32,
        check: bool,
    ) -> i32 {
        if node.depth < 3 || tried < 2 + i32::from(PV) || !(quiet || ordering::is_bad(order)) {
            return 0;
        }
        let mut less = self.reduction(node, tried);
        less += i32::from(!PV) + i32::from(node.cut) - i32::from(check) - i32::from(node.check);
        less -= i32::from(node.improving);
        if !quiet {
            return less - 1;
        }
        if ordering::is_special(order) {
            return less - 2;
        }
        less - (order / 8192).clamp(-2, 2)
    }

    /// Records a move's score; true if the node is cut off.
    fn takes<const PV: bool>(
        &mut self,
        node: &Node<E::Accumulator>,
        Choice { m, quiet, .. }: Choice,
        score: i32,
        progress: &mut Progress,
        beta: i32,
    ) -> bool {
        if score <= progress.best {
            return false;
        }
        progress.best = score;
        if score <= progress.alpha {
            return false;
        }
        progress.alpha = score;
        progress.chosen = Some(m);
        if PV {
            self.lines.extend(node.ply, m);
        }
        if score < beta {
            return false;
        }
        let before = self.before(node.ply);
        self.memory
            .reward(node.position, m, &progress.tried, before, node.depth);
        if quiet {
            let killers = &mut self.frame(node.ply).killers;
            if killers[0] != Some(m) {
                *killers = [Some(m), killers[0]];
            }
        }
        true
    }

    fn remember(
        &mut self,
        node: &Node<E::Accumulator>,
        alpha: i32,
        beta: i32,
        progress: &Progress,
    ) {
        let bound = match progress.best {
            score if score >= beta => Bound::Lower,
            score if score > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let known = TtEntry {
            best: progress.chosen,
            score: progress.best,
            eval: node.plain,
            depth: node.depth,
            bound,
        };
        self.learn_error(node, &known);
        self.table.put(self.key(node.position), node.ply, known);
    }

    /// Updates the correction history, if no capture explains the difference
    /// between search and static score.
    fn learn_error(&mut self, node: &Node<E::Accumulator>, known: &TtEntry) {
        let Some(eval) = self.frame(node.ply).eval else {
            return;
        };
        let noisy = |m| !ordering::is_quiet(node.position, m);
        let tells = match known.bound {
            Bound::Lower => known.score > eval,
            Bound::Upper => known.score < eval,
            _ => true,
        };
        if tells && known.score.abs() < DECIDED && !known.best.is_some_and(noisy) {
            let place = CorrectionHistory::place(node.position);
            self.corrections
                .learn(place, node.depth, known.score - eval);
        }
    }

    /// The score of a side without a legal move.
    pub(super) fn stuck(&self, position: &Position, ply: usize, check: bool) -> i32 {
        let lost = match self.game.variant() {
            Variant::Chess => check,
            Variant::Fog(rules) => !rules.no_moves_is_draw() || !position.both_kings(),
            Variant::Dice1 | Variant::Dice3 => true,
        };
        if lost { loses_at(ply) } else { 0 }
    }
}

fn answers(known: &TtEntry, alpha: i32, beta: i32) -> bool {
    match known.bound {
        Bound::Exact => true,
        Bound::Lower => known.score >= beta,
        Bound::Upper => known.score <= alpha,
        Bound::None => false,
    }
}

fn sharper(known: &TtEntry, plain: i32) -> bool {
    match known.bound {
        Bound::Exact => true,
        Bound::Lower => known.score > plain,
        Bound::Upper => known.score < plain,
        Bound::None => false,
    }
}
