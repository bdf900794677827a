//! What everybody may know of a game: who plays, by which rules, how long.

use std::time::Duration;

use foglight_play::TimeControl;
use foglight_rules::{Color, Game, Outcome, Sight};
use serde::{Deserialize, Serialize};

use super::{GameName, GameResult, Side};

/// How far a game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// A seat is free.
    Open,
    /// Being played.
    Running,
    /// Over.
    Over,
}

impl Status {
    /// The name in storage and on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Open => "open",
            Status::Running => "running",
            Status::Over => "over",
        }
    }
}

/// What sits on a chair.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum SeatKind {
    /// Nobody yet.
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
pub struct SeatInfo {
    /// The name, if anybody sits there.
    pub name: Option<String>,
    /// Person, agent or nobody.
    pub kind: SeatKind,
    /// The agent's spec.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub agent: Option<String>,
    /// On our ladder, before the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub rating: Option<f64>,
}

/// The clock that a game is played with, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClockTerms {
    /// Time at the start.
    pub base: u64,
    /// Time added after each move.
    pub increment: u64,
}

impl ClockTerms {
    /// The same for a [`foglight_play::GameClock`].
    pub fn control(self) -> TimeControl {
        TimeControl {
            moves: None,
            base: Duration::from_millis(self.base),
            increment: Duration::from_millis(self.increment),
        }
    }
}

/// How much each side sees: `normal` by the rules, `full` everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Sights {
    /// White's.
    pub white: SightName,
    /// Black's.
    pub black: SightName,
}

/// The name of a [`Sight`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum SightName {
    /// As the rules say.
    #[default]
    Normal,
    /// Everything.
    Full,
}

impl Sights {
    /// The sights of a game.
    pub fn in_game(game: &Game) -> Sights {
        let name = |side| match game.sight(side) {
            Sight::Normal => SightName::Normal,
            Sight::Full => SightName::Full,
        };
        Sights {
            white: name(Color::White),
            black: name(Color::Black),
        }
    }

    /// The same game with these sights.
    pub fn of(self, game: Game) -> Game {
        let sides = [(Color::White, self.white), (Color::Black, self.black)];
        sides
            .into_iter()
            .fold(game, |game, (side, name)| match name {
                SightName::Normal => game,
                SightName::Full => game.with_sight(side, Sight::Full),
            })
    }

    /// The same with colours changed.
    pub fn swapped(self) -> Sights {
        Sights {
            white: self.black,
            black: self.white,
        }
    }
}

/// What everybody may know of a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "GameInfo"))]
pub struct Info {
    /// A random name, never made of the position.
    pub id: String,
    /// The game.
    pub game: GameName,
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
    /// Who plays White.
    pub white: SeatInfo,
    /// Who plays Black.
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
    /// Single moves played.
    pub ply: u32,
    /// The result, once it is over.
    pub result: Option<GameResult>,
    /// Why it ended.
    pub reason: Option<&'static str>,
    /// The tournament that it belongs to.
    pub tournament: Option<String>,
    /// The game that followed it.
    pub rematch: Option<String>,
}

impl Info {
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
    /// Black's time left.
    pub black: u64,
    /// Whose clock runs.
    pub running: Option<Side>,
}
