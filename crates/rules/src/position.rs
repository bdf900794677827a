//! Positions: one board and what must be remembered beside it.

use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use crate::{
    board::Board,
    castling::{Castling, Rights},
    dice::Dice,
    moves::{Kind, Move},
    size::Size,
    zobrist,
};

/// The parts of a position, not yet checked against the rules of any game.
///
/// The one door to a [`Position`] is [`crate::Game::position`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Size of the board.
    pub size: Size,
    /// Piece placement.
    pub board: Board,
    /// Whose turn it is.
    pub turn: Color,
    /// Castling rights.
    pub castling: Rights,
    /// Squares that a pawn has just passed by a double step.
    pub passed: Bitboard,
    /// Dice left to use.
    pub dice: Dice,
    /// Single moves since the last capture or pawn move.
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
            castling: Rights::ALL,
            passed: Bitboard::EMPTY,
            dice: Dice::NONE,
            halfmoves: 0,
            fullmoves: 1,
        }
    }
}

/// What becomes of the square that a pawn passes by a double step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Passing {
    /// No en passant.
    Never,
    /// Kept for one move, if an enemy pawn stands where it could take.
    Usable,
    /// Kept for the opponent's whole turn, whoever may come to take.
    Turn,
}

/// A valid position of some game, with its hash kept up to date.
///
/// The counters are part of it, the hash leaves them out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    board: Board,
    hash: u64,
    passed: Bitboard,
    halfmoves: u16,
    fullmoves: u16,
    dice: Dice,
    size: Size,
    turn: Color,
    castling: Rights,
}

impl Position {
    /// Takes the parts as they are. The caller has checked them.
    pub(crate) fn from_setup(setup: Setup) -> Position {
        let mut position = Position {
            board: setup.board,
            hash: 0,
            passed: setup.passed,
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
            passed: self.passed,
            dice: self.dice,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
        }
    }

    /// Piece placement.
    #[inline]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Size of the board.
    #[inline]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Whose turn it is.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Castling rights of both sides.
    #[inline]
    pub const fn castling(&self) -> Rights {
        self.castling
    }

    /// Squares that pawns passed and might be taken on. More than one only in
    /// dice games with several moves a turn.
    #[inline]
    pub const fn passed(&self) -> Bitboard {
        self.passed
    }

    /// Dice left to use.
    #[inline]
    pub const fn dice(&self) -> Dice {
        self.dice
    }

    /// Single moves since the last capture or pawn move.
    #[inline]
    pub const fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    /// Number of the full move, from 1.
    #[inline]
    pub const fn fullmoves(&self) -> u16 {
        self.fullmoves
    }

    /// Zobrist hash of all but the counters and the size.
    #[inline]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// The hash worked out from nothing, for checking.
    pub fn recomputed_hash(&self) -> u64 {
        let pieces = self
            .board
            .iter()
            .map(|(square, piece)| zobrist::piece(square, piece.color, piece.role));
        let passed = self.passed.into_iter().map(zobrist::passed);
        let turn = if self.turn.is_white() {
            0
        } else {
            zobrist::BLACK_TO_MOVE
        };
        let rest = zobrist::rights(self.castling) ^ zobrist::dice(self.dice) ^ turn;
        pieces.chain(passed).fold(rest, |hash, key| hash ^ key)
    }

    /// The same position with the counters as at the start of a game.
    ///
    /// A belief holds positions like this: in fog the counters are not known.
    #[must_use]
    pub fn without_counters(mut self) -> Position {
        self.halfmoves = 0;
        self.fullmoves = 1;
        self
    }

    /// The same position with other counters.
    #[must_use]
    pub fn with_counters(mut self, halfmoves: u16, fullmoves: u16) -> Position {
        self.halfmoves = halfmoves;
        self.fullmoves = fullmoves;
        self
    }

