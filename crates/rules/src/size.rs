//! Board sizes: rectangles from 4x4 to 8x8 with their lower left corner on a1.

use std::fmt;

use shakmaty::{Bitboard, Color, Rank, Square};

/// Size of a board. Smaller boards use the squares from a1 upwards and to the
/// right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    files: u8,
    ranks: u8,
}

impl Size {
    /// The 8x8 board of chess.
    pub const FULL: Size = Size { files: 8, ranks: 8 };

    /// A board of `files` by `ranks`, if both are between 4 and 8.
    pub fn new(files: usize, ranks: usize) -> Option<Size> {
        let valid = 4..=8;
        (valid.contains(&files) && valid.contains(&ranks)).then_some(Size {
            files: files as u8,
            ranks: ranks as u8,
        })
    }

    /// Number of files, 4 to 8.
    pub const fn files(self) -> usize {
        self.files as usize
    }

    /// Number of ranks, 4 to 8.
    pub const fn ranks(self) -> usize {
        self.ranks as usize
    }

    /// Whether this is the 8x8 board. Only there are double steps, castling and
    /// en passant.
    pub const fn is_full(self) -> bool {
        self.files == 8 && self.ranks == 8
    }

    /// The squares of the board as a mask.
    pub const fn mask(self) -> Bitboard {
        let row = (1u64 << self.files) - 1;
        let columns = row.wrapping_mul(0x0101_0101_0101_0101);
        Bitboard(columns & (!0 >> (64 - 8 * self.ranks as u32)))
    }

    /// The rank on which pawns of `side` promote, with all 8 squares.
    pub const fn last_rank(self, side: Color) -> Bitboard {
        match side {
            Color::White => Bitboard(0xff << (8 * (self.ranks - 1))),
            Color::Black => Bitboard(0xff),
        }
    }

    /// The square at a file and rank index, if it is on the board.
    pub fn square(self, file: usize, rank: usize) -> Option<Square> {
        (file < self.files() && rank < self.ranks()).then(|| Square::new((rank * 8 + file) as u32))
    }

    /// Squares in reading order: the top rank first, each from the a-file on.
    pub fn reading_order(self) -> impl Iterator<Item = Square> {
        (0..self.ranks as u32).rev().flat_map(move |rank| {
            (0..self.files as u32).map(move |file| Square::new(rank * 8 + file))
        })
    }

    /// The square that corresponds to `square` when colours are exchanged.
    pub fn mirror(self, square: Square) -> Square {
        let rank = Rank::new(self.ranks as u32 - 1 - square.rank() as u32);
        Square::from_coords(square.file(), rank)
    }

    /// A code below 25 that identifies the size.
    pub(crate) const fn code(self) -> u64 {
        (self.files as u64 - 4) * 5 + (self.ranks as u64 - 4)
    }

    /// Inverse of [`Size::code`]; `None` for other numbers.
    pub(crate) fn from_code(code: u64) -> Option<Size> {
        Size::new((code / 5 + 4) as usize, (code % 5 + 4) as usize)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.files, self.ranks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_hold_files_times_ranks_squares() {
        for files in 4..=8 {
            for ranks in 4..=8 {
                let size = Size::new(files, ranks).expect("a valid size");
                assert_eq!(size.mask().count(), files * ranks);
                assert_eq!(size.reading_order().count(), files * ranks);
                assert_eq!(Size::from_code(size.code()), Some(size));
            }
        }
        assert_eq!(Size::new(3, 8), None);
        assert_eq!(Size::new(8, 9), None);
    }
}
