//! Dice chess with three dice, as played online: up to three plies a turn, each
//! using a die of its piece type; as many dice as possible must be used.

use shakmaty::Role;

use crate::{
    dice::Dice,
    movegen::{RoleSet, generate},
    moves::{Move, MoveKind, MoveList},
    position::{EnPassantRule, Position},
};

/// All 56 rolls, usable or not.
pub(super) fn chance_outcomes(position: &Position) -> Vec<(Dice, f64)> {
    if !position.dice().is_none() || !position.both_kings() {
        return Vec::new();
    }
    Dice::rolls(3)
        .into_iter()
        .map(|(dice, ways)| (dice, f64::from(ways) / 216.0))
        .collect()
}

/// The dice left after a move of `role`, if they allow it. Castling needs a
/// king's and a rook's die.
fn spend(dice: Dice, m: Move, role: Role) -> Option<Dice> {
    match m.kind() {
        MoveKind::Castle => dice.spend(Role::King)?.spend(Role::Rook),
        _ => dice.spend(role),
    }
}

/// The moves that the dice allow, ignoring the maximum rule.
fn single_moves(position: &Position) -> MoveList {
    let mut moves = MoveList::new();
    if position.both_kings() {
        let dice = position.dice();
        let roles: RoleSet = dice.roles().collect();
        generate(position, roles, &mut moves);
        moves.retain(|m| m.kind() != MoveKind::Castle || dice.has(Role::Rook));
    }
    moves
}

/// The position after one ply, before the turn ends.
fn after(position: &Position, m: Move) -> Position {
    let mut next = *position;
    let role = position.mover(m);
    next.shift_pieces(m, EnPassantRule::WholeTurn);
    next.set_dice(spend(position.dice(), m, role).expect("the dice allow the move"));
    next
}

/// Whether at least `goal` more dice can be used. Capturing the king ends the
/// turn, so its die is the last that counts.
fn can_use(position: &Position, goal: usize) -> bool {
    if goal == 0 {
        return true;
    }
    if position.dice().total() < goal {
        return false;
    }
    single_moves(position).into_iter().any(|m| {
        let next = after(position, m);
        let used = position.dice().total() - next.dice().total();
        used >= goal || can_use(&next, goal - used)
    })
}

/// The maximum number of dice that can still be used, over all orders.
fn most_usable(position: &Position) -> usize {
    (1..=position.dice().total())
        .rev()
        .find(|&goal| can_use(position, goal))
        .unwrap_or(0)
}

/// The moves that preserve the maximum number of usable dice, and every capture
/// of the king.
pub(super) fn moves(position: &Position) -> MoveList {
    let mut moves = single_moves(position);
    let total = position.dice().total();
    if total > 1 {
        let goal = most_usable(position);
        moves.retain(|m| {
            let next = after(position, *m);
            let used = total - next.dice().total();
            position.captured(*m) == Some(Role::King) || can_use(&next, goal.saturating_sub(used))
        });
    }
    moves
}

#[inline]
pub(super) fn play(position: &mut Position, m: Move) -> Option<Role> {
    let taken = position.captured(m);
    *position = after(position, m);
    if taken == Some(Role::King) {
        position.end_long_turn();
    } else {
        end_turn_if_spent(position);
    }
    taken
}

/// An entirely unusable roll is a pass, which counts as a ply without capture or
/// pawn move.
pub(super) fn apply_forced_pass(position: &mut Position) {
    if position.both_kings() && single_moves(position).is_empty() {
        position.count_pass();
        position.end_long_turn();
    }
}

fn end_turn_if_spent(position: &mut Position) {
    if single_moves(position).is_empty() {
        position.end_long_turn();
    }
}
