//! The journal of a match: one JSON line per finished game, written to disk
//! before the game counts.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use crate::record::{GameRecord, RecordError};

/// Reasons for which a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file exists and resuming was not requested.
    #[error("{0} exists already; expected a new file, or -resume to go on with it")]
    Exists(PathBuf),
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    Io { path: PathBuf, error: io::Error },
    /// A line other than a truncated last one is not a record.
    #[error("{path}, line {line}: {error}")]
    Record {
        path: PathBuf,
        /// Line number, from 1.
        line: usize,
        error: RecordError,
    },
}

/// File to which finished games are appended.
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> JournalError {
        let path = path.to_owned();
        |error| JournalError::Io { path, error }
    }

    /// Creates a new journal; an existing file is an error.
    pub fn create(path: &Path) -> Result<Journal, JournalError> {
        let opened = OpenOptions::new().write(true).create_new(true).open(path);
        let file = opened.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => JournalError::Exists(path.to_owned()),
            _ => JournalError::Io {
                path: path.to_owned(),
                error,
            },
        })?;
        Ok(Journal {
            path: path.to_owned(),
            file,
        })
    }

    /// Opens a journal for appending and returns its games. A truncated last
    /// line is dropped: that game never counted.
    pub fn resume(path: &Path) -> Result<(Journal, Vec<GameRecord>), JournalError> {
        let io = |error| JournalError::Io {
            path: path.to_owned(),
            error,
        };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(io)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let records = parse(path, &text[..whole]).map(|game| Ok(game?.1));
        let records = records.collect::<Result<_, JournalError>>()?;
        file.set_len(whole as u64).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        Ok((
            Journal {
                path: path.to_owned(),
                file,
            },
            records,
        ))
    }

    /// Writes a game and flushes it to the system: a crash of this program
    /// cannot undo it.
    pub fn append(&mut self, line: &str) -> Result<(), JournalError> {
        let mut bytes = Vec::with_capacity(line.len() + 1);
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        self.file.write_all(&bytes).map_err(Journal::io(&self.path))
    }
}

fn parse<'a>(
    path: &'a Path,
    text: &'a str,
) -> impl Iterator<Item = Result<(&'a str, GameRecord), JournalError>> {
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(i, line)| match GameRecord::from_json(line) {
            Ok(record) => Ok((line, record)),
            Err(error) => Err(JournalError::Record {
                path: path.to_owned(),
                line: i + 1,
                error,
            }),
        })
}

/// Reads the games of a journal without modifying it. A truncated last line is
/// ignored.
pub fn read(path: &Path) -> Result<Vec<GameRecord>, JournalError> {
    let text = whole_lines(path)?;
    parse(path, &text).map(|game| Ok(game?.1)).collect()
}

/// The same with the original text of each line.
pub(crate) fn read_lines(path: &Path) -> Result<Vec<(String, GameRecord)>, JournalError> {
    let text = whole_lines(path)?;
    let games = parse(path, &text).map(|game| game.map(|(line, record)| (line.to_owned(), record)));
    games.collect()
}

fn whole_lines(path: &Path) -> Result<String, JournalError> {
    let file = File::open(path).map_err(Journal::io(path))?;
    let mut text = String::new();
    BufReader::new(file)
        .read_to_string(&mut text)
        .map_err(Journal::io(path))?;
    text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
    Ok(text)
}
