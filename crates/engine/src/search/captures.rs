//! A small search of captures over any evaluator, for leaves by the thousand.

use foglight_rules::{Game, Move, MoveList, Position, Role};

use super::alphabeta::{
    generate::noisy_moves,
    see::{gains, see_value},
};
use crate::eval::Evaluator;

/// A king that is lost, in centipawns.
const LOST: i32 = 10_000;
/// Captures in a row that are looked at.
const CAPTURES: u32 = 4;
/// What a capture may gain beyond the piece taken, before it is not tried.
const MARGIN: i32 = 150;

/// The score of a position for the side to move.
pub(super) fn score<E: Evaluator>(leaf: &mut E, game: &Game, position: &Position) -> i32 {
    leaf.prepare(position);
    let carried = leaf.refresh(position);
    quiesce(leaf, game, position, &carried, (-LOST, LOST), CAPTURES)
}

/// The score of each move for its mover; the moves come with the positions
/// that they lead to and what they take.
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

/// The score once the captures that pay are played; a king that can be taken
/// is lost.
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
        if next.can_take_king() {
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
