//! Piece types that a die can show, and those that capture the king: bit
//! arithmetic for one-die chess, equal to the rules' `Game::chance_outcomes`.

use foglight_rules::{
    Bitboard, Board, Color, Game, Move, MoveList, Position, Role, RoleSet, Size, attacks,
};

/// Pawn to queen: the faces that a pawn on the seventh rank allows.
const PROMOTING: u8 = 0x1f;

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;
const NOT_AB: u64 = !0x0303_0303_0303_0303;
const NOT_GH: u64 = !0xc0c0_c0c0_c0c0_c0c0;

#[inline]
const fn straight(set: u64) -> u64 {
    set << 8 | set >> 8 | (set & NOT_H) << 1 | (set & NOT_A) >> 1
}

#[inline]
const fn diagonal(set: u64) -> u64 {
    (set & NOT_H) << 9 | (set & NOT_A) << 7 | (set & NOT_H) >> 7 | (set & NOT_A) >> 9
}

#[inline]
const fn leaps(set: u64) -> u64 {
    (set & NOT_H) << 17
        | (set & NOT_A) << 15
        | (set & NOT_GH) << 10
        | (set & NOT_AB) << 6
        | (set & NOT_GH) >> 6
        | (set & NOT_AB) >> 10
        | (set & NOT_H) >> 15
        | (set & NOT_A) >> 17
}

/// The squares that a side's pawns attack.
#[inline]
pub const fn pawn_attacks(pawns: u64, side: Color) -> u64 {
    match side {
        Color::White => (pawns & NOT_H) << 9 | (pawns & NOT_A) << 7,
        Color::Black => (pawns & NOT_H) >> 7 | (pawns & NOT_A) >> 9,
    }
}

/// The squares directly before a side's pawns.
#[inline]
const fn pawn_steps(pawns: u64, side: Color) -> u64 {
    match side {
        Color::White => pawns << 8,
        Color::Black => pawns >> 8,
    }
}

/// The piece types that a die of `side` can show: those with a move. `passed`
/// are the squares on which it may capture en passant. Castling needs no test:
/// a king that can castle can also step.
#[inline]
pub fn rollable(board: &Board, side: Color, passed: Bitboard, size: Size) -> RoleSet {
    let own = board.side(side).0;
    let free = size.mask().0 & !own;
    let pawns = board.pieces(side, Role::Pawn).0;
    let steps = pawn_steps(pawns, side) & free & !board.side(!side).0;
    let takes = pawn_attacks(pawns, side) & (board.side(!side).0 | passed.0);
    let mut kinds = u8::from(steps | takes != 0);
    if (steps | takes) & size.last_rank(side).0 != 0 {
        kinds |= PROMOTING;
    }
    let pieces = |role: Role| board.role(role).0 & own;
    let mut add = |role: Role, reached: u64| {
        if reached & free != 0 {
            kinds |= RoleSet::bit(role);
        }
    };
    let (queens, king) = (pieces(Role::Queen), pieces(Role::King));
    add(Role::Knight, leaps(pieces(Role::Knight)));
    add(Role::Bishop, diagonal(pieces(Role::Bishop)));
    add(Role::Rook, straight(pieces(Role::Rook)));
    add(Role::Queen, diagonal(queens) | straight(queens));
    add(Role::King, diagonal(king) | straight(king));
    RoleSet(kinds)
}

/// The piece types with which `side` captures the enemy king. A pawn that
/// captures it on the last rank promotes, so every roll but the king's allows
/// it.
#[inline]
pub(crate) fn roles_attacking_king(board: &Board, side: Color, size: Size) -> RoleSet {
    let Some(king) = board.king(!side) else {
        return RoleSet(0);
    };
    let own = board.side(side);
    let occupied = board.occupied();
    let mut kinds = 0;
    if (attacks::pawn_attacks(!side, king) & own & board.role(Role::Pawn)).any() {
        kinds |= if size.last_rank(side).contains(king) {
            PROMOTING
        } else {
            1
        };
    }
    if (attacks::knight_attacks(king) & own & board.role(Role::Knight)).any() {
        kinds |= RoleSet::bit(Role::Knight);
    }
    if (attacks::king_attacks(king) & own & board.role(Role::King)).any() {
        kinds |= RoleSet::bit(Role::King);
    }
    let queens = board.role(Role::Queen);
    let diagonals = own & (board.role(Role::Bishop) | queens);
    if diagonals.any() {
        kinds |= sliders(board, attacks::bishop_attacks(king, occupied) & diagonals);
    }
    let straights = own & (board.role(Role::Rook) | queens);
    if straights.any() {
        kinds |= sliders(board, attacks::rook_attacks(king, occupied) & straights);
    }
    RoleSet(kinds)
}

#[inline]
fn sliders(board: &Board, takers: Bitboard) -> u8 {
    let mut kinds = 0;
    for role in [Role::Bishop, Role::Rook, Role::Queen] {
        if (takers & board.role(role)).any() {
            kinds |= RoleSet::bit(role);
        }
    }
    kinds
}

/// The probability that a roll of `side` allows it to capture the enemy king:
/// the share of such piece types among those that can come up.
pub fn king_risk(position: &Position, side: Color) -> f64 {
    let (board, size) = (position.board(), position.size());
    let can = rollable(board, side, position.ep_targets(side), size);
    if can.is_empty() {
        return 0.0;
    }
    f64::from(roles_attacking_king(board, side, size).count()) / f64::from(can.count())
}

/// All moves of a side before its roll, grouped by the roll that allows them.
pub struct Rolled {
    moves: MoveList,
    /// Bounds of each piece type's moves in the list.
    ends: [usize; 7],
}

impl Rolled {
    /// One pass of the king-capture generator, which lists moves by piece type.
    pub fn new(position: &Position) -> Rolled {
        let moves = position.king_capture_moves(foglight_rules::RoleSet::ALL);
        let mut ends = [0; 7];
        let mut at = 0;
        for (i, role) in Role::ALL.into_iter().enumerate() {
            let own = position.board().role(role);
            while at < moves.len() && own.contains(moves[at].from()) {
                at += 1;
            }
            ends[i + 1] = at;
        }
        debug_assert_eq!(at, moves.len());
        Rolled { moves, ends }
    }

    /// The legal moves when the die shows `role`.
    pub fn of(&self, role: Role) -> impl Iterator<Item = Move> + '_ {
        let index = role as usize - 1;
        let own = &self.moves[self.ends[index]..self.ends[index + 1]];
        let promoting = !matches!(role, Role::Pawn | Role::King);
        let pawns = if promoting {
            &self.moves[..self.ends[1]]
        } else {
            &[]
        };
        let promotions = pawns.iter().filter(move |m| m.promotion() == Some(role));
        own.iter().chain(promotions).copied()
    }
}

pub(super) fn has_move(position: &Position, side: Color) -> bool {
    let passed = position.ep_targets(side);
    !rollable(position.board(), side, passed, position.size()).is_empty()
}

/// The position after the side to roll, which cannot move, has passed; `None`
/// if the other cannot move either. Equal to the result of
/// `Game::play_unchecked`.
pub fn pass(position: &Position) -> Option<Position> {
    let mut setup = position.setup();
    let black = setup.turn.is_black();
    setup.turn = !setup.turn;
    setup.ep_squares = Bitboard::EMPTY;
    setup.halfmoves = setup.halfmoves.saturating_add(1);
    setup.fullmoves = setup.fullmoves.saturating_add(u16::from(black));
    let passed = Game::dice1().position(setup).ok()?;
    has_move(&passed, passed.turn()).then_some(passed)
}
