//! The hand-made evaluation: tapered piece-square tables, mobility, pawn
//! structure, king safety, bishop pair and threats, all weights tuned.
//!
//! It is linear in its weights: each position is a list of terms, which the
//! search sums and the tuner records, both in one pass over the board. Boards
//! smaller than 8x8 read the tables at the square that lies as far along in
//! each direction.

mod king;
mod pawns;
mod pieces;
mod published;
pub mod weights;

use std::cell::Cell;

use foglight_rules::{
    Bitboard, Board, Castling, Color, Move, MoveKind, Position, Role, Size, Square,
};

pub use weights::{COUNT, ClassicWeights};

use super::{Evaluator, Score};
use pieces::Sight;

/// Receives the terms of a position.
pub(crate) trait TermSink {
    /// Adds a term `count` times for a side.
    fn add(&mut self, side: Color, term: usize, count: i32);
}

/// Sums the terms for White.
struct Sum<'w> {
    weights: &'w [Score; COUNT],
    total: Score,
}

impl TermSink for Sum<'_> {
    #[inline]
    fn add(&mut self, side: Color, term: usize, count: i32) {
        let score = self.weights[term] * count;
        match side {
            Color::White => self.total += score,
            Color::Black => self.total -= score,
        }
    }
}

/// The terms of a position, for tuning.
#[derive(Clone, Default, Debug)]
pub struct EvalTrace {
    /// Terms that occur, with White's count minus Black's.
    pub terms: Vec<(u16, i16)>,
    /// Game phase, from 0 (only kings and pawns) to 24 (all pieces).
    pub phase: i32,
    /// Endgame scale in 64ths, if White is ahead and if Black is.
    pub scales: [i32; 2],
}

impl TermSink for EvalTrace {
    fn add(&mut self, side: Color, term: usize, count: i32) {
        let count = if side.is_white() { count } else { -count } as i16;
        match self
            .terms
            .iter_mut()
            .find(|(known, _)| *known == term as u16)
        {
            Some((_, sum)) => *sum += count,
            None => self.terms.push((term as u16, count)),
        }
    }
}

/// The phase of a board with all pieces.
pub const FULL_PHASE: i32 = 24;

const fn phase_of(role: Role) -> i32 {
    match role {
        Role::Pawn | Role::King => 0,
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 4,
    }
}

/// Squares in front of a square, on every file.
#[inline]
pub(crate) fn ahead_of(side: Color, square: Square) -> Bitboard {
    let rank = square.rank() as u32;
    Bitboard(match side {
        Color::White => (!0u64).checked_shl(8 * (rank + 1)).unwrap_or(0),
        Color::Black => (1u64 << (8 * rank)) - 1,
    })
}

/// Maps a square of a small board to the tables of a full one, from White's
/// view.
pub(super) fn table_square(size: Size, side: Color, square: Square) -> usize {
    let stretch = |at: usize, of: usize| (at * 7 + (of - 1) / 2) / (of - 1);
    let rank = (square.rank() as usize).min(size.ranks() - 1);
    let file = (square.file() as usize).min(size.files() - 1);
    let rank = match side {
        Color::White => rank,
        Color::Black => size.ranks() - 1 - rank,
    };
    stretch(rank, size.ranks()) * 8 + stretch(file, size.files())
}

/// The tables of one board size, by side, piece type and square.
type Tables = [[[Score; 64]; 6]; 2];

/// Piece-square score and phase of a position, for White.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableSum {
    tables: Score,
    phase: i32,
}

#[derive(Clone, Copy, Default)]
struct PawnEntry {
    white: u64,
    black: u64,
    passed: u64,
    score: Score,
}

const PAWN_ENTRIES: usize = 1 << 12;

/// The evaluation with its weights and its pawn hash table.
#[derive(Clone)]
pub struct Classic {
    weights: ClassicWeights,
    size: Size,
    tables: Box<Tables>,
    pawns: Vec<Cell<PawnEntry>>,
}

impl Default for Classic {
    fn default() -> Classic {
        Classic::new(ClassicWeights::tuned())
    }
}

impl Classic {
    /// The evaluation with these weights, for boards of 8x8 until
    /// [`Classic::fit`] sets another size.
    pub fn new(weights: ClassicWeights) -> Classic {
        let mut classic = Classic {
            weights,
            size: Size::FULL,
            tables: Box::new([[[Score::ZERO; 64]; 6]; 2]),
            pawns: Vec::new(),
        };
        classic.refit(Size::FULL);
        classic
    }

    /// Prepares for boards of a size. Searches call it themselves.
    pub fn fit(&mut self, size: Size) {
        if size != self.size {
            self.refit(size);
        }
    }

    fn refit(&mut self, size: Size) {
        self.size = size;
        self.pawns = vec![Cell::default(); PAWN_ENTRIES];
        for (i, side) in [Color::White, Color::Black].into_iter().enumerate() {
            for role in Role::ALL {
                for square in Square::ALL {
                    let term = table_term(size, side, role, square);
                    let score = self.weights.0[term];
                    let score = if side.is_white() { score } else { -score };
                    self.tables[i][role as usize - 1][square as usize] = score;
                }
            }
        }
    }

    #[inline]
    fn table(&self, side: Color, role: Role, square: Square) -> Score {
        let side = usize::from(side.is_black());
        self.tables[side][role as usize - 1][square as usize]
    }

