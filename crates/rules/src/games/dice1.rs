//! Dice chess with one die (the Maastricht paper): the roll selects the piece
//! type that moves. Where the paper is silent, these are house rules: castling
//! counts as a king's move, en passant as a pawn's, and a king's roll promotes
//! nothing.

use shakmaty::{Role, attacks};

use crate::{
    dice::Dice,
    movegen::{RoleSet, generate},
    moves::{Move, MoveList},
    outcome::{Outcome, Termination},
    position::{EnPassantRule, Position},
};

/// The king-capture moves of the rolled piece type, and promotions to it.
pub(super) fn moves(position: &Position, dice: Dice) -> MoveList {
    let Some(rolled) = dice.roles().next() else {
        return MoveList::new();
    };
    let mut moves = position.king_capture_moves(RoleSet::one(rolled));
    if !matches!(rolled, Role::Pawn | Role::King) && position.both_kings() {
        let mut pawns = MoveList::new();
        generate(position, RoleSet::one(Role::Pawn), &mut pawns);
        moves.extend(pawns.into_iter().filter(|m| m.promotion() == Some(rolled)));
    }
    moves
}

/// Every piece type that has a move is equally likely.
pub(super) fn chance_outcomes(position: &Position) -> Vec<(Dice, f64)> {
    if !position.dice().is_none() {
        return Vec::new();
    }
    let rolls: Vec<Dice> = Role::ALL
        .into_iter()
        .map(Dice::one)
        .filter(|&dice| !moves(position, dice).is_empty())
        .collect();
    let share = 1.0 / rolls.len() as f64;
    rolls.into_iter().map(|dice| (dice, share)).collect()
}

#[inline]
pub(super) fn play(position: &mut Position, m: Move) -> Option<Role> {
    let taken = position.shift_pieces(m, EnPassantRule::NextMove);
    position.set_dice(Dice::NONE);
    position.flip_turn();
    apply_forced_pass(position);
    taken
}

/// Passes for a side that cannot move with any roll; if neither side can, the
/// position stays as it is and the game is over.
pub(super) fn apply_forced_pass(position: &mut Position) {
    if position.dice().is_none() && position.both_kings() && stuck(position) {
        let mut passed = *position;
        passed.set_ep_squares(shakmaty::Bitboard::EMPTY);
        passed.count_pass();
        passed.flip_turn();
        if !stuck(&passed) {
            *position = passed;
        }
    }
}

/// Whether the side to move cannot move with any roll. A step of the king usually
/// settles it without counting moves.
fn stuck(position: &Position) -> bool {
    let (board, side) = (position.board(), position.turn());
    let free = position.size().mask() & !board.side(side);
    let steps = |king| (attacks::king_attacks(king) & free).any();
    let step = position.both_kings() && board.king(side).is_some_and(steps);
    !step && position.count_king_capture_moves() == 0
}

/// A draw when no roll lets either side move.
pub(super) fn outcome(position: &Position) -> Option<Outcome> {
    stuck(position).then_some(Outcome::draw(Termination::NoMoves))
}
