//! Results: delivered, journalled, acknowledged, or refused.

use super::{Caller, CallerCommand, LeaseState, Notice, Origin};
use crate::protocol::{ToWorker, UnitId};

impl Caller {
    pub(super) fn results(
        &mut self,
        worker: &str,
        unit: UnitId,
        batch: u64,
        items: Vec<(u64, String)>,
        seconds: f64,
    ) {
        if self.is_refused(worker) {
            return;
        }
        if let Some(lease) = self
            .taken_by(worker, &unit)
            .and_then(|number| self.leases.get_mut(&number))
        {
            lease.state = LeaseState::Taken {
                worker: worker.to_owned(),
                heard: self.now,
            };
        }
        let key = (worker.to_owned(), batch);
        if self.batches.contains_key(&key) {
            let job = self.config.job.clone();
            return self.send(worker, ToWorker::Wait { job });
        }
        self.measure(items.len(), seconds);
        let mut fresh = 0;
        for (item, text) in items {
            let known = self.counted.contains(item) || self.delivered.contains_key(&item);
            if known || self.over || !self.planned.contains(item) {
                continue;
            }
            fresh += 1;
            let (worker, unit) = (worker.to_owned(), unit.clone());
            let origin = Origin {
                worker,
                unit,
                batch,
            };
            self.delivered.insert(item, origin);
            self.out.push(CallerCommand::Deliver { item, text });
        }
        match fresh {
            0 => self.acknowledge(worker, batch),
            _ => {
                self.batches.insert(key, fresh);
            }
        }
    }

    fn acknowledge(&mut self, worker: &str, batch: u64) {
        let job = self.config.job.clone();
        self.send(worker, ToWorker::Got { job, batch });
    }

    fn measure(&mut self, items: usize, seconds: f64) {
        if items == 0 || !seconds.is_finite() || seconds < 0.0 {
            return;
        }
        let new = seconds / items as f64;
        self.pace = Some(self.pace.map_or(new, |old| 0.9 * old + 0.1 * new));
    }

    /// A result is in the journal.
    pub(super) fn count(&mut self, item: u64) {
        let Some(origin) = self.delivered.remove(&item) else {
            return;
        };
        self.counted.insert(item);
        *self.results_of.entry(origin.worker.clone()).or_default() += 1;
        self.forget(item, &origin);
        let key = (origin.worker, origin.batch);
        if let Some(left) = self.batches.get_mut(&key) {
            *left -= 1;
            if *left == 0 {
                self.batches.remove(&key);
                self.acknowledge(&key.0, key.1);
            }
        }
    }

    /// Removes a counted item from where it waits to be done.
    fn forget(&mut self, item: u64, origin: &Origin) {
        if self.left.remove(item) || self.aside.remove(item) {
            return;
        }
        if let Some(place) = self.again.iter().position(|items| items.contains(item)) {
            self.again[place].remove(item);
            if self.again[place].is_empty() {
                self.again.remove(place);
            }
            return;
        }
        let has = |number: &u64| {
            let lease = self.leases.get(number);
            lease.is_some_and(|lease| lease.items.contains(item))
        };
        let number = self.own(&origin.unit).filter(has);
        let Some(number) = number.or_else(|| self.leases.keys().copied().find(has)) else {
            return;
        };
        let lease = self.leases.get_mut(&number).expect("it was found");
        lease.items.remove(item);
        if lease.items.is_empty() {
            let lease = self.leases.remove(&number).expect("it was found");
            match lease.state {
                LeaseState::Taken { worker, .. } if worker != origin.worker => {
                    self.drop_unit(&worker, self.unit(number));
                }
                _ => self.fill(),
            }
        }
    }

    /// A result is wrong: its worker is not believed any more.
    pub(super) fn reject(&mut self, item: u64, why: String) {
        let Some(origin) = self.delivered.remove(&item) else {
            return;
        };
        let worker = origin.worker;
        self.batches.retain(|(other, _), _| *other != worker);
        if !self.refused.contains_key(&worker) {
            let counted = self.results_of.get(&worker).copied().unwrap_or(0);
            self.out.push(CallerCommand::Tell(Notice::Forged {
                worker: worker.clone(),
                item,
                why: why.clone(),
                counted,
            }));
        }
        self.refuse(&worker, why, false);
        let at = self.now;
        for lease in self.leases.values_mut() {
            if matches!(&lease.state, LeaseState::Taken { worker: taker, .. } if *taker == worker) {
                lease.state = LeaseState::Unsent { at };
            }
        }
    }
}
