//! QMDP on small boards, after Gindi et al. (section III B): all placements of
//! a few pieces are states, all moves are actions, the opponent is part of the
//! transitions, and value iteration gives an alpha vector for each action.
//!
//! Where the paper asks Stockfish for the value of each reply, replies here are
//! weighted by their immediate gain or loss, king captures first.

mod bytes;
mod placements;
mod solving;

use std::ops::Range;

use foglight_rules::{Color, Game, Move, Piece, Position, Role, Size, Square};

use crate::eval::{michniewski::value, value_of};
use placements::Placements;
pub use solving::QmdpSolver;

/// The paper's parameters, and those that it leaves open.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct QmdpSettings {
    /// Discount for each pair of moves.
    pub gamma: f64,
    /// Reward for capturing the king; losing one's own is its negative.
    pub reward: f64,
    /// The value of an action that is not legal in a state.
    pub illegal: f64,
    /// Rounds of value iteration.
    pub iterations: usize,
    /// Minimum weight of a reply.
    pub floor: f64,
}

impl Default for QmdpSettings {
    fn default() -> QmdpSettings {
        QmdpSettings {
            gamma: 0.99,
            reward: 1000.0,
            illegal: -10_000.0,
            iterations: 60,
            floor: 0.01,
        }
    }
}

/// Error for a game that cannot be solved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolveError {
    /// Pawns would promote to pieces that are not in the list.
    #[error("a pawn stands on {0}; expected kings, queens, rooks, bishops and knights only")]
    Pawn(Square),
    #[error("{found} placements; expected at most {most}: fewer pieces or a smaller board")]
    States {
        /// Number of placements of the pieces.
        found: u128,
        /// Maximum number of placements.
        most: usize,
    },
    /// Dice games are not supported.
    #[error("{0} has no king to capture; expected fog")]
    Game(String),
    /// Bytes that [`Qmdp::to_bytes`] did not write.
    #[error("not a saved solution; expected a file that 'foglight solve qmdp' wrote")]
    Bytes,
}

/// The alpha vectors of one side for one set of pieces on one board.
///
/// Nearly every action is illegal in any one state, so a vector is stored as
/// the values of the states where it is legal.
#[derive(Clone, PartialEq, Debug)]
pub struct Qmdp {
    side: Color,
    settings: QmdpSettings,
    placements: Placements,
    /// Start of each state's values.
    offsets: Vec<u32>,
    /// Moves by [`Move::raw`] with their values.
    values: Vec<(u16, f32)>,
}

/// Result of one move of the player.
enum Next {
    /// The game is over with this reward.
    Over(f64),
    /// The opponent moves in this state.
    Reply(u32),
}

/// The replies in a state: probabilities with the player's next state, or the
/// end.
struct Replies {
    offsets: Vec<u32>,
    list: Vec<(f32, u32)>,
    /// Expected reward of replies that end the game.
    ends: Vec<f32>,
}

/// The states of the player and the results of its moves.
struct Moves {
    offsets: Vec<u32>,
    list: Vec<(u16, Next)>,
}

