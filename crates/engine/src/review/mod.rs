//! A finished game looked at again by one of its players: every move judged by
//! what was known when it was made, luck and skill apart, and for every piece
//! lost in the fog who could have taken it.
//!
//! The two parts add up: the value at the first move, plus all luck, less all
//! that was given away, is the result. A test holds that law.

mod dice;
mod known;
mod why;

use foglight_rules::{Color, Outcome, Record, ReplayError};

pub use why::{Capturer, LostPiece};

/// How much thought goes into a review.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReviewSettings {
    /// Boards drawn from what was believed, at each move.
    pub worlds: usize,
    /// Nodes of the search for each judgement on a board.
    pub nodes: u64,
    /// Positions of the belief that are kept: a uniform subset beyond.
    pub cap: usize,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for ReviewSettings {
    fn default() -> ReviewSettings {
        ReviewSettings {
            worlds: 24,
            nodes: 1500,
            cap: 50_000,
            seed: 1,
        }
    }
}

/// What a move was worth. The steps, in values from -1 to +1, are about half a
/// pawn, one pawn and two pawns of a level game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveClass {
    /// There was nothing to choose.
    Forced,
    /// Nothing better was found.
    Best,
    /// As good as the best, for all that can be told.
    Good,
    /// Gave a little away.
    Inaccuracy,
    Mistake,
    /// Gave the game away.
    Blunder,
}

impl MoveClass {
    /// Nobody is blamed for what may be noise: the loss must be beyond two
    /// standard errors of its estimate.
    fn of(loss: f64, error: f64, best: bool) -> MoveClass {
        let sure = loss > 2.0 * error;
        match loss {
            _ if best => MoveClass::Best,
            l if sure && l >= 0.5 => MoveClass::Blunder,
            l if sure && l >= 0.3 => MoveClass::Mistake,
            l if sure && l >= 0.15 => MoveClass::Inaccuracy,
            _ => MoveClass::Good,
        }
    }
}

/// A move, or in three-dice chess a turn, as judged by what was known.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveReview {
    /// Single moves played before it.
    pub ply: u32,
    /// What was played, in UCI; several moves of one turn with spaces.
    pub played: String,
    /// The same in SAN.
    pub san: String,
    /// The best that was found, in UCI, where it was another move.
    pub best: Option<String>,
    /// The value of the best move by what was known, from -1 to +1.
    pub value: f64,
    /// What the move gave away by what was known.
    pub loss: f64,
    /// Standard error of `loss`.
    pub error: f64,
    pub class: MoveClass,
    /// What changed until the next own move, or the end, by what nobody could
    /// know or help: the enemy's choices, what the fog uncovered, dice.
    pub luck: f64,
    /// Positions that fitted all that had been seen.
    pub count: usize,
    /// Are these all, none cut by a cap?
    pub exact: bool,
    /// The value on the true board after the move, for the value curve.
    pub truth: f64,
}

impl MoveReview {
    /// The value of what was played, by what was known.
    pub fn after(&self) -> f64 {
        self.value - self.loss
    }
}

/// A game as one of its players should see it afterwards.
#[derive(Clone, PartialEq, Debug)]
pub struct GameReview {
    /// Whose moves are judged.
    pub side: Color,
    /// The moves, in order.
    pub moves: Vec<MoveReview>,
    /// Pieces lost, with who could have taken them. Only in fog.
    pub losses: Vec<LostPiece>,
    /// The sum of all luck.
    pub luck: f64,
    /// The sum of all that was given away.
    pub points_lost: f64,
    /// The part of the luck that was in the dice, where there are dice.
    pub dice: Option<f64>,
    /// The result for the side, from -1 to +1, if the game was finished.
    pub result: Option<f64>,
}

/// Reviews a game for one side. `progress` hears how many of how many actions
/// are done. The same settings give the same review.
pub fn review(
    record: &Record,
    side: Color,
    settings: &ReviewSettings,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<GameReview, ReplayError> {
    let states = record.states()?;
    let mut losses = Vec::new();
    let mut moves = if record.game.has_dice() {
        dice::evaluate(record, &states, side, progress)
    } else {
        known::evaluate(record, &states, side, settings, &mut losses, progress)
    };
    let outcome = states.last().and_then(|state| state.outcome());
    let result = outcome.map(|outcome| value_of(outcome, side));
    share_luck(&mut moves, result);
    Ok(GameReview {
        side,
        losses,
        luck: moves.iter().map(|m| m.luck).sum(),
        points_lost: moves.iter().map(|m| m.loss).sum(),
        dice: record.game.has_dice().then(|| dice::luck(record, side)),
        moves,
        result,
    })
}

/// Whatever lies between what a move was worth and the next decision is luck.
fn share_luck(moves: &mut [MoveReview], result: Option<f64>) {
    for i in 0..moves.len() {
        let next = match moves.get(i + 1) {
            Some(next) => Some(next.value),
            None => result,
        };
        moves[i].luck = next.map_or(0.0, |next| next - moves[i].after());
    }
}

/// A result from -1 to +1.
fn value_of(outcome: Outcome, side: Color) -> f64 {
    2.0 * outcome.score(side) - 1.0
}
