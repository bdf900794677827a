//! Pruning, reductions and extensions, one function each.

use foglight_rules::{Move, Position, Role};

use super::{
    check_info::CheckInfo,
    histories::NOBODY,
    node::Node,
    ordering::{self, Choice},
    run::SearchThread,
    see,
    value::{DECIDED, wins_at},
};
use crate::eval::Evaluator;

impl<E: Evaluator, const TAKE: bool> SearchThread<'_, E, TAKE> {
    /// Scores of nodes that are pruned before any move is tried.
    pub(super) fn prune_node(
        &mut self,
        node: &Node<E::Accumulator>,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let eval = node.eval;
        let depth = node.depth;
        if beta.abs() >= DECIDED {
            return None;
        }
        let margin = 80 * depth - if node.improving { 70 } else { 0 };
        if depth <= 8 && eval - margin >= beta && eval < DECIDED {
            return Some((eval + beta) / 2);
        }
        if depth <= 3 && eval + 250 * depth * depth + 300 <= alpha {
            let score = self.quiesce(node.position, node.carried, alpha, beta, node.ply, false);
            if score <= alpha {
                return Some(score);
            }
        }
        self.null_move(node, beta)
    }

    /// Null-move pruning: if the side to move stands above beta even after
    /// passing, the node is cut.
    fn null_move(&mut self, node: &Node<E::Accumulator>, beta: i32) -> Option<i32> {
        let position = node.position;
        let passed_before = self.before(node.ply)[0] == NOBODY;
        let wants = node.depth >= 3
            && node.eval >= beta
            && node.eval + 20 * node.depth >= beta + 120
            && !passed_before
            && has_pieces(position);
        if !wants {
            return None;
        }
        let reduction = 3 + node.depth / 3 + ((node.eval - beta) / 200).min(3);
        let next = position.after_null_move();
        self.frame(node.ply).arrival = NOBODY;
        self.path.push(next.hash());
        self.count();
        let depth = node.depth - reduction;
        let score = -self.node::<false>(
            Node::below(&next, node.carried, depth, node.ply + 1, false, !node.cut),
            -beta,
            1 - beta,
        );
        self.path.pop();
        if self.stopped || score < beta {
            return None;
        }
        Some(if score >= DECIDED { beta } else { score })
    }

    /// Whether a move that is not the first may be skipped at this node.
    pub(super) fn skips(
        &self,
        node: &Node<E::Accumulator>,
        aim: &CheckInfo,
        Choice { m, order, quiet }: Choice,
        tried: i32,
        alpha: i32,
    ) -> bool {
        let position = node.position;
        let depth = node.depth;
        if quiet {
            if ordering::is_special(order) {
                return false;
            }
            if aim.hits(position.mover(m), m) {
                return depth <= 7 && !see::gains(position, m, -50 * depth);
            }
            let most = (4 + depth * depth) / if node.improving { 1 } else { 2 };
            if depth <= 8 && tried >= most {
                return true;
            }
            let left = (depth - self.reduction(node, tried)).max(0);
            if !node.check && left <= 7 && node.eval + 90 + 100 * left <= alpha {
                return true;
            }
            if depth <= 5 && order < -3600 * depth {
                return true;
            }
            return left <= 7 && !see::gains(position, m, -30 * left * left);
        }
        depth <= 7 && ordering::is_bad(order) && !see::gains(position, m, -90 * depth)
    }

    /// Depth reduction of late moves.
    #[inline]
    pub(super) fn reduction(&self, node: &Node<E::Accumulator>, tried: i32) -> i32 {
        let depth = node.depth.clamp(0, 63) as usize;
        i32::from(self.reductions[depth][tried.clamp(0, 63) as usize])
    }

    /// Singular extension: the depth change of the table's move, 1 if it is
    /// better than all others by a margin, -1 or 0 otherwise. `Err` is a score
    /// that cuts the node, as several moves reach beta.
    pub(super) fn singular(
        &mut self,
        node: &Node<E::Accumulator>,
        m: Move,
        score: i32,
        beta: i32,
    ) -> Result<i32, i32> {
        let target = score - 2 * node.depth;
        self.frame(node.ply).excluded = Some(m);
        let half = Node::below(
            node.position,
            node.carried,
            (node.depth - 1) / 2,
            node.ply,
            node.check,
            node.cut,
        );
        let others = self.node::<false>(half, target - 1, target);
        self.frame(node.ply).excluded = None;
        if others < target {
            return Ok(1);
        }
        if target >= beta && beta.abs() < DECIDED {
            return Err(target);
        }
        Ok(if score >= beta { -1 } else { 0 })
    }
}

/// Whether the mover has a rook, a queen or two pieces. With less, zugzwang is
/// likely.
fn has_pieces(position: &Position) -> bool {
    let board = position.board();
    let own = board.side(position.turn());
    let heavy = board.role(Role::Rook) | board.role(Role::Queen);
    let light = board.role(Role::Knight) | board.role(Role::Bishop);
    (own & heavy).any() || (own & light).more_than_one()
}

/// Mate-distance pruning: no line wins faster than at the next move, nor loses
/// faster than now.
pub(super) fn mate_distance(alpha: i32, beta: i32, ply: usize) -> (i32, i32) {
    (alpha.max(-wins_at(ply)), beta.min(wins_at(ply + 1)))
}