impl Qmdp {
    /// Solves for `side` every placement of the pieces of `position`, any of
    /// them missing. `progress` is called with rounds done and rounds in all.
    pub fn solve(
        game: &Game,
        position: &Position,
        side: Color,
        settings: QmdpSettings,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<Qmdp, SolveError> {
        let mut solving = QmdpSolver::new(game, position, side, settings)?;
        let mut told = 0;
        while let Some(rounds) = solving.step() {
            if rounds > told {
                told = rounds;
                progress(rounds, settings.iterations);
            }
        }
        Ok(solving.finish())
    }

    /// The side for which it was solved.
    pub fn side(&self) -> Color {
        self.side
    }

    /// The settings that it was solved with.
    pub fn settings(&self) -> &QmdpSettings {
        &self.settings
    }

    pub fn size(&self) -> Size {
        self.placements.size()
    }

    pub fn pieces(&self) -> &[Piece] {
        self.placements.pieces()
    }

    /// Placements with at least one king, as the paper counts states.
    pub fn states(&self) -> usize {
        self.placements.valid()
    }

    /// Pairs of squares that a piece of the player could connect.
    pub fn actions(&self) -> usize {
        let mut moves: Vec<u16> = self.values.iter().map(|(m, _)| *m).collect();
        moves.sort_unstable();
        moves.dedup();
        moves.len()
    }

    /// The moves of the player in a position with their values, unless the
    /// position holds pieces that were not solved for.
    fn row(&self, position: &Position) -> Option<&[(u16, f32)]> {
        let index = self.placements.index(position)?;
        let (from, to) = (self.offsets[index], self.offsets[index + 1]);
        Some(&self.values[from as usize..to as usize])
    }

    /// One entry of an alpha vector.
    pub fn alpha(&self, position: &Position, m: Move) -> Option<f64> {
        let row = self.row(position)?;
        let entry = row.iter().find(|(raw, _)| *raw == m.raw());
        Some(entry.map_or(self.settings.illegal, |(_, value)| f64::from(*value)))
    }

    /// The product of each move's alpha vector and a belief, whose weights need
    /// not sum to 1. `None` if no state of the belief was solved for.
    pub fn products<'a>(
        &self,
        moves: &[Move],
        belief: impl IntoIterator<Item = (&'a Position, f64)>,
    ) -> Option<Vec<f64>> {
        let mut sums = vec![0.0; moves.len()];
        let mut total = 0.0;
        for (position, weight) in belief {
            let Some(row) = self.row(position) else {
                continue;
            };
            total += weight;
            for (m, sum) in moves.iter().zip(&mut sums) {
                let entry = row.iter().find(|(raw, _)| *raw == m.raw());
                let value = entry.map_or(self.settings.illegal, |(_, v)| f64::from(*v));
                *sum += weight * value;
            }
        }
        sums.iter_mut().for_each(|sum| *sum /= total);
        (total > 0.0).then_some(sums)
    }

    /// The best move in a known position, and its value.
    pub fn best(&self, position: &Position) -> Option<(Move, f64)> {
        let row = self.row(position)?.iter();
        let best = row.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
        Some((Move::from_raw(best.0), f64::from(best.1)))
    }
}

impl Next {
    fn value(&self, after: &[f32], settings: &QmdpSettings) -> f32 {
        match self {
            Next::Over(reward) => *reward as f32,
            Next::Reply(state) => settings.gamma as f32 * after[*state as usize],
        }
    }
}

impl Moves {
    /// Improves the values of a range of states.
    fn improve(
        &self,
        after: &[f32],
        part: Range<usize>,
        settings: &QmdpSettings,
        best: &mut [f32],
    ) {
        for state in part {
            let best = &mut best[state];
            let row = &self.list[self.offsets[state] as usize..self.offsets[state + 1] as usize];
            let values = row.iter().map(|(_, next)| next.value(after, settings));
            *best = values.fold(f32::NEG_INFINITY, f32::max);
            if row.is_empty() {
                *best = 0.0;
            }
        }
    }
}

impl Replies {
    /// The player's expected best value after the opponent's reply, for a range
    /// of states.
    fn expect(&self, best: &[f32], part: Range<usize>, after: &mut [f32]) {
        for state in part {
            let row = &self.list[self.offsets[state] as usize..self.offsets[state + 1] as usize];
            let goes_on: f32 = row
                .iter()
                .map(|(share, next)| share * best[*next as usize])
                .sum();
            after[state] = self.ends[state] + goes_on;
        }
    }
}

fn index_of(placements: &Placements, position: &Position) -> u32 {
    let index = placements.index(position);
    index.expect("moves of listed pieces lead to listed placements") as u32
}

/// The player's reward if the game is over.
fn reward(game: &Game, position: &Position, side: Color, settings: &QmdpSettings) -> Option<f64> {
    let outcome = game.outcome(position)?;
    Some((2.0 * outcome.score(side) - 1.0) * settings.reward)
}

/// Immediate value of a reply to the opponent, from 0 to 1: a captured king, a
/// king left en prise, or the material.
fn appeal(after: &Position, opponent: Color) -> f64 {
    let board = after.board();
    if board.king(!opponent).is_none() {
        return 1.0;
    }
    if after.can_capture_king() {
        return 0.0;
    }
    let worth = |side| -> i32 {
        let pieces = board
            .iter()
            .filter(|(_, p)| p.color == side && p.role != Role::King);
        pieces.map(|(_, piece)| value(piece.role)).sum()
    };
    // Hanging pieces count as lost.
    let hanging = board.iter().filter(|(square, piece)| {
        piece.color == opponent
            && piece.role != Role::King
            && board.attackers(*square, !opponent, board.occupied()).any()
    });
    let lost = hanging
        .map(|(_, piece)| value(piece.role))
        .max()
        .unwrap_or(0);
    let balance = worth(opponent) - lost - worth(!opponent);
    (value_of(balance) + 1.0) / 2.0
}
