//! The review of a finished game as sent to clients and stored.

use foglight_engine::review;
use serde::{Deserialize, Serialize};

use super::SideColor;

/// Response to a request for a review.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "status", rename_all = "lowercase")]
pub(crate) enum ReviewAnswer {
    /// The review is being computed.
    Working(ReviewProgress),
    Done(ReviewDto),
}

/// Progress of a review.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ReviewProgress {
    pub done: usize,
    pub of: usize,
    /// Number of jobs that wait and came earlier; `null` once it has begun.
    pub queue: Option<usize>,
}

/// Review of a game for one of its players.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ReviewDto {
    side: SideColor,
    moves: Vec<MoveReviewDto>,
    /// Lost pieces with their possible capturers.
    pub losses: Vec<LostPieceDto>,
    /// Plies played when the possible positions could no longer be followed:
    /// later moves are not reviewed.
    #[serde(default)]
    lost_at: Option<u32>,
    luck: f64,
    given: f64,
    dice: Option<f64>,
    result: Option<f64>,
}

/// Review of a move, or of a turn in three-dice chess, on the player's
/// information.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MoveReviewDto {
    /// Plies played before the move.
    ply: u32,
    /// UCI; the moves of a turn are separated by spaces.
    played: String,
    san: String,
    /// The best move found, if another one.
    best: Option<String>,
    #[serde(default)]
    best_san: Option<String>,
    /// In fog, the share of the possible positions in which the enemy could
    /// capture neither the moved piece nor the king.
    #[serde(default)]
    safety: Option<SafetyDto>,
    /// Value of the best move on the player's information.
    value: f64,
    /// Expected value lost by the move on the player's information.
    loss: f64,
    /// Standard error of the loss.
    error: f64,
    verdict: Mark,
    /// Change in value until the next own move that the player could not foresee.
    luck: f64,
    /// Number of positions consistent with the observations.
    count: usize,
    exact: bool,
    /// Value of the true position after the move.
    truth: f64,
}

/// Safety of the played and of the best move.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SafetyDto {
    played: f64,
    best: f64,
}

/// Class of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// The only legal move.
    Forced,
    /// No better move was found.
    Best,
    /// Not distinguishable from the best move.
    Good,
    /// A small loss of value.
    Inaccuracy,
    Mistake,
    /// A loss that decides the game.
    Blunder,
}

/// A lost piece with its possible capturers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LostPieceDto {
    /// Plies played before the capture.
    ply: u32,
    square: String,
    piece: char,
    /// Probability before the capture that the piece could be captured.
    danger: f64,
    /// Possible capturers, most likely first.
    takers: Vec<CapturerDto>,
    really: CapturerDto,
}

/// A possible capturer and the square it came from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct CapturerDto {
    piece: char,
    from: String,
    chance: f64,
}

impl From<review::GameReview> for ReviewDto {
    fn from(review: review::GameReview) -> ReviewDto {
        ReviewDto {
            side: review.side.into(),
            moves: review.moves.into_iter().map(MoveReviewDto::from).collect(),
            losses: review.losses.into_iter().map(LostPieceDto::from).collect(),
            lost_at: review.lost_at,
            luck: review.luck,
            given: review.points_lost,
            dice: review.dice,
            result: review.result,
        }
    }
}

impl From<review::MoveReview> for MoveReviewDto {
    fn from(review: review::MoveReview) -> MoveReviewDto {
        MoveReviewDto {
            ply: review.ply,
            played: review.played,
            san: review.san,
            best: review.best,
            best_san: review.best_san,
            safety: review.safety.map(|safety| SafetyDto {
                played: safety.played,
                best: safety.best,
            }),
            value: review.value,
            loss: review.loss,
            error: review.error,
            verdict: review.class.into(),
            luck: review.luck,
            count: review.count,
            exact: review.exact,
            truth: review.truth,
        }
    }
}

impl From<review::MoveClass> for Mark {
    fn from(verdict: review::MoveClass) -> Mark {
        match verdict {
            review::MoveClass::Forced => Mark::Forced,
            review::MoveClass::Best => Mark::Best,
            review::MoveClass::Good => Mark::Good,
            review::MoveClass::Inaccuracy => Mark::Inaccuracy,
            review::MoveClass::Mistake => Mark::Mistake,
            review::MoveClass::Blunder => Mark::Blunder,
        }
    }
}

impl From<review::LostPiece> for LostPieceDto {
    fn from(loss: review::LostPiece) -> LostPieceDto {
        LostPieceDto {
            ply: loss.ply,
            square: loss.square,
            piece: loss.piece,
            danger: loss.danger,
            takers: loss.takers.into_iter().map(CapturerDto::from).collect(),
            really: loss.actual.into(),
        }
    }
}

impl From<review::Capturer> for CapturerDto {
    fn from(taker: review::Capturer) -> CapturerDto {
        CapturerDto {
            piece: taker.piece,
            from: taker.from,
            chance: taker.chance,
        }
    }
}
