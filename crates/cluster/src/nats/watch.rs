//! What happens on a cluster, for people.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use futures_util::StreamExt as _;

use super::connection::{ClusterError, Connection};
use crate::protocol::{CALLERS, CallerStatus, WORKERS, WorkerStatus, decode};

/// Time between two snapshots.
const STEP: Duration = Duration::from_secs(2);
/// Time after which a silent process is not shown any more.
const SILENT: Duration = Duration::from_secs(10);

/// Who was heard lately, by name.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    pub workers: Vec<WorkerStatus>,
    pub callers: Vec<CallerStatus>,
}

/// Passes a snapshot to `show` every two seconds until it returns `false` or
/// `stop` is set.
pub fn watch(
    url: &str,
    stop: &AtomicBool,
    mut show: impl FnMut(&Snapshot) -> bool,
) -> Result<(), ClusterError> {
    super::runtime().block_on(async {
        let connection = Connection::open(url, "foglight cluster").await?;
        let subscribe = |subject: &'static str| {
            let (client, connection) = (connection.client.clone(), connection.clone());
            async move {
                let subscribed = client.subscribe(subject).await;
                subscribed.map_err(|error| connection.failed(error))
            }
        };
        let mut worker_statuses = subscribe(WORKERS).await?;
        let mut caller_statuses = subscribe(CALLERS).await?;
        let mut workers: BTreeMap<String, (Instant, WorkerStatus)> = BTreeMap::new();
        let mut callers: BTreeMap<String, (Instant, CallerStatus)> = BTreeMap::new();
        let mut next = tokio::time::interval_at((Instant::now() + STEP).into(), STEP);
        while !stop.load(Ordering::Relaxed) {
            tokio::select! {
                Some(message) = worker_statuses.next() => {
                    if let Some(status) = decode::<WorkerStatus>(&message.payload) {
                        workers.insert(status.worker.clone(), (Instant::now(), status));
                    }
                }
                Some(message) = caller_statuses.next() => {
                    if let Some(status) = decode::<CallerStatus>(&message.payload) {
                        callers.insert(status.job.clone(), (Instant::now(), status));
                    }
                }
                _ = next.tick() => {
                    workers.retain(|_, (heard, _)| heard.elapsed() < SILENT);
                    callers.retain(|_, (heard, _)| heard.elapsed() < SILENT);
                    let snapshot = Snapshot {
                        workers: workers.values().map(|(_, status)| status.clone()).collect(),
                        callers: callers.values().map(|(_, status)| status.clone()).collect(),
                    };
                    if !show(&snapshot) {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    })
}