    /// The pawn-structure score, from the pawn hash table if stored there.
    #[inline]
    fn pawn_score(&self, position: &Position) -> (Score, Bitboard) {
        let board = position.board();
        let white = board.pieces(Color::White, Role::Pawn).0;
        let black = board.pieces(Color::Black, Role::Pawn).0;
        let mixed = (white ^ black.rotate_left(31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = (mixed >> 40) as usize & (PAWN_ENTRIES - 1);
        let known = self.pawns[slot].get();
        if (known.white, known.black) == (white, black) {
            return (known.score, Bitboard(known.passed));
        }
        let mut sum = Sum {
            weights: &self.weights.0,
            total: Score::ZERO,
        };
        let passed = pawns::tally_pawns(position, &mut sum);
        let score = sum.total;
        self.pawns[slot].set(PawnEntry {
            white,
            black,
            passed: passed.0,
            score,
        });
        (score, passed)
    }
}

fn table_term(size: Size, side: Color, role: Role, square: Square) -> usize {
    weights::TABLES.start + (role as usize - 1) * 64 + table_square(size, side, square)
}

/// The terms of a position that [`Classic`] sums.
pub fn trace(position: &Position) -> EvalTrace {
    let mut trace = EvalTrace::default();
    let board = position.board();
    for (square, piece) in board.iter() {
        let term = table_term(position.size(), piece.color, piece.role, square);
        trace.add(piece.color, term, 1);
        trace.phase += phase_of(piece.role);
    }
    trace.phase = trace.phase.min(FULL_PHASE);
    let passed = pawns::tally_pawns(position, &mut trace);
    tally_rest(position, passed, &mut trace);
    trace.terms.retain(|(_, count)| *count != 0);
    trace.scales = [end_scale(board, 1), end_scale(board, -1)];
    trace
}

/// Adds every term but tables and pawn structure.
#[inline]
fn tally_rest<T: TermSink>(position: &Position, passed: Bitboard, tally: &mut T) {
    let mut sights = [
        Sight::new(position, Color::White),
        Sight::new(position, Color::Black),
    ];
    pieces::tally_pieces(position, &mut sights, tally);
    king::tally_kings(position, &sights, tally);
    pieces::tally_threats(position, &sights, tally);
    pieces::tally_passed(position, passed, &sights, tally);
    tally.add(position.turn(), weights::TEMPO.start, 1);
}

/// Endgame scale in 64ths: reduced for bishops of opposite colours and for too
/// little material to win.
#[inline]
fn end_scale(board: &Board, end: i32) -> i32 {
    const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
    let strong = if end >= 0 { Color::White } else { Color::Black };
    if board.pieces(strong, Role::Pawn).is_empty() {
        let pieces = |side| {
            let of = |role, value| board.pieces(side, role).count() as i32 * value;
            of(Role::Knight, 3) + of(Role::Bishop, 3) + of(Role::Rook, 5) + of(Role::Queen, 9)
        };
        let (more, less) = (pieces(strong), pieces(!strong));
        if more - less <= 3 && (more <= 3 || less > 0) {
            return 12;
        }
    }
    let bishops = board.role(Role::Bishop);
    let opposite = bishops.count() == 2
        && (bishops & LIGHT).count() == 1
        && (bishops & board.side(Color::White)).count() == 1;
    if opposite {
        let others = board.role(Role::Knight) | board.role(Role::Rook) | board.role(Role::Queen);
        return if others.is_empty() { 32 } else { 52 };
    }
    64
}

impl Evaluator for Classic {
    type Accumulator = TableSum;

    fn prepare(&mut self, position: &Position) {
        self.fit(position.size());
    }

    fn refresh(&self, position: &Position) -> TableSum {
        let nothing = TableSum {
            tables: Score::ZERO,
            phase: 0,
        };
        position
            .board()
            .iter()
            .fold(nothing, |sum, (square, piece)| TableSum {
                tables: sum.tables + self.table(piece.color, piece.role, square),
                phase: sum.phase + phase_of(piece.role),
            })
    }

    #[inline]
    fn update(
        &self,
        carried: &TableSum,
        before: &Position,
        m: Move,
        taken: Option<Role>,
    ) -> TableSum {
        let mut carried = *carried;
        let side = before.turn();
        let (from, to) = (m.from(), m.to());
        let role = before.mover(m);
        let becomes = m.promotion().unwrap_or(role);
        carried.tables += self.table(side, becomes, to) - self.table(side, role, from);
        if let Some(taken) = taken {
            carried.tables -= self.table(!side, taken, m.capture_square());
            carried.phase -= phase_of(taken);
        }
        match m.kind() {
            MoveKind::Castle => {
                let rook = Castling::ending_on(to).expect("a castling").rook;
                carried.tables +=
                    self.table(side, Role::Rook, rook.1) - self.table(side, Role::Rook, rook.0);
            }
            MoveKind::Promotion(role) => carried.phase += phase_of(role),
            _ => {}
        }
        carried
    }

    fn evaluate(&self, position: &Position, carried: &TableSum) -> i32 {
        let (pawn_score, passed) = self.pawn_score(position);
        let mut sum = Sum {
            weights: &self.weights.0,
            total: carried.tables + pawn_score,
        };
        tally_rest(position, passed, &mut sum);
        let phase = carried.phase.min(FULL_PHASE);
        let end = sum.total.end();
        let end = end * end_scale(position.board(), end) / 64;
        let white = (sum.total.middle() * phase + end * (FULL_PHASE - phase)) / FULL_PHASE;
        if position.turn().is_white() {
            white
        } else {
            -white
        }
    }
}
