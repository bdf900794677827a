//! The messages between callers and workers, and their subjects.

use serde::{Deserialize, Serialize};

/// Names one unit of work: some items of a job, leased to one worker.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct UnitId {
    /// Digest of the task; equal for a caller and its successor.
    pub job: String,
    /// Number of the caller's process.
    pub epoch: u64,
    pub number: u64,
}

/// What a worker says to the caller of a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum ToCaller {
    /// Asks for a unit whose ticket it has taken off the stream.
    Claim { worker: String, unit: UnitId },
    /// Results, sent again until they are acknowledged.
    Results {
        worker: String,
        unit: UnitId,
        /// Number of the message, for its acknowledgement.
        batch: u64,
        items: Vec<(u64, String)>,
        /// Seconds of work in them.
        seconds: f64,
    },
    /// It cannot do this job.
    Unable {
        worker: String,
        unit: UnitId,
        why: String,
    },
    /// It gives the unit back unfinished.
    Returned { worker: String, unit: UnitId },
    /// The unit failed.
    Failed {
        worker: String,
        unit: UnitId,
        why: String,
    },
}

/// What a caller says to a worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum ToWorker {
    /// The unit is the worker's.
    Go {
        unit: UnitId,
        /// Ranges: first item, and the one after the last.
        items: Vec<(u64, u64)>,
        /// Name of the task in the object store.
        task: String,
    },
    /// The unit is not wanted, or no longer.
    Drop { unit: UnitId },
    /// These results are in the journal.
    Got { job: String, batch: u64 },
    /// These results are being checked.
    Wait { job: String },
    /// The worker may not work on this job.
    Refused {
        job: String,
        why: String,
        /// Since its build is another one.
        #[serde(default)]
        build: bool,
    },
}

/// What a worker tells everybody every two seconds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WorkerStatus {
    pub worker: String,
    pub version: String,
    /// Signature of `foglight bench`.
    pub signature: String,
    /// Its speed: work of `foglight bench` per second.
    pub speed: f64,
    pub slots: usize,
    /// The units that it works on or claims.
    pub units: Vec<UnitId>,
    /// Results since its start.
    pub done: u64,
    pub failures: u64,
}

/// What a caller tells everybody every two seconds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CallerStatus {
    pub job: String,
    /// Number of the caller's process.
    pub epoch: u64,
    pub title: String,
    pub done: u64,
    pub total: u64,
    /// The last statistics.
    pub standing: String,
    pub per_hour: f64,
    pub workers: usize,
    pub lost: u64,
    pub set_aside: u64,
    /// The last notices: refusals, failures, forgeries.
    pub notices: Vec<String>,
    /// Whether the job has ended.
    pub over: bool,
}

/// Name of the stream.
pub const STREAM: &str = "FOGLIGHT";
/// Name of the object store.
pub const BUCKET: &str = "foglight";
/// Tickets on the stream: one subject for each signature and job.
pub const TICKETS: &str = "foglight.unit.>";
pub const WORKERS: &str = "foglight.worker.*.status";
pub const CALLERS: &str = "foglight.job.*.status";

pub fn tickets(signature: &str, job: &str) -> String {
    format!("foglight.unit.{signature}.{job}")
}

pub fn to_caller(job: &str) -> String {
    format!("foglight.job.{job}.caller")
}

pub fn to_worker(worker: &str) -> String {
    format!("foglight.worker.{worker}.mail")
}

pub fn worker_status(worker: &str) -> String {
    format!("foglight.worker.{worker}.status")
}

pub fn caller_status(job: &str) -> String {
    format!("foglight.job.{job}.status")
}

/// A message as JSON.
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    serde_json::to_vec(message).expect("a message is always JSON")
}

/// Reads a message; `None` if it is not one of ours.
pub fn decode<T: for<'a> Deserialize<'a>>(bytes: &[u8]) -> Option<T> {
    serde_json::from_slice(bytes).ok()
}

/// The name of a worker without the number of its process.
pub fn machine(worker: &str) -> &str {
    worker.rsplit_once('-').map_or(worker, |(name, _)| name)
}
