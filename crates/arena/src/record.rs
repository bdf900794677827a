//! Game records as JSON lines: the output of a match, sufficient to replay it.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use foglight_play::{Report, session::MoveReport};
use foglight_rules::{Action, ByColor, Color, Game, Outcome, Record, Sight, Termination};
use serde::{Deserialize, Serialize, Serializer, ser::SerializeSeq};

use crate::stamp::Stamp;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayerInfo {
    /// Name in the match.
    pub name: String,
    /// Agent with its options, or the command of an external engine.
    pub agent: String,
    /// Limits per move, in fastchess's notation.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub limits: String,
}

/// Report of a player on one of its moves, for later analysis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Telemetry {
    /// Ply of the move, from 0.
    pub ply: u32,
    /// Value for the mover, from -1 (lost) to +1 (won).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The same value in centipawns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centipawns: Option<i32>,
    #[serde(default)]
    pub nodes: u64,
    #[serde(default)]
    pub depth: u32,
    /// Further metrics by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metrics: BTreeMap<String, f64>,
}

impl Telemetry {
    /// Telemetry of a player's report at this ply.
    pub fn of(ply: u32, report: &Report) -> Telemetry {
        let figures = report.metrics.iter();
        Telemetry {
            ply,
            value: report.value,
            centipawns: report.centipawns,
            nodes: report.nodes,
            depth: report.depth,
            metrics: figures
                .map(|(name, value)| ((*name).to_owned(), *value))
                .collect(),
        }
    }

    /// The same for a move whose belief the referee has checked.
    pub fn of_move(reported: &MoveReport) -> Telemetry {
        let mut telemetry = Telemetry::of(reported.ply, &reported.report);
        if let Some(held) = reported.true_position_in_belief {
            let figure = f64::from(u8::from(held));
            telemetry.metrics.insert(TRUE_POSITION.to_owned(), figure);
        }
        if let Some(truth) = reported.true_position {
            let loss = -truth.probability.ln();
            let figures = [
                ("true_position_log_loss", loss),
                ("true_position_rank", truth.rank),
            ];
            let named = figures.map(|(name, value)| (name.to_owned(), value));
            telemetry.metrics.extend(named);
        }
        telemetry
    }
}

/// Metric by which the referee records whether the belief behind a move
/// contained the true position.
pub(crate) const TRUE_POSITION: &str = "true_position_in_belief";

/// A finished game of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    pub record: Record,
    /// Seed of the pair, for dice and agents.
    pub seed: u64,
    /// Game of the pair: 0 or 1.
    pub leg: u32,
    pub players: ByColor<PlayerInfo>,
    /// Milliseconds left on the mover's clock after each move, if there is a
    /// clock.
    pub clocks: Vec<u64>,
    /// Number of the game in the match, from 1.
    pub number: u64,
    /// Number of the pair, from 1.
    pub pair: u64,
    /// Plan of the match, if the game belongs to one.
    pub plan: Option<Arc<Stamp>>,
    pub telemetry: Vec<Telemetry>,
    /// Version of the program that played the game.
    pub version: String,
}

/// Reasons for which a line is not a record.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The line is not JSON of the expected shape.
    #[error("expected a game record: {0}")]
    Json(#[from] serde_json::Error),
    /// A name is unknown.
    #[error("{what} '{found}' in a game record; expected {expected}")]
    Name {
        what: &'static str,
        found: String,
        expected: &'static str,
    },
    /// The start is not a position.
    #[error("start of a game record: {0}")]
    Fen(#[from] foglight_rules::FenError),
    /// An action is not legal.
    #[error(transparent)]
    Replay(#[from] foglight_rules::ReplayError),
    /// The moves do not lead to the result.
    #[error("result {found} of a game record; expected {expected}, by its moves")]
    Outcome { found: String, expected: String },
}

/// Serialised form of a record.
#[derive(Serialize, Deserialize)]
struct Line<'a> {
    game: String,
    #[serde(default)]
    rules: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sight: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    halfmove_limit: Option<String>,
    seed: u64,
    #[serde(default)]
    leg: u32,
    white: Cow<'a, PlayerInfo>,
    black: Cow<'a, PlayerInfo>,
    start: String,
    #[serde(serialize_with = "actions_as_text")]
    actions: Vec<Text>,
    #[serde(default)]
    clocks: Cow<'a, [u64]>,
    #[serde(default)]
    result: Option<String>,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    pair: u64,
    #[serde(default)]
    number: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    plan: Option<Cow<'a, Stamp>>,
    #[serde(default)]
    telemetry: Cow<'a, [Telemetry]>,
    #[serde(default)]
    version: Cow<'a, str>,
}

/// An action being read (text) or written (typed, to avoid allocating a
/// string).
enum Text {
    In(String),
    Out(Action),
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Text, D::Error> {
        String::deserialize(from).map(Text::In)
    }
}

fn actions_as_text<S: Serializer>(actions: &[Text], to: S) -> Result<S::Ok, S::Error> {
    struct Written<'a>(&'a Text);
    impl Serialize for Written<'_> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            match self.0 {
                Text::In(text) => to.serialize_str(text),
                Text::Out(action) => to.collect_str(action),
            }
        }
    }
    let mut list = to.serialize_seq(Some(actions.len()))?;
    for action in actions {
        list.serialize_element(&Written(action))?;
    }
    list.end()
}

