//! PGN of the true game: tags, moves, clocks and dice.
//!
//! Dice games store each roll in the comment after the move that used it, in
//! `dice3` after the first move of the turn: `Nf3 {[%dice NRK]}`. Unusable rolls
//! stand before it in the same comment, and rolls after the last move in a
//! `[%next NRK]`. Passes are implied.

mod comments;
mod reader;
mod writer;

use std::time::Duration;

use shakmaty::Color;

pub use reader::{Reader, read};

use crate::{
    FenError, Game, MoveError,
    action::{Action, quoted},
    fog_rules::FogRules,
    games::{Sight, Variant},
    outcome::{Outcome, Termination},
    position::Position,
};

/// Default maximum size of a text for a [`Reader`], in bytes.
pub const MAX_TEXT: usize = 64 << 20;

/// Maximum number of plies in a game.
pub const MAX_PLIES: usize = 100_000;

/// The seven tags that come first, with their placeholders for unknown values.
pub const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// One game of a PGN file.
///
/// A written game reads back equal, provided that texts have no control
/// characters, runs of blanks or braces (writing replaces them), that the tags of
/// the [`ROSTER`] come first and once each, and that the last note is not empty.
#[derive(Clone, PartialEq, Debug)]
pub struct PgnGame {
    /// Names and values of the tags that do not follow from the other fields. An
    /// unknown value (`?`) of the [`ROSTER`] equals a missing tag.
    pub tags: Vec<(String, String)>,
    /// The rules of the game.
    pub game: Game,
    /// The position before the first move.
    pub start: Position,
    /// Moves and rolls, in order.
    pub actions: Vec<Action>,
    /// The comment before the first move.
    pub intro: String,
    /// Clock and comment of each ply, rolls not counted. May be shorter than the
    /// game.
    pub notes: Vec<Note>,
    /// The result, if the game is finished.
    pub result: Option<PgnResult>,
}

/// Symbols for pieces in moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Letters {
    /// Letters as in the standard: `Nf3`.
    #[default]
    English,
    /// Figurines as in print: `♘f3`.
    Figurines,
}

/// Clock and comment of a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Note {
    /// The mover's clock after the move, in whole milliseconds.
    pub clock: Option<Duration>,
    /// Any other comment text.
    pub text: String,
}

impl Note {
    fn is_empty(&self) -> bool {
        self.clock.is_none() && self.text.is_empty()
    }
}

/// A result and, if known, its reason.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PgnResult {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// The reason, if the board or the `Termination` tag determines it.
    pub reason: Option<Termination>,
}

impl From<Outcome> for PgnResult {
    fn from(outcome: Outcome) -> PgnResult {
        PgnResult {
            winner: outcome.winner,
            reason: Some(outcome.reason),
        }
    }
}

impl PgnResult {
    /// Result text: `1-0`, `0-1` or `1/2-1/2`.
    pub const fn text(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl PgnGame {
    /// A game without tags and moves.
    pub fn new(game: Game, start: Position) -> PgnGame {
        PgnGame {
            tags: Vec::new(),
            game,
            start,
            actions: Vec::new(),
            intro: String::new(),
            notes: Vec::new(),
            result: None,
        }
    }

    /// The value of a tag, if present.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Error of a text that is not a PGN of the expected game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("PGN line {line}: {kind}")]
pub struct PgnError {
    /// Line number, from 1.
    pub line: usize,
    /// The problem, and what was expected.
    pub kind: PgnErrorKind,
}

/// Problem of a PGN text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PgnErrorKind {
    /// The text exceeds the size limit.
    #[error("the text has {found} bytes; at most {limit} are expected")]
    TooLong {
        /// Size of the text in bytes.
        found: usize,
        /// Maximum size in bytes.
        limit: usize,
    },
    /// The game exceeds [`MAX_PLIES`].
    #[error("the game has more than {MAX_PLIES} moves; at most that many are expected")]
    TooManyMoves,
    /// A comment without its closing brace.
    #[error("a comment begins here and is not closed; expected a '}}' after it")]
    UnclosedComment,
    /// A tag without its closing bracket.
    #[error("a tag is not closed; expected [Name \"value\"] on one line")]
    UnclosedTag,
    /// A variation without its closing parenthesis.
    #[error("a variation begins here and is not closed; expected a ')' for each '('")]
    UnclosedVariation,
    /// A closing parenthesis without its opening one.
    #[error("a ')' without its '('; expected a move, a comment or a result")]
    StrayClose,
    /// Brackets whose content is not a tag.
    #[error("not a tag; expected [Name \"value\"], quotes and backslashes after a backslash")]
    Tag,
    /// An unknown game, or not the expected one.
    #[error("the game is {found}; expected {expected}")]
    Variant {
        /// The game that the tags name.
        found: String,
        /// The games that are accepted.
        expected: String,
    },
    /// The FEN tag is not a valid position.
    #[error("the FEN tag: {0}")]
    Fen(#[from] FenError),
    /// A move that is not legal where it stands.
    #[error("move {number} {error}")]
    Move {
        /// Move number: `12.` or `12...`.
        number: String,
        /// The error of the move itself.
        error: MoveError,
    },
    /// A move without its dice, or with an impossible roll.
    #[error(
        "move {number} {found}; expected {{[%dice ...]}} with a possible roll of {dice} in the order P N B R Q K after the first move of the turn"
    )]
    Dice {
        /// Move number: `12.` or `12...`.
        number: String,
        /// The roll, or a note that there is none.
        found: String,
        /// The number of dice that was expected.
        dice: &'static str,
    },
}

/// The value of the `Variant` tag; none for plain chess.
fn variant_name(game: &Game) -> Option<&'static str> {
    match game.variant() {
        Variant::Chess => None,
        Variant::Fog(_) => Some("Fog of War"),
        Variant::Dice1 | Variant::Dice3 => Some("Dice Chess"),
    }
}

