//! Enumeration of the placements of a few pieces.

use foglight_rules::{
    Bitboard, Board, CastlingRights, Color, Dice, Game, Piece, Position, Role, Setup, Size, Square,
};

use super::SolveError;

/// Maximum number of placements.
const MAX_PLACEMENTS: usize = 4_000_000;

/// All placements of some pieces on a board, any of them missing. Each piece is
/// a digit: the index of its square, or the number of squares if it is gone.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Placements {
    size: Size,
    pieces: Vec<Piece>,
    squares: Vec<Square>,
}

impl Placements {
    /// Placements of the pieces of a position on its board.
    pub(super) fn new(position: &Position) -> Result<Placements, SolveError> {
        let board = position.board();
        if let Some(square) = board.role(Role::Pawn).first() {
            return Err(SolveError::Pawn(square));
        }
        let mut pieces: Vec<Piece> = board.iter().map(|(_, piece)| piece).collect();
        pieces.sort_by_key(|piece| (piece.color.is_black(), piece.role));
        Placements::of(position.size(), pieces)
    }

    pub(super) fn of(size: Size, pieces: Vec<Piece>) -> Result<Placements, SolveError> {
        let squares: Vec<Square> = size.mask().into_iter().collect();
        let found = (squares.len() as u128 + 1).saturating_pow(pieces.len() as u32);
        if found > MAX_PLACEMENTS as u128 {
            return Err(SolveError::States {
                found,
                most: MAX_PLACEMENTS,
            });
        }
        Ok(Placements {
            size,
            pieces,
            squares,
        })
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Number of indices, those of invalid placements included.
    pub(super) fn count(&self) -> usize {
        (self.squares.len() + 1).pow(self.pieces.len() as u32)
    }

    /// Distinct boards with at least one king.
    pub(super) fn valid(&self) -> usize {
        let is_state = |index: &usize| {
            self.board(*index).is_some_and(|board| {
                board.role(Role::King).any() && self.index_of(&board) == Some(*index)
            })
        };
        (0..self.count()).filter(is_state).count()
    }

    fn board(&self, mut index: usize) -> Option<Board> {
        let base = self.squares.len() + 1;
        let mut board = Board::EMPTY;
        for piece in &self.pieces {
            if let Some(&square) = self.squares.get(index % base) {
                if board.occupied().contains(square) {
                    return None;
                }
                board.set(square, *piece);
            }
            index /= base;
        }
        Some(board)
    }

    /// The position with this index, with both kings and this side to move.
    pub(super) fn position(&self, game: &Game, index: usize, turn: Color) -> Option<Position> {
        let board = self.board(index)?;
        if board.role(Role::King).count() < 2 || self.index_of(&board) != Some(index) {
            return None;
        }
        let parts = Setup {
            size: self.size,
            board,
            turn,
            castling: CastlingRights::NONE,
            ep_squares: Bitboard::EMPTY,
            dice: Dice::NONE,
            halfmoves: 0,
            fullmoves: 1,
        };
        game.position(parts).ok()
    }

    /// The index of a position, unless it has other pieces.
    pub(super) fn index(&self, position: &Position) -> Option<usize> {
        self.index_of(position.board())
    }

    /// Of equal pieces the first digit has the lowest square.
    fn index_of(&self, board: &Board) -> Option<usize> {
        let base = self.squares.len() + 1;
        let mut index = 0;
        let mut factor = 1;
        let mut left = *board;
        for piece in &self.pieces {
            let square = left.pieces(piece.color, piece.role).first();
            let digit = match square {
                None => self.squares.len(),
                Some(square) => {
                    left.clear(square);
                    self.squares.binary_search(&square).ok()?
                }
            };
            index += digit * factor;
            factor *= base;
        }
        left.occupied().is_empty().then_some(index)
    }
}
