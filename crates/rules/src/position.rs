//! Positions: a board with turn, castling rights, en passant squares, dice and
//! counters.

use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use crate::{
    board::Board,
    castling::{Castling, CastlingRights},
    dice::Dice,
    moves::{Move, MoveKind},
    size::Size,
    zobrist,
};

/// The parts of a position, not yet checked against the rules of any game.
///
/// [`crate::Game::position`] is the only checked way from here to a [`Position`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Size of the board.
    pub size: Size,
    /// Placement of the pieces.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// Castling rights of both sides.
    pub castling: CastlingRights,
    /// En passant squares: skipped by a pawn's double step.
    pub ep_squares: Bitboard,
    /// Dice not used yet.
    pub dice: Dice,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u16,
    /// Number of the full move, from 1.
    pub fullmoves: u16,
}

impl Setup {
    /// The starting position of chess.
    pub fn start() -> Setup {
        const BACK: [Role; 8] = [
            Role::Rook,
            Role::Knight,
            Role::Bishop,
            Role::Queen,
            Role::King,
            Role::Bishop,
            Role::Knight,
            Role::Rook,
        ];
        let mut board = Board::EMPTY;
        for (file, role) in BACK.into_iter().enumerate() {
            for side in Color::ALL {
                let rank = |white: Rank| side.relative_rank(white);
                let square = |r| Square::from_coords(shakmaty::File::new(file as u32), r);
                board.set(square(rank(Rank::First)), role.of(side));
                board.set(square(rank(Rank::Second)), Role::Pawn.of(side));
            }
        }
        Setup {
            size: Size::FULL,
            board,
            turn: Color::White,
            castling: CastlingRights::ALL,
            ep_squares: Bitboard::EMPTY,
            dice: Dice::NONE,
            halfmoves: 0,
            fullmoves: 1,
        }
    }
}

/// How long the en passant square of a double step remains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EnPassantRule {
    /// The game has no en passant.
    None,
    /// For one ply, if an enemy pawn stands where it could capture.
    NextMove,
    /// For the opponent's whole turn, whether or not a pawn can capture yet.
    WholeTurn,
}

/// A valid position of some game, with an incrementally updated hash.
///
/// The hash excludes the counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    board: Board,
    hash: u64,
    ep_squares: Bitboard,
    halfmoves: u16,
    fullmoves: u16,
    dice: Dice,
    size: Size,
    turn: Color,
    castling: CastlingRights,
}

impl Position {
    /// Builds a position without checks; the caller has validated the setup.
    pub(crate) fn from_setup(setup: Setup) -> Position {
        let mut position = Position {
            board: setup.board,
            hash: 0,
            ep_squares: setup.ep_squares,
            halfmoves: setup.halfmoves,
            fullmoves: setup.fullmoves,
            dice: setup.dice,
            size: setup.size,
            turn: setup.turn,
            castling: setup.castling,
        };
        position.hash = position.recomputed_hash();
        position
    }

    /// The parts of the position.
    pub fn setup(&self) -> Setup {
        Setup {
            size: self.size,
            board: self.board,
            turn: self.turn,
            castling: self.castling,
            ep_squares: self.ep_squares,
            dice: self.dice,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
        }
    }

    /// Placement of the pieces.
    #[inline]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Size of the board.
    #[inline]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The side to move.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Castling rights of both sides.
    #[inline]
    pub const fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// En passant squares. More than one only in dice games with several plies a
    /// turn.
    #[inline]
    pub const fn ep_squares(&self) -> Bitboard {
        self.ep_squares
    }

