//! The win-probability evaluation of `dice`: 0 for a lost king, 1 for a
//! captured one, and otherwise the exact chance that the next roll captures a
//! king, combined with a logistic function of piece-square values.

use std::sync::OnceLock;

use foglight_rules::{Bitboard, Board, Castling, Color, Move, MoveKind, Position, Role, Size};

use super::rolls::{roles_attacking_king, rollable};
use crate::eval::Evaluator;

/// One unit of log-odds in the integers of [`PieceSquareValues`].
pub const UNIT: i32 = 1000;

/// Share that remains, after our move, of the enemy's present chance to capture
/// our king.
const LASTING: f32 = 0.5;

/// Lookup table from sums of log-odds to win probabilities.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CaptureOdds(Vec<f32>);

impl CaptureOdds {
    /// Tabulates all sums in range.
    #[allow(clippy::new_without_default)]
    pub fn new() -> CaptureOdds {
        let odds = (-REACH..=REACH).step_by(STEP as usize);
        let odds = odds.map(|s| (1.0 / (1.0 + (-f64::from(s) / f64::from(UNIT)).exp())) as f32);
        CaptureOdds(odds.collect())
    }

    /// The win probability of a sum of log-odds, in [`UNIT`].
    #[inline]
    pub fn at(&self, sum: i32) -> f32 {
        let index = (sum.clamp(-REACH, REACH) + REACH) / STEP;
        self.0[index as usize]
    }
}

/// Log-odds of winning for each piece on each square, and of the right to roll.
#[derive(Clone, PartialEq, Debug)]
pub struct PieceSquareValues {
    /// By side, piece type and square: White's count for White, Black's
    /// against.
    tables: [[[i32; 64]; 6]; 2],
    roll: i32,
    odds: CaptureOdds,
}

const REACH: i32 = 8 * UNIT;
const STEP: i32 = 4;

/// The default weights: for each piece type the 64 squares from White's side,
/// a1 first, then the value of the right to roll.
static SHIPPED: &str = include_str!("../../../../data/weights/dice_value.txt");

impl PieceSquareValues {
    /// The default weights: set by hand after a first fit to self-play, and
    /// smooth.
    pub fn default_values() -> &'static PieceSquareValues {
        static VALUES: OnceLock<PieceSquareValues> = OnceLock::new();
        VALUES.get_or_init(|| {
            PieceSquareValues::parse(SHIPPED).expect("the embedded weights are well formed")
        })
    }

    /// Values for boards of other sizes, where squares have another meaning:
    /// each piece type counts its mean.
    pub fn of_size(size: Size) -> &'static PieceSquareValues {
        static SMALL: OnceLock<PieceSquareValues> = OnceLock::new();
        if size.is_full() {
            return PieceSquareValues::default_values();
        }
        SMALL.get_or_init(|| {
            let shipped = PieceSquareValues::default_values();
            let mean = |kind: usize| {
                let used = if kind == 0 { 8..56 } else { 0..64 };
                let sum: i32 = used
                    .clone()
                    .map(|s: usize| shipped.tables[0][kind][s])
                    .sum();
                sum / used.len() as i32
            };
            let table: Vec<[i32; 64]> = (0..6).map(|kind| [mean(kind); 64]).collect();
            PieceSquareValues::new(table.try_into().expect("six kinds"), shipped.roll)
        })
    }

    /// Values from White's tables.
    pub fn new(white: [[i32; 64]; 6], roll: i32) -> PieceSquareValues {
        let black = white.map(|table| std::array::from_fn(|square| -table[square ^ 56]));
        PieceSquareValues {
            tables: [white, black],
            roll,
            odds: CaptureOdds::new(),
        }
    }

    /// Parses 6 x 64 + 1 integers; lines that begin with `#` are comments.
    pub fn parse(text: &str) -> Option<PieceSquareValues> {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let numbers: Option<Vec<i32>> = lines
            .flat_map(str::split_whitespace)
            .map(|word| word.parse().ok())
            .collect();
        let numbers = numbers.filter(|numbers| numbers.len() == 6 * 64 + 1)?;
        let white = std::array::from_fn(|kind| std::array::from_fn(|s| numbers[64 * kind + s]));
        Some(PieceSquareValues::new(white, numbers[6 * 64]))
    }

    /// White's table of a piece type, a1 first.
    pub fn table(&self, role: Role) -> &[i32; 64] {
        &self.tables[0][role as usize - 1]
    }

    /// The value of the right to roll.
    pub fn roll(&self) -> i32 {
        self.roll
    }

    #[inline]
    pub(crate) fn piece(&self, side: Color, role: Role, square: foglight_rules::Square) -> i32 {
        self.tables[usize::from(side.is_black())][role as usize - 1][square as usize]
    }

    /// The sum over all pieces, for White.
    pub fn sum(&self, board: &Board) -> i32 {
        let pieces = board.iter();
        pieces
            .map(|(s, piece)| self.piece(piece.color, piece.role, s))
            .sum()
    }

    /// The sum of log-odds alone as a win probability of the side to roll.
    #[inline]
    pub fn quiet(&self, sum: i32, side: Color) -> f32 {
        let own = if side.is_white() { sum } else { -sum };
        self.odds.at(own + self.roll)
    }
}

impl Evaluator<Color, f32> for PieceSquareValues {
    type Accumulator = i32;

    fn refresh(&self, position: &Position) -> i32 {
        self.sum(position.board())
    }

