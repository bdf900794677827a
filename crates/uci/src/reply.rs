//! Replies of an engine.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::text::{ProtocolError, Tokens, one_line, quoted};

/// A reply of an engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum Reply {
    Id(Id),
    /// Declaration of one option.
    Option(Declared),
    /// Ends the list of ids and options.
    UciOk,
    /// All commands before `isready` are done.
    ReadyOk,
    Info(SearchInfo),
    BestMove {
        /// The move; none without legal moves.
        #[serde(rename = "move")]
        best: Option<String>,
        /// The reply that the engine expects.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ponder: Option<String>,
    },
}

/// A line of `id`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Id {
    Name(String),
    Author(String),
}

/// Declaration of an option.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Declared {
    pub name: String,
    #[serde(flatten)]
    pub kind: OptionKind,
}

/// Type of an option.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum OptionKind {
    Check {
        default: bool,
    },
    Spin {
        default: i64,
        min: i64,
        max: i64,
    },
    /// One of several values.
    Combo {
        default: String,
        vars: Vec<String>,
    },
    Button,
    String {
        default: String,
    },
}

/// Score for the searching side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UciScore {
    /// Score in hundredths of a pawn.
    Cp(i32),
    /// Mate in this number of moves; negative if the searching side is mated.
    Mate(i32),
}

/// Score of a mate in centipawns, by engine convention.
const MATE: i32 = 30_000;

impl UciScore {
    /// The score in centipawns; a mate is 30,000, one less for each move.
    pub fn centipawns(self) -> i32 {
        match self {
            UciScore::Cp(cp) => cp,
            UciScore::Mate(moves) if moves > 0 => MATE - moves.min(MATE),
            UciScore::Mate(moves) => -MATE - moves.max(-MATE),
        }
    }
}

/// A line of `info`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SearchInfo {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Index of the line among several, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multipv: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<UciScore>,
    /// The value from -1 (lost) to +1 (won).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nps: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// Probability of playing the line's first move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prob: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pv: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub string: Option<String>,
}

impl Reply {
    /// An `info string` line.
    pub fn note(text: impl Into<String>) -> Reply {
        Reply::Info(SearchInfo {
            string: Some(text.into()),
            ..SearchInfo::default()
        })
    }
}

impl FromStr for Reply {
    type Err = ProtocolError;

    fn from_str(line: &str) -> Result<Reply, ProtocolError> {
        let mut words = Tokens::new(line);
        let word = words.next().unwrap_or_default();
        match word {
            "id" => match words.next() {
                Some("name") => Ok(Reply::Id(Id::Name(words.rest().join(" ")))),
                Some("author") => Ok(Reply::Id(Id::Author(words.rest().join(" ")))),
                other => Err(ProtocolError::new(
                    quoted(other.unwrap_or("id")),
                    "id name or id author",
                )),
            },
            "option" => parse_option(&mut words).map(Reply::Option),
            "uciok" => Ok(Reply::UciOk),
            "readyok" => Ok(Reply::ReadyOk),
            "info" => parse_info(line, &mut words).map(Reply::Info),
            "bestmove" => parse_bestmove(&mut words),
            _ => Err(ProtocolError::new(
                format_args!("reply {}", quoted(word)),
                "id, option, uciok, readyok, info or bestmove",
            )),
        }
    }
}

fn parse_bestmove(words: &mut Tokens<'_>) -> Result<Reply, ProtocolError> {
    let best = words.value("bestmove", "a move")?;
    let ponder = match words.next() {
        Some("ponder") => words.next(),
        _ => None,
    };
    let best = (!matches!(best, "0000" | "(none)")).then(|| best.to_owned());
    Ok(Reply::BestMove {
        best,
        ponder: ponder.map(str::to_owned),
    })
}

const OPTION_WORDS: &[&str] = &["type", "default", "min", "max", "var"];