    /// Dice not used yet.
    #[inline]
    pub const fn dice(&self) -> Dice {
        self.dice
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub const fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    /// Number of the full move, from 1.
    #[inline]
    pub const fn fullmoves(&self) -> u16 {
        self.fullmoves
    }

    /// Zobrist hash of everything except the counters and the size.
    #[inline]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// The hash computed from scratch, to check the incremental one.
    pub fn recomputed_hash(&self) -> u64 {
        let pieces = self
            .board
            .iter()
            .map(|(square, piece)| zobrist::piece(square, piece.color, piece.role));
        let passed = self.ep_squares.into_iter().map(zobrist::ep_square);
        let turn = if self.turn.is_white() {
            0
        } else {
            zobrist::BLACK_TO_MOVE
        };
        let rest = zobrist::rights(self.castling) ^ zobrist::dice(self.dice) ^ turn;
        pieces.chain(passed).fold(rest, |hash, key| hash ^ key)
    }

    /// The same position with the counters of a new game.
    ///
    /// Beliefs store positions in this form: in fog the counters are unknown.
    #[must_use]
    pub fn without_counters(mut self) -> Position {
        self.halfmoves = 0;
        self.fullmoves = 1;
        self
    }

    /// The same position with these counters.
    #[must_use]
    pub fn with_counters(mut self, halfmoves: u16, fullmoves: u16) -> Position {
        self.halfmoves = halfmoves;
        self.fullmoves = fullmoves;
        self
    }

    /// The position with colours exchanged and ranks mirrored.
    #[must_use]
    pub fn mirrored(&self) -> Position {
        let size = self.size;
        let board = self
            .board
            .iter()
            .map(|(square, piece)| (size.mirror(square), piece.role.of(!piece.color)))
            .collect();
        let castling = self.castling.bits();
        Position::from_setup(Setup {
            board,
            turn: !self.turn,
            castling: CastlingRights::from_bits(castling << 2 | castling >> 2),
            ep_squares: self
                .ep_squares
                .into_iter()
                .map(|square| size.mirror(square))
                .collect(),
            ..self.setup()
        })
    }

    /// Rank of the squares on which `side` captures en passant.
    const fn ep_rank(side: Color) -> Bitboard {
        match side {
            Color::White => Bitboard::from_rank(Rank::Sixth),
            Color::Black => Bitboard::from_rank(Rank::Third),
        }
    }

    /// The empty squares on which `side` could capture en passant with a suitable
    /// pawn.
    #[inline]
    pub fn ep_targets(&self, side: Color) -> Bitboard {
        self.ep_squares & Position::ep_rank(side) & !self.board.occupied()
    }

    /// The pawns of `side` that can capture en passant, regardless of the turn.
    #[inline]
    pub(crate) fn ep_capturers(&self, side: Color) -> Bitboard {
        let pawns = self.board.pieces(side, Role::Pawn);
        self.ep_targets(side)
            .into_iter()
            .fold(Bitboard::EMPTY, |takers, square| {
                takers | (attacks::pawn_attacks(!side, square) & pawns)
            })
    }

    /// Whether the side to move can capture the enemy king.
    #[inline]
    pub fn can_capture_king(&self) -> bool {
        self.king_attackers(self.turn).any()
    }

    /// Whether the king of the side to move is attacked.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.king_attackers(!self.turn).any()
    }

