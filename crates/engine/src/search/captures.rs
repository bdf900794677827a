//! A small capture search over any evaluator, fast enough for thousands of
//! leaves.

use foglight_rules::{Game, Move, MoveList, Position, Role};

use super::alphabeta::{
    generate::noisy_moves,
    see::{gains, see_value},
};
use crate::eval::Evaluator;

/// The score of a lost king, in centipawns.
const LOST: i32 = 10_000;
/// Maximum captures in a row.
const CAPTURES: u32 = 4;
/// Gain expected of a capture beyond the captured piece, for delta pruning.
const MARGIN: i32 = 150;

/// The score of a position for the side to move.
pub(super) fn score<E: Evaluator>(leaf: &mut E, game: &Game, position: &Position) -> i32 {
    leaf.prepare(position);
    let carried = leaf.refresh(position);
    quiesce(leaf, game, position, &carried, (-LOST, LOST), CAPTURES)
}

/// The score of each move for its mover; the moves come with the positions
/// after them and the captured pieces.
pub(super) fn scores<E: Evaluator>(
    leaf: &mut E,
    game: &Game,
    position: &Position,
    moves: &[(Move, Position, Option<Role>)],
) -> Vec<i32> {
    leaf.prepare(position);
    let carried = leaf.refresh(position);
    moves
        .iter()
        .map(|(m, next, taken)| {
            let carried = leaf.update(&carried, position, *m, *taken);
            -quiesce(leaf, game, next, &carried, (-LOST, LOST), CAPTURES)
        })
        .collect()
}

/// The score after the profitable captures; a king that can be captured is
/// lost.
fn quiesce<E: Evaluator>(
    leaf: &mut E,
    game: &Game,
    position: &Position,
    carried: &E::Accumulator,
    (mut alpha, beta): (i32, i32),
    left: u32,
) -> i32 {
    let mut best = leaf.evaluate(position, carried);
    if best >= beta || left == 0 {
        return best;
    }
    alpha = alpha.max(best);
    let eval = best;
    let mut captures = MoveList::new();
    noisy_moves(position, |_, m| captures.push(m));
    captures.sort_unstable_by_key(|m| {
        let taken = position.captured(*m).map_or(0, see_value);
        see_value(position.mover(*m)).min(1000) - 16 * taken
    });
    for m in captures {
        let taken = position.captured(m).map_or(0, see_value);
        let promoted = m.promotion().is_some();
        if !promoted {
            if eval + taken + MARGIN <= alpha {
                continue;
            }
            let taker = see_value(position.mover(m));
            if taken < taker && !gains(position, m, 0) {
                continue;
            }
        }
        let mut next = *position;
        let taken = game.play_unchecked(&mut next, m);
        if next.can_capture_king() {
            continue;
        }
        let carried = leaf.update(carried, position, m, taken);
        let score = -quiesce(leaf, game, &next, &carried, (-beta, -alpha), left - 1);
        if score > best {
            best = score;
            alpha = alpha.max(score);
            if score >= beta {
                break;
            }
        }
    }
    best
}
