//! What a game is played by, as it is stored.

use std::time::Duration;

use foglight_play::TimeControl;
use foglight_rules::{Color, Game, Position, Sight};
use serde::{Deserialize, Serialize};

/// How far a game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// A seat is free.
    Open,
    Running,
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

/// The clock that a game is played with, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ClockTerms {
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
pub(crate) struct Sights {
    pub white: SightName,
    pub black: SightName,
}

/// The name of a [`Sight`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum SightName {
    /// As the rules say.
    #[default]
    Normal,
    Full,
}

impl Sights {
    /// The sights of a game.
    pub(crate) fn in_game(game: &Game) -> Sights {
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

/// Who sits on a chair.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Seat {
    Open,
    /// A person or a bot, known by the token of its player.
    Person {
        player: String,
        /// Its name when it sat down.
        name: String,
        rating: Option<f64>,
    },
    /// An agent of this server.
    Agent {
        /// How it is called in lists.
        name: String,
        spec: String,
        /// Its rating at the start.
        rating: Option<f64>,
    },
}

impl Seat {
    /// The id on the ladder.
    pub(crate) fn ladder_id(&self) -> Option<String> {
        match self {
            Seat::Open => None,
            Seat::Person { player, .. } => Some(player.clone()),
            Seat::Agent { spec, .. } => Some(format!("agent {spec}")),
        }
    }

    /// The name, or `?`.
    pub fn name(&self) -> &str {
        match self {
            Seat::Open => "?",
            Seat::Person { name, .. } | Seat::Agent { name, .. } => name,
        }
    }

    /// Is this the chair of a player with this id?
    pub(crate) fn is_of(&self, id: &str) -> bool {
        matches!(self, Seat::Person { player, .. } if player == id)
    }
}

/// What a game is played by. Stored as JSON when it is made, and read again
/// after a restart.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GameSettings {
    pub id: String,
    pub game: String,
    /// The rule set, in fog.
    pub rules: Option<String>,
    /// A FEN, or `startpos`.
    pub start: String,
    /// Who sees everything though fog lies on the board, declared to both.
    #[serde(default)]
    pub sight: Sights,
    pub white: Seat,
    pub black: Seat,
    pub clock: Option<ClockTerms>,
    /// Does it count on the ladder?
    pub rated: bool,
    /// May the person ask for its belief?
    pub practice: bool,
    /// When it was made, in milliseconds since 1970.
    pub created: u64,
    /// The seed of the agents.
    pub seed: u64,
    /// The server's seed of the dice.
    pub(crate) dice_seed: Option<String>,
    /// Milliseconds that an agent takes at least, to be watched.
    pub pause: u64,
    /// The tournament, and which of its games this is.
    pub tournament: Option<(String, u64)>,
    /// The participant of a user test, and which of its games this is.
    pub participant: Option<(u32, u32)>,
    /// The game that followed.
    pub rematch: Option<String>,
    /// Was it made by who runs the server? Then options of its agents that are
    /// closed to visitors count.
    #[serde(default)]
    pub trusted: bool,
}

/// Stored terms that this version cannot read.
#[derive(Debug, thiserror::Error)]
#[error("game {id}: {what}")]
pub struct GameSettingsError {
    id: String,
    what: String,
}

impl GameSettings {
    /// The rules and the start.
    pub fn game(&self) -> Result<(Game, Position), GameSettingsError> {
        let wrong = |what: String| GameSettingsError {
            id: self.id.clone(),
            what,
        };
        let game = Game::from_name(&self.game, self.rules.as_deref())
            .ok_or_else(|| wrong(format!("no game '{}' in these rules", self.game)))?;
        let game = self.sight.of(game);
        let start = match self.start.as_str() {
            "startpos" => game.start(),
            fen => game.parse_fen(fen).map_err(|e| wrong(e.to_string()))?,
        };
        Ok((game, start))
    }

    /// The chair of a side.
    pub fn chair(&self, side: Color) -> &Seat {
        side.fold_wb(&self.white, &self.black)
    }

    /// The same, to sit down.
    pub(crate) fn chair_mut(&mut self, side: Color) -> &mut Seat {
        side.fold_wb(&mut self.white, &mut self.black)
    }

    /// The side of a player.
    pub fn side_of(&self, player: &str) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|&side| self.chair(side).is_of(player))
    }

    /// Do only agents of this server play?
    pub(crate) fn only_agents(&self) -> bool {
        Color::ALL
            .into_iter()
            .all(|side| matches!(self.chair(side), Seat::Agent { .. }))
    }

    /// Is a seat free?
    pub(crate) fn is_open(&self) -> bool {
        self.white == Seat::Open || self.black == Seat::Open
    }

    /// The ladder that it counts on: `fog:chesscom`, `dice1`.
    pub fn ladder(&self) -> String {
        match &self.rules {
            Some(rules) => format!("{}:{rules}", self.game),
            None => self.game.clone(),
        }
    }
}
