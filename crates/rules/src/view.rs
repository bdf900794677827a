//! Views: the part of a position that one side sees.

use shakmaty::{Bitboard, Color, Rank, Role, Square};

use crate::{
    board::Board,
    castling::CastlingRights,
    dice::Dice,
    fog_rules::FogRules,
    games::Game,
    movegen::{RoleSet, forward, generate},
    moves::MoveList,
    position::{Position, Setup},
    size::Size,
};

/// One side's view of a position. Its text form is the fog FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// The side that observes.
    pub side: Color,
    /// Size of the board.
    pub size: Size,
    /// The squares visible to the observer.
    pub visible: Bitboard,
    /// The pieces on the visible squares.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// The castling rights that the observer knows.
    pub castling: CastlingRights,
    /// En passant squares on which the observer can capture.
    pub ep_squares: Bitboard,
    /// Dice not used yet.
    pub dice: Dice,
    /// Half-move clock and move number, where the rules make them public.
    pub counters: Option<(u16, u16)>,
}

impl View {
    /// The view of `side` of a position in this game.
    #[inline]
    pub fn new(game: &Game, position: &Position, side: Color) -> View {
        let visible = game.visible_squares(position, side);
        let full = game.has_full_view(side);
        let may_take = position.turn() == side && position.ep_capturers(side).any();
        View {
            side,
            size: position.size(),
            visible,
            board: position.board().masked(visible),
            turn: position.turn(),
            castling: if full {
                position.castling()
            } else {
                position.castling().of(side)
            },
            ep_squares: if full || may_take {
                position.ep_squares()
            } else {
                Bitboard::EMPTY
            },
            dice: position.dice(),
            counters: (full || game.fog_rules().is_some_and(FogRules::counters_are_public))
                .then(|| (position.halfmoves(), position.fullmoves())),
        }
    }

    /// Whether every square is visible.
    pub fn is_full(&self) -> bool {
        self.visible == self.size.mask()
    }

    /// The observer's legal moves in fog, computed from the view alone. Empty
    /// unless it is the observer's turn.
    pub fn fog_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        if self.turn == self.side && self.board.king(self.side).is_some() {
            generate(&self.as_position(), RoleSet::ALL, &mut moves);
        }
        moves
    }

    /// A position with the visible pieces and a placeholder on every hidden
    /// square that is known to block a pawn: the observer knows that it is
    /// occupied, not by which piece. A square two steps ahead is known to be
    /// blocked only if the pawn has not moved and the square between is empty; a
    /// placeholder elsewhere could be captured by another pawn.
    fn as_position(&self) -> Position {
        let mut board = self.board;
        let unseen = self.size.mask() & !self.visible;
        let ahead = forward(self.side);
        let pawns = self.board.pieces(self.side, Role::Pawn);
        let first = pawns.shift(ahead);
        let third = Bitboard::from_rank(self.side.relative_rank(Rank::Third));
        let second = if self.size.is_full() {
            (first & third & self.visible & !self.board.occupied()).shift(ahead)
        } else {
            Bitboard::EMPTY
        };
        let blocked = (first | second) & unseen;
        for square in blocked {
            board.set(square, Role::Pawn.of(!self.side));
        }
        Position::from_setup(Setup {
            size: self.size,
            board,
            turn: self.turn,
            castling: self.castling,
            ep_squares: self.ep_squares,
            dice: self.dice,
            halfmoves: 0,
            fullmoves: 1,
        })
    }

    /// The observer's own pieces.
    pub fn own(&self) -> Bitboard {
        self.board.side(self.side)
    }

    /// The visible enemy pieces.
    pub fn enemies(&self) -> Bitboard {
        self.board.side(!self.side)
    }

    /// One character for a square: `?` hidden, `.` empty, else the piece's
    /// letter.
    pub fn symbol(&self, square: Square) -> char {
        match self.board.piece_at(square) {
            _ if !self.visible.contains(square) => '?',
            None => '.',
            Some(piece) => piece.char(),
        }
    }

    /// The squares rank by rank, the top rank first, joined by `/`.
    pub fn rows(&self) -> String {
        let mut rows = String::with_capacity(72);
        for square in self.size.reading_order() {
            if square.file() as usize == 0 && !rows.is_empty() {
                rows.push('/');
            }
            rows.push(self.symbol(square));
        }
        rows
    }
}