fn parse_option(words: &mut Tokens<'_>) -> Result<Declared, ProtocolError> {
    const FORM: &str = "option name N type check|spin|combo|button|string default D";
    if words.next() != Some("name") {
        return Err(ProtocolError::new("option without a name", FORM));
    }
    let name = words.until(&["type"]);
    let (mut kind, mut default, mut vars) = (String::new(), String::new(), Vec::new());
    let (mut min, mut max) = (i64::MIN, i64::MAX);
    while let Some(word) = words.next() {
        match word {
            "type" => kind = words.until(OPTION_WORDS),
            "default" => default = words.until(OPTION_WORDS),
            "min" => min = words.parsed(word, "a whole number")?,
            "max" => max = words.parsed(word, "a whole number")?,
            "var" => vars.push(words.until(OPTION_WORDS)),
            other => return Err(ProtocolError::new(quoted(other), FORM)),
        }
    }
    if default == "<empty>" {
        default.clear();
    }
    let kind = match kind.as_str() {
        "check" => OptionKind::Check {
            default: default == "true",
        },
        "spin" => OptionKind::Spin {
            default: default
                .parse()
                .map_err(|_| ProtocolError::new(quoted(&default), "a whole number"))?,
            min,
            max,
        },
        "combo" => OptionKind::Combo { default, vars },
        "button" => OptionKind::Button,
        "string" => OptionKind::String { default },
        other => return Err(ProtocolError::new(quoted(other), FORM)),
    };
    Ok(Declared { name, kind })
}

/// Parses the known fields and ignores all others: `seldepth`, `wdl`,
/// `hashfull` and so on.
fn parse_info(line: &str, words: &mut Tokens<'_>) -> Result<SearchInfo, ProtocolError> {
    const NUMBER: &str = "a number";
    let mut info = SearchInfo::default();
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = Some(words.parsed(word, NUMBER)?),
            "multipv" => info.multipv = Some(words.parsed(word, NUMBER)?),
            "score" => match words.next() {
                Some("cp") => info.score = Some(UciScore::Cp(words.parsed("cp", NUMBER)?)),
                Some("mate") => info.score = Some(UciScore::Mate(words.parsed("mate", NUMBER)?)),
                Some("value") => info.value = Some(words.parsed("value", NUMBER)?),
                _ => {}
            },
            "value" => info.value = Some(words.parsed(word, NUMBER)?),
            "nodes" => info.nodes = Some(words.whole(word)?),
            "nps" => info.nps = Some(words.whole(word)?),
            "time" => info.time = Some(words.whole(word)?),
            "prob" => info.prob = Some(words.parsed(word, NUMBER)?),
            "pv" => {
                info.pv = words
                    .until(&["string"])
                    .split(' ')
                    .map(str::to_owned)
                    .collect()
            }
            "string" => {
                let text = line.split_once("string").map_or("", |(_, text)| text);
                info.string = Some(text.trim().to_owned());
                break;
            }
            _ => {}
        }
    }
    Ok(info)
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Id(Id::Name(name)) => write!(f, "id name {}", one_line(name)),
            Reply::Id(Id::Author(author)) => write!(f, "id author {}", one_line(author)),
            Reply::Option(declared) => {
                write!(
                    f,
                    "option name {} {}",
                    one_line(&declared.name),
                    declared.kind
                )
            }
            Reply::UciOk => f.write_str("uciok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => write!(f, "info{info}"),
            Reply::BestMove { best, ponder } => {
                let best = best.as_deref().unwrap_or("0000");
                write!(f, "bestmove {}", one_line(best))?;
                match ponder {
                    Some(ponder) => write!(f, " ponder {}", one_line(ponder)),
                    None => Ok(()),
                }
            }
        }
    }
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |text: &str| match text {
            "" => "<empty>".to_owned(),
            _ => one_line(text),
        };
        match self {
            OptionKind::Check { default } => write!(f, "type check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "type spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, vars } => {
                write!(f, "type combo default {}", text(default))?;
                vars.iter()
                    .try_for_each(|var| write!(f, " var {}", one_line(var)))
            }
            OptionKind::Button => f.write_str("type button"),
            OptionKind::String { default } => write!(f, "type string default {}", text(default)),
        }
    }
}

/// Writes every field with a leading space; the text, which ends the line,
/// last.
impl fmt::Display for SearchInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn put<T: fmt::Display>(
            f: &mut fmt::Formatter<'_>,
            name: &str,
            value: Option<T>,
        ) -> fmt::Result {
            match value {
                Some(value) => write!(f, " {name} {value}"),
                None => Ok(()),
            }
        }
        put(f, "depth", self.depth)?;
        put(f, "multipv", self.multipv)?;
        match self.score {
            Some(UciScore::Cp(cp)) => write!(f, " score cp {cp}")?,
            Some(UciScore::Mate(mate)) => write!(f, " score mate {mate}")?,
            None => {}
        }
        put(f, "value", self.value)?;
        put(f, "nodes", self.nodes)?;
        put(f, "nps", self.nps)?;
        put(f, "time", self.time)?;
        put(f, "prob", self.prob)?;
        if !self.pv.is_empty() {
            put(f, "pv", Some(one_line(&self.pv.join(" "))))?;
        }
        put(f, "string", self.string.as_deref().map(one_line))
    }
}
