//! Plain chess on top of the king-capture generator: filters the moves that leave
//! the king in check.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use crate::{
    castling::Castling,
    movegen::{RoleSet, generate},
    moves::{Move, MoveKind, MoveList},
    position::Position,
};

/// Data that decides the legality of moves, computed once per position.
struct Safety {
    us: Color,
    king: Square,
    checkers: Bitboard,
    pinned: Bitboard,
    /// Destinations of pieces other than the king: any square, or those that end
    /// the check.
    evasions: Bitboard,
}

impl Safety {
    fn new(position: &Position) -> Option<Safety> {
        let board = position.board();
        let us = position.turn();
        let king = board.king(us)?;
        let checkers = position.king_attackers(!us);
        let evasions = match checkers.first() {
            None => Bitboard::FULL,
            Some(_) if checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => attacks::between(king, checker) | checkers,
        };
        Some(Safety {
            us,
            king,
            checkers,
            pinned: position.blockers(us) & board.side(us),
            evasions,
        })
    }

    fn allows(&self, position: &Position, m: Move) -> bool {
        match m.kind() {
            MoveKind::Castle => self.checkers.is_empty() && position.castles_safely(m.to()),
            MoveKind::EnPassant => self.allows_en_passant(position, m),
            _ if m.from() == self.king => {
                let occupied = position.board().occupied().without(self.king);
                !attacked(position, m.to(), !self.us, occupied)
            }
            _ => {
                let free = !self.pinned.contains(m.from())
                    || attacks::aligned(self.king, m.from(), m.to());
                free && self.evasions.contains(m.to())
            }
        }
    }

    /// En passant removes two pawns from a rank, which pins do not cover: tests
    /// the resulting attacks.
    fn allows_en_passant(&self, position: &Position, m: Move) -> bool {
        let board = position.board();
        let victim = m.capture_square();
        let occupied = board
            .occupied()
            .without(m.from())
            .without(victim)
            .with(m.to());
        let attackers = board.attackers(self.king, !self.us, occupied);
        attackers.without(victim).is_empty()
    }
}

fn attacked(position: &Position, square: Square, by: Color, occupied: Bitboard) -> bool {
    position.board().attackers(square, by, occupied).any()
}

impl Position {
    /// Pieces of either side that alone block an enemy slider from the king of
    /// `side`: pinned if they are its own, else able to give a discovered check.
    pub fn blockers(&self, side: Color) -> Bitboard {
        let board = self.board();
        let Some(king) = board.king(side) else {
            return Bitboard::EMPTY;
        };
        let queens = board.role(Role::Queen);
        let straight = board.role(Role::Rook) | queens;
        let diagonal = board.role(Role::Bishop) | queens;
        let snipers = ((attacks::rook_attacks(king, Bitboard::EMPTY) & straight)
            | (attacks::bishop_attacks(king, Bitboard::EMPTY) & diagonal))
            & board.side(!side);
        snipers.into_iter().fold(Bitboard::EMPTY, |found, sniper| {
            let between = attacks::between(king, sniper) & board.occupied();
            match between.single_square() {
                Some(_) => found | between,
                None => found,
            }
        })
    }

    /// Whether no square is attacked that the king crosses or reaches when it
    /// castles to `to`. The caller checks that it is not in check.
    pub fn castles_safely(&self, to: Square) -> bool {
        let castling = Castling::ending_on(to).expect("a castling");
        let occupied = self.board().occupied();
        attacks::between(castling.king.0, to)
            .with(to)
            .into_iter()
            .all(|square| !attacked(self, square, !castling.side, occupied))
    }

    /// The legal moves of plain chess, ignoring draws.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        if let Some(safety) = Safety::new(self) {
            generate(self, RoleSet::ALL, &mut moves);
            moves.retain(|m| safety.allows(self, *m));
        }
        moves
    }

    /// Clears the en passant square if no capture on it is legal.
    pub(crate) fn clear_illegal_ep(&mut self) {
        if self.ep_squares().is_empty() {
            return;
        }
        let Some(safety) = Safety::new(self) else {
            return;
        };
        let to = self.ep_squares().first().expect("a passed square");
        let usable = self
            .ep_capturers(self.turn())
            .into_iter()
            .any(|from| safety.allows_en_passant(self, Move::new(from, to, MoveKind::EnPassant)));
        if !usable {
            self.set_ep_squares(Bitboard::EMPTY);
        }
    }

    /// Whether neither side can mate: kings with at most one knight, or with
    /// bishops on squares of one colour only.
    pub fn insufficient_material(&self) -> bool {
        const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
        let board = self.board();
        let heavy = board.role(Role::Pawn) | board.role(Role::Rook) | board.role(Role::Queen);
        let knights = board.role(Role::Knight);
        let bishops = board.role(Role::Bishop);
        heavy.is_empty()
            && match knights.count() {
                0 => (bishops & LIGHT).is_empty() || (bishops & !LIGHT).is_empty(),
                1 => bishops.is_empty(),
                _ => false,
            }
    }
}
