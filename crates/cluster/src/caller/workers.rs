//! Workers: heard, unfit, and silent.

use std::{collections::BTreeSet, time::Duration};

use super::{Caller, CallerCommand, KnownWorker, LeaseState, Notice};
use crate::protocol::{UnitId, WorkerStatus};

/// Time after which a silent worker has lost its unit.
const LEASE: Duration = Duration::from_secs(15);
/// Time for which a worker may not list a unit that it was given.
const GRACE: Duration = Duration::from_secs(8);
/// Time after which silence of all workers is taken for a fault of this
/// process's own connection.
const DEAF: Duration = Duration::from_secs(5);
/// Time for which the others may be silent after the first word, though all
/// send a status every two seconds.
const NEWS: Duration = Duration::from_secs(3);
/// Time without workers after which a person is told.
const ALONE: Duration = Duration::from_secs(10);

impl Caller {
    /// Somebody was heard. After a time without a word of anybody, the others
    /// have a moment to be heard too before they have lost anything.
    pub(super) fn listen(&mut self) {
        let now = self.now;
        if now - self.listened > DEAF {
            let least = (now + NEWS).saturating_sub(LEASE);
            for lease in self.leases.values_mut() {
                if let LeaseState::Taken { heard, .. } = &mut lease.state {
                    *heard = least.max(*heard);
                }
            }
        }
        self.listened = now;
    }

    /// Workers that are silent while others are heard have lost their units.
    pub(super) fn lose_silent(&mut self) {
        let now = self.now;
        self.workers.retain(|_, known| now - known.heard <= LEASE);
        let since = self.began.unwrap_or(now);
        if self.workers.is_empty() && now - since >= ALONE && !self.told_alone {
            self.told_alone = true;
            self.out.push(CallerCommand::Tell(Notice::Alone));
        }
        if now - self.listened > DEAF {
            return;
        }
        let silent = self
            .leases
            .iter()
            .filter_map(|(&number, lease)| match &lease.state {
                LeaseState::Taken { worker, heard } if now - *heard > LEASE => {
                    Some((number, worker.clone()))
                }
                _ => None,
            });
        for (number, worker) in silent.collect::<Vec<_>>() {
            self.lose(number, &worker);
        }
    }

    pub(super) fn status(&mut self, status: WorkerStatus) {
        let worker = status.worker;
        if self.over || self.refused.contains_key(&worker) {
            return;
        }
        if let Some(why) = self.unfit(&status.version, &status.signature) {
            self.out.push(CallerCommand::Tell(Notice::Refused {
                worker: worker.clone(),
                why: why.clone(),
            }));
            return self.refuse(&worker, why, true);
        }
        let known = self
            .workers
            .entry(worker.clone())
            .or_insert_with(|| KnownWorker {
                heard: self.now,
                slots: 0,
                idle_since: None,
            });
        known.heard = self.now;
        known.slots = status.slots;
        known.idle_since = match status.units.len() < status.slots {
            true => known.idle_since.or(Some(self.now)),
            false => None,
        };
        self.hear(&worker, status.units);
    }

    /// Why a worker of this build may not take part.
    fn unfit(&self, version: &str, signature: &str) -> Option<String> {
        let config = &self.config;
        if version != config.version {
            return Some(format!("version {version}; expected {}", config.version));
        }
        let expected = &config.signature;
        (signature != expected).then(|| format!("bench signature {signature}; expected {expected}"))
    }

    /// A worker lists its units: ours are still leased to it, or it should drop
    /// them.
    fn hear(&mut self, worker: &str, units: Vec<UnitId>) {
        let mut listed = BTreeSet::new();
        for unit in units {
            if unit.job != self.config.job {
                continue;
            }
            match self.taken_by(worker, &unit) {
                Some(number) => {
                    listed.insert(number);
                }
                // A claim on its way.
                None if self.own(&unit).is_some() => {}
                None => self.drop_unit(worker, unit),
            }
        }
        let now = self.now;
        for (number, lease) in &mut self.leases {
            if let LeaseState::Taken {
                worker: taker,
                heard,
            } = &mut lease.state
                && taker == worker
            {
                if listed.contains(number) {
                    *heard = now;
                } else if now - *heard > GRACE {
                    // It never got it.
                    lease.state = LeaseState::Unsent { at: now };
                }
            }
        }
    }
}
