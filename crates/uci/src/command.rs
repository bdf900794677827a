//! Commands to an engine.

use std::{fmt, str::FromStr};

use foglight_rules::{Color, Square};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

use crate::text::{ProtocolError, Tokens, as_text, one_line, quoted};

/// A command to an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum UciCommand {
    /// Asks for the engine's identity and options.
    Uci,
    /// Switches debug output on or off.
    Debug {
        on: bool,
    },
    /// Asks for `readyok` once all previous commands are done.
    IsReady,
    SetOption {
        name: String,
        /// The new value; none for a button.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<String>,
    },
    /// Announces that the next position belongs to another game.
    UciNewGame,
    Position(PositionCommand),
    /// Reports the engine's observation after a ply, in fog.
    Observe(ObserveCommand),
    Go(GoLimits),
    Stop,
    /// Reports that the opponent played the expected move.
    PonderHit,
    Quit,
}

/// Start of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StartPosition {
    /// The standard start of the game.
    Startpos,
    Fen(String),
}

/// Argument of a `position` command.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Flat", into = "Flat")]
pub enum PositionCommand {
    /// A game without hidden information: the start, then moves and rolls.
    Open {
        start: StartPosition,
        moves: Vec<String>,
    },
    /// A fog game with a known start; [`ObserveCommand`] follows for each ply.
    Fog { start: StartPosition, you: Color },
    /// A single view, for analysis.
    View {
        fen: String,
        /// Side of the view; by default the side to move.
        you: Option<Color>,
    },
}

/// [`PositionCommand`] as the fields of a JSON object.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct Flat {
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    fog: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fog_fen: Option<String>,
    #[serde(with = "as_text", skip_serializing_if = "Option::is_none")]
    you: Option<Color>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<String>,
}

impl From<PositionCommand> for Flat {
    fn from(position: PositionCommand) -> Flat {
        let fen = |start| match start {
            StartPosition::Startpos => None,
            StartPosition::Fen(fen) => Some(fen),
        };
        match position {
            PositionCommand::Open { start, moves } => Flat {
                fen: fen(start),
                moves,
                ..Flat::default()
            },
            PositionCommand::Fog { start, you } => Flat {
                fog: true,
                fen: fen(start),
                you: Some(you),
                ..Flat::default()
            },
            PositionCommand::View { fen, you } => Flat {
                fog_fen: Some(fen),
                you,
                ..Flat::default()
            },
        }
    }
}

impl TryFrom<Flat> for PositionCommand {
    type Error = &'static str;

    fn try_from(flat: Flat) -> Result<PositionCommand, &'static str> {
        let start = flat.fen.map_or(StartPosition::Startpos, StartPosition::Fen);
        match (flat.fog_fen, flat.fog, flat.you) {
            (Some(_), _, _) if start != StartPosition::Startpos => {
                Err("either fen or fog_fen is expected")
            }
            (Some(_), _, _) | (_, true, _) if !flat.moves.is_empty() => {
                Err("in fog no moves are expected")
            }
            (Some(fen), _, you) => Ok(PositionCommand::View { fen, you }),
            (None, true, Some(you)) => Ok(PositionCommand::Fog { start, you }),
            (None, true, None) => Err("in fog \"you\" is expected: white or black"),
            (None, false, _) => Ok(PositionCommand::Open {
                start,
                moves: flat.moves,
            }),
        }
    }
}

/// The engine's observation after a ply.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ObserveCommand {
    /// Number of plies played so far.
    pub ply: u32,
    pub fen: String,
    /// The engine's own move, if the ply was its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub you: Option<String>,
    /// Square on which the engine lost a piece.
    #[serde(default, with = "as_text", skip_serializing_if = "Option::is_none")]
    pub lost: Option<Square>,
}

/// Limits of a `go` command. Times are in milliseconds.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Map<String, Value>")]
pub struct GoLimits {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wtime: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub btime: Option<u64>,
    /// White's increment per move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winc: Option<u64>,
    /// Black's increment per move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binc: Option<u64>,
    /// Time for this move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// Nodes for this move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth for this move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub infinite: bool,
    /// Whether to search on the opponent's time, until `ponderhit` or `stop`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
}

impl FromStr for UciCommand {
    type Err = ProtocolError;

