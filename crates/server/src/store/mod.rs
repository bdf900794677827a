//! Storage in one SQLite file: games, accounts, leaderboards, tournaments, user
//! study.
//!
//! One thread owns the connection. Waiting requests are written in one
//! transaction, and each is answered only after its commit, so that everything
//! acknowledged survives the end of the process at any moment. The journal is a
//! write-ahead log with `synchronous=NORMAL`: a killed process loses nothing; a
//! power cut may lose the last transactions but never corrupts.

mod accounts;
mod games;
mod leaderboard;
mod participants;
mod schema;

mod tournaments;

use std::{
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
    sync::mpsc,
    thread,
};

use rusqlite::Connection;
use tokio::sync::oneshot;

pub(crate) use accounts::Account;
pub(crate) use games::ListedGame;
pub(crate) use games::LoadedGame;
pub(crate) use games::StoredAction;
pub(crate) use games::StoredEnd;
pub(crate) use leaderboard::LeaderboardRow;
pub use participants::Participant;
pub(crate) use tournaments::StoredTournament;

/// Errors of the storage.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The data folder cannot be used.
    #[error("data folder {path}: {what}")]
    Folder { path: PathBuf, what: String },
    /// An SQLite error: disk full, read-only, corrupt.
    #[error("storage: {0}")]
    Sql(#[from] rusqlite::Error),
    /// This version cannot read a row.
    #[error("storage: {0}")]
    Row(String),
    /// The storage thread has ended.
    #[error("storage has been closed")]
    Closed,
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> StoreError {
        StoreError::Row(error.to_string())
    }
}

type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
type Job = Box<dyn FnOnce(&Connection) -> Answer + Send>;

/// Maximum number of requests in one transaction.
const BATCH: usize = 256;

/// A handle on the storage thread.
#[derive(Clone)]
pub struct Store {
    jobs: mpsc::Sender<Job>,
}

impl Store {
    /// Opens the data folder, created on first use. Fails if another server
    /// holds its lock.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        let trouble = |what: String| StoreError::Folder {
            path: folder.to_owned(),
            what,
        };
        fs::create_dir_all(folder).map_err(|e| trouble(e.to_string()))?;
        let lock = File::create(folder.join("lock")).map_err(|e| trouble(e.to_string()))?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => trouble(
                "another server is using it; expected --data to name a folder of its own".into(),
            ),
            TryLockError::Error(e) => trouble(e.to_string()),
        })?;
        let connection = open_file(folder).map_err(|e| trouble(e.to_string()))?;
        Store::start(connection, Some(lock)).map_err(|e| trouble(e.to_string()))
    }

    /// A store in memory, for tests and trials.
    pub(crate) fn in_memory() -> Result<Store, StoreError> {
        Store::start(Connection::open_in_memory()?, None)
    }

    fn start(connection: Connection, lock: Option<File>) -> Result<Store, StoreError> {
        schema::prepare(&connection)?;
        let (jobs, queue) = mpsc::channel::<Job>();
        thread::Builder::new()
            .name("storage".into())
            .spawn(move || {
                let _lock = lock; // held until the thread ends
                while let Ok(first) = queue.recv() {
                    serve(&connection, first, &queue);
                }
            })
            .map_err(|e| StoreError::Row(format!("no storage thread: {e}")))?;
        Ok(Store { jobs })
    }

    /// Runs `work` in a transaction; returns when it is committed.
    pub async fn run<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let done = in_savepoint(connection, work);
            Box::new(move |committed| {
                let result = committed.and(done);
                let _ = answer.send(result); // the caller may have gone
            })
        });
        self.jobs.send(job).map_err(|_| StoreError::Closed)?;
        answered.await.map_err(|_| StoreError::Closed)?
    }
}

/// Opens the database of a folder and checks its integrity. Otherwise the first
/// request that reads a torn page would fail, in the middle of a game.
fn open_file(folder: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(folder.join("foglight.sqlite"))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    match found.as_str() {
        "ok" => Ok(connection),
        damage => Err(StoreError::Row(format!(
            "foglight.sqlite is damaged ({damage}); expected a whole file: put a copy in its \
             place, or move it away to begin anew"
        ))),
    }
}

/// Rolls back only this job's changes if it fails, not those of other jobs in
/// the transaction.
fn in_savepoint<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    if connection.is_autocommit() {
        // Outside the transaction, changes would persist although the request
        // is reported as failed.
        return Err(StoreError::Row("the transaction has failed".into()));
    }
    connection.execute_batch("SAVEPOINT work")?;
    let done = work(connection);
    let end = if done.is_ok() {
        "RELEASE work"
    } else {
        "ROLLBACK TO work; RELEASE work"
    };
    connection.execute_batch(end)?;
    done
}

fn serve(connection: &Connection, first: Job, queue: &mpsc::Receiver<Job>) {
    // A deferred transaction: the folder lock excludes other writers, and reads
    // still work on a full disk.
    let begun = connection.execute_batch("BEGIN");
    let mut answers = vec![first(connection)];
    while answers.len() < BATCH {
        let Ok(job) = queue.try_recv() else { break };
        answers.push(job(connection));
    }
    let committed = begun.and_then(|()| connection.execute_batch("COMMIT"));
    if committed.is_err() {
        let _ = connection.execute_batch("ROLLBACK"); // fails if none is open
    }
    let trouble = committed.err().map(|error| error.to_string());
    for answer in answers {
        answer(match &trouble {
            None => Ok(()),
            Some(text) => Err(StoreError::Row(text.clone())),
        });
    }
}
