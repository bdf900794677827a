//! Options shared by several commands: the game, and a position in it.

use std::str::FromStr;

use clap::{
    Args, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use foglight_rules::{Color, FogRules, Game, Position, Sight};

use crate::failure::CliError;

/// Largest halfmove limit: the halfmove clock counts no further.
const MAX_HALFMOVE_LIMIT: u16 = 1023;

/// Options that select the game and its rules.
#[derive(Args, Clone, Debug)]
pub(crate) struct GameOptions {
    /// The game
    #[arg(long, value_enum, default_value_t = GameName::Fog)]
    pub(crate) game: GameName,

    /// The rule set, in fog [default: chesscom]
    #[arg(long, value_parser = rule_set())]
    pub(crate) rules: Option<FogRules>,

    /// Sight in fog: SIDE=full or SIDE=normal; may be repeated
    #[arg(long, value_name = "SIDE=SIGHT")]
    pub(crate) sight: Vec<SideSight>,

    /// Plies without capture or pawn move that make a draw, or `off`. 100 is
    /// the 50-move rule; the thesis also tried 8 moves, which is 16 here
    #[arg(long, value_name = "N|off", default_value = "100")]
    pub(crate) halfmove_limit: HalfmoveLimit,
}

impl GameOptions {
    /// Builds the game of these options.
    pub(crate) fn game(&self) -> Result<Game, CliError> {
        if self.game != GameName::Fog && (self.rules.is_some() || !self.sight.is_empty()) {
            return Err(CliError::input(
                "--rules and --sight belong to fog; expected '--game fog' with them",
            ));
        }
        let game = match self.game {
            GameName::Chess => Game::chess(),
            GameName::Fog => Game::fog_with(self.rules.unwrap_or_default()),
            GameName::Dice1 => Game::dice1(),
            GameName::Dice3 => Game::dice3(),
        };
        let game = self.sight.iter().fold(game, |game, chosen| {
            game.with_sight(chosen.side, chosen.sight)
        });
        Ok(game.with_halfmove_limit(self.halfmove_limit.0))
    }
}

/// Options that select a position of a game.
#[derive(Args, Clone, Debug)]
pub(crate) struct PositionOptions {
    #[command(flatten)]
    pub(crate) game: GameOptions,

    /// The position, as FEN or `startpos`
    #[arg(long, default_value = "startpos")]
    pub(crate) fen: String,
}

impl PositionOptions {
    /// Parses the game and the position in it.
    pub(crate) fn read(&self) -> Result<(Game, Position), CliError> {
        let game = self.game.game()?;
        let position = read_position(&game, &self.fen).map_err(CliError::Input)?;
        Ok((game, position))
    }
}

/// Parses a FEN or the word `startpos`; the error says what was expected.
pub(crate) fn read_position(game: &Game, text: &str) -> Result<Position, String> {
    match text.trim() {
        "startpos" => Ok(game.start()),
        _ => game
            .parse_fen(text)
            .map_err(|error| format!("in the FEN of {game}: {error}")),
    }
}

/// Names of the games.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GameName {
    /// Plain chess
    Chess,
    /// Fog-of-war chess
    Fog,
    /// Dice chess with one die
    Dice1,
    /// Dice chess with three dice
    Dice3,
}

impl GameName {
    /// The name in the rules crate.
    pub(crate) fn name(self) -> &'static str {
        match self {
            GameName::Chess => Game::chess().name(),
            GameName::Fog => Game::fog().name(),
            GameName::Dice1 => Game::dice1().name(),
            GameName::Dice3 => Game::dice3().name(),
        }
    }
}

/// Parser of the name of a fog rule set.
fn rule_set() -> impl TypedValueParser<Value = FogRules> {
    let value = |rules: FogRules| PossibleValue::new(rules.name()).help(rules.about());
    PossibleValuesParser::new(FogRules::ALL.map(value))
        .map(|name| FogRules::from_name(&name).expect("only names of rule sets pass"))
}

/// Names of the sides.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SideName {
    /// White
    White,
    /// Black
    Black,
}

impl From<SideName> for Color {
    fn from(name: SideName) -> Color {
        match name {
            SideName::White => Color::White,
            SideName::Black => Color::Black,
        }
    }
}

/// The sight of one side: `white=full`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SideSight {
    side: Color,
    sight: Sight,
}

impl FromStr for SideSight {
    type Err = String;

    fn from_str(text: &str) -> Result<SideSight, String> {
        let (side, sight) = match text {
            "white=full" => (Color::White, Sight::Full),
            "black=full" => (Color::Black, Sight::Full),
            "white=normal" => (Color::White, Sight::Normal),
            "black=normal" => (Color::Black, Sight::Normal),
            _ => return Err("expected white or black, '=', and full or normal".to_owned()),
        };
        Ok(SideSight { side, sight })
    }
}

/// A halfmove limit, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HalfmoveLimit(Option<u16>);

impl FromStr for HalfmoveLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<HalfmoveLimit, String> {
        let limit = match text {
            "off" => None,
            _ => Some(
                text.parse()
                    .ok()
                    .filter(|plies| (1..=MAX_HALFMOVE_LIMIT).contains(plies))
                    .ok_or("expected a number from 1 to 1023, or 'off'")?,
            ),
        };
        Ok(HalfmoveLimit(limit))
    }
}
