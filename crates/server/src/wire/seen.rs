//! An observation as clients read it.

use foglight_rules::{Move, Observation, Outcome, Role, Square, Turn};
use serde::Serialize;

use super::{GameResult, Sealed, Side};
use crate::domain::ActionText;

/// A piece that left the board, and where.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Taken {
    square: String,
    piece: char,
}

impl Taken {
    pub(super) fn new((square, role): (Square, Role), owner: foglight_rules::Color) -> Taken {
        Taken {
            square: square.to_string(),
            piece: role.of(owner).char(),
        }
    }
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Verdict {
    result: GameResult,
    winner: Option<Side>,
    reason: &'static str,
}

impl From<Outcome> for Verdict {
    fn from(outcome: Outcome) -> Verdict {
        Verdict {
            result: outcome.into(),
            winner: outcome.winner.map(Side::from),
            reason: outcome.reason.name(),
        }
    }
}

/// All that one side may know now. There is no way to make one but from an
/// [`Observation`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Observation"))]
pub struct Seen {
    side: Side,
    ply: u32,
    turn: Side,
    over: bool,
    board: String,
    fen: String,
    moves: Vec<String>,
    roll: bool,
    dice: Option<String>,
    #[cfg_attr(test, ts(type = "string | null"))]
    mine: Option<ActionText>,
    took: Option<Taken>,
    lost: Option<Taken>,
    result: Option<Verdict>,
}

impl Sealed for Seen {}

impl From<&Observation> for Seen {
    fn from(observation: &Observation) -> Seen {
        Seen::new(observation, &ActionText::from)
    }
}

impl Seen {
    /// With the texts of moves from where they are known already.
    pub fn new(observation: &Observation, text: &dyn Fn(Move) -> ActionText) -> Seen {
        let view = observation.view();
        let news = observation.news();
        let side = observation.side();
        // Sorted, so that the order tells nothing of how they were found.
        let mut moves: Vec<String> = observation
            .legal_moves()
            .iter()
            .map(ToString::to_string)
            .collect();
        moves.sort();
        Seen {
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
            took: news.captured.map(|taken| Taken::new(taken, !side)),
            lost: news.lost.map(|taken| Taken::new(taken, side)),
            result: observation.outcome().map(Verdict::from),
        }
    }
}