    /// Pieces of `side` that attack the enemy king.
    #[inline]
    pub fn king_attackers(&self, side: Color) -> Bitboard {
        match self.board.king(!side) {
            Some(king) => self.board.attackers(king, side, self.board.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    /// Role of the piece that a move captures, if any.
    #[inline]
    pub fn captured(&self, m: Move) -> Option<Role> {
        match m.kind() {
            MoveKind::EnPassant => Some(Role::Pawn),
            MoveKind::Castle | MoveKind::DoubleStep => None,
            _ => self.board.role_at(m.to()),
        }
    }

    /// Role of the piece that a move moves.
    #[inline]
    pub fn mover(&self, m: Move) -> Role {
        self.board
            .role_at(m.from())
            .expect("a move starts on a piece")
    }

    /// Moves the pieces and updates castling rights, half-move clock and en
    /// passant squares, but not the turn. Returns the captured role.
    #[inline]
    pub(crate) fn shift_pieces(&mut self, m: Move, passing: EnPassantRule) -> Option<Role> {
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        let role = self.mover(m);
        let taken = self.captured(m);
        if let Some(victim) = taken {
            self.toggle(m.capture_square(), !us, victim);
        }
        self.toggle(from, us, role);
        self.toggle(to, us, m.promotion().unwrap_or(role));
        if m.kind() == MoveKind::Castle {
            let rook = Castling::ending_on(to).expect("a castling").rook;
            self.toggle(rook.0, us, Role::Rook);
            self.toggle(rook.1, us, Role::Rook);
        }
        self.set_castling(self.castling.after(from, to));
        self.halfmoves = if taken.is_some() || role == Role::Pawn {
            0
        } else {
            self.halfmoves.saturating_add(1)
        };
        let passed = self.ep_squares_after(m, passing);
        self.set_ep_squares(passed);
        taken
    }

    /// The en passant squares after `m`, whose pieces have already moved.
    #[inline]
    fn ep_squares_after(&self, m: Move, passing: EnPassantRule) -> Bitboard {
        let us = self.turn;
        let new = match m.kind() {
            MoveKind::DoubleStep if passing != EnPassantRule::None => {
                let square = m.to().xor(Square::A2);
                let takers = attacks::pawn_attacks(us, square) & self.board.pieces(!us, Role::Pawn);
                match passing {
                    EnPassantRule::NextMove if takers.is_empty() => Bitboard::EMPTY,
                    _ => Bitboard::from_square(square),
                }
            }
            _ => Bitboard::EMPTY,
        };
        match passing {
            EnPassantRule::WholeTurn => (self.ep_squares & self.ep_squares_with_pawn()) | new,
            _ => new,
        }
    }

    /// Squares on the third and sixth rank behind a pawn that may have skipped
    /// them.
    pub(crate) fn ep_squares_with_pawn(&self) -> Bitboard {
        let white = self.board.pieces(Color::White, Role::Pawn).0 >> 8;
        let black = self.board.pieces(Color::Black, Role::Pawn).0 << 8;
        (Bitboard(white) & Position::ep_rank(Color::Black))
            | (Bitboard(black) & Position::ep_rank(Color::White))
    }

    /// Passes the turn to the other side.
    #[inline]
    pub(crate) fn flip_turn(&mut self) {
        self.fullmoves = self
            .fullmoves
            .saturating_add(u16::from(self.turn == Color::Black));
        self.turn = !self.turn;
        self.hash ^= zobrist::BLACK_TO_MOVE;
    }

    /// The position after a null move. Used by searches only; no game allows it.
    #[inline]
    #[must_use]
    pub fn after_null_move(mut self) -> Position {
        self.set_ep_squares(Bitboard::EMPTY);
        self.halfmoves = self.halfmoves.saturating_add(1);
        self.flip_turn();
        self
    }

    /// Ends a turn through which `self.turn` had its en passant targets.
    pub(crate) fn end_long_turn(&mut self) {
        self.set_ep_squares(self.ep_squares & !Position::ep_rank(self.turn));
        self.set_dice(Dice::NONE);
        self.flip_turn();
    }

    /// Counts a pass as a ply without capture or pawn move.
    pub(crate) fn count_pass(&mut self) {
        self.halfmoves = self.halfmoves.saturating_add(1);
    }

    #[inline]
    fn toggle(&mut self, square: Square, side: Color, role: Role) {
        self.board.toggle(square, side, role);
        self.hash ^= zobrist::piece(square, side, role);
    }

    #[inline]
    fn set_castling(&mut self, rights: CastlingRights) {
        self.hash ^= zobrist::rights(self.castling) ^ zobrist::rights(rights);
        self.castling = rights;
    }

    #[inline]
    pub(crate) fn set_ep_squares(&mut self, passed: Bitboard) {
        for square in self.ep_squares ^ passed {
            self.hash ^= zobrist::ep_square(square);
        }
        self.ep_squares = passed;
    }

    #[inline]
    pub(crate) fn set_dice(&mut self, dice: Dice) {
        self.hash ^= zobrist::dice(self.dice) ^ zobrist::dice(dice);
        self.dice = dice;
    }
}