    fn from_str(line: &str) -> Result<UciCommand, ProtocolError> {
        let mut words = Tokens::new(line);
        let word = words.next().unwrap_or_default();
        match word {
            "uci" => Ok(UciCommand::Uci),
            "debug" => match words.next() {
                Some("on") | None => Ok(UciCommand::Debug { on: true }),
                Some("off") => Ok(UciCommand::Debug { on: false }),
                Some(other) => Err(ProtocolError::new(quoted(other), "debug on or debug off")),
            },
            "isready" => Ok(UciCommand::IsReady),
            "setoption" => parse_setoption(line),
            "ucinewgame" => Ok(UciCommand::UciNewGame),
            "position" => parse_position(&mut words).map(UciCommand::Position),
            "observe" => parse_observe(&mut words).map(UciCommand::Observe),
            "go" => Ok(UciCommand::Go(parse_go(&mut words))),
            "stop" => Ok(UciCommand::Stop),
            "ponderhit" => Ok(UciCommand::PonderHit),
            "quit" => Ok(UciCommand::Quit),
            _ => Err(ProtocolError::new(
                format_args!("command {}", quoted(word)),
                "uci, debug, isready, setoption, ucinewgame, position, observe, go, stop, \
                 ponderhit or quit",
            )),
        }
    }
}

/// Parses `setoption name N [value V]`: both may contain spaces.
fn parse_setoption(line: &str) -> Result<UciCommand, ProtocolError> {
    let mut words = Tokens::new(line);
    words.next();
    let wrong = |found: &str| ProtocolError::new(quoted(found), "setoption name N value V");
    match words.next() {
        Some("name") => {}
        other => return Err(wrong(other.unwrap_or("setoption"))),
    }
    let name = words.until(&["value"]);
    if name.is_empty() {
        return Err(wrong(line));
    }
    let value = words.next().map(|_| words.rest().join(" "));
    Ok(UciCommand::SetOption { name, value })
}

fn parse_start(words: &mut Tokens<'_>, word: Option<&str>) -> Result<StartPosition, ProtocolError> {
    match word {
        Some("startpos") => Ok(StartPosition::Startpos),
        Some("fen") => Ok(StartPosition::Fen(words.until(&["moves", "you"]))),
        other => Err(ProtocolError::new(
            format_args!("position {}", quoted(other.unwrap_or(""))),
            "position [fog] startpos|fen FEN, or position fog_fen FOGFEN",
        )),
    }
}

fn parse_position(words: &mut Tokens<'_>) -> Result<PositionCommand, ProtocolError> {
    match words.next() {
        Some("fog") => {
            let word = words.next();
            let start = parse_start(words, word)?;
            match parse_you(words)? {
                Some(you) => Ok(PositionCommand::Fog { start, you }),
                None => Err(ProtocolError::new(
                    "position fog without a side",
                    "you white or you black",
                )),
            }
        }
        Some("fog_fen") => Ok(PositionCommand::View {
            fen: words.until(&["you"]),
            you: parse_you(words)?,
        }),
        word => {
            let start = parse_start(words, word)?;
            let moves = match words.next() {
                None => Vec::new(),
                Some("moves") => words.rest(),
                Some(other) => return Err(ProtocolError::new(quoted(other), "moves")),
            };
            Ok(PositionCommand::Open { start, moves })
        }
    }
}

fn parse_you(words: &mut Tokens<'_>) -> Result<Option<Color>, ProtocolError> {
    match words.next() {
        None => Ok(None),
        Some("you") => words.parsed("you", "white or black").map(Some),
        Some(other) => Err(ProtocolError::new(
            quoted(other),
            "you white or you black; in fog no moves",
        )),
    }
}

fn parse_observe(words: &mut Tokens<'_>) -> Result<ObserveCommand, ProtocolError> {
    const FORM: &str = "observe ply N fen FOGFEN [you MOVE] [lost SQUARE]";
    let (mut ply, mut fen, mut you, mut lost) = (None, None, None, None);
    while let Some(word) = words.next() {
        match word {
            "ply" => ply = Some(words.whole(word)?.try_into().unwrap_or(u32::MAX)),
            "fen" => fen = Some(words.until(&["you", "lost", "ply"])),
            "you" => you = Some(words.value(word, "a move")?.to_owned()),
            "lost" => lost = Some(words.parsed(word, "a square")?),
            other => return Err(ProtocolError::new(quoted(other), FORM)),
        }
    }
    let missing = |what| ProtocolError::new(format_args!("observe without {what}"), FORM);
    Ok(ObserveCommand {
        ply: ply.ok_or_else(|| missing("ply"))?,
        fen: fen.ok_or_else(|| missing("fen"))?,
        you,
        lost,
    })
}

