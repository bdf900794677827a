//! `foglight replay`: games in, positions with both views out.

use std::io::{self, BufRead, BufWriter, Read, Write};

use clap::Args;
use foglight_rules::{Color, Game, Replay, State, View};
use serde::Serialize;

use crate::{
    failure::CliError,
    options::{GameOptions, read_position},
};

/// Maximum length of a line. A game of a thousand moves has 6 kB.
const MAX_LINE: u64 = 16 << 20;

/// Reads games from standard input, one a line: `FEN-or-startpos ; move move ...`.
/// Prints for each game one JSON row before each move and one for the last
/// position, then one row with the result. Blank lines and lines that begin
/// with # are skipped.
#[derive(Args)]
#[command(after_help = "Example:\n  echo 'startpos ; e2e4 d7d5' | foglight replay --game fog")]
pub(crate) struct ReplayCommand {
    #[command(flatten)]
    game: GameOptions,
}

impl ReplayCommand {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let game = self.game.game()?;
        let mut input = io::stdin().lock();
        let mut out = BufWriter::new(io::stdout().lock());
        let mut number = 0;
        while let Some(line) = next_line(&mut input, number + 1)? {
            number += 1;
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let result = replay(&game, line, number, &mut out);
            // Rows replayed before an error are printed.
            out.flush()?;
            result?;
        }
        Ok(())
    }
}

/// The next line without its terminator, or `None` at the end of the input.
pub(super) fn next_line(
    input: &mut impl BufRead,
    number: usize,
) -> Result<Option<String>, CliError> {
    let mut bytes = Vec::new();
    let read = input.take(MAX_LINE + 1).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 > MAX_LINE {
        let message = format!("line {number} is longer than {MAX_LINE} bytes; expected one game");
        return Err(CliError::Input(message));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| CliError::Input(format!("line {number} is not text; expected UTF-8")))?;
    Ok(Some(text))
}

/// Prints the rows of one game.
fn replay(game: &Game, line: &str, number: usize, out: &mut impl Write) -> Result<(), CliError> {
    let (start, actions) = line.split_once(';').unwrap_or((line, ""));
    let position = read_position(game, start)
        .map_err(|error| CliError::Input(format!("line {number}: {error}")))?;
    let mut replay = Replay::new(State::new(*game, position), &[]);
    for text in actions.split_whitespace() {
        write_row(out, &Row::of(replay.state()))?;
        let ply = replay.state().plies() + 1;
        let played = replay.play_text(text);
        played.map_err(|error| CliError::Input(format!("line {number}, ply {ply}: {error}")))?;
    }
    write_row(out, &Row::of(replay.state()))?;
    write_row(out, &End::of(replay.state()))
}

pub(super) fn write_row(out: &mut impl Write, row: &impl Serialize) -> Result<(), CliError> {
    serde_json::to_writer(&mut *out, row).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

/// A position, its legal actions, and both views.
#[derive(Serialize)]
pub(super) struct Row {
    fen: String,
    legal: String,
    white: String,
    black: String,
    /// In fog, after a move: its visibility to the other side.
    #[serde(skip_serializing_if = "Option::is_none")]
    sighting: Option<&'static str>,
    /// `Some(true)` if a draw may be claimed, else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<bool>,
}

impl Row {
    pub(super) fn of(state: &State) -> Row {
        let view = |side| View::new(state.game(), state.position(), side).rows();
        let mut legal: Vec<String> = state
            .legal_actions()
            .iter()
            .map(ToString::to_string)
            .collect();
        legal.sort();
        let last = state.last().filter(|_| state.game().fog_rules().is_some());
        Row {
            fen: state.game().fen(state.position()),
            legal: legal.join(" "),
            white: view(Color::White),
            black: view(Color::Black),
            sighting: last.map(|ply| ply.sighting.name()),
            claim: state.claimable_draw().map(|_| true),
        }
    }
}

/// Result of a game; nulls while it runs.
#[derive(Serialize)]
pub(super) struct End {
    result: Option<&'static str>,
    reason: Option<&'static str>,
}

impl End {
    pub(super) fn of(state: &State) -> End {
        let outcome = state.outcome();
        End {
            result: outcome.map(|outcome| outcome.result()),
            reason: outcome.map(|outcome| outcome.reason.name()),
        }
    }
}
