//! Threads that own a connection and run requests on it one after another.

use std::{fs::File, sync::Arc, sync::mpsc, thread};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::StoreError;

type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
type Job = Box<dyn FnOnce(&Connection) -> Answer + Send>;

/// Largest number of requests in one transaction of a writer.
const BATCH: usize = 256;

/// A handle on a thread that owns a connection. The thread ends with its last
/// handle.
#[derive(Clone)]
pub(super) struct Worker {
    jobs: mpsc::Sender<Job>,
}

impl Worker {
    /// A thread that writes: waiting requests share one transaction and its
    /// sync, and each is answered after the commit.
    pub(super) fn writer(
        connection: Connection,
        lock: Option<Arc<File>>,
    ) -> Result<Worker, StoreError> {
        Worker::start("storage", connection, lock, BATCH)
    }

    /// A thread that reads, each request in its own transaction.
    pub(super) fn reader(
        connection: Connection,
        lock: Option<Arc<File>>,
    ) -> Result<Worker, StoreError> {
        Worker::start("storage reader", connection, lock, 1)
    }

    fn start(
        name: &str,
        connection: Connection,
        lock: Option<Arc<File>>,
        batch: usize,
    ) -> Result<Worker, StoreError> {
        let (jobs, queue) = mpsc::channel::<Job>();
        thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                // Dropped last: whoever gets the lock finds the file closed.
                let _lock = lock;
                let connection = connection;
                while let Ok(first) = queue.recv() {
                    serve(&connection, first, &queue, batch);
                }
            })
            .map_err(|e| StoreError::Sql(format!("no storage thread: {e}")))?;
        Ok(Worker { jobs })
    }

    /// Runs `work` in a transaction; returns when it is committed.
    pub(super) async fn run<T, F>(&self, work: F) -> Result<T, StoreError>
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

/// Rolls back only this job's changes if it fails, not those of other jobs in
/// the transaction.
fn in_savepoint<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    if connection.is_autocommit() {
        // Outside the transaction, changes would persist although the request
        // is reported as failed.
        return Err(StoreError::Sql("the transaction has failed".into()));
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

fn serve(connection: &Connection, first: Job, queue: &mpsc::Receiver<Job>, batch: usize) {
    // A deferred transaction: the folder lock excludes other writers, and reads
    // still work on a full disk.
    let begun = connection.execute_batch("BEGIN");
    let mut answers = vec![first(connection)];
    while answers.len() < batch {
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
            Some(text) => Err(StoreError::Sql(text.clone())),
        });
    }
}
