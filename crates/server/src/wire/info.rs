//! Public information about a game: players, rules, clock and status.

use foglight_rules::{Game, Outcome, Position};
use serde::Serialize;

use crate::domain::{
    ClockTerms, GameKind, GameSettings, ResultText, Seat, SideColor, Sights, Status,
};

/// Occupant type of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum SeatKind {
    Open,
    /// A person or a bot.
    Person,
    /// An agent of this server.
    Agent,
}

/// A seat and its occupant.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Seat"))]
pub(crate) struct SeatInfo {
    /// Name of the occupant, if any.
    pub name: Option<String>,
    /// Person, agent or none.
    pub kind: SeatKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub agent: Option<String>,
    /// Leaderboard rating before the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub rating: Option<f64>,
}

impl SeatInfo {
    pub fn new(chair: &Seat) -> SeatInfo {
        let (name, kind, agent, rating) = match chair {
            Seat::Open => (None, SeatKind::Open, None, None),
            Seat::Person { name, rating, .. } => {
                (Some(name.clone()), SeatKind::Person, None, *rating)
            }
            Seat::Agent { name, spec, rating } => (
                Some(name.clone()),
                SeatKind::Agent,
                Some(spec.clone()),
                *rating,
            ),
        };
        SeatInfo {
            name,
            kind,
            agent,
            rating,
        }
    }
}

/// Public information about a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "GameInfo"))]
pub struct GameInfo {
    /// Random id, independent of the position.
    pub id: String,
    pub game: GameKind,
    /// Fog rule set; `null` in other games.
    pub rules: Option<&'static str>,
    /// The public start: a FEN or `startpos`.
    pub start: String,
    /// Board size, such as `8x8`.
    pub size: String,
    /// How much each side sees; known to both.
    pub sight: Sights,
    /// Progress of the game.
    pub status: Status,
    pub white: SeatInfo,
    pub black: SeatInfo,
    /// The clock, if there is one.
    pub clock: Option<ClockTerms>,
    /// Whether the result changes ratings.
    pub rated: bool,
    /// Whether the person may request hints.
    pub practice: bool,
    /// Whether spectators see the true state during the game.
    pub live: bool,
    /// Creation time, in milliseconds since 1970.
    pub created: u64,
    pub ply: u32,
    /// The result, once the game is over.
    pub result: Option<ResultText>,
    pub reason: Option<&'static str>,
    /// Id of its tournament, if any.
    pub tournament: Option<String>,
    /// Id of the rematch, if any.
    pub rematch: Option<String>,
}

impl GameInfo {
    /// The information before the first move.
    pub fn new(terms: &GameSettings, game: &Game, start: &Position) -> GameInfo {
        GameInfo {
            id: terms.id.clone(),
            game: game.into(),
            rules: game.rules_name(),
            start: terms.start.clone(),
            size: start.size().to_string(),
            sight: terms.sight,
            status: if terms.is_open() {
                Status::Open
            } else {
                Status::Running
            },
            white: SeatInfo::new(&terms.white),
            black: SeatInfo::new(&terms.black),
            clock: terms.clock,
            rated: terms.rated,
            practice: terms.practice,
            live: terms.is_public(),
            created: terms.created,
            ply: 0,
            result: None,
            reason: None,
            tournament: terms.tournament.as_ref().map(|(id, _)| id.clone()),
            rematch: terms.rematch.clone(),
        }
    }

    /// Sets the result of the game.
    pub fn close(&mut self, outcome: Outcome) {
        self.status = Status::Over;
        self.result = Some(outcome.into());
        self.reason = Some(outcome.reason.name());
    }
}

/// The state of both clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Clocks {
    /// White's remaining time, in milliseconds.
    pub white: u64,
    pub black: u64,
    pub running: Option<SideColor>,
}
