//! Plain chess by the rules of FIDE.

use shakmaty::Role;

use crate::{
    moves::Move,
    outcome::{Outcome, Termination},
    position::{EnPassantRule, Position},
};

#[inline]
pub(super) fn play(position: &mut Position, m: Move) -> Option<Role> {
    let taken = position.shift_pieces(m, EnPassantRule::NextMove);
    position.flip_turn();
    position.clear_illegal_ep();
    taken
}

pub(super) fn outcome(position: &Position) -> Option<Outcome> {
    if position.legal_moves().is_empty() {
        return Some(if position.in_check() {
            Outcome::win(!position.turn(), Termination::Checkmate)
        } else {
            Outcome::draw(Termination::Stalemate)
        });
    }
    position
        .insufficient_material()
        .then_some(Outcome::draw(Termination::InsufficientMaterial))
}
