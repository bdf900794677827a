//! Fog-of-war chess: king capture, and a view for each side after every ply.

use shakmaty::Role;

use super::king_taken;
use crate::{
    fog_rules::FogRules,
    moves::Move,
    outcome::{Outcome, Termination},
    position::Position,
};

#[inline]
pub(super) fn play(position: &mut Position, m: Move, rules: FogRules) -> Option<Role> {
    let taken = position.shift_pieces(m, rules.passing());
    position.flip_turn();
    taken
}

pub(super) fn outcome(position: &Position, rules: FogRules) -> Option<Outcome> {
    if let Some(outcome) = king_taken(position) {
        return Some(outcome);
    }
    let bare = !position
        .board()
        .occupied()
        .without_first()
        .without_first()
        .any();
    if rules.bare_kings_are_draw() && bare {
        return Some(Outcome::draw(Termination::BareKings));
    }
    (position.count_king_capture_moves() == 0).then(|| {
        if rules.no_moves_is_draw() {
            Outcome::draw(Termination::NoMoves)
        } else {
            Outcome::win(!position.turn(), Termination::NoMoves)
        }
    })
}