fn side_name(side: Color) -> &'static str {
    side.fold_wb("white", "black")
}

impl GameRecord {
    /// A game outside of matches: number 1, without clocks.
    pub fn new(record: Record, players: ByColor<PlayerInfo>) -> GameRecord {
        GameRecord {
            record,
            seed: 0,
            leg: 0,
            players,
            clocks: Vec::new(),
            number: 1,
            pair: 1,
            plan: None,
            telemetry: Vec::new(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// The record as one line of JSON, without a line terminator.
    pub fn to_json(&self) -> String {
        let game = &self.record.game;
        let text = GameText::of(game);
        let line = Line {
            game: text.game,
            rules: text.rules,
            sight: text.sight,
            halfmove_limit: text.halfmove_limit,
            seed: self.seed,
            leg: self.leg,
            white: Cow::Borrowed(&self.players.white),
            black: Cow::Borrowed(&self.players.black),
            start: game.fen(&self.record.start),
            actions: self.record.actions.iter().copied().map(Text::Out).collect(),
            clocks: Cow::Borrowed(&self.clocks),
            result: self
                .record
                .outcome
                .map(|outcome| outcome.result().to_owned()),
            reason: self
                .record
                .outcome
                .map(|outcome| outcome.reason.name().to_owned()),
            pair: self.pair,
            number: self.number,
            plan: self.plan.as_deref().map(Cow::Borrowed),
            telemetry: Cow::Borrowed(&self.telemetry),
            version: Cow::Borrowed(&self.version),
        };
        serde_json::to_string(&line).expect("a record is always JSON")
    }

    /// Parses a line and replays it: an accepted record is a legal game.
    pub fn from_json(text: &str) -> Result<GameRecord, RecordError> {
        let mut line: Line = serde_json::from_str(text)?;
        let game = GameText {
            game: std::mem::take(&mut line.game),
            rules: line.rules.take(),
            sight: std::mem::take(&mut line.sight),
            halfmove_limit: line.halfmove_limit.take(),
        };
        let game = game.read()?;
        let start = game.parse_fen(&line.start)?;
        let actions = line.actions.iter().filter_map(|action| match action {
            Text::In(text) => Some(text.as_str()),
            Text::Out(_) => None,
        });
        let record = Record::parse(game, start, actions)?;
        let outcome = read_outcome(line.result.as_deref(), line.reason.as_deref())?;
        check_outcome(&record, outcome)?;
        Ok(GameRecord {
            record: Record { outcome, ..record },
            seed: line.seed,
            leg: line.leg,
            players: ByColor {
                white: line.white.into_owned(),
                black: line.black.into_owned(),
            },
            clocks: line.clocks.into_owned(),
            number: line.number,
            pair: line.pair,
            plan: line.plan.map(|plan| Arc::new(plan.into_owned())),
            telemetry: line.telemetry.into_owned(),
            version: line.version.into_owned(),
        })
    }

    /// Number of plies played, not counting rolls.
    pub fn plies(&self) -> usize {
        let moves = self.record.actions.iter();
        moves
            .filter(|action| matches!(action, Action::Move(_)))
            .count()
    }

    /// The mover of each ply. With dice it does not follow from parity, so the
    /// game is replayed.
    pub fn movers(&self) -> Vec<Color> {
        let moves = |action: &Action| matches!(action, Action::Move(_));
        if !self.record.game.has_dice() {
            let first = self.record.start.turn();
            let sides = [first, !first].into_iter().cycle();
            return sides.take(self.plies()).collect();
        }
        let mut movers = Vec::new();
        let mut replay = self.record.replay();
        loop {
            let side = replay.state().position().turn();
            match replay.step() {
                Some(Ok(action)) if moves(&action) => movers.push(side),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return movers,
            }
        }
    }

    /// The last evaluation that each side reported, in centipawns; `movers`
    /// holds the mover of each ply.
    pub fn last_scores(&self, movers: &[Color]) -> ByColor<Option<i32>> {
        let mut last = ByColor::default();
        for row in &self.telemetry {
            if let (Some(&side), Some(score)) = (movers.get(row.ply as usize), row.centipawns) {
                *last.get_mut(side) = Some(score);
            }
        }
        last
    }

    /// The side of the player with this name, if exactly one has it.
    pub fn side_of(&self, name: &str) -> Option<Color> {
        let has = |side: Color| self.players.get(side).name == name;
        match (has(Color::White), has(Color::Black)) {
            (true, false) => Some(Color::White),
            (false, true) => Some(Color::Black),
            _ => None,
        }
    }
}

/// Checks an outcome as far as the moves determine it: all of it if they end the
/// game, and otherwise that the reason is not one of the board, and that a flag
/// fell and an illegal move was made by the side to act.
fn check_outcome(moves: &Record, told: Option<Outcome>) -> Result<(), RecordError> {
    let text = |outcome: Option<Outcome>| {
        outcome.map_or("none".to_owned(), |o| {
            format!("{} ({})", o.result(), o.reason)
        })
    };
    let wrong = |expected: String| RecordError::Outcome {
        found: text(told),
        expected,
    };
    if moves.outcome.is_some() {
        let agree = moves.outcome == told;
        return agree
            .then_some(())
            .ok_or_else(|| wrong(text(moves.outcome)));
    }
    let Some(told) = told else { return Ok(()) };
    match told.reason {
        Termination::Timeout | Termination::IllegalMove => {
            let to_act = moves.replay().finish()?.position().turn();
            let agree = told.winner != Some(to_act);
            agree
                .then_some(())
                .ok_or_else(|| wrong("a win of the other side".to_owned()))
        }
        reason if reason.is_on_board() => Err(wrong("a game that goes on".to_owned())),
        _ => Ok(()),
    }
}

/// A game with its rules, as records write it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameText {
    game: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sight: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    halfmove_limit: Option<String>,
}

impl GameText {
    pub fn of(game: &Game) -> GameText {
        let sight = Color::ALL
            .into_iter()
            .filter(|&side| game.sight(side) == Sight::Full)
            .map(|side| format!("{}=full", side_name(side)));
        let usual = Some(foglight_rules::HALFMOVE_LIMIT);
        let halfmove_limit = (game.halfmove_limit() != usual).then(|| {
            game.halfmove_limit()
                .map_or("off".into(), |n| n.to_string())
        });
        GameText {
            game: game.name().to_owned(),
            rules: game.rules_name().map(str::to_owned),
            sight: sight.collect(),
            halfmove_limit,
        }
    }

    pub fn read(&self) -> Result<Game, RecordError> {
        let unknown = |what, found: &str, expected| RecordError::Name {
            what,
            found: found.chars().take(40).collect(),
            expected,
        };
        let game = Game::from_name(&self.game, self.rules.as_deref()).ok_or_else(|| {
            unknown(
                "game",
                &self.game,
                "chess, fog, dice1 or dice3, with its rules",
            )
        })?;
        let game = match self.halfmove_limit.as_deref() {
            None => game,
            Some("off") => game.with_halfmove_limit(None),
            Some(text) => {
                let plies = text
                    .parse()
                    .map_err(|_| unknown("halfmove_limit", text, "a number or 'off'"))?;
                game.with_halfmove_limit(Some(plies))
            }
        };
        self.sight
            .iter()
            .try_fold(game, |game, text| match text.as_str() {
                "white=full" => Ok(game.with_sight(Color::White, Sight::Full)),
                "black=full" => Ok(game.with_sight(Color::Black, Sight::Full)),
                _ => Err(unknown("sight", text, "white=full or black=full")),
            })
    }
}

fn read_outcome(
    result: Option<&str>,
    reason: Option<&str>,
) -> Result<Option<Outcome>, RecordError> {
    let Some(result) = result else {
        return Ok(None);
    };
    let winner = match result {
        "1-0" => Some(Color::White),
        "0-1" => Some(Color::Black),
        "1/2-1/2" => None,
        _ => {
            return Err(RecordError::Name {
                what: "result",
                found: result.chars().take(40).collect(),
                expected: "1-0, 0-1, 1/2-1/2 or null",
            });
        }
    };
    let reason = reason.unwrap_or_default();
    let reason = Termination::from_name(reason).ok_or_else(|| RecordError::Name {
        what: "reason",
        found: reason.chars().take(40).collect(),
        expected: "a reason such as king_captured or timeout",
    })?;
    Ok(Some(Outcome { winner, reason }))
}
