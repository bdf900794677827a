//! Pseudo-legal moves in two stages, so that the second need not be generated
//! after a cut-off: captures and promotions to a queen, then all others.

use foglight_rules::{
    Bitboard, Castling, Color, Move, MoveKind, PROMOTIONS, Position, Role, Square, attacks,
    piece_attacks,
};

#[inline]
fn piece_moves(position: &Position, targets: Bitboard, each: &mut impl FnMut(Role, Move)) {
    let board = position.board();
    let own = board.side(position.turn());
    let occupied = board.occupied();
    for role in [
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
        Role::King,
    ] {
        for from in own & board.role(role) {
            for to in piece_attacks(role, from, occupied) & targets {
                each(role, Move::new(from, to, MoveKind::Normal));
            }
        }
    }
}

/// Shifts a set of squares one step forward for a side.
#[inline]
const fn ahead(side: Color, squares: Bitboard) -> Bitboard {
    Bitboard(match side {
        Color::White => squares.0 << 8,
        Color::Black => squares.0 >> 8,
    })
}

/// Captures and promotions to a queen, each with the moving piece type. Some
/// may expose the king to capture.
#[inline]
pub(crate) fn noisy_moves(position: &Position, mut each: impl FnMut(Role, Move)) {
    let board = position.board();
    let us = position.turn();
    let enemy = board.side(!us);
    let last = position.size().last_rank(us);
    let pawns = board.pieces(us, Role::Pawn);
    for from in pawns {
        for to in attacks::pawn_attacks(us, from) & enemy {
            let kind = match last.contains(to) {
                true => MoveKind::Promotion(Role::Queen),
                false => MoveKind::Normal,
            };
            each(Role::Pawn, Move::new(from, to, kind));
        }
    }
    for to in ahead(us, pawns) & last & !board.occupied() {
        let from = ahead(!us, Bitboard::from_square(to)).first();
        let from = from.expect("a pawn stands one step behind");
        each(
            Role::Pawn,
            Move::new(from, to, MoveKind::Promotion(Role::Queen)),
        );
    }
    if position.ep_squares().any() {
        for to in position.ep_targets(us) {
            for from in attacks::pawn_attacks(!us, to) & pawns {
                each(Role::Pawn, Move::new(from, to, MoveKind::EnPassant));
            }
        }
    }
    piece_moves(position, enemy, &mut each);
}

/// Every pseudo-legal move that [`noisy_moves`] omits.
#[inline]
pub(super) fn quiet_moves(position: &Position, mut each: impl FnMut(Role, Move)) {
    let board = position.board();
    let us = position.turn();
    let size = position.size();
    let last = size.last_rank(us);
    let pawns = board.pieces(us, Role::Pawn);
    let empty = size.mask() & !board.occupied();
    let back = |to: Square, steps: usize| {
        let one = ahead(!us, Bitboard::from_square(to));
        let from = if steps == 1 { one } else { ahead(!us, one) };
        from.first().expect("a pawn stands behind")
    };
    let single = ahead(us, pawns) & empty;
    for to in single & !last {
        each(Role::Pawn, Move::new(back(to, 1), to, MoveKind::Normal));
    }
    if size.is_full() {
        let third = Bitboard(if us.is_white() {
            0xff << 16
        } else {
            0xff << 40
        });
        for to in ahead(us, single & third) & empty {
            each(Role::Pawn, Move::new(back(to, 2), to, MoveKind::DoubleStep));
        }
    }
    for from in pawns & ahead(!us, last) {
        let steps = ahead(us, Bitboard::from_square(from)) & empty;
        for to in steps | (attacks::pawn_attacks(us, from) & board.side(!us)) {
            for role in &PROMOTIONS[1..] {
                each(Role::Pawn, Move::new(from, to, MoveKind::Promotion(*role)));
            }
        }
    }
    piece_moves(position, empty, &mut each);
    if !position.castling().is_empty() {
        for castling in Castling::of(us) {
            let blocked = (board.occupied() & castling.between).any();
            if position.castling().has(castling) && !blocked {
                let (from, to) = castling.king;
                each(Role::King, Move::new(from, to, MoveKind::Castle));
            }
        }
    }
}

