//! Review of a finished game for one of its players: every move is evaluated on
//! the player's information at that time, luck is separated from skill, and for
//! every piece lost in fog the possible capturers are listed.
//!
//! The value at the first move, plus all luck, minus all points lost, equals the
//! result. A test checks this identity.

mod dice;
mod known;
mod why;

use foglight_rules::{Color, Outcome, Record, ReplayError};

pub use why::{Capturer, LostPiece};

/// Search effort of a review.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReviewSettings {
    /// Positions drawn from the belief at each move.
    pub worlds: usize,
    /// Nodes of each search on a position.
    pub nodes: u64,
    /// Maximum size of the belief, beyond it a uniform subset.
    pub cap: usize,
    /// Seed of all random choices.
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

/// Classification of a move. The thresholds, on values from -1 to +1, correspond
/// to about half a pawn, one pawn and two pawns in an equal position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveClass {
    /// The only legal move.
    Forced,
    /// No better move was found.
    Best,
    /// Not significantly worse than the best move, or by less than an inaccuracy.
    Good,
    /// Lost at least 0.15, about half a pawn.
    Inaccuracy,
    /// Lost at least 0.3, about one pawn.
    Mistake,
    /// Lost at least 0.5, about two pawns.
    Blunder,
}

impl MoveClass {
    /// Whether the move lost something.
    pub fn is_fault(self) -> bool {
        matches!(
            self,
            MoveClass::Inaccuracy | MoveClass::Mistake | MoveClass::Blunder
        )
    }

    /// Classifies a move by its loss. To exclude noise, a loss counts only if it
    /// exceeds two standard errors of its estimate.
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

/// Review of a move, or in three-dice chess of a turn, evaluated on the player's
/// information.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveReview {
    /// Plies played before the move.
    pub ply: u32,
    /// The played move in UCI; several moves of a turn are separated by spaces.
    pub played: String,
    /// The played move in SAN.
    pub san: String,
    /// The best move found, in UCI, if it differs from the played one.
    pub best: Option<String>,
    /// The best move in SAN.
    pub best_san: Option<String>,
    /// In fog, how safe the played move was and how safe the best one.
    pub safety: Option<Safety>,
    /// Value of the best move on the player's information, from -1 to +1.
    pub value: f64,
    /// Value lost by the move on the player's information.
    pub loss: f64,
    /// Standard error of `loss`.
    pub error: f64,
    pub class: MoveClass,
    /// Change of value until the next own move, or the end, from causes outside the
    /// player's control: the enemy's choices, revealed positions, dice.
    pub luck: f64,
    /// Number of positions consistent with the observations.
    pub count: usize,
    /// Whether `count` is complete, not limited by [`ReviewSettings::cap`].
    pub exact: bool,
    /// Value of the true position after the move, for the value curve.
    pub truth: f64,
}

/// Share of the examined positions in which the enemy could capture neither the
/// moved piece nor the king next.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Safety {
    pub played: f64,
    pub best: f64,
}

impl MoveReview {
    /// Value of the played move on the player's information.
    pub fn after(&self) -> f64 {
        self.value - self.loss
    }
}

/// Review of a game for one of its players.
#[derive(Clone, PartialEq, Debug)]
pub struct GameReview {
    /// The side whose moves are reviewed.
    pub side: Color,
    /// Reviews of the side's moves, in order.
    pub moves: Vec<MoveReview>,
    /// Lost pieces with their possible capturers; only in fog.
    pub losses: Vec<LostPiece>,
    /// Plies played when the capped belief lost the true position, if it did:
    /// moves from then on are not reviewed.
    pub lost_at: Option<u32>,
    /// Sum of [`MoveReview::luck`] over all moves.
    pub luck: f64,
    /// Sum of [`MoveReview::loss`] over all moves.
    pub points_lost: f64,
    /// The part of the luck due to dice, in games with dice.
    pub dice: Option<f64>,
    /// The result for the side, from -1 to +1, if the game is finished and
    /// reviewed to its end.
    pub result: Option<f64>,
}

/// Reviews a game for one side. `progress` receives the number of finished
/// actions and of all actions. The same settings yield the same review.
pub fn review(
    record: &Record,
    side: Color,
    settings: &ReviewSettings,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<GameReview, ReplayError> {
    review_some(record, side, settings, &|_| true, progress)
}

/// As [`review`], for the side's moves after `wanted` plies only. Sums and luck
/// are those of the reviewed moves.
pub fn review_some(
    record: &Record,
    side: Color,
    settings: &ReviewSettings,
    wanted: &dyn Fn(u32) -> bool,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<GameReview, ReplayError> {
    let states = record.states()?;
    let known::Reviewed {
        mut moves,
        losses,
        lost_at,
    } = if record.game.has_dice() {
        known::Reviewed {
            moves: dice::evaluate(record, &states, side, progress),
            ..known::Reviewed::default()
        }
    } else {
        known::evaluate(record, &states, side, settings, wanted, progress)
    };
    let last = states.last().filter(|_| lost_at.is_none());
    let outcome = last.and_then(|state| state.outcome());
    let result = outcome.map(|outcome| value_of(outcome, side));
    share_luck(&mut moves, result);
    Ok(GameReview {
        side,
        losses,
        lost_at,
        luck: moves.iter().map(|m| m.luck).sum(),
        points_lost: moves.iter().map(|m| m.loss).sum(),
        dice: record.game.has_dice().then(|| dice::luck(record, side)),
        moves,
        result,
    })
}

/// Sets the luck of each move: the difference between the value after it and the
/// value at the next decision.
fn share_luck(moves: &mut [MoveReview], result: Option<f64>) {
    for i in 0..moves.len() {
        let next = match moves.get(i + 1) {
            Some(next) => Some(next.value),
            None => result,
        };
        moves[i].luck = next.map_or(0.0, |next| next - moves[i].after());
    }
}

/// The value of an outcome for a side, from -1 to +1.
fn value_of(outcome: Outcome, side: Color) -> f64 {
    2.0 * outcome.score(side) - 1.0
}
