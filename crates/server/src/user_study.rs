//! The user study of Mellemseter 2017 (sections 5.2 and 6.2.1): questions
//! before and after, two games against the thesis agent with risk and move
//! ordering; odd participants play White first. Every game is a file in the
//! participant's folder, `game01white.pgn`, with a backup under a unique name.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use foglight_arena::pgn as arena_pgn;
use foglight_rules::Color;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    domain::{InputError, ResultText, SideColor, side_name},
    game::{Closed, match_record, record_text, session::GameSession},
    source::RandomSource,
    store::{ListedGame, LoadedGame, Participant, private_file, private_folder},
};

/// The opponent: risk assessment and move ordering on, always the best move.
pub const AGENT: &str = "thesis:risk=on,ordering=on,depth=2,select=best";
pub(crate) const RULES: &str = "thesis";
/// Number of games per participant.
pub const GAMES: u32 = 2;

/// Answers given before the games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Before {
    /// Hours of chess in the last month.
    pub hours: f64,
    /// Knowledge of openings, 1 none to 7 expert.
    pub openings: u8,
    pub tactics: u8,
    /// Knowledge of positional play.
    pub positional: u8,
}

impl Before {
    /// Checks that the answers are in range.
    pub fn check(&self) -> Result<(), InputError> {
        let points = [self.openings, self.tactics, self.positional];
        if (0.0..=744.0).contains(&self.hours) && points.iter().all(|p| (1..=7).contains(p)) {
            return Ok(());
        }
        Err(InputError::new(
            "before: expected hours 0 to 744, and openings, tactics and positional 1 to 7",
        ))
    }
}

/// Answers given after the games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct After {
    /// The hardest phase: `opening`, `middle` or `end`.
    pub hardest: String,
    #[serde(default)]
    pub hardest_why: String,
    pub easiest: String,
    #[serde(default)]
    pub easiest_why: String,
    /// Moves considered on average.
    pub moves: f64,
    /// Consecutive moves thought ahead.
    pub depth: f64,
    /// Risk taken, 1 none to 7 only risky moves.
    pub risk: u8,
}

impl After {
    /// Checks that the answers are in range.
    pub fn check(&self) -> Result<(), InputError> {
        let phase = |text: &str| ["opening", "middle", "end"].contains(&text);
        let short = |text: &str| text.chars().count() <= 1000;
        let valid = phase(&self.hardest)
            && phase(&self.easiest)
            && short(&self.hardest_why)
            && short(&self.easiest_why)
            && (0.0..=100.0).contains(&self.moves)
            && (0.0..=100.0).contains(&self.depth)
            && (1..=7).contains(&self.risk);
        valid.then_some(()).ok_or_else(|| {
            InputError::new(
                "after: expected hardest and easiest opening, middle or end, reasons of at most \
                 1000 characters, moves and depth 0 to 100, risk 1 to 7",
            )
        })
    }
}

/// The participant's colour: odd numbers play White first.
pub fn side(participant: u32, game: u32) -> Color {
    Color::from_white((participant + game).is_multiple_of(2))
}

/// Progress of a participant.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct StudyState {
    participant: u32,
    before: Option<Before>,
    after: Option<After>,
    games: Vec<StudyGame>,
    agent: &'static str,
    rules: &'static str,
    /// Token of a newly created account.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub token: Option<String>,
}

/// A game of a participant.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct StudyGame {
    number: u32,
    color: SideColor,
    id: Option<String>,
    status: StudyStatus,
    result: Option<ResultText>,
}

/// Progress of a participant's game.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum StudyStatus {
    Next,
    Running,
    Over,
}

/// Computes a participant's progress from its games.
pub fn state(participant: &Participant, games: &[ListedGame]) -> StudyState {
    let rows = (1..=GAMES).map(|number| {
        let known = games
            .iter()
            .find(|game| game.terms.participant == Some((participant.number, number)));
        StudyGame {
            number,
            color: side(participant.number, number).into(),
            id: known.map(|game| game.terms.id.clone()),
            status: match known {
                None => StudyStatus::Next,
                Some(game) if game.outcome.is_none() => StudyStatus::Running,
                Some(_) => StudyStatus::Over,
            },
            result: known.and_then(|game| game.outcome).map(ResultText::from),
        }
    });
    StudyState {
        participant: participant.number,
        before: answered(&participant.before),
        after: participant.after.as_deref().and_then(answered),
        games: rows.collect(),
        agent: AGENT,
        rules: RULES,
        token: None,
    }
}

fn answered<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}

/// Callback that writes participants' finished games to the data folder, if
/// any.
pub(crate) fn saver(
    data: Option<PathBuf>,
    chance: Arc<RandomSource>,
) -> Box<dyn Fn(&GameSession) + Send + Sync> {
    Box::new(move |table| {
        if let Some(folder) = &data {
            save(folder, &chance, table);
        }
    })
}

