//! Settings of a game, as stored.

use std::time::Duration;

use foglight_play::TimeControl;
use foglight_rules::{Color, Game, Position, Sight};
use serde::{Deserialize, Serialize};

use super::commit_reveal::ClientSeeds;

/// Status of a game.
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

/// The clock of a game, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ClockTerms {
    /// Initial time of each side.
    pub base: u64,
    /// Time added after each move.
    pub increment: u64,
}

impl ClockTerms {
    /// Converts to the time control of a [`foglight_play::GameClock`].
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
    /// Limited by the rules.
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

    /// The game with these sights.
    pub fn of(self, game: Game) -> Game {
        let sides = [(Color::White, self.white), (Color::Black, self.black)];
        sides
            .into_iter()
            .fold(game, |game, (side, name)| match name {
                SightName::Normal => game,
                SightName::Full => game.with_sight(side, Sight::Full),
            })
    }

    /// The sights with colours swapped.
    pub fn swapped(self) -> Sights {
        Sights {
            white: self.black,
            black: self.white,
        }
    }
}

/// Occupant of a seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Seat {
    Open,
    /// A person or a bot, identified by its account.
    Person {
        player: String,
        /// Name at the time of joining.
        name: String,
        rating: Option<f64>,
    },
    /// An agent of this server.
    Agent {
        /// Name shown in lists.
        name: String,
        spec: String,
        /// Rating before the game.
        rating: Option<f64>,
    },
}

impl Seat {
    /// The id on leaderboards.
    pub(crate) fn ladder_id(&self) -> Option<String> {
        match self {
            Seat::Open => None,
            Seat::Person { player, .. } => Some(player.clone()),
            Seat::Agent { spec, .. } => Some(format!("agent {spec}")),
        }
    }

    /// The account of a person.
    pub(crate) fn account(&self) -> Option<&str> {
        match self {
            Seat::Person { player, .. } => Some(player),
            _ => None,
        }
    }

    /// The name, or `?`.
    pub fn name(&self) -> &str {
        match self {
            Seat::Open => "?",
            Seat::Person { name, .. } | Seat::Agent { name, .. } => name,
        }
    }

    /// Whether the account with this id occupies the seat.
    pub(crate) fn is_of(&self, id: &str) -> bool {
        matches!(self, Seat::Person { player, .. } if player == id)
    }
}

/// Settings of a game. Stored as JSON when the game is created, and read again
/// after a restart.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GameSettings {
    pub id: String,
    pub game: String,
    /// Fog rule set; `None` in other games.
    pub rules: Option<String>,
    /// A FEN, or `startpos`.
    pub start: String,
    /// Sides with full sight in fog, known to both.
    #[serde(default)]
    pub sight: Sights,
    pub white: Seat,
    pub black: Seat,
    pub clock: Option<ClockTerms>,
    /// Whether the result changes ratings.
    pub rated: bool,
    /// Whether the person may request hints.
    pub practice: bool,
    /// Creation time, in milliseconds since 1970.
    pub created: u64,
    /// Random seed of the agents.
    pub seed: u64,
    /// The server's secret seed of the dice.
    pub(crate) dice_seed: Option<String>,
    /// The players' seeds of the dice.
    #[serde(default)]
    pub(crate) dice_clients: ClientSeeds,
    /// Minimum time of an agent's move in milliseconds, for spectators.
    pub pause: u64,
    /// The tournament, and the number of this game in it.
    pub tournament: Option<(String, u64)>,
    /// The user study participant, and the number of this game.
    pub participant: Option<(u32, u32)>,
    /// Id of the rematch.
    pub rematch: Option<String>,
    /// Whether the server's operator created the game, which opens agents'
    /// options that are closed to visitors.
    #[serde(default)]
    pub trusted: bool,
}

/// Stored settings that this version cannot read.
#[derive(Debug, thiserror::Error)]
#[error("game {id}: {what}")]
pub struct GameSettingsError {
    id: String,
    what: String,
}

impl GameSettings {
    /// An error of this game.
    pub(crate) fn unreadable(&self, what: impl ToString) -> GameSettingsError {
        GameSettingsError {
            id: self.id.clone(),
            what: what.to_string(),
        }
    }

    /// The rules and the start.
    pub fn game(&self) -> Result<(Game, Position), GameSettingsError> {
        let wrong = |what: String| self.unreadable(what);
        let game = Game::from_name(&self.game, self.rules.as_deref())
            .ok_or_else(|| wrong(format!("no game '{}' in these rules", self.game)))?;
        let game = self.sight.of(game);
        let start = match self.start.as_str() {
            "startpos" => game.start(),
            fen => game.parse_fen(fen).map_err(|e| wrong(e.to_string()))?,
        };
        Ok((game, start))
    }

    /// The seat of a side.
    pub fn chair(&self, side: Color) -> &Seat {
        side.fold_wb(&self.white, &self.black)
    }

    /// Mutable access to the seat of a side.
    pub(crate) fn chair_mut(&mut self, side: Color) -> &mut Seat {
        side.fold_wb(&mut self.white, &mut self.black)
    }

    /// The side of a player.
    pub fn side_of(&self, player: &str) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|&side| self.chair(side).is_of(player))
    }

    /// Whether only agents of this server play.
    pub(crate) fn only_agents(&self) -> bool {
        Color::ALL
            .into_iter()
            .all(|side| matches!(self.chair(side), Seat::Agent { .. }))
    }

    /// Whether spectators may see the true state: nothing is hidden in this
    /// game, or no person plays it.
    pub(crate) fn is_public(&self) -> bool {
        self.game != "fog" || self.only_agents()
    }

    /// Names the seeds of the server's agents, which are empty, after this number
    /// of rolls.
    pub(crate) fn name_agents_seeds(&mut self, rolls: u64) {
        for side in Color::ALL {
            if matches!(self.chair(side), Seat::Agent { .. }) {
                self.dice_clients.name(side, "", rolls);
            }
        }
    }

    /// Whether a seat is free.
    pub(crate) fn is_open(&self) -> bool {
        self.white == Seat::Open || self.black == Seat::Open
    }

    /// The leaderboard of the game: `fog:chesscom`, `dice1`.
    pub fn ladder(&self) -> String {
        match &self.rules {
            Some(rules) => format!("{}:{rules}", self.game),
            None => self.game.clone(),
        }
    }
}
