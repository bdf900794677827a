//! What everybody may know of a game: who plays, by which rules, how long.

use foglight_rules::{Game, Outcome, Position};
use serde::Serialize;

use crate::domain::{
    ClockTerms, GameKind, GameSettings, ResultText, Seat, SideColor, Sights, Status,
};

/// What sits on a chair.
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

/// Who sits on a chair.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Seat"))]
pub(crate) struct SeatInfo {
    /// The name, if anybody sits there.
    pub name: Option<String>,
    /// Person, agent or nobody.
    pub kind: SeatKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub agent: Option<String>,
    /// On our ladder, before the game.
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

/// What everybody may know of a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "GameInfo"))]
pub struct GameInfo {
    /// A random name, never made of the position.
    pub id: String,
    pub game: GameKind,
    /// The rule set, in fog.
    pub rules: Option<&'static str>,
    /// The start that both sides know: a FEN or `startpos`.
    pub start: String,
    /// Size of the board.
    pub size: String,
    /// How much each side sees. Both are told.
    pub sight: Sights,
    /// How far it is.
    pub status: Status,
    pub white: SeatInfo,
    pub black: SeatInfo,
    /// The clock, if there is one.
    pub clock: Option<ClockTerms>,
    /// Does it count on the ladder?
    pub rated: bool,
    /// May the person ask for its belief?
    pub practice: bool,
    /// May everybody see everything as it happens?
    pub live: bool,
    /// When it was made, in milliseconds since 1970.
    pub created: u64,
    pub ply: u32,
    /// The result, once it is over.
    pub result: Option<ResultText>,
    pub reason: Option<&'static str>,
    /// The tournament that it belongs to.
    pub tournament: Option<String>,
    /// The game that followed it.
    pub rematch: Option<String>,
}

impl GameInfo {
    /// Of a game before its first move.
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
            live: terms.only_agents(),
            created: terms.created,
            ply: 0,
            result: None,
            reason: None,
            tournament: terms.tournament.as_ref().map(|(id, _)| id.clone()),
            rematch: terms.rematch.clone(),
        }
    }

    /// Fills in how the game ended.
    pub fn close(&mut self, outcome: Outcome) {
        self.status = Status::Over;
        self.result = Some(outcome.into());
        self.reason = Some(outcome.reason.name());
    }
}

/// What the clocks show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Clocks {
    /// White's time left, in milliseconds.
    pub white: u64,
    pub black: u64,
    pub running: Option<SideColor>,
}
