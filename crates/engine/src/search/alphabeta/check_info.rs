//! Effects of a move on the kings, determined before it is played.

use foglight_rules::{Bitboard, Move, MoveKind, Position, Role, attacks};

/// Lines to both kings, computed once for all moves of a node.
pub(super) struct CheckInfo {
    /// By piece type: squares from which it would attack the enemy king.
    squares: [Bitboard; 6],
    /// Own pieces that block an own slider's line to the enemy king.
    uncovering: Bitboard,
    /// Own pieces that block an enemy slider's line to the own king.
    pinned: Bitboard,
    check: bool,
}

impl CheckInfo {
    /// Computes the lines. `check`: the side to move is in check.
    #[inline]
    pub(super) fn new(position: &Position, check: bool) -> CheckInfo {
        let board = position.board();
        let us = position.turn();
        let own = board.side(us);
        let squares = match board.king(!us) {
            Some(king) => {
                let diagonal = attacks::bishop_attacks(king, board.occupied());
                let straight = attacks::rook_attacks(king, board.occupied());
                [
                    attacks::pawn_attacks(!us, king),
                    attacks::knight_attacks(king),
                    diagonal,
                    straight,
                    diagonal | straight,
                    Bitboard::EMPTY,
                ]
            }
            None => [Bitboard::EMPTY; 6],
        };
        CheckInfo {
            squares,
            uncovering: position.blockers(!us) & own,
            pinned: position.blockers(us) & own,
            check,
        }
    }

    /// Whether the piece attacks the king from its destination.
    #[inline]
    pub(super) fn hits(&self, role: Role, m: Move) -> bool {
        self.squares[role as usize - 1].contains(m.to())
    }

    /// Whether the move gives check. `None` if only the position after it can
    /// tell.
    #[inline]
    pub(super) fn gives_check(&self, role: Role, m: Move) -> Option<bool> {
        match m.kind() {
            MoveKind::Normal | MoveKind::DoubleStep if self.hits(role, m) => Some(true),
            MoveKind::Normal | MoveKind::DoubleStep if !self.uncovering.contains(m.from()) => {
                Some(false)
            }
            _ => None,
        }
    }

    /// Whether the move may expose the own king to capture. Otherwise it is
    /// legal without a test.
    #[inline]
    pub(super) fn is_risky(&self, role: Role, m: Move) -> bool {
        self.check
            || role == Role::King
            || m.kind() == MoveKind::EnPassant
            || self.pinned.contains(m.from())
    }
}

#[cfg(test)]
mod tests {
    use foglight_rules::{Action, Game, RoleSet, State};
    use rand::seq::IndexedRandom;

    use super::*;

    #[test]
    fn what_is_told_before_is_so_after() {
        let mut rng = foglight_play::seeded(5);
        let game = Game::fog();
        let mut told = [0; 2];
        for _ in 0..40 {
            let mut state = State::start(game);
            while state.outcome().is_none() && state.plies() < 100 {
                let position = *state.position();
                if position.can_capture_king() {
                    break; // a search captures the king and stops here
                }
                let check = position.in_check();
                let aim = CheckInfo::new(&position, check);
                for &m in &position.king_capture_moves(RoleSet::ALL) {
                    let mut next = position;
                    game.play_unchecked(&mut next, m);
                    let role = position.mover(m);
                    if let Some(gives) = aim.gives_check(role, m) {
                        assert_eq!(gives, next.in_check(), "{} {m}", game.fen(&position));
                        told[usize::from(gives)] += 1;
                    }
                    assert!(aim.is_risky(role, m) || !next.can_capture_king());
                }
                let m = *state.legal_moves().choose(&mut rng).expect("a move");
                state.play_unchecked(Action::Move(m));
            }
        }
        assert!(told.iter().all(|&times| times > 100), "{told:?}");
    }
}
