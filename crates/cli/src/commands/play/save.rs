//! Finished games as files: PGN or a line of JSON.

use std::{
    fs::OpenOptions,
    io::Write,
    path::{Path, PathBuf},
};

use foglight_arena::record::{GameRecord, PlayerInfo};
use foglight_rules::{ByColor, notation::pgn::PgnGame};

use super::table::FinishedGame;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Pgn,
    Jsonl,
}

/// A game to be saved, and its file.
pub(crate) struct SavedGame {
    file: Option<PathBuf>,
    players: ByColor<PlayerInfo>,
    seed: u64,
    record: Option<GameRecord>,
}

/// Checks that a game can be saved under this name; the error says what was
/// expected.
pub(crate) fn check(path: &Path) -> Result<(), String> {
    format(path)?;
    match path.exists() {
        true => Err(format!(
            "{} exists already; expected a new name",
            path.display()
        )),
        false => Ok(()),
    }
}

fn format(path: &Path) -> Result<Format, String> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("pgn") => Ok(Format::Pgn),
        Some("jsonl") => Ok(Format::Jsonl),
        _ => Err(format!(
            "{}: expected a name that ends with .pgn or .jsonl",
            path.display()
        )),
    }
}

impl SavedGame {
    /// A game of these players, saved to `file` if given.
    pub(crate) fn new(file: Option<PathBuf>, players: ByColor<PlayerInfo>, seed: u64) -> SavedGame {
        SavedGame {
            file,
            players,
            seed,
            record: None,
        }
    }

    /// Stores the finished game.
    pub(crate) fn fill(&mut self, finished: FinishedGame) {
        self.record = Some(GameRecord {
            seed: self.seed,
            telemetry: finished.telemetry,
            ..GameRecord::new(finished.record, self.players.clone())
        });
    }

    /// Record of the finished game.
    pub(crate) fn record(&self) -> Option<&GameRecord> {
        self.record.as_ref()
    }

    /// Writes the file, if one was requested, and returns a message.
    pub(crate) fn write(&self) -> Option<String> {
        Some(self.write_to(self.file.as_deref()?))
    }

    /// Writes a new file and returns a message.
    pub(crate) fn write_to(&self, path: &Path) -> String {
        let Some(record) = &self.record else {
            return "There is no game to save.".to_owned();
        };
        let text = match format(path) {
            Err(message) => return message,
            Ok(Format::Jsonl) => format!("{}\n", record.to_json()),
            Ok(Format::Pgn) => match pgn(record) {
                Err(message) => return message,
                Ok(text) => text,
            },
        };
        let opened = OpenOptions::new().write(true).create_new(true).open(path);
        match opened.and_then(|mut file| file.write_all(text.as_bytes())) {
            Ok(()) => format!("Saved in {}.", path.display()),
            Err(error) => format!("{}: {error}; the game is not saved", path.display()),
        }
    }
}

fn pgn(record: &GameRecord) -> Result<String, String> {
    let mut game = PgnGame::new(record.record.game, record.record.start);
    let players = &record.players;
    game.tags = vec![
        ("Event".to_owned(), "Foglight game".to_owned()),
        ("White".to_owned(), players.white.name.clone()),
        ("Black".to_owned(), players.black.name.clone()),
        ("GameSeed".to_owned(), record.seed.to_string()),
    ];
    game.actions.clone_from(&record.record.actions);
    game.result = record.record.outcome.map(Into::into);
    game.write().map_err(|error| error.to_string())
}
