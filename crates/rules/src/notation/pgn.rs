//! PGN of the truth: games with their tags, moves, clocks and dice.
//!
//! Dice games carry each roll in the comment after the move it led to, for
//! `dice3` after the first move of the turn: `Nf3 {[%dice NRK]}`. Rolls that
//! could not be used stand before it in the same comment, and rolls after the
//! last move in a `[%next NRK]`. Passes are implied.

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

/// The most bytes of text that a [`Reader`] takes unless told otherwise.
pub const MAX_TEXT: usize = 64 << 20;

/// The most single moves that a game may have.
pub const MAX_PLIES: usize = 100_000;

/// The tags that come first, with what stands for an unknown value.
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
/// Reading what was written gives the same game, provided that texts hold no
/// control characters, runs of blanks or braces (they are made safe in
/// writing), that the tags of the [`ROSTER`] come first and each once, and that
/// the last note is not empty.
#[derive(Clone, PartialEq, Debug)]
pub struct PgnGame {
    /// Names and values of the tags that are not told by the other fields. An
    /// unknown value (`?`) of the [`ROSTER`] is the same as no tag.
    pub tags: Vec<(String, String)>,
    /// The rules.
    pub game: Game,
    /// The first position.
    pub start: Position,
    /// The moves and rolls.
    pub actions: Vec<Action>,
    /// A comment before the first move.
    pub intro: String,
    /// What is noted at each single move, rolls not counted. May be shorter
    /// than the game.
    pub notes: Vec<Note>,
    /// How the game ended, if it has.
    pub result: Option<PgnResult>,
}

/// The signs that stand for pieces in moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Letters {
    /// `Nf3`, as the standard has it.
    #[default]
    English,
    /// `♘f3`, as books print it.
    Figurines,
}

/// What is noted at a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Note {
    /// What the mover's clock shows after the move, in whole milliseconds.
    pub clock: Option<Duration>,
    /// Any other comment.
    pub text: String,
}

impl Note {
    fn is_empty(&self) -> bool {
        self.clock.is_none() && self.text.is_empty()
    }
}

/// A result and, where it is known, its reason.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PgnResult {
    /// Who won; nobody in a draw.
    pub winner: Option<Color>,
    /// Why, if the board or the `Termination` tag tells.
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
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub const fn text(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl PgnGame {
    /// A game without moves yet.
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

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Why a text is not a PGN of the game asked for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("PGN line {line}: {kind}")]
pub struct PgnError {
    /// Where, from 1.
    pub line: usize,
    /// What is wrong there, and what was expected.
    pub kind: PgnErrorKind,
}

/// What is wrong with a PGN.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PgnErrorKind {
    /// More text than allowed.
    #[error("the text has {found} bytes; at most {limit} are expected")]
    TooLong {
        /// Bytes of the text.
        found: usize,
        /// Bytes allowed.
        limit: usize,
    },
    /// More moves than allowed.
    #[error("the game has more than {MAX_PLIES} moves; at most that many are expected")]
    TooManyMoves,
    /// A comment that begins here and never ends.
    #[error("a comment begins here and is not closed; expected a '}}' after it")]
    UnclosedComment,
    /// A tag that begins here and never ends.
    #[error("a tag is not closed; expected [Name \"value\"] on one line")]
    UnclosedTag,
    /// A variation that begins here and never ends.
    #[error("a variation begins here and is not closed; expected a ')' for each '('")]
    UnclosedVariation,
    /// The end of a variation that did not begin.
    #[error("a ')' without its '('; expected a move, a comment or a result")]
    StrayClose,
    /// Something else in brackets.
    #[error("not a tag; expected [Name \"value\"], quotes and backslashes after a backslash")]
    Tag,
    /// A game that we do not play, or not the one asked for.
    #[error("the game is {found}; expected {expected}")]
    Variant {
        /// What the tags say.
        found: String,
        /// What would do.
        expected: String,
    },
    /// The first position is none.
    #[error("the FEN tag: {0}")]
    Fen(#[from] FenError),
    /// A move that cannot be played.
    #[error("move {number} {error}")]
    Move {
        /// `12.` or `12...`
        number: String,
        /// What was expected.
        error: MoveError,
    },
    /// A move without its dice, or with dice that cannot fall.
    #[error(
        "move {number} {found}; expected {{[%dice ...]}} with a possible roll of {dice} in the order P N B R Q K after the first move of the turn"
    )]
    Dice {
        /// `12.` or `12...`
        number: String,
        /// The roll, or that there is none.
        found: String,
        /// How many dice.
        dice: &'static str,
    },
}

/// The value of the `Variant` tag; plain chess needs none.
fn variant_name(game: &Game) -> Option<&'static str> {
    match game.variant() {
        Variant::Chess => None,
        Variant::Fog(_) => Some("Fog of War"),
        Variant::Dice1 | Variant::Dice3 => Some("Dice Chess"),
    }
}

/// The value of the `RuleSet` tag; plain chess needs none.
fn rule_set(game: &Game) -> Option<String> {
    match game.variant() {
        Variant::Chess => None,
        Variant::Fog(rules) => Some(format!("{}-v1", rules.name())),
        Variant::Dice1 | Variant::Dice3 => Some(format!("{}-v1", game.name())),
    }
}

/// What the `Variant` tag of other programs may say.
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

/// The game that the tags name, or the one asked for if they name none.
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

/// Tags of a game's settings that are not the usual ones.
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

/// Tags that only the fields of a game tell.
const RESERVED: [&str; 7] = [
    "Variant",
    "RuleSet",
    "WhiteSight",
    "BlackSight",
    HALFMOVE_LIMIT_TAG,
    "SetUp",
    "FEN",
];

/// The commands in comments that we read: clock, dice before, dice after.
const COMMANDS: [&str; 3] = ["[%clk", "[%dice", "[%next"];

/// Makes the text of a comment safe: one line, single blanks, no brace that
/// would close it, no command of ours.
fn clean_comment(text: &str) -> String {
    let text = text.replace('}', ")").replace(char::is_control, " ");
    let words: Vec<&str> = text.split_whitespace().collect();
    COMMANDS.iter().fold(words.join(" "), |text, command| {
        text.replace(command, &command.replace("[%", "[ %"))
    })
}

/// Makes the value of a tag safe: control characters become blanks.
fn clean_value(text: &str) -> String {
    text.replace(
        |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'),
        " ",
    )
}
