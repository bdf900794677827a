//! What rated games do to ratings.

use serde::Serialize;

/// What a rated game did to a rating.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RatingChange {
    pub before: f64,
    pub after: f64,
}

/// Changes on the ladder.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Ratings {
    pub white: RatingChange,
    pub black: RatingChange,
}