/// Whether a move from another position is pseudo-legal here.
pub(super) fn is_pseudo_legal(position: &Position, m: Move) -> bool {
    let board = position.board();
    let us = position.turn();
    let (from, to) = (m.from(), m.to());
    let own = board.side(us);
    if !own.contains(from) || own.contains(to) || !position.size().mask().contains(to) {
        return false;
    }
    let Some(role) = board.role_at(from) else {
        return false;
    };
    if role == Role::Pawn {
        return pawn_can(position, m);
    }
    match m.kind() {
        MoveKind::Normal => piece_attacks(role, from, board.occupied()).contains(to),
        MoveKind::Castle => Castling::of(us).into_iter().any(|castling| {
            castling.king == (from, to)
                && position.castling().has(castling)
                && (board.occupied() & castling.between).is_empty()
        }),
        _ => false,
    }
}

fn pawn_can(position: &Position, m: Move) -> bool {
    let board = position.board();
    let us = position.turn();
    let bit = Bitboard::from_square(m.from());
    let empty = !board.occupied();
    let takes = attacks::pawn_attacks(us, m.from());
    let step = ahead(us, bit) & empty;
    let ends = position.size().last_rank(us).contains(m.to());
    match m.kind() {
        MoveKind::Normal => !ends && (step | (takes & board.side(!us))).contains(m.to()),
        MoveKind::Promotion(_) => ends && (step | (takes & board.side(!us))).contains(m.to()),
        MoveKind::EnPassant => (takes & position.ep_targets(us)).contains(m.to()),
        MoveKind::DoubleStep => {
            let second = Bitboard(if us.is_white() { 0xff << 8 } else { 0xff << 48 });
            position.size().is_full()
                && (bit & second).any()
                && (ahead(us, step) & empty).contains(m.to())
        }
        MoveKind::Castle => false,
    }
}

#[cfg(test)]
mod tests {
    use foglight_rules::{Action, Game, RoleSet, State};
    use rand::{Rng as _, seq::IndexedRandom};

    use super::*;

    /// Positions from random games.
    fn random_positions(game: Game, start: &str, count: usize) -> Vec<Position> {
        let mut rng = foglight_play::seeded(count as u64);
        let start = game.parse_fen(start).expect("a position");
        let mut found = Vec::new();
        while found.len() < count {
            let mut state = State::new(game, start);
            for _ in 0..rng.random_range(0..90) {
                let Some(&m) = state.legal_moves().choose(&mut rng) else {
                    break;
                };
                state.play_unchecked(Action::Move(m));
            }
            if state.outcome().is_none() {
                found.push(*state.position());
            }
        }
        found
    }

    #[test]
    fn both_parts_are_all_moves_and_no_other_is_possible() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let ending = "4k3/PPPp2P1/1n3r2/8/8/2N2B2/1pp2ppp/4K3 w - - 0 1";
        let small = "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1";
        for (fen, count) in [(start, 120), (ending, 60), (small, 60)] {
            for position in random_positions(Game::fog(), fen, count) {
                let mut all: Vec<u16> = Vec::new();
                noisy_moves(&position, |_, m| {
                    let queen = m.promotion() == Some(Role::Queen);
                    assert!(queen || position.captured(m).is_some());
                    all.push(m.raw());
                });
                quiet_moves(&position, |role, m| {
                    assert_eq!(role, position.mover(m));
                    all.push(m.raw());
                });
                let listed = position.king_capture_moves(RoleSet::ALL);
                let mut listed: Vec<u16> = listed.iter().map(|m| m.raw()).collect();
                all.sort_unstable();
                listed.sort_unstable();
                assert_eq!(all, listed, "{}", Game::fog().fen(&position));
                let possible = |raw: &u16| is_pseudo_legal(&position, Move::from_raw(*raw));
                let possible: Vec<u16> = (0..8 << 12).filter(possible).collect();
                assert_eq!(possible, listed, "{}", Game::fog().fen(&position));
            }
        }
    }
}
