//! A board within a turn of three-dice chess, and its moves.

use foglight_rules::{
    Bitboard, Board, Castling, CastlingRights, Color, Move, MoveKind, PROMOTIONS, Position, Role,
    Size, Square, attacks, piece_attacks,
};

use super::{rolls::pawn_attacks, value::PieceSquareValues};

/// A board within a side's turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartialTurn {
    pub board: Board,
    pub side: Color,
    /// En passant squares of both sides.
    pub ep_squares: Bitboard,
    /// Castling rights of both sides.
    pub castling: CastlingRights,
    /// [`PieceSquareValues::sum`] of the board.
    pub sum: i32,
    size: Size,
}

const fn passed_rank(side: Color) -> u64 {
    match side {
        Color::White => 0xff << 40,
        Color::Black => 0xff << 16,
    }
}

/// Rights that survive a move from or to a square.
fn kept(square: Square) -> u8 {
    match square {
        Square::E1 => !3,
        Square::H1 => !1,
        Square::A1 => !2,
        Square::E8 => !12,
        Square::H8 => !4,
        Square::A8 => !8,
        _ => !0,
    }
}

fn rook_squares(to: Square) -> (Square, Square) {
    Castling::ending_on(to).expect("a castling").rook
}

impl PartialTurn {
    /// The board at the start of a turn or within one.
    pub fn new(position: &Position, values: &PieceSquareValues) -> PartialTurn {
        PartialTurn {
            board: *position.board(),
            side: position.turn(),
            ep_squares: position.ep_squares(),
            castling: position.castling(),
            sum: values.sum(position.board()),
            size: position.size(),
        }
    }

    /// Passes the turn to the other side.
    pub fn ended(mut self) -> PartialTurn {
        self.ep_squares &= Bitboard(!passed_rank(self.side));
        self.side = !self.side;
        self
    }

    /// Key of the board, its castling rights and en passant squares: equal
    /// boards have equal keys.
    pub(super) fn key(&self) -> u64 {
        let mut key = u64::from(self.castling.bits()) ^ self.ep_squares.0.rotate_left(17);
        let sets = Role::ALL.map(|role| self.board.role(role).0);
        for set in sets.into_iter().chain([self.board.side(Color::White).0]) {
            key = (key.rotate_left(23) ^ set).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            key ^= key >> 29;
        }
        key
    }

    /// The piece captured by a move, and the change of the sum.
    #[inline]
    pub(super) fn gain(
        &self,
        role: Role,
        m: Move,
        values: &PieceSquareValues,
    ) -> (Option<Role>, i32) {
        let us = self.side;
        let becomes = m.promotion().unwrap_or(role);
        let mut gain = values.piece(us, becomes, m.to()) - values.piece(us, role, m.from());
        let taken = match m.kind() {
            MoveKind::EnPassant => {
                gain -= values.piece(!us, Role::Pawn, m.capture_square());
                Some(Role::Pawn)
            }
            MoveKind::Castle => {
                let rook = rook_squares(m.to());
                gain += values.piece(us, Role::Rook, rook.1) - values.piece(us, Role::Rook, rook.0);
                None
            }
            _ => {
                let taken = self.board.role_at(m.to());
                if let Some(victim) = taken {
                    gain -= values.piece(!us, victim, m.to());
                }
                taken
            }
        };
        (taken, gain)
    }

    /// The board after one ply, within the same turn.
    pub(super) fn after(&self, role: Role, m: Move, gain: i32) -> PartialTurn {
        let us = self.side;
        let mut next = *self;
        next.sum += gain;
        let (from, to) = (m.from(), m.to());
        match m.kind() {
            MoveKind::EnPassant => next.board.toggle(m.capture_square(), !us, Role::Pawn),
            MoveKind::Castle => {
                let rook = rook_squares(to);
                next.board.toggle(rook.0, us, Role::Rook);
                next.board.toggle(rook.1, us, Role::Rook);
            }
            _ => {
                if let Some(victim) = self.board.role_at(to) {
                    next.board.toggle(to, !us, victim);
                }
            }
        }
        next.board.toggle(from, us, role);
        next.board.toggle(to, us, m.promotion().unwrap_or(role));
        next.castling = CastlingRights::from_bits(self.castling.bits() & kept(from) & kept(to));
        let white = next.board.pieces(Color::White, Role::Pawn).0 >> 8;
        let black = next.board.pieces(Color::Black, Role::Pawn).0 << 8;
        let victims = white & passed_rank(Color::Black) | black & passed_rank(Color::White);
        next.ep_squares &= Bitboard(victims);
        if m.kind() == MoveKind::DoubleStep {
            next.ep_squares |= Bitboard::from_square(to.xor(Square::A2));
        }
        next
    }

    /// Calls `found` with every king-capture move of the allowed piece types.
    #[inline]
    pub(super) fn each_move(&self, allowed: u8, found: &mut impl FnMut(Role, Move)) {
        let own = self.board.side(self.side);
        let occupied = self.board.occupied();
        let free = self.size.mask() & !own;
        let can = |role: Role| allowed & 1 << (role as u8 - 1) != 0;
        if can(Role::Pawn) {
            self.pawn_moves(found);
        }
        for role in [
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
            Role::King,
        ] {
            if !can(role) {
                continue;
            }
            for from in own & self.board.role(role) {
                for to in piece_attacks(role, from, occupied) & free {
                    found(role, Move::new(from, to, MoveKind::Normal));
                }
            }
        }
        if can(Role::King) && can(Role::Rook) && !self.castling.is_empty() {
            for castling in Castling::of(self.side) {
                let blocked = (occupied & castling.between).any();
                if self.castling.has(castling) && !blocked {
                    let (from, to) = castling.king;
                    found(Role::King, Move::new(from, to, MoveKind::Castle));
                }
            }
        }
    }

    fn pawn_moves(&self, found: &mut impl FnMut(Role, Move)) {
        let us = self.side;
        let pawns = self.board.pieces(us, Role::Pawn);
        let empty = self.size.mask() & !self.board.occupied();
        let enemy = self.board.side(!us);
        let ahead = if us.is_white() { 8 } else { -8 };
        let last = self.size.last_rank(us);
        let third = Bitboard(passed_rank(!us));
        let step = |from: Square, to: Square, found: &mut dyn FnMut(Role, Move)| {
            if last.contains(to) {
                for role in PROMOTIONS {
                    found(Role::Pawn, Move::new(from, to, MoveKind::Promotion(role)));
                }
            } else {
                found(Role::Pawn, Move::new(from, to, MoveKind::Normal));
            }
        };
        let single = pawns.shift(ahead) & empty;
        let behind = |to: Square, n: i32| Square::new((to as i32 - n * ahead) as u32);
        for to in single {
            step(behind(to, 1), to, found);
        }
        if self.size.is_full() {
            for to in (single & third).shift(ahead) & empty {
                found(
                    Role::Pawn,
                    Move::new(behind(to, 2), to, MoveKind::DoubleStep),
                );
            }
        }
        let passed = self.ep_squares & Bitboard(passed_rank(us)) & empty;
        if Bitboard(pawn_attacks(pawns.0, us)) & (enemy | passed) == Bitboard::EMPTY {
            return;
        }
        for from in pawns {
            let reach = attacks::pawn_attacks(us, from);
            for to in reach & enemy {
                step(from, to, found);
            }
            for to in reach & passed {
                found(Role::Pawn, Move::new(from, to, MoveKind::EnPassant));
            }
        }
    }
}