    #[inline]
    fn update(&self, sum: &i32, before: &Position, m: Move, taken: Option<Role>) -> i32 {
        let us = before.turn();
        let role = before.mover(m);
        let (from, to) = (m.from(), m.to());
        let becomes = m.promotion().unwrap_or(role);
        let mut sum = sum + self.piece(us, becomes, to) - self.piece(us, role, from);
        if let Some(victim) = taken {
            sum -= self.piece(!us, victim, m.capture_square());
        }
        if m.kind() == MoveKind::Castle {
            let rook = Castling::ending_on(to).expect("a castling").rook;
            sum += self.piece(us, Role::Rook, rook.1) - self.piece(us, Role::Rook, rook.0);
        }
        sum
    }

    #[inline]
    fn evaluate(&self, side: &Color, sum: &i32) -> f32 {
        self.quiet(*sum, *side)
    }
}

/// A position without dice, with its accumulator.
#[derive(Clone, Copy, Debug)]
pub struct DiceNode<S = i32> {
    /// The position before the roll.
    pub position: Position,
    /// The evaluator's accumulator of the pieces.
    pub sum: S,
}

/// Probability of a face, by the number of piece types that can move.
const SHARE: [f32; 7] = [0.0, 1.0, 0.5, 1.0 / 3.0, 0.25, 0.2, 1.0 / 6.0];

impl<S: Copy> DiceNode<S> {
    /// A node of a search.
    pub fn new(
        position: Position,
        values: &impl Evaluator<Color, f32, Accumulator = S>,
    ) -> DiceNode<S> {
        DiceNode {
            position,
            sum: values.refresh(&position),
        }
    }

    /// The node after a move; a pass that may follow is not played yet.
    ///
    /// Fog-of-war chess moves pieces as one-die chess does, and has neither
    /// dice nor passes.
    #[inline]
    pub fn after(
        &self,
        m: Move,
        values: &impl Evaluator<Color, f32, Accumulator = S>,
    ) -> DiceNode<S> {
        let mut next = DiceNode {
            position: self.position,
            sum: values.update(&self.sum, &self.position, m, self.position.captured(m)),
        };
        foglight_rules::Game::fog().play_unchecked(&mut next.position, m);
        next
    }

    /// The win probability of the side to roll, which has a move.
    #[inline]
    pub fn value(&self, values: &impl Evaluator<Color, f32, Accumulator = S>) -> f32 {
        let (board, side) = (self.position.board(), self.position.turn());
        let passed = self.position.ep_targets(side);
        let quiet = values.evaluate(&side, &self.sum);
        value_of(board, side, passed, self.position.size(), || quiet).unwrap_or(quiet)
    }

    /// The win probability of the *mover* after a move that captures no king;
    /// `None` if the other side could not move then. The caller handles quiet
    /// moves at the halfmove limit.
    #[inline]
    pub fn value_after(
        &self,
        m: Move,
        values: &impl Evaluator<Color, f32, Accumulator = S>,
    ) -> Option<f32> {
        let position = &self.position;
        let (side, size) = (position.turn(), position.size());
        match m.kind() {
            MoveKind::Normal | MoveKind::Promotion(_) => {
                let role = position.mover(m);
                let mut board = *position.board();
                if let Some(victim) = board.role_at(m.to()) {
                    board.toggle(m.to(), !side, victim);
                }
                board.toggle(m.from(), side, role);
                board.toggle(m.to(), side, m.promotion().unwrap_or(role));
                value_of(&board, !side, Bitboard::EMPTY, size, || {
                    let sum = values.update(&self.sum, position, m, position.captured(m));
                    values.evaluate(&!side, &sum)
                })
            }
            _ => {
                let next = self.after(m, values);
                let passed = next.position.ep_targets(!side);
                let board = next.position.board();
                value_of(board, !side, passed, size, || {
                    values.evaluate(&!side, &next.sum)
                })
            }
        }
        .map(|value| 1.0 - value)
    }
}

/// The win probability of the side to roll in a position of one-die chess.
pub fn win_probability(evaluator: &impl Evaluator<Color, f32>, position: &Position) -> f64 {
    f64::from(DiceNode::new(*position, evaluator).value(evaluator))
}

/// The win probability of the side to roll; `None` if no piece type can move.
///
/// With probability `k` the roll captures the king. Otherwise the pieces
/// decide, and the chance that our own king hangs.
#[inline]
fn value_of(
    board: &Board,
    side: Color,
    passed: Bitboard,
    size: Size,
    quiet: impl FnOnce() -> f32,
) -> Option<f32> {
    let (takes, hangs) = chances(board, side, passed, size)?;
    Some(combine(quiet(), takes, hangs))
}

/// The probability that the roll of `side` captures the king, and an estimate
/// of that of the enemy's next; `None` if no piece type can move.
#[inline]
pub fn chances(board: &Board, side: Color, passed: Bitboard, size: Size) -> Option<(f32, f32)> {
    let can = rollable(board, side, passed, size);
    if can.is_empty() {
        return None;
    }
    let takes =
        roles_attacking_king(board, side, size).count() as f32 * SHARE[can.count() as usize];
    let hangs = roles_attacking_king(board, !side, size).count() as f32 * SHARE[6];
    Some((takes, hangs))
}

/// The value of the pieces alone that makes a position worth `value`: the
/// inverse of [`combine`]. `None` where the kings decide nearly all.
pub fn quiet_part(position: &Position, value: f32) -> Option<f32> {
    let side = position.turn();
    let passed = position.ep_targets(side);
    let (takes, hangs) = chances(position.board(), side, passed, position.size())?;
    let left = (1.0 - takes) * (1.0 - LASTING * hangs);
    (left >= 0.5).then(|| ((value - takes) / left).clamp(0.0, 1.0))
}

/// The win probability from that of the pieces and the chances of both kings.
#[inline]
pub fn combine(quiet: f32, takes: f32, hangs: f32) -> f32 {
    takes + (1.0 - takes) * quiet * (1.0 - LASTING * hangs)
}
