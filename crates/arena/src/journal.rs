//! The journal of a match: one JSON line per finished game, written to disk
//! before the game counts.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use crate::record::{GameRecord, RecordError};

/// Reasons for which a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file exists and resuming was not requested.
    #[error("{0} exists already; expected a new file, or -resume to go on with it")]
    Exists(PathBuf),
    /// Another process writes the file.
    #[error("{0} is being written by another process; expected a journal of its own for each")]
    InUse(PathBuf),
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    Io { path: PathBuf, error: io::Error },
    /// A line is not text.
    #[error("{path}, line {line}: expected text in UTF-8")]
    Text {
        path: PathBuf,
        /// Line number, from 1.
        line: usize,
    },
    /// A line other than a truncated last one is not a record.
    #[error("{path}, line {line}: {error}")]
    Record {
        path: PathBuf,
        /// Line number, from 1.
        line: usize,
        error: RecordError,
    },
}

/// Time after which a finished game is synced to the disk.
const SYNC: Duration = Duration::from_secs(1);

/// File to which finished games are appended, locked against other processes.
///
/// What is appended survives the end of this program at any moment. A power cut
/// may cost the games of the last second, which are then played again.
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Length of the games in the file.
    length: u64,
    synced: Instant,
}

impl Journal {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> JournalError {
        let path = path.to_owned();
        |error| JournalError::Io { path, error }
    }

    /// Locks an open file, before anything of it is read.
    fn of(path: &Path, file: File) -> Result<Journal, JournalError> {
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::InUse(path.to_owned()),
            TryLockError::Error(error) => Journal::io(path)(error),
        })?;
        Ok(Journal {
            path: path.to_owned(),
            file,
            length: 0,
            synced: Instant::now(),
        })
    }

    /// Creates a new journal; an existing file is an error.
    pub fn create(path: &Path) -> Result<Journal, JournalError> {
        let opened = OpenOptions::new().write(true).create_new(true).open(path);
        let file = opened.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => JournalError::Exists(path.to_owned()),
            _ => Journal::io(path)(error),
        })?;
        Journal::of(path, file)
    }

    /// Opens a journal for appending and returns its games. A truncated last
    /// line is dropped: that game never counted.
    pub fn resume(path: &Path) -> Result<(Journal, Vec<GameRecord>), JournalError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(Journal::io(path))?;
        let mut journal = Journal::of(path, file)?;
        let mut bytes = Vec::new();
        let read = journal.file.read_to_end(&mut bytes);
        read.map_err(Journal::io(path))?;
        let text = whole_lines(path, bytes)?;
        let records = parse(path, &text).map(|game| Ok(game?.1));
        let records = records.collect::<Result<_, JournalError>>()?;
        journal.length = text.len() as u64;
        journal.shorten().map_err(Journal::io(path))?;
        Ok((journal, records))
    }

    /// Writes a game: from here on it counts. A game of which only a part could
    /// be written is removed again, so that the file stays whole.
    pub fn append(&mut self, line: &str) -> Result<(), JournalError> {
        let mut bytes = Vec::with_capacity(line.len() + 1);
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        if let Err(error) = self.file.write_all(&bytes) {
            let _ = self.shorten(); // otherwise the next start drops the part
            return Err(Journal::io(&self.path)(error));
        }
        self.length += bytes.len() as u64;
        if self.synced.elapsed() >= SYNC {
            self.synced = Instant::now();
            self.file.sync_data().map_err(Journal::io(&self.path))?;
        }
        Ok(())
    }

    /// Cuts the file after its last whole game.
    fn shorten(&mut self) -> io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::Start(self.length)).map(drop)
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        let _ = self.file.sync_data(); // what is lost is played again
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
    read_bytes(path, fs::read(path).map_err(Journal::io(path))?)
}

/// The same of a journal's content; `path` is for errors.
pub fn read_bytes(path: &Path, bytes: Vec<u8>) -> Result<Vec<GameRecord>, JournalError> {
    let text = whole_lines(path, bytes)?;
    parse(path, &text).map(|game| Ok(game?.1)).collect()
}

/// The same with the original text of each line.
pub(crate) fn read_lines(path: &Path) -> Result<Vec<(String, GameRecord)>, JournalError> {
    let text = read_text(path)?;
    let games = parse(path, &text).map(|game| game.map(|(line, record)| (line.to_owned(), record)));
    games.collect()
}

fn read_text(path: &Path) -> Result<String, JournalError> {
    whole_lines(path, fs::read(path).map_err(Journal::io(path))?)
}

/// The whole lines of a file. The rest may end anywhere, inside a letter too.
fn whole_lines(path: &Path, mut bytes: Vec<u8>) -> Result<String, JournalError> {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n');
    bytes.truncate(whole.map_or(0, |end| end + 1));
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        JournalError::Text {
            path: path.to_owned(),
            line,
        }
    })
}
