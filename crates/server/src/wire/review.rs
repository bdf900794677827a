//! The review of a finished game as clients read it, and as it is stored.

use foglight_engine::review;
use serde::{Deserialize, Serialize};

use super::SideColor;

/// The answer to who asks for a review.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "status", rename_all = "lowercase")]
pub(crate) enum ReviewAnswer {
    /// It is being worked on.
    Working(ReviewProgress),
    Done(ReviewDto),
}

/// How far a review is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ReviewProgress {
    pub done: usize,
    pub of: usize,
}

/// A game as one of its players should see it afterwards.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ReviewDto {
    side: SideColor,
    moves: Vec<MoveReviewDto>,
    /// Pieces lost, with who could have taken them.
    pub losses: Vec<LostPieceDto>,
    luck: f64,
    given: f64,
    dice: Option<f64>,
    result: Option<f64>,
}

/// A move, or in three-dice chess a turn, as judged by what was known.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MoveReviewDto {
    /// Single moves played before it.
    ply: u32,
    /// UCI; several moves of one turn with spaces.
    played: String,
    san: String,
    /// The best that was found, where it was another move.
    best: Option<String>,
    /// The value of the best move by what was known.
    value: f64,
    /// What the move gave away by what was known.
    loss: f64,
    /// Standard error of the loss.
    error: f64,
    verdict: Mark,
    /// What changed until the next own move by what nobody could know.
    luck: f64,
    /// Positions that fitted all that had been seen.
    count: usize,
    exact: bool,
    /// The value on the true board after the move.
    truth: f64,
}

/// What a move was worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Mark {
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

/// A piece that was lost.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LostPieceDto {
    /// Single moves played before the capture.
    ply: u32,
    square: String,
    piece: char,
    /// How likely it was, before, that the piece could be taken at all.
    danger: f64,
    /// Who could have taken it, the likeliest first.
    takers: Vec<CapturerDto>,
    really: CapturerDto,
}

/// A piece that may have been the taker, and where it came from.
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
            luck: review.luck,
            given: review.points_lost,
            dice: review.dice,
            result: review.result,
        }
    }
}

impl From<review::MoveReview> for MoveReviewDto {
    fn from(judged: review::MoveReview) -> MoveReviewDto {
        MoveReviewDto {
            ply: judged.ply,
            played: judged.played,
            san: judged.san,
            best: judged.best,
            value: judged.value,
            loss: judged.loss,
            error: judged.error,
            verdict: judged.class.into(),
            luck: judged.luck,
            count: judged.count,
            exact: judged.exact,
            truth: judged.truth,
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
