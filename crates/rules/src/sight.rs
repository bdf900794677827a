//! Visible squares: the hot path of all fog code.

use shakmaty::{Bitboard, Color, Rank, Role, attacks};

use crate::{
    fog_rules::FogRules,
    movegen::{forward, pawn_targets},
    moves::en_passant_pawn,
    position::Position,
};

/// The squares visible to `side`: those of its own pieces and those that one of
/// them could move to, regardless of the turn.
///
/// Castling squares need no code: the castling rook sees them all.
#[inline]
pub fn visible_squares(position: &Position, side: Color, rules: FogRules) -> Bitboard {
    let board = position.board();
    let own = board.side(side);
    let occupied = board.occupied();
    let mut seen = own | pawn_sight(position, side, rules);
    for from in own & board.role(Role::Knight) {
        seen |= attacks::knight_attacks(from);
    }
    for from in own & board.role(Role::King) {
        seen |= attacks::king_attacks(from);
    }
    let queens = board.role(Role::Queen);
    for from in own & (board.role(Role::Bishop) | queens) {
        seen |= attacks::bishop_attacks(from, occupied);
    }
    for from in own & (board.role(Role::Rook) | queens) {
        seen |= attacks::rook_attacks(from, occupied);
    }
    seen & position.size().mask()
}

#[inline]
fn pawn_sight(position: &Position, side: Color, rules: FogRules) -> Bitboard {
    let targets = pawn_targets(position, side);
    let enemy = position.board().side(!side);
    let mut seen = targets.single | targets.double | ((targets.west | targets.east) & enemy);
    if rules.blocked_pawn_sees_blocker() {
        seen |= squares_before_pawns(position, side, targets.single);
    }
    if position.turn() == side && position.ep_squares().any() {
        seen |= passing_sight(position, side, rules);
    }
    seen
}

/// The square in front of each pawn even if blocked, and from the start rank the
/// second square if the first is empty.
fn squares_before_pawns(position: &Position, side: Color, steps: Bitboard) -> Bitboard {
    let ahead = forward(side);
    let first = position.board().pieces(side, Role::Pawn).shift(ahead);
    let third = Bitboard::from_rank(side.relative_rank(Rank::Third));
    let second = if position.size().is_full() {
        (steps & third).shift(ahead)
    } else {
        Bitboard::EMPTY
    };
    first | second
}

/// The en passant square and, in most rule sets, the pawn that can be captured.
fn passing_sight(position: &Position, side: Color, rules: FogRules) -> Bitboard {
    if !rules.has_en_passant() || position.ep_capturers(side).is_empty() {
        return Bitboard::EMPTY;
    }
    let mut seen = position.ep_targets(side);
    if rules.en_passant_pawn_is_visible() {
        for square in seen {
            seen.add(en_passant_pawn(square));
        }
    }
    seen
}
