//! The feature `serde`. Values are serialised in their notation (FEN, fog FEN,
//! UCI moves, rolls) and names as in records.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use shakmaty::{Color, Role, Square};

use crate::{
    action::{Action, Turn},
    dice::Dice,
    games::{Game, Sight},
    moves::Move,
    observation::{Announcement, Observation},
    outcome::{Outcome, Termination},
    record::Record,
    size::Size,
    state::State,
    view::View,
};

macro_rules! as_text {
    ($($type:ty),*) => { $(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }
    )* };
}
as_text!(Move, Action, Dice, Size, View);

/// Deserialises a text with `parse`, or returns an error with what was expected.
fn read<'de, D: Deserializer<'de>, T>(
    from: D,
    expected: &str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<T, D::Error> {
    let text = String::deserialize(from)?;
    parse(&text).ok_or_else(|| D::Error::custom(format!("'{text}': expected {expected}")))
}

impl<'de> Deserialize<'de> for Dice {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Dice, D::Error> {
        read(from, "piece letters in the order P N B R Q K", Dice::parse)
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Size, D::Error> {
        read(from, "a size from 4x4 to 8x8", |text| {
            let (files, ranks) = text.split_once('x')?;
            Size::new(files.parse().ok()?, ranks.parse().ok()?)
        })
    }
}

/// Serialisable side: shakmaty's `Color` is not.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Side {
    White,
    Black,
}

impl From<Color> for Side {
    fn from(side: Color) -> Side {
        side.fold_wb(Side::White, Side::Black)
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct OutcomeFields {
    winner: Option<Side>,
    reason: Termination,
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let winner = self.winner.map(Side::from);
        let reason = self.reason;
        OutcomeFields { winner, reason }.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Outcome {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Outcome, D::Error> {
        let fields = OutcomeFields::deserialize(from)?;
        Ok(Outcome {
            winner: fields.winner.map(Color::from),
            reason: fields.reason,
        })
    }
}

#[derive(Serialize, Deserialize)]
struct GameFields {
    game: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    #[serde(default)]
    white_sight: Sight,
    #[serde(default)]
    black_sight: Sight,
    halfmove_limit: Option<u16>,
}

impl Serialize for Game {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let fields = GameFields {
            game: self.name().to_owned(),
            rules: self.rules_name().map(str::to_owned),
            white_sight: self.sight(Color::White),
            black_sight: self.sight(Color::Black),
            halfmove_limit: self.halfmove_limit(),
        };
        fields.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Game {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Game, D::Error> {
        let fields = GameFields::deserialize(from)?;
        let game = Game::from_name(&fields.game, fields.rules.as_deref());
        let game = game.ok_or_else(|| {
            D::Error::custom("expected the name of a game and, in fog, of its rule set")
        })?;
        Ok(game
            .with_sight(Color::White, fields.white_sight)
            .with_sight(Color::Black, fields.black_sight)
            .with_halfmove_limit(fields.halfmove_limit))
    }
}

#[derive(Serialize, Deserialize)]
struct RecordFields {
    game: Game,
    start: String,
    actions: Vec<String>,
    outcome: Option<Outcome>,
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let fields = RecordFields {
            game: self.game,
            start: self.game.fen(&self.start),
            actions: self.actions.iter().map(ToString::to_string).collect(),
            outcome: self.outcome,
        };
        fields.serialize(to)
    }
}

/// Replays the actions, so that a deserialised record is always legal.
impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Record, D::Error> {
        let fields = RecordFields::deserialize(from)?;
        let start = fields
            .game
            .parse_fen(&fields.start)
            .map_err(D::Error::custom)?;
        let mut state = State::new(fields.game, start);
        let mut actions = Vec::with_capacity(fields.actions.len());
        for text in &fields.actions {
            let action = state.parse_action(text).map_err(D::Error::custom)?;
            state.play_unchecked(action);
            actions.push(action);
        }
        Ok(Record {
            game: fields.game,
            start,
            actions,
            outcome: fields.outcome,
        })
    }
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum TurnFields {
    Player(Side),
    Chance,
    Over(Outcome),
}

impl Serialize for Turn {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let fields = match *self {
            Turn::Player(side) => TurnFields::Player(side.into()),
            Turn::Chance => TurnFields::Chance,
            Turn::Over(outcome) => TurnFields::Over(outcome),
        };
        fields.serialize(to)
    }
}

#[derive(Serialize)]
struct Piece {
    square: String,
    piece: char,
}

impl Piece {
    fn of((square, role): (Square, Role)) -> Piece {
        Piece {
            square: square.to_string(),
            piece: role.upper_char(),
        }
    }
}

#[derive(Serialize)]
struct NewsFields {
    own_move: Option<Move>,
    captured: Option<Piece>,
    lost: Option<Piece>,
}

impl Serialize for Announcement {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let fields = NewsFields {
            own_move: self.own_move,
            captured: self.captured.map(Piece::of),
            lost: self.lost.map(Piece::of),
        };
        fields.serialize(to)
    }
}

#[derive(Serialize)]
struct ObservationFields<'a> {
    game: &'a Game,
    side: Side,
    plies: u32,
    turn: Turn,
    view: &'a View,
    moves: &'a [Move],
    announced: Announcement,
    /// The position, for a side with full view.
    position: Option<String>,
    /// The starting position, before the first move.
    start: Option<String>,
}

impl Serialize for Observation {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let fields = ObservationFields {
            game: self.game(),
            side: self.side().into(),
            plies: self.plies(),
            turn: self.turn(),
            view: self.view(),
            moves: self.legal_moves(),
            announced: self.news(),
            position: self.position().map(|position| self.game().fen(position)),
            start: self.start().map(|start| self.game().fen(start)),
        };
        fields.serialize(to)
    }
}