/// Writes a finished game to the participant's folder and the backup. The
/// database already holds the game, so that a failed write loses nothing.
fn save(folder: &Path, chance: &RandomSource, table: &GameSession) {
    let Some((participant, number)) = table.terms.participant else {
        return;
    };
    let loaded = LoadedGame {
        terms: table.terms.clone(),
        actions: Vec::new(),
        outcome: table.outcome(),
        telemetry: Vec::new(),
        alive: 0,
    };
    let record = table.record();
    let text = record_text(&loaded, record, table.clock_history());
    let color = side_name(side(participant, number));
    let name = format!("game{number:02}{color}");
    let unique = chance.text(16);
    if let Err(error) = write(folder, participant, &name, &unique, &text) {
        // As in the thesis, a game that cannot be written is logged.
        eprintln!("user study: {name} of participant {participant}: {error}\n{text}");
    }
}

fn write(folder: &Path, participant: u32, name: &str, unique: &str, text: &str) -> io::Result<()> {
    let own = folder.join("user-test").join(participant.to_string());
    let backup = folder.join("user-test").join("backup");
    private_folder(&own)?;
    private_folder(&backup)?;
    let copy = backup.join(format!("{participant}-{name}-{unique}.pgn"));
    private_file(&copy, text)?;
    private_file(&own.join(format!("{name}.pgn")), text)
}

/// Columns of the CSV export.
const COLUMNS: &str = "participant,hours,openings,tactics,positional,hardest,hardest_why,easiest,\
                       easiest_why,moves,depth,risk,game,color,id,result,reason,plies,won";

/// All answers and games as CSV, one line per game.
pub fn csv(participants: &[Participant], games: &[ListedGame]) -> String {
    let mut text = format!("{COLUMNS}\n");
    for participant in participants {
        let before: Option<Before> = answered(&participant.before);
        let after: Option<After> = participant.after.as_deref().and_then(answered);
        let answers = answers(before.as_ref(), after.as_ref());
        for number in 1..=GAMES {
            let side = side(participant.number, number);
            let known = games
                .iter()
                .find(|game| game.terms.participant == Some((participant.number, number)));
            let outcome = known.and_then(|game| game.outcome);
            let cells = [
                number.to_string(),
                side_name(side).to_owned(),
                known.map_or(String::new(), |game| game.terms.id.clone()),
                outcome.map_or("", |outcome| outcome.result()).to_owned(),
                outcome
                    .map_or("", |outcome| outcome.reason.name())
                    .to_owned(),
                known.map_or(String::new(), |game| game.plies.to_string()),
                outcome.map_or(String::new(), |outcome| outcome.score(side).to_string()),
            ];
            let line = [participant.number.to_string()]
                .into_iter()
                .chain(answers.clone())
                .chain(cells);
            let line: Vec<String> = line.map(|cell| quoted(&cell)).collect();
            text += &(line.join(",") + "\n");
        }
    }
    text
}

fn answers(before: Option<&Before>, after: Option<&After>) -> Vec<String> {
    let mut cells = Vec::new();
    cells.extend(match before {
        Some(b) => [
            b.hours.to_string(),
            b.openings.to_string(),
            b.tactics.to_string(),
            b.positional.to_string(),
        ],
        None => Default::default(),
    });
    cells.extend(match after {
        Some(a) => [
            a.hardest.clone(),
            a.hardest_why.clone(),
            a.easiest.clone(),
            a.easiest_why.clone(),
            a.moves.to_string(),
            a.depth.to_string(),
            a.risk.to_string(),
        ],
        None => Default::default(),
    });
    cells
}

/// A CSV cell: quoted if necessary, and never a formula.
fn quoted(cell: &str) -> String {
    let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let cell = if formula {
        format!("'{cell}")
    } else {
        cell.to_owned()
    };
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell
    }
}

/// The games of all participants as PGN.
pub fn pgn(games: Vec<LoadedGame>) -> String {
    let closed = games.into_iter().filter_map(|game| Closed::open(game).ok());
    closed
        .map(|closed: Closed| arena_pgn::text(&match_record(&closed)))
        .collect()
}

#[cfg(test)]
mod tests {
    use foglight_rules::Game;

    use super::*;

    /// The study's agent stays within the limits for visitors.
    #[test]
    fn the_agent_is_allowed() {
        assert!(crate::workers::check(AGENT, &Game::fog()).is_ok());
    }

    #[test]
    fn odd_participants_play_white_first() {
        assert_eq!(side(1, 1), Color::White);
        assert_eq!(side(1, 2), Color::Black);
        assert_eq!(side(4, 1), Color::Black);
        assert_eq!(side(4, 2), Color::White);
    }

    #[test]
    fn cells_are_quoted_and_never_formulas() {
        assert_eq!(quoted("plain"), "plain");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(quoted("=1+1"), "'=1+1");
    }
}
