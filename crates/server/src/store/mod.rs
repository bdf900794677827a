//! Storage in one SQLite file: games, accounts, leaderboards, tournaments, user
//! study.
//!
//! One thread writes. Waiting requests are written in one transaction, and each
//! is answered only after its commit. The journal is a write-ahead log with
//! `synchronous=FULL`: every commit is synced, so that whatever was acknowledged
//! survives the end of the process and a power cut at any moment, on disks that
//! keep what they have synced. Reads have threads of their own, so that no list
//! delays a move.

mod accounts;
mod folder;
mod games;
mod leaderboard;
mod lists;
mod pairs;
mod participants;
mod schema;
mod tournaments;
mod worker;

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use rusqlite::Connection;

pub(crate) use folder::{operator_secret, private_file, private_folder};

pub(crate) use accounts::{Account, Asker, Newcomer};
pub(crate) use games::ImportedGame;
pub(crate) use games::LoadedGame;
pub(crate) use games::StoredAction;
pub(crate) use games::StoredEnd;
pub(crate) use leaderboard::LeaderboardRow;
pub(crate) use lists::ListedGame;
pub use participants::Participant;
pub(crate) use tournaments::StoredTournament;
use worker::Worker;

/// Errors of the storage.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The data folder cannot be used.
    #[error("data folder {path}: {what}")]
    Folder { path: PathBuf, what: String },
    /// An SQLite error: disk full, read-only, corrupt.
    #[error("storage: {0}")]
    Sql(String),
    /// A row that this version cannot read.
    #[error("{0} cannot be read: {1}")]
    Unreadable(String, String),
    /// The storage thread has ended.
    #[error("storage has been closed")]
    Closed,
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        StoreError::Sql(error.to_string())
    }
}

/// A handle on the storage.
#[derive(Clone)]
pub struct Store {
    writer: Worker,
    /// Reads one game or account.
    reader: Worker,
    /// Reads many rows.
    lister: Worker,
    /// Held by the import that writes: others wait for it.
    importing: Arc<tokio::sync::Mutex<()>>,
    /// Rows left out of lists, as they were named in the log.
    left_out: Arc<Mutex<HashSet<String>>>,
}

impl Store {
    /// Opens the data folder, created on first use. Fails if another server
    /// holds its lock.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let trouble = |what: String| StoreError::Folder {
            path: path.to_owned(),
            what,
        };
        let lock = Arc::new(folder::lock(path).map_err(trouble)?);
        let open = || {
            let connection = folder::open(path)?;
            schema::prepare(&connection)?;
            let reader = || Worker::reader(folder::open_to_read(path)?, Some(Arc::clone(&lock)));
            Ok(Store {
                reader: reader()?,
                lister: reader()?,
                writer: Worker::writer(connection, Some(Arc::clone(&lock)))?,
                importing: Arc::default(),
                left_out: Arc::default(),
            })
        };
        open().map_err(|e: StoreError| trouble(e.to_string()))
    }

    /// A store in memory, for tests and trials. Its one thread does all.
    pub(crate) fn in_memory() -> Result<Store, StoreError> {
        let connection = Connection::open_in_memory()?;
        schema::prepare(&connection)?;
        let writer = Worker::writer(connection, None)?;
        Ok(Store {
            reader: writer.clone(),
            lister: writer.clone(),
            writer,
            importing: Arc::default(),
            left_out: Arc::default(),
        })
    }

    /// Runs `work` in a transaction; returns when it is committed and synced.
    pub async fn run<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        self.writer.run(work).await
    }

    /// Waits until the thread that writes has answered. Writes nothing.
    pub(crate) async fn ping(&self) -> Result<(), StoreError> {
        let read = "SELECT value FROM facts WHERE name = 'boots'";
        self.run(|connection| Ok(connection.query_row(read, [], |_| Ok(()))?))
            .await
    }

    /// Leaves an unreadable row out, and names it in the log once.
    pub(crate) fn leave_out(&self, error: &StoreError) {
        let text = error.to_string();
        let mut known = self.left_out.lock().expect("no panic holds it");
        if known.insert(text.clone()) {
            eprintln!("storage: {text}; it is left out");
        }
    }

    /// The readable rows of a list.
    fn readable<T>(&self, rows: Vec<Result<T, StoreError>>) -> Vec<T> {
        let rows = rows.into_iter();
        rows.filter_map(|row| row.map_err(|error| self.leave_out(&error)).ok())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// A list that takes long delays neither moves nor the reading of accounts.
    #[tokio::test]
    async fn lists_delay_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path()).expect("a store");
        let (finish, finished) = mpsc::channel::<()>();
        let slow = store.clone();
        let slow = tokio::spawn(async move {
            let list = slow.lister.run(move |connection| {
                connection.query_row("SELECT count(*) FROM games", [], |_| Ok(()))?;
                let _ = finished.recv();
                Ok(())
            });
            list.await
        });
        store.heartbeat(1).await.expect("a write");
        assert_eq!(store.person("nobody").await.expect("a read"), None);
        assert!(!slow.is_finished());
        finish.send(()).expect("a list that waits");
        slow.await.expect("a task").expect("a list");
    }
}