    /// The position with colours exchanged and the board turned upside down.
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
            castling: Rights::from_bits(castling << 2 | castling >> 2),
            passed: self
                .passed
                .into_iter()
                .map(|square| size.mirror(square))
                .collect(),
            ..self.setup()
        })
    }

    /// Squares passed by the enemy of `side` in the middle of a double step.
    const fn passed_rank(side: Color) -> Bitboard {
        match side {
            Color::White => Bitboard::from_rank(Rank::Sixth),
            Color::Black => Bitboard::from_rank(Rank::Third),
        }
    }

    /// The empty squares on which `side` may take en passant if a pawn stands right.
    #[inline]
    pub fn takeable_passed(&self, side: Color) -> Bitboard {
        self.passed & Position::passed_rank(side) & !self.board.occupied()
    }

    /// The pawns of `side` that can take en passant, whoever's turn it is.
    #[inline]
    pub(crate) fn passing_takers(&self, side: Color) -> Bitboard {
        let pawns = self.board.pieces(side, Role::Pawn);
        self.takeable_passed(side)
            .into_iter()
            .fold(Bitboard::EMPTY, |takers, square| {
                takers | (attacks::pawn_attacks(!side, square) & pawns)
            })
    }

    /// Can the side to move take the enemy king?
    #[inline]
    pub fn can_take_king(&self) -> bool {
        self.king_attackers(self.turn).any()
    }

    /// Is the king of the side to move attacked?
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

    /// What a move takes.
    #[inline]
    pub fn captured(&self, m: Move) -> Option<Role> {
        match m.kind() {
            Kind::EnPassant => Some(Role::Pawn),
            Kind::Castle | Kind::DoubleStep => None,
            _ => self.board.role_at(m.to()),
        }
    }

    /// The kind of piece that a move moves.
    #[inline]
    pub fn mover(&self, m: Move) -> Role {
        self.board
            .role_at(m.from())
            .expect("a move starts on a piece")
    }

    /// Moves the pieces and keeps the rights, the clock and the passed squares;
    /// the turn stays. Gives what was taken.
    #[inline]
    pub(crate) fn shift_pieces(&mut self, m: Move, passing: Passing) -> Option<Role> {
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        let role = self.mover(m);
        let taken = self.captured(m);
        if let Some(victim) = taken {
            self.toggle(m.capture_square(), !us, victim);
        }
        self.toggle(from, us, role);
        self.toggle(to, us, m.promotion().unwrap_or(role));
        if m.kind() == Kind::Castle {
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
        let passed = self.passed_after(m, passing);
        self.set_passed(passed);
        taken
    }

    /// The passed squares after `m`, whose pieces have been moved already.
    #[inline]
    fn passed_after(&self, m: Move, passing: Passing) -> Bitboard {
        let us = self.turn;
        let new = match m.kind() {
            Kind::DoubleStep if passing != Passing::Never => {
                let square = m.to().xor(Square::A2);
                let takers = attacks::pawn_attacks(us, square) & self.board.pieces(!us, Role::Pawn);
                match passing {
                    Passing::Usable if takers.is_empty() => Bitboard::EMPTY,
                    _ => Bitboard::from_square(square),
                }
            }
            _ => Bitboard::EMPTY,
        };
        match passing {
            Passing::Turn => (self.passed & self.passed_with_victim()) | new,
            _ => new,
        }
    }

    /// Squares of the third and sixth rank behind a pawn that may have passed them.
    pub(crate) fn passed_with_victim(&self) -> Bitboard {
        let white = self.board.pieces(Color::White, Role::Pawn).0 >> 8;
        let black = self.board.pieces(Color::Black, Role::Pawn).0 << 8;
        (Bitboard(white) & Position::passed_rank(Color::Black))
            | (Bitboard(black) & Position::passed_rank(Color::White))
    }

    /// Gives the turn to the other side.
    #[inline]
    pub(crate) fn flip_turn(&mut self) {
        self.fullmoves = self
            .fullmoves
            .saturating_add(u16::from(self.turn == Color::Black));
        self.turn = !self.turn;
        self.hash ^= zobrist::BLACK_TO_MOVE;
    }

    /// The position as it would be if the side to move could pass: a thought
    /// of searches, not a move of any game.
    #[inline]
    #[must_use]
    pub fn after_pass(mut self) -> Position {
        self.set_passed(Bitboard::EMPTY);
        self.halfmoves = self.halfmoves.saturating_add(1);
        self.flip_turn();
        self
    }

    /// Ends a turn in which `self.turn` could have taken what was passed before it.
    pub(crate) fn end_long_turn(&mut self) {
        self.set_passed(self.passed & !Position::passed_rank(self.turn));
        self.set_dice(Dice::NONE);
        self.flip_turn();
    }

    /// A turn without a move: one quiet ply.
    pub(crate) fn count_pass(&mut self) {
        self.halfmoves = self.halfmoves.saturating_add(1);
    }

    #[inline]
    fn toggle(&mut self, square: Square, side: Color, role: Role) {
        self.board.toggle(square, side, role);
        self.hash ^= zobrist::piece(square, side, role);
    }

    #[inline]
    fn set_castling(&mut self, rights: Rights) {
        self.hash ^= zobrist::rights(self.castling) ^ zobrist::rights(rights);
        self.castling = rights;
    }

    #[inline]
    pub(crate) fn set_passed(&mut self, passed: Bitboard) {
        for square in self.passed ^ passed {
            self.hash ^= zobrist::passed(square);
        }
        self.passed = passed;
    }

    #[inline]
    pub(crate) fn set_dice(&mut self, dice: Dice) {
        self.hash ^= zobrist::dice(self.dice) ^ zobrist::dice(dice);
        self.dice = dice;
    }
}
