//! Rating changes by rated games.

use serde::Serialize;

/// Change of one rating by a game.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RatingChange {
    pub before: f64,
    pub after: f64,
}

/// Rating changes of both players.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Ratings {
    pub white: RatingChange,
    pub black: RatingChange,
}