/// The value of the `RuleSet` tag; none for plain chess.
fn rule_set(game: &Game) -> Option<String> {
    match game.variant() {
        Variant::Chess => None,
        Variant::Fog(rules) => Some(format!("{}-v1", rules.name())),
        Variant::Dice1 | Variant::Dice3 => Some(format!("{}-v1", game.name())),
    }
}

/// The canonical value for a `Variant` tag in the spelling of other programs.
fn named_variant(text: &str) -> Option<Option<&'static str>> {
    let letters: String = text
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    match letters.as_str() {
        "" | "standard" | "chess" | "normal" | "fromposition" => Some(None),
        "fogofwar" | "fog" | "darkchess" => Some(variant_name(&Game::fog())),
        "dicechess" | "dice" | "dicechess3" => Some(variant_name(&Game::dice3())),
        _ => None,
    }
}

fn named_rules(text: &str) -> Option<Game> {
    let games = Game::ALL.into_iter();
    games.filter(|game| rule_set(game).is_some()).find(|game| {
        rule_set(game).is_some_and(|name| name == text || name == format!("{text}-v1"))
    })
}

fn describe(game: &Game) -> String {
    match (variant_name(game), rule_set(game)) {
        (Some(variant), Some(rules)) => {
            format!("[Variant \"{variant}\"] with [RuleSet \"{rules}\"]")
        }
        _ => "plain chess, without a Variant tag".to_owned(),
    }
}

fn unknown(found: &str) -> PgnErrorKind {
    PgnErrorKind::Variant {
        found: quoted(found),
        expected: format!(
            "no Variant, \"Fog of War\" or \"Dice Chess\", with one of the RuleSets {}",
            Game::ALL
                .iter()
                .filter_map(rule_set)
                .collect::<Vec<_>>()
                .join(", ")
        ),
    }
}

/// The game that the tags name, or the expected one if they name none.
fn game_of_tags(
    variant: Option<&str>,
    rules: Option<&str>,
    asked: Option<Game>,
) -> Result<Game, PgnErrorKind> {
    let variant = match variant {
        Some(text) => Some(named_variant(text).ok_or_else(|| unknown(text))?),
        None => None,
    };
    let fitting = |game: &Game| variant.is_none_or(|name| variant_name(game) == name);
    let named = match (rules.filter(|_| variant != Some(None)), variant) {
        (Some(text), _) => Some(
            named_rules(text)
                .filter(fitting)
                .ok_or_else(|| unknown(text))?,
        ),
        (None, None) => None,
        (None, Some(None)) => Some(Game::chess()),
        (None, Some(Some(name))) => {
            let default = Game::fog_with(FogRules::default());
            let default = Some(default).filter(fitting);
            let game = asked.filter(fitting).or(default);
            Some(game.ok_or_else(|| unknown(&format!("{name} without a RuleSet")))?)
        }
    };
    match (asked, named) {
        (Some(asked), Some(named)) if asked.variant() != named.variant() => {
            Err(PgnErrorKind::Variant {
                found: describe(&named),
                expected: describe(&asked),
            })
        }
        (Some(asked), _) => Ok(asked),
        (None, named) => Ok(named.unwrap_or(Game::chess())),
    }
}

/// Tags for settings of a game that differ from the defaults.
fn setting_tags(game: &Game) -> Vec<(&'static str, String)> {
    let mut tags = Vec::new();
    for (side, name) in SIGHT_TAGS {
        if game.sight(side) == Sight::Full {
            tags.push((name, "full".to_owned()));
        }
    }
    if game.halfmove_limit() != Some(crate::HALFMOVE_LIMIT) {
        let limit = game.halfmove_limit().map(|plies| plies.to_string());
        tags.push((HALFMOVE_LIMIT_TAG, limit.unwrap_or("off".to_owned())));
    }
    tags
}

const SIGHT_TAGS: [(Color, &str); 2] = [(Color::White, "WhiteSight"), (Color::Black, "BlackSight")];
const HALFMOVE_LIMIT_TAG: &str = "HalfmoveLimit";

/// Tags that are written from the fields of a game only.
const RESERVED: [&str; 7] = [
    "Variant",
    "RuleSet",
    "WhiteSight",
    "BlackSight",
    HALFMOVE_LIMIT_TAG,
    "SetUp",
    "FEN",
];

/// Recognised commands in comments: clock, dice before, dice after.
const COMMANDS: [&str; 3] = ["[%clk", "[%dice", "[%next"];

/// Sanitises the text of a comment: one line, single blanks, no closing brace, no
/// recognised command.
fn clean_comment(text: &str) -> String {
    let text = text.replace('}', ")").replace(char::is_control, " ");
    let words: Vec<&str> = text.split_whitespace().collect();
    COMMANDS.iter().fold(words.join(" "), |text, command| {
        text.replace(command, &command.replace("[%", "[ %"))
    })
}

/// Sanitises the value of a tag: control characters become blanks.
fn clean_value(text: &str) -> String {
    text.replace(
        |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'),
        " ",
    )
}
