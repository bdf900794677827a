//! A model of a work-queue stream with one consumer, with its known faults.

use std::collections::{BTreeMap, VecDeque};

use crate::protocol::UnitId;

/// Milliseconds after which a ticket without acknowledgement is delivered again.
const ACK_WAIT: u64 = 30_000;

/// A pull that waits for a ticket.
pub(super) struct Pull {
    pub(super) worker: usize,
    pub(super) instance: u64,
    pub(super) until: u64,
}

#[derive(Default)]
pub(super) struct Stream {
    pub(super) exists: bool,
    /// The consumer delivers nothing until it is created anew.
    pub(super) hangs: bool,
    tickets: BTreeMap<u64, (UnitId, Option<u64>)>,
    next: u64,
    pulls: VecDeque<Pull>,
}

impl Stream {
    pub(super) fn len(&self) -> usize {
        self.tickets.len()
    }

    /// Stores a ticket; `false` without a stream.
    pub(super) fn publish(&mut self, unit: UnitId) -> bool {
        if self.exists {
            self.tickets.insert(self.next, (unit, None));
            self.next += 1;
        }
        self.exists
    }

    pub(super) fn ack(&mut self, ticket: u64) {
        self.tickets.remove(&ticket);
    }

    pub(super) fn pull(&mut self, pull: Pull) {
        self.pulls.push_back(pull);
    }

    /// Everything is gone; pulls end by themselves.
    pub(super) fn lose(&mut self) {
        self.exists = false;
        self.hangs = false;
        self.tickets.clear();
    }

    /// The newest tickets had not reached the disk.
    pub(super) fn lose_tail(&mut self) {
        let left = self.tickets.len() / 2;
        while self.tickets.len() > left {
            self.tickets.pop_last();
        }
    }

    pub(super) fn renew(&mut self, consumer: bool) {
        self.exists = true;
        if consumer {
            self.hangs = false;
        }
    }

    /// Pulls that have ended without a ticket.
    pub(super) fn expired(&mut self, now: u64) -> Vec<Pull> {
        let (ended, waiting) = std::mem::take(&mut self.pulls)
            .into_iter()
            .partition(|pull| pull.until <= now);
        self.pulls = waiting;
        Vec::from_iter::<VecDeque<Pull>>(ended)
    }

    /// The tickets that are delivered now.
    pub(super) fn deliver(&mut self, now: u64) -> Vec<(Pull, u64, UnitId)> {
        let mut delivered = Vec::new();
        if self.hangs || self.pulls.is_empty() {
            return delivered;
        }
        for (&number, (unit, sent)) in &mut self.tickets {
            if sent.is_some_and(|at| now < at + ACK_WAIT) {
                continue;
            }
            let Some(pull) = self.pulls.pop_front() else {
                break;
            };
            *sent = Some(now);
            delivered.push((pull, number, unit.clone()));
        }
        delivered
    }
}
