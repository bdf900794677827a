//! Pawn structure: doubled, isolated, backward, guarded and passed pawns.

use foglight_rules::{Bitboard, Board, Color, Position, Role, attacks};

use super::{
    TermSink, ahead_of,
    weights::{BACKWARD, DOUBLED, GUARDED_PAWN, ISOLATED, PASSED, PASSED_GUARDED, PHALANX},
};

/// Squares attacked by pawns.
#[inline]
pub(super) fn pawn_attacks(board: &Board, side: Color) -> Bitboard {
    let pawns = board.pieces(side, Role::Pawn).0;
    const NOT_A: u64 = !0x0101_0101_0101_0101;
    const NOT_H: u64 = !0x8080_8080_8080_8080;
    Bitboard(match side {
        Color::White => ((pawns & NOT_A) << 7) | ((pawns & NOT_H) << 9),
        Color::Black => ((pawns & NOT_A) >> 9) | ((pawns & NOT_H) >> 7),
    })
}

/// All squares on the files of `squares`.
pub(super) fn files_of(squares: Bitboard) -> Bitboard {
    let mut fill = squares.0;
    fill |= fill << 8 | fill >> 8;
    fill |= fill << 16 | fill >> 16;
    fill |= fill.rotate_left(32);
    Bitboard(fill)
}

/// The files adjacent to those of `squares`.
pub(super) fn beside(squares: Bitboard) -> Bitboard {
    let fill = squares.0;
    Bitboard((fill & !0x8080_8080_8080_8080) << 1 | (fill & !0x0101_0101_0101_0101) >> 1)
}

/// Adds the pawn terms of both sides and returns the passed pawns.
pub(super) fn tally_pawns<T: TermSink>(position: &Position, tally: &mut T) -> Bitboard {
    Color::ALL
        .into_iter()
        .fold(Bitboard::EMPTY, |passed, side| {
            passed | tally_side(position, side, tally)
        })
}

fn tally_side<T: TermSink>(position: &Position, side: Color, tally: &mut T) -> Bitboard {
    let board = position.board();
    let own = board.pieces(side, Role::Pawn);
    let enemy = board.pieces(!side, Role::Pawn);
    let guarded = pawn_attacks(board, side);
    let enemy_guards = pawn_attacks(board, !side);
    let mut passed = Bitboard::EMPTY;
    for square in own {
        let bit = Bitboard::from_square(square);
        let ahead = ahead_of(side, square);
        let file = files_of(bit);
        let neighbours = beside(file);
        if (own & ahead & file).any() {
            tally.add(side, DOUBLED.start, 1);
        }
        let helpers = own & neighbours;
        if helpers.is_empty() {
            tally.add(side, ISOLATED.start, 1);
        } else if (helpers & !ahead).is_empty() {
            let next = attacks::pawn_attacks(!side, square);
            let step = Bitboard(match side {
                Color::White => bit.0 << 8,
                Color::Black => bit.0 >> 8,
            });
            if (step & enemy_guards).any() && (next & own).is_empty() {
                tally.add(side, BACKWARD.start, 1);
            }
        }
        if guarded.contains(square) {
            tally.add(side, GUARDED_PAWN.start, 1);
        }
        if (beside(bit) & own).any() {
            tally.add(side, PHALANX.start, 1);
        }
        let stoppers = enemy & ahead & (file | neighbours);
        if stoppers.is_empty() && (own & ahead & file).is_empty() {
            passed |= bit;
            tally.add(side, PASSED.start + gone(position, side, square), 1);
            if guarded.contains(square) {
                tally.add(side, PASSED_GUARDED.start, 1);
            }
        }
    }
    passed
}

/// Advance of a pawn, counted from the far end so that it is 6 one step before
/// promotion on boards of any height.
pub(super) fn gone(position: &Position, side: Color, square: foglight_rules::Square) -> usize {
    let rank = square.rank() as usize;
    let left = match side {
        Color::White => position.size().ranks().saturating_sub(1 + rank),
        Color::Black => rank,
    };
    7usize.saturating_sub(left)
}
