//! Plain chess by the rules of FIDE.

use shakmaty::Role;

use crate::{
    moves::Move,
    outcome::{Outcome, Reason},
    position::{Passing, Position},
};

#[inline]
pub(super) fn play(position: &mut Position, m: Move) -> Option<Role> {
    let taken = position.shift_pieces(m, Passing::Usable);
    position.flip_turn();
    position.drop_illegal_passing();
    taken
}

pub(super) fn verdict(position: &Position) -> Option<Outcome> {
    if position.legal_moves().is_empty() {
        return Some(if position.in_check() {
            Outcome::win(!position.turn(), Reason::Checkmate)
        } else {
            Outcome::draw(Reason::Stalemate)
        });
    }
    position
        .insufficient_material()
        .then_some(Outcome::draw(Reason::InsufficientMaterial))
}
