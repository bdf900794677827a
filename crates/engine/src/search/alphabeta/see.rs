//! Static exchange evaluation: the gain of a series of captures on one square.

use foglight_rules::{Bitboard, Color, Move, MoveKind, Position, Role, Square, attacks};

/// Piece values for exchanges and for the order of captures.
pub(crate) const fn see_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 950,
        Role::King => 20_000,
    }
}

fn attackers_to(position: &Position, square: Square, occupied: Bitboard) -> Bitboard {
    let board = position.board();
    board.attackers(square, Color::White, occupied)
        | board.attackers(square, Color::Black, occupied)
}

/// Whether the move gains at least `least`, with best captures by both sides.
pub(crate) fn gains(position: &Position, m: Move, least: i32) -> bool {
    let (from, to) = (m.from(), m.to());
    if m.kind() == MoveKind::Castle {
        return least <= 0;
    }
    let board = position.board();
    let promoted = m
        .promotion()
        .map_or(0, |role| see_value(role) - see_value(Role::Pawn));
    let mut balance = position.captured(m).map_or(0, see_value) + promoted - least;
    if balance < 0 {
        return false;
    }
    let mover = m.promotion().unwrap_or_else(|| position.mover(m));
    balance -= see_value(mover);
    if balance >= 0 {
        return true;
    }
    let mut occupied = board.occupied().without(from).with(to);
    if m.kind() == MoveKind::EnPassant {
        occupied = occupied.without(m.capture_square());
    }
    let straight = board.role(Role::Rook) | board.role(Role::Queen);
    let diagonal = board.role(Role::Bishop) | board.role(Role::Queen);
    let mut attackers = attackers_to(position, to, occupied) & occupied;
    let mut side = !position.turn();
    loop {
        let own = attackers & board.side(side);
        let Some((role, square)) = cheapest(position, own) else {
            break;
        };
        side = !side;
        balance = -balance - 1 - see_value(role);
        occupied = occupied.without(square);
        if balance >= 0 {
            // The king may not capture a guarded piece.
            if role == Role::King && (attackers & board.side(side)).any() {
                side = !side;
            }
            break;
        }
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop_attacks(to, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook_attacks(to, occupied) & straight;
        }
        attackers &= occupied;
    }
    side != position.turn()
}

#[inline]
fn cheapest(position: &Position, among: Bitboard) -> Option<(Role, Square)> {
    if among.is_empty() {
        return None;
    }
    Role::ALL.into_iter().find_map(|role| {
        let square = (among & position.board().role(role)).first()?;
        Some((role, square))
    })
}

#[cfg(test)]
mod tests {
    use foglight_rules::Game;

    use super::*;

    #[test]
    fn exchanges_have_their_known_worth() {
        // The two positions of the Chess Programming Wiki's page on the swap
        // algorithm, and two more.
        for (fen, text, gain) in [
            (
                "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1",
                "e1e5",
                100,
            ),
            (
                "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
                "d3e5",
                -220,
            ),
            ("4k3/8/3p4/4p3/8/5N2/8/4K3 w - - 0 1", "f3e5", -220),
            ("4k3/8/8/4p3/3P4/8/8/4K3 w - - 0 1", "d4e5", 100),
        ] {
            let game = Game::chess();
            let position = game.parse_fen(fen).expect("a position");
            let moves = game.legal_moves(&position);
            let m = *moves
                .iter()
                .find(|m| m.to_string() == text)
                .expect("a move");
            assert!(gains(&position, m, gain), "{fen} {text} at least {gain}");
            assert!(
                !gains(&position, m, gain + 1),
                "{fen} {text} at most {gain}"
            );
        }
    }
}
