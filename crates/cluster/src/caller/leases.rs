//! Leases: cut from what is left, published, lost, blamed and watched.

use std::{collections::BTreeSet, time::Duration};

use super::{Caller, CallerCommand, Lease, LeaseState, Notice, PAUSE};
use crate::{items::ItemSet, protocol::machine};

/// Time for which tickets may wait while a worker is idle.
const PATIENCE: Duration = Duration::from_secs(5);
/// Bounds of the tickets that wait on the stream; between them as many as
/// workers have slots.
const WAITING: (usize, usize) = (4, 4096);
/// The most items of a unit.
const MOST_ITEMS: u64 = 4096;
/// Units for each slot that the items left are divided into.
const UNITS_PER_SLOT: u64 = 8;
/// Workers that an item may take with it, and losses with fewer workers.
const DEATHS: (usize, usize) = (3, 10);
/// Groups of items that are leased one by one after the loss of their unit:
/// the ones that the worker was at.
const SUSPECTS: usize = 64;

impl Caller {
    /// A unit is lost with its worker: the items that it may have died of are
    /// leased one by one from now on.
    pub(super) fn lose(&mut self, number: u64, worker: &str) {
        let Some(mut lease) = self.leases.remove(&number) else {
            return;
        };
        self.lost += 1;
        for _ in 0..SUSPECTS {
            let suspect = lease.items.take(1, self.config.group);
            if suspect.is_empty() {
                return;
            }
            self.blame(suspect, machine(worker));
        }
        if !lease.items.is_empty() {
            self.again.push_back(lease.items);
        }
    }

    fn blame(&mut self, suspect: ItemSet, machine: &str) {
        let first = suspect.iter().next().expect("a suspect has an item");
        let deaths = self.deaths.entry(first).or_default();
        deaths.push(machine.to_owned());
        let distinct: BTreeSet<&String> = deaths.iter().collect();
        if distinct.len() < DEATHS.0 && deaths.len() < DEATHS.1 {
            return self.again.push_back(suspect);
        }
        let workers = distinct.into_iter().cloned().collect();
        let items: Vec<u64> = suspect.iter().collect();
        for item in &items {
            self.aside.insert(*item);
        }
        self.out
            .push(CallerCommand::Tell(Notice::SetAside { items, workers }));
    }

    /// If tickets wait while workers are idle, the stream or its consumer is
    /// gone or hangs.
    pub(super) fn watch(&mut self) {
        let now = self.now;
        if self.renewed.is_some_and(|at| now - at < PATIENCE) {
            return;
        }
        let mut idle = self.workers.values().filter_map(|known| known.idle_since);
        if !idle.any(|since| now - since > PATIENCE) {
            return;
        }
        let stuck = |lease: &Lease| matches!(lease.state, LeaseState::Waiting { since } if now - since > PATIENCE);
        if !self.leases.values().any(stuck) {
            return;
        }
        let consumer = self.renewals % 2 == 1;
        self.renewals += 1;
        self.renew(consumer);
        for lease in self.leases.values_mut().filter(|lease| stuck(lease)) {
            lease.state = LeaseState::Unsent { at: now };
        }
    }

    pub(super) fn publish_due(&mut self) {
        let now = self.now;
        let due = |lease: &Lease| matches!(lease.state, LeaseState::Unsent { at } if at <= now);
        let due = self.leases.iter().filter(|(_, lease)| due(lease));
        for number in due.map(|(&number, _)| number).collect::<Vec<_>>() {
            self.publish(number);
        }
    }

    /// A ticket could not be stored: the stream may be gone.
    pub(super) fn unpublished(&mut self, number: u64) {
        let at = self.now + PAUSE;
        if let Some(lease) = self.leases.get_mut(&number)
            && matches!(lease.state, LeaseState::Waiting { .. })
        {
            lease.state = LeaseState::Unsent { at };
        }
        self.renew(false);
    }

    /// Creates what is missing of the stream, but not more often than it can
    /// help.
    fn renew(&mut self, consumer: bool) {
        if self.renewed.is_none_or(|at| self.now - at >= PAUSE) && !self.over {
            self.renewed = Some(self.now);
            self.out.push(CallerCommand::Renew { consumer });
        }
    }

    fn publish(&mut self, number: u64) {
        let unit = self.unit(number);
        let since = self.now;
        if let Some(lease) = self.leases.get_mut(&number) {
            lease.attempt += 1;
            lease.state = LeaseState::Waiting { since };
            let attempt = lease.attempt;
            self.out.push(CallerCommand::Publish { unit, attempt });
        }
    }

    fn slots(&self) -> usize {
        let known = self.workers.iter();
        let fit = known.filter(|(worker, _)| !self.refused.contains_key(*worker));
        fit.map(|(_, known)| known.slots).sum()
    }

    /// Keeps a ticket for every slot on the stream.
    pub(super) fn fill(&mut self) {
        if self.over {
            return;
        }
        let slots = self.slots();
        let offered = |lease: &&Lease| !matches!(lease.state, LeaseState::Taken { .. });
        let mut waiting = self.leases.values().filter(offered).count();
        while waiting < slots.clamp(WAITING.0, WAITING.1) {
            let Some(items) = self.next_items(slots.max(1) as u64) else {
                return;
            };
            let number = self.next;
            self.next += 1;
            let state = LeaseState::Unsent { at: self.now };
            let lease = Lease {
                items,
                attempt: 0,
                state,
            };
            self.leases.insert(number, lease);
            self.publish(number);
            waiting += 1;
        }
    }

    /// The items of the next unit: so many that it takes the wanted time, unless
    /// the rest is to be shared out.
    fn next_items(&mut self, slots: u64) -> Option<ItemSet> {
        if let Some(items) = self.again.pop_front() {
            return Some(items);
        }
        let wanted = self.pace.map_or(1.0, |pace| {
            self.config.unit_seconds / pace.max(f64::MIN_POSITIVE)
        });
        let share = self.left.len() / (UNITS_PER_SLOT * slots);
        let least = (wanted as u64).min(share).clamp(1, MOST_ITEMS);
        let items = self.left.take(least, self.config.group);
        (!items.is_empty()).then_some(items)
    }
}
