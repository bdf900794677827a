//! The moves of the quiescence search: captures and promotions to a queen,
//! pseudo-legal.

use foglight_rules::{Bitboard, Color, Kind, Move, MoveList, Position, Role, Square, attacks};

fn push_pawn(moves: &mut MoveList, from: Square, to: Square, last: Bitboard) {
    let kind = if last.contains(to) {
        Kind::Promotion(Role::Queen)
    } else {
        Kind::Normal
    };
    moves.push(Move::new(from, to, kind));
}

/// Captures and promotions to a queen; some may leave the king to be taken.
pub(crate) fn noisy_moves(position: &Position) -> MoveList {
    let mut moves = MoveList::new();
    let board = position.board();
    let us = position.turn();
    let own = board.side(us);
    let enemy = board.side(!us);
    let occupied = board.occupied();
    pawn_moves(position, &mut moves);
    for role in [
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
        Role::King,
    ] {
        for from in own & board.role(role) {
            let seen = match role {
                Role::Knight => attacks::knight_attacks(from),
                Role::Bishop => attacks::bishop_attacks(from, occupied),
                Role::Rook => attacks::rook_attacks(from, occupied),
                Role::Queen => attacks::queen_attacks(from, occupied),
                _ => attacks::king_attacks(from),
            };
            for to in seen & enemy {
                moves.push(Move::new(from, to, Kind::Normal));
            }
        }
    }
    moves
}

fn pawn_moves(position: &Position, moves: &mut MoveList) {
    let board = position.board();
    let us = position.turn();
    let enemy = board.side(!us);
    let last = position.size().last_rank(us);
    let pawns = board.pieces(us, Role::Pawn);
    let before_last = Bitboard(match us {
        Color::White => last.0 >> 8,
        Color::Black => last.0 << 8,
    });
    for from in pawns {
        for to in attacks::pawn_attacks(us, from) & enemy {
            push_pawn(moves, from, to, last);
        }
    }
    for from in pawns & before_last {
        let ahead = from.offset(if us.is_white() { 8 } else { -8 });
        if let Some(to) = ahead.filter(|&to| !board.occupied().contains(to)) {
            push_pawn(moves, from, to, last);
        }
    }
    for to in position.takeable_passed(us) {
        for from in attacks::pawn_attacks(!us, to) & pawns {
            moves.push(Move::new(from, to, Kind::EnPassant));
        }
    }
}
