//! An observation as sent to clients.

use foglight_rules::{Move, Observation, Outcome, Role, Square, Turn};
use serde::Serialize;

use super::{ResultText, Sealed, SideColor};
use crate::domain::ActionText;

/// A captured piece and its square.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct CapturedPiece {
    square: String,
    piece: char,
}

impl CapturedPiece {
    pub(super) fn new(
        (square, role): (Square, Role),
        owner: foglight_rules::Color,
    ) -> CapturedPiece {
        CapturedPiece {
            square: square.to_string(),
            piece: role.of(owner).char(),
        }
    }
}

/// What a player saw after each ply so far, index 0 at the start: the player's
/// own observations, for a page that was not open at the time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PastEvent {
    boards: Vec<String>,
}

impl PastEvent {
    /// Takes the first observation of each ply.
    pub fn new(observations: impl Iterator<Item = Observation>) -> PastEvent {
        let mut boards = Vec::new();
        for observation in observations {
            if observation.plies() as usize == boards.len() {
                boards.push(observation.view().rows());
            }
        }
        PastEvent { boards }
    }
}

/// The outcome of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct OutcomeDto {
    result: ResultText,
    winner: Option<SideColor>,
    reason: &'static str,
}

impl From<Outcome> for OutcomeDto {
    fn from(outcome: Outcome) -> OutcomeDto {
        OutcomeDto {
            result: outcome.into(),
            winner: outcome.winner.map(SideColor::from),
            reason: outcome.reason.name(),
        }
    }
}

/// Everything that one side may know now. It can be built only from an
/// [`Observation`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Observation"))]
pub(crate) struct ObservationDto {
    side: SideColor,
    ply: u32,
    turn: SideColor,
    over: bool,
    board: String,
    fen: String,
    moves: Vec<String>,
    roll: bool,
    dice: Option<String>,
    #[cfg_attr(test, ts(type = "string | null"))]
    mine: Option<ActionText>,
    took: Option<CapturedPiece>,
    lost: Option<CapturedPiece>,
    result: Option<OutcomeDto>,
}

impl Sealed for ObservationDto {}

impl From<&Observation> for ObservationDto {
    fn from(observation: &Observation) -> ObservationDto {
        ObservationDto::new(observation, &ActionText::from)
    }
}

impl ObservationDto {
    /// Converts an observation; `text` supplies cached texts of moves.
    pub fn new(observation: &Observation, text: &dyn Fn(Move) -> ActionText) -> ObservationDto {
        let view = observation.view();
        let news = observation.news();
        let side = observation.side();
        // Sorted, so that the order does not reveal how the moves were
        // generated.
        let mut moves: Vec<String> = observation
            .legal_moves()
            .iter()
            .map(ToString::to_string)
            .collect();
        moves.sort();
        ObservationDto {
            side: side.into(),
            ply: observation.plies(),
            turn: view.turn.into(),
            over: observation.outcome().is_some(),
            board: view.rows(),
            fen: view.to_string(),
            moves,
            roll: observation.turn() == Turn::Chance,
            dice: (!view.dice.is_none()).then(|| view.dice.to_string()),
            mine: news.own_move.map(text),
            took: news.captured.map(|taken| CapturedPiece::new(taken, !side)),
            lost: news.lost.map(|taken| CapturedPiece::new(taken, side)),
            result: observation.outcome().map(OutcomeDto::from),
        }
    }
}
