//! King safety: attacks on the king zone, safe checks, pawn shield and pawn
//! storm.

use foglight_rules::{Bitboard, Color, Position, Role, Square, attacks};

use super::{
    TermSink, ahead_of,
    pawns::{beside, files_of},
    pieces::Sight,
    weights::{DANGER, SAFE_CHECK, SHIELD, STORM},
};

#[inline]
pub(super) fn tally_kings<T: TermSink>(position: &Position, sights: &[Sight; 2], tally: &mut T) {
    for (i, side) in [Color::White, Color::Black].into_iter().enumerate() {
        if let Some(king) = position.board().king(!side) {
            tally_attack(position, side, king, [&sights[i], &sights[1 - i]], tally);
            tally_cover(position, !side, king, tally);
        }
    }
}

/// Adds the attack of `side` on the enemy king. `sights`: its own, the enemy's.
#[inline]
fn tally_attack<T: TermSink>(
    position: &Position,
    side: Color,
    king: Square,
    sights: [&Sight; 2],
    tally: &mut T,
) {
    let board = position.board();
    let [own, enemy] = sights;
    let queen = board.pieces(side, Role::Queen).any();
    let many = if own.attackers >= 2 {
        2 * own.attackers
    } else {
        0
    };
    let weak = own.ring & own.all & !enemy.all;
    let units = own.units + many + weak.count() as i32 - if queen { 0 } else { 6 };
    let step = units.clamp(0, DANGER.len as i32 - 1) as usize;
    tally.add(side, DANGER.start + step, 1);

    let occupied = board.occupied();
    let safe = position.size().mask() & !board.side(side) & !enemy.all;
    let diagonal = attacks::bishop_attacks(king, occupied) & safe;
    let straight = attacks::rook_attacks(king, occupied) & safe;
    let checks = [
        attacks::knight_attacks(king) & safe & own.by[1],
        diagonal & own.by[2],
        straight & own.by[3],
        (diagonal | straight) & own.by[4],
    ];
    for (k, squares) in checks.into_iter().enumerate() {
        if squares.any() {
            tally.add(side, SAFE_CHECK.start + k, squares.count().min(2) as i32);
        }
    }
}

/// Adds the pawn shield and the pawn storm before the king of `side`.
#[inline]
fn tally_cover<T: TermSink>(position: &Position, side: Color, king: Square, tally: &mut T) {
    let board = position.board();
    let own = board.pieces(side, Role::Pawn);
    let enemy = board.pieces(!side, Role::Pawn);
    let bit = Bitboard::from_square(king);
    let row = bit | beside(bit);
    let forward = |squares: Bitboard| {
        Bitboard(match side {
            Color::White => squares.0 << 8,
            Color::Black => squares.0 >> 8,
        })
    };
    let files = files_of(row) & (ahead_of(side, king) | row);
    let (near, far) = (forward(row), forward(forward(row)));
    tally.add(side, SHIELD.start, (own & near).count() as i32);
    tally.add(side, SHIELD.start + 1, (own & far).count() as i32);
    let bare = row
        .into_iter()
        .filter(|&square| (files_of(Bitboard::from_square(square)) & own & files).is_empty());
    tally.add(side, SHIELD.start + 2, bare.count() as i32);
    let mut zone = row;
    for distance in 0..STORM.len {
        zone = forward(zone);
        let storm = (enemy & zone).count() as i32;
        if storm > 0 {
            tally.add(side, STORM.start + distance, storm);
        }
    }
}
