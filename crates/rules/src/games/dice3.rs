//! Dice chess with three dice, as it is played online: up to three single
//! moves a turn, each spending a die of its kind, as many as possible.

use shakmaty::Role;

use crate::{
    dice::Dice,
    movegen::{RoleSet, generate},
    moves::{Move, MoveKind, MoveList},
    position::{EnPassantRule, Position},
};

/// All 56 rolls, whether or not they can be used.
pub(super) fn chance_outcomes(position: &Position) -> Vec<(Dice, f64)> {
    if !position.dice().is_none() || !position.both_kings() {
        return Vec::new();
    }
    Dice::rolls(3)
        .into_iter()
        .map(|(dice, ways)| (dice, f64::from(ways) / 216.0))
        .collect()
}

/// The dice left after a move of this kind, if they allow it. Castling needs
/// the king's die and the rook's.
fn spend(dice: Dice, m: Move, role: Role) -> Option<Dice> {
    match m.kind() {
        MoveKind::Castle => dice.spend(Role::King)?.spend(Role::Rook),
        _ => dice.spend(role),
    }
}

/// The single moves that the dice allow, whatever becomes of the other dice.
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

/// The position after a single move, the turn still running.
fn after(position: &Position, m: Move) -> Position {
    let mut next = *position;
    let role = position.mover(m);
    next.shift_pieces(m, EnPassantRule::WholeTurn);
    next.set_dice(spend(position.dice(), m, role).expect("the dice allow the move"));
    next
}

/// Can at least `goal` dice still be used? Taking the king ends the turn, so
/// its die is the last that counts.
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

/// The most dice that can still be used, over all orders.
fn most_usable(position: &Position) -> usize {
    (1..=position.dice().total())
        .rev()
        .find(|&goal| can_use(position, goal))
        .unwrap_or(0)
}

/// The moves that still let as many dice be used as possible, and every
/// capture of the king.
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

/// A roll that cannot be used at all is a pass: one quiet ply.
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
