//! Results: gathered, sent, and sent again until they are acknowledged.

use std::{collections::BTreeSet, time::Duration};

use super::{Held, Worker, WorkerCommand};
use crate::protocol::{ToCaller, UnitId};

/// Results are sent when they are so old, or so large.
const BATCH: (Duration, usize) = (Duration::from_secs(1), 256 << 10);
/// Time after which results are sent again.
const AGAIN: Duration = Duration::from_secs(5);
/// Time without a word of its caller after which a job is given up.
const GIVE_UP: Duration = Duration::from_secs(120);
/// Bytes of unacknowledged results beyond which work pauses.
const CONGESTED: usize = 4 << 20;
/// The largest result: as JSON it stays below the usual payload limit of 1 MiB.
const LARGEST: usize = 480 << 10;

/// Results that were not sent yet.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    items: Vec<(u64, String)>,
    bytes: usize,
    seconds: f64,
    since: Option<Duration>,
}

/// Results that were sent and not acknowledged.
#[derive(Debug)]
pub(super) struct Batch {
    message: ToCaller,
    pub(super) job: String,
    bytes: usize,
    first: Duration,
    last: Duration,
}

impl Worker {
    /// Whether so many results wait for their acknowledgement that work should
    /// pause.
    pub fn is_congested(&self) -> bool {
        let waiting = self.batches.values().map(|batch| batch.bytes);
        waiting.sum::<usize>() > CONGESTED
    }

    /// Whether nothing is left to be acknowledged.
    pub fn is_settled(&self) -> bool {
        self.batches.is_empty()
    }

    pub(super) fn item(&mut self, unit: UnitId, item: u64, text: String, seconds: f64) {
        if text.len() > LARGEST {
            let why = format!(
                "a result of {} bytes; expected at most {LARGEST}",
                text.len()
            );
            return self.fail(&unit, why);
        }
        let now = self.now;
        let Some(Held::Running { buffer, .. }) = self.units.get_mut(&unit) else {
            return;
        };
        if buffer.bytes + text.len() > LARGEST {
            self.flush(&unit);
        }
        let Some(Held::Running { buffer, .. }) = self.units.get_mut(&unit) else {
            return;
        };
        buffer.bytes += text.len();
        buffer.items.push((item, text));
        buffer.seconds += seconds;
        buffer.since.get_or_insert(now);
        self.done += 1;
        if buffer.bytes >= BATCH.1 {
            self.flush(&unit);
        }
    }

    /// Sends the results of a unit that wait.
    pub(super) fn flush(&mut self, unit: &UnitId) {
        let Some(Held::Running { buffer, .. }) = self.units.get_mut(unit) else {
            return;
        };
        let Buffer {
            items,
            bytes,
            seconds,
            ..
        } = std::mem::take(buffer);
        if items.is_empty() {
            return;
        }
        let batch = self.next;
        self.next += 1;
        let message = ToCaller::Results {
            worker: self.config.worker.clone(),
            unit: unit.clone(),
            batch,
            items,
            seconds,
        };
        self.out.push(WorkerCommand::Send {
            job: unit.job.clone(),
            message: message.clone(),
        });
        let (first, last) = (self.now, self.now);
        self.batches.insert(
            batch,
            Batch {
                message,
                job: unit.job.clone(),
                bytes,
                first,
                last,
            },
        );
    }

    pub(super) fn flush_old(&mut self) {
        let old = self.units.iter().filter(|(_, held)| match held {
            Held::Running { buffer, .. } => {
                let since = buffer.since.filter(|_| !buffer.items.is_empty());
                since.is_some_and(|since| self.now - since >= BATCH.0)
            }
            Held::Claiming { .. } => false,
        });
        for unit in old.map(|(unit, _)| unit.clone()).collect::<Vec<_>>() {
            self.flush(&unit);
        }
    }

    pub(super) fn send_again(&mut self) {
        let mut dead = BTreeSet::new();
        for batch in self.batches.values_mut() {
            let heard = self.heard.get(&batch.job).copied().unwrap_or_default();
            if self.now - batch.first.max(heard) > GIVE_UP {
                dead.insert(batch.job.clone());
            } else if self.now - batch.last >= AGAIN {
                batch.last = self.now;
                self.out.push(WorkerCommand::Send {
                    job: batch.job.clone(),
                    message: batch.message.clone(),
                });
            }
        }
        for job in dead {
            let line = format!("job {job} has no caller any more");
            self.out.push(WorkerCommand::Tell(line));
            self.leave(&job);
        }
    }
}
