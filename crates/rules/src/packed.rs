//! Positions in 32 bytes, for beliefs with millions of them.

use shakmaty::{Bitboard, Color, Piece, Role};

use crate::{
    board::Board,
    castling::CastlingRights,
    dice::Dice,
    position::{Position, Setup},
    size::Size,
};

/// A position in four words: occupied squares, up to 32 pieces of four bits in
/// square order, and the remaining fields. Lossless: it includes counters and
/// dice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PackedPosition([u64; 4]);

/// Maximum of the half-move clock: ten bits.
pub(crate) const MAX_HALFMOVES: u16 = 1023;

/// Widths of the fields of the last word, from the lowest bit up.
const SIZE: u32 = 5;
const TURN: u32 = 1;
const CASTLING: u32 = 4;
const PASSED: u32 = 16;
const DICE: u32 = 12;
const HALFMOVES: u32 = 10;
const FULLMOVES: u32 = 16;

/// Writes fields into a word, starting at the lowest bits.
#[derive(Default)]
struct Fields {
    word: u64,
    at: u32,
}

impl Fields {
    fn put(&mut self, value: u64, width: u32) {
        debug_assert!(value < 1 << width);
        self.word |= value << self.at;
        self.at += width;
    }

    fn take(&mut self, width: u32) -> u64 {
        let value = (self.word >> self.at) & ((1 << width) - 1);
        self.at += width;
        value
    }
}

fn piece_code(piece: Piece) -> u64 {
    (piece.role as u64) | if piece.color.is_white() { 0 } else { 8 }
}

fn piece_from_code(code: u64) -> Option<Piece> {
    let role = Role::try_from(code & 7).ok()?;
    Some(role.of(Color::from_white(code < 8)))
}

impl PackedPosition {
    /// Packs a position without loss.
    pub fn new(position: &Position) -> PackedPosition {
        let setup = position.setup();
        let mut words = [setup.board.occupied().0, 0, 0, 0];
        for (i, (_, piece)) in setup.board.iter().enumerate() {
            words[1 + i / 16] |= piece_code(piece) << (4 * (i % 16));
        }
        let mut rest = Fields::default();
        rest.put(setup.size.code(), SIZE);
        rest.put(u64::from(setup.turn.is_black()), TURN);
        rest.put(u64::from(setup.castling.bits()), CASTLING);
        // En passant squares are on the third and the sixth rank.
        let passed = setup.ep_squares.0;
        rest.put((passed >> 16 & 0xff) | (passed >> 40 & 0xff) << 8, PASSED);
        rest.put(u64::from(setup.dice.bits()), DICE);
        rest.put(u64::from(setup.halfmoves.min(MAX_HALFMOVES)), HALFMOVES);
        rest.put(u64::from(setup.fullmoves), FULLMOVES);
        words[3] = rest.word;
        PackedPosition(words)
    }

    /// Unpacks without checks. `None` if the words are not a packed position;
    /// [`crate::Game::position`] decides whether the setup is valid in a game.
    pub fn setup(&self) -> Option<Setup> {
        let [occupied, low, high, rest] = self.0;
        let mut rest = Fields { word: rest, at: 0 };
        let size = Size::from_code(rest.take(SIZE))?;
        let turn = Color::from_black(rest.take(TURN) == 1);
        let castling = CastlingRights::from_bits(rest.take(CASTLING) as u8);
        let passed = rest.take(PASSED);
        let dice = Dice::from_bits(rest.take(DICE) as u16)?;
        let halfmoves = rest.take(HALFMOVES) as u16;
        let fullmoves = rest.take(FULLMOVES) as u16;
        let mut board = Board::EMPTY;
        for (i, square) in Bitboard(occupied).into_iter().enumerate() {
            let word = if i < 16 { low } else { high };
            let piece = piece_from_code(word >> (4 * (i % 16)) & 15)?;
            board.toggle(square, piece.color, piece.role);
            if i == 32 {
                return None;
            }
        }
        Some(Setup {
            size,
            board,
            turn,
            castling,
            ep_squares: Bitboard((passed & 0xff) << 16 | (passed >> 8) << 40),
            dice,
            halfmoves,
            fullmoves,
        })
    }

    /// Restores the packed position.
    ///
    /// # Panics
    /// If the words did not come from [`PackedPosition::new`].
    pub fn unpack(&self) -> Position {
        Position::from_setup(self.setup().expect("bytes of a packed position"))
    }

    /// The four words, to store or hash.
    pub const fn words(&self) -> [u64; 4] {
        self.0
    }

    /// Builds a value from the words of [`PackedPosition::words`].
    pub const fn from_words(words: [u64; 4]) -> PackedPosition {
        PackedPosition(words)
    }
}