/// Ignores unknown tokens and limits without a number, and applies the rest:
/// the sender of `go` waits for an answer.
fn parse_go(words: &mut Tokens<'_>) -> GoLimits {
    let mut limits = GoLimits::default();
    while let Some(word) = words.next() {
        match word {
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            _ => {
                if let Some(limit) = limits.number_mut(word) {
                    *limit = words.number().or(*limit);
                }
            }
        }
    }
    limits
}

impl GoLimits {
    /// The limit with this name, if it is numeric.
    fn number_mut(&mut self, name: &str) -> Option<&mut Option<u64>> {
        match name {
            "wtime" => Some(&mut self.wtime),
            "btime" => Some(&mut self.btime),
            "winc" => Some(&mut self.winc),
            "binc" => Some(&mut self.binc),
            "movetime" => Some(&mut self.movetime),
            "nodes" => Some(&mut self.nodes),
            "depth" => Some(&mut self.depth),
            _ => None,
        }
    }
}

/// As tolerant as the text form: fields that are unknown or of another type are
/// ignored, numbers too large become the largest and negative ones 0.
impl From<Map<String, Value>> for GoLimits {
    fn from(fields: Map<String, Value>) -> GoLimits {
        let mut limits = GoLimits {
            infinite: fields.get("infinite") == Some(&Value::Bool(true)),
            ponder: fields.get("ponder") == Some(&Value::Bool(true)),
            ..GoLimits::default()
        };
        for (name, value) in &fields {
            if let Some(limit) = limits.number_mut(name) {
                let nearest = |n: &Number| n.as_u64().or(n.as_f64().map(|n| n as u64));
                *limit = value.as_number().and_then(nearest);
            }
        }
        limits
    }
}

impl fmt::Display for UciCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciCommand::Uci => f.write_str("uci"),
            UciCommand::Debug { on } => write!(f, "debug {}", if *on { "on" } else { "off" }),
            UciCommand::IsReady => f.write_str("isready"),
            UciCommand::SetOption { name, value } => {
                write!(f, "setoption name {}", one_line(name))?;
                match value {
                    Some(value) => write!(f, " value {}", one_line(value)),
                    None => Ok(()),
                }
            }
            UciCommand::UciNewGame => f.write_str("ucinewgame"),
            UciCommand::Position(position) => write!(f, "position {position}"),
            UciCommand::Observe(observe) => write!(f, "observe {observe}"),
            UciCommand::Go(limits) => write!(f, "go{limits}"),
            UciCommand::Stop => f.write_str("stop"),
            UciCommand::PonderHit => f.write_str("ponderhit"),
            UciCommand::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for StartPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartPosition::Startpos => f.write_str("startpos"),
            StartPosition::Fen(fen) => write!(f, "fen {}", one_line(fen)),
        }
    }
}

impl fmt::Display for PositionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionCommand::Open { start, moves } => {
                write!(f, "{start}")?;
                if !moves.is_empty() {
                    f.write_str(" moves")?;
                }
                moves
                    .iter()
                    .try_for_each(|text| write!(f, " {}", one_line(text)))
            }
            PositionCommand::Fog { start, you } => write!(f, "fog {start} you {you}"),
            PositionCommand::View { fen, you } => {
                write!(f, "fog_fen {}", one_line(fen))?;
                match you {
                    Some(you) => write!(f, " you {you}"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl fmt::Display for ObserveCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ply {} fen {}", self.ply, one_line(&self.fen))?;
        if let Some(you) = &self.you {
            write!(f, " you {}", one_line(you))?;
        }
        match self.lost {
            Some(square) => write!(f, " lost {square}"),
            None => Ok(()),
        }
    }
}

/// Writes every limit with a leading space.
impl fmt::Display for GoLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ponder {
            f.write_str(" ponder")?;
        }
        let numbers = [
            ("wtime", self.wtime),
            ("btime", self.btime),
            ("winc", self.winc),
            ("binc", self.binc),
            ("movetime", self.movetime),
            ("nodes", self.nodes),
            ("depth", self.depth),
        ];
        for (name, number) in numbers {
            if let Some(number) = number {
                write!(f, " {name} {number}")?;
            }
        }
        match self.infinite {
            true => f.write_str(" infinite"),
            false => Ok(()),
        }
    }
}
