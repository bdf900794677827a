//! Files named on the command line: every error names the file.

use std::{
    fs::{File, OpenOptions},
    io::{Read, Write},
    path::Path,
};

use flate2::read::GzDecoder;
use foglight_arena::{journal, pgn, record::GameRecord};
use foglight_rules::notation;

use crate::failure::CliError;

/// Maximum number of bytes read from a file.
const MAX_BYTES: u64 = 256 << 20;

/// The text of a file, decompressed if its name ends with `.gz`.
pub(crate) fn read_text(path: &Path) -> Result<String, CliError> {
    let wrong = |error: std::io::Error| CliError::input(format!("{}: {error}", path.display()));
    text_of(path, File::open(path).map_err(wrong)?)
}

/// The same of a file's content.
pub(crate) fn text_of(path: &Path, file: impl Read) -> Result<String, CliError> {
    let wrong = |error: std::io::Error| CliError::input(format!("{}: {error}", path.display()));
    let mut text = String::new();
    if path.extension().is_some_and(|ending| ending == "gz") {
        let unpacked = GzDecoder::new(file)
            .take(MAX_BYTES)
            .read_to_string(&mut text);
        unpacked.map_err(wrong)?;
    } else {
        file.take(MAX_BYTES)
            .read_to_string(&mut text)
            .map_err(wrong)?;
    }
    if text.len() as u64 == MAX_BYTES {
        let limit = MAX_BYTES >> 20;
        let message = format!("{}: expected less than {limit} MiB of text", path.display());
        return Err(CliError::Input(message));
    }
    Ok(text)
}

/// The games of a PGN file (.pgn) or of a match's journal (any other name).
pub(crate) fn read_games(path: &Path) -> Result<Vec<GameRecord>, CliError> {
    if path.extension().is_none_or(|ending| ending != "pgn") {
        return journal::read(path).map_err(CliError::input);
    }
    let wrong = |error| CliError::input(format!("{}: {error}", path.display()));
    let text = read_text(path)?;
    let games = notation::pgn::read(&text).zip(1..);
    games
        .map(|(game, number)| Ok(pgn::record(game.map_err(wrong)?, number)))
        .collect()
}

/// Opens a file for appending.
pub(crate) fn append(path: &Path) -> Result<File, CliError> {
    let opened = OpenOptions::new().create(true).append(true).open(path);
    opened.map_err(|error| CliError::input(format!("{}: {error}", path.display())))
}

/// Writes a whole file atomically: afterwards it has either the new or the old
/// content.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let wrong = |error: std::io::Error| CliError::input(format!("{}: {error}", path.display()));
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    let mut file = File::create(&part).map_err(wrong)?;
    file.write_all(bytes).map_err(wrong)?;
    std::fs::rename(&part, path).map_err(wrong)
}
