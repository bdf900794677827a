//! The caller's side as a state machine without clock and network: messages and
//! times come in, commands go out. The caller's own list of items is the truth;
//! the stream only carries tickets, which a worker exchanges for a unit here.

mod leases;
mod results;
mod workers;

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use crate::{
    items::ItemSet,
    protocol::{ToCaller, ToWorker, UnitId, WorkerStatus},
};

/// Pause before a unit is offered again after a refusal.
const PAUSE: Duration = Duration::from_secs(1);

/// What a caller works on.
#[derive(Clone, Debug)]
pub struct CallerConfig {
    pub job: String,
    /// Number of this process.
    pub epoch: u64,
    pub version: String,
    pub signature: String,
    /// Name of the task in the object store.
    pub task: String,
    /// Seconds that a unit should take.
    pub unit_seconds: f64,
    /// Items that stay together.
    pub group: u64,
}

/// What happens to a caller.
#[derive(Debug)]
pub enum CallerEvent {
    Tick,
    Message(ToCaller),
    Status(WorkerStatus),
    /// A delivered result is in the journal.
    Counted(u64),
    /// A delivered result is wrong.
    Rejected {
        item: u64,
        why: String,
    },
    /// A ticket could not be stored.
    Unpublished(u64),
    /// No more results are wanted.
    Stop,
}

/// What a caller wants done.
#[derive(Debug, PartialEq)]
pub enum CallerCommand {
    /// Put the ticket of a unit on the stream; attempts differ.
    Publish {
        unit: UnitId,
        attempt: u32,
    },
    /// Create what is missing of the stream; and the consumer anew, if it hangs.
    Renew {
        consumer: bool,
    },
    Send {
        worker: String,
        message: ToWorker,
    },
    /// A result to be checked and journalled.
    Deliver {
        item: u64,
        text: String,
    },
    Tell(Notice),
    /// Everything is counted or set aside, or no more is wanted.
    Done,
}

/// What a person should know.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Notice {
    #[error("no worker takes part; expected foglight worker with the same address")]
    Alone,
    #[error("{0}")]
    Connection(String),
    #[error("worker {worker} is refused: {why}")]
    Refused { worker: String, why: String },
    #[error("worker {worker} cannot take part: {why}")]
    Unable { worker: String, why: String },
    #[error(
        "worker {worker} returned a wrong result for item {}: {why}; it is refused from now on, and its {counted} earlier results were not all replayed",
        item + 1
    )]
    Forged {
        worker: String,
        item: u64,
        why: String,
        counted: u64,
    },
    #[error("worker {worker} failed: {why}")]
    Failed { worker: String, why: String },
    #[error(
        "set aside: items {}; they took {} with them",
        shown(items),
        workers.join(", ")
    )]
    SetAside {
        items: Vec<u64>,
        workers: Vec<String>,
    },
}

/// Items as people count them.
fn shown(items: &[u64]) -> String {
    let numbers: Vec<String> = items.iter().map(|item| (item + 1).to_string()).collect();
    numbers.join(", ")
}

#[derive(Debug)]
struct Lease {
    /// Not counted yet.
    items: ItemSet,
    attempt: u32,
    state: LeaseState,
}

#[derive(Debug)]
enum LeaseState {
    /// Its ticket is on the stream.
    Waiting { since: Duration },
    /// To be published then.
    Unsent { at: Duration },
    Taken {
        worker: String,
        /// When the worker last said that it has it.
        heard: Duration,
    },
}

#[derive(Debug)]
struct KnownWorker {
    heard: Duration,
    slots: usize,
    idle_since: Option<Duration>,
}

/// Where a result came from.
#[derive(Debug)]
struct Origin {
    worker: String,
    unit: UnitId,
    batch: u64,
}

/// Figures of a caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CallerFigures {
    pub done: u64,
    pub total: u64,
    pub workers: usize,
    /// Units lost with their worker.
    pub lost: u64,
    pub set_aside: u64,
}

/// The state machine.
#[derive(Debug)]
pub struct Caller {
    config: CallerConfig,
    now: Duration,
    began: Option<Duration>,
    /// All items, of which each that is not counted is in `left`, in `again`, in
    /// one lease, or set aside.
    planned: ItemSet,
    left: ItemSet,
    again: VecDeque<ItemSet>,
    leases: BTreeMap<u64, Lease>,
    counted: ItemSet,
    aside: ItemSet,
    /// Results that are being journalled.
    delivered: BTreeMap<u64, Origin>,
    /// Results of a message that are not journalled yet.
    batches: BTreeMap<(String, u64), usize>,
    deaths: BTreeMap<u64, Vec<String>>,
    workers: BTreeMap<String, KnownWorker>,
    /// When any worker was heard last.
    listened: Duration,
    /// Whether it was told that there are no workers.
    told_alone: bool,
    /// Why workers are refused, and whether for their build.
    refused: BTreeMap<String, (String, bool)>,
    results_of: BTreeMap<String, u64>,
    next: u64,
    /// Seconds of an item, smoothed.
    pace: Option<f64>,
    /// Attempts since a ticket was claimed, and the last one.
    renewals: u32,
    renewed: Option<Duration>,
    lost: u64,
    over: bool,
    out: Vec<CallerCommand>,
}

impl Caller {
    pub fn new(config: CallerConfig, items: impl Iterator<Item = u64>) -> Caller {
        let planned: ItemSet = items.collect();
        Caller {
            config,
            now: Duration::ZERO,
            began: None,
            left: planned.clone(),
            planned,
            again: VecDeque::new(),
            leases: BTreeMap::new(),
            counted: ItemSet::default(),
            aside: ItemSet::default(),
            delivered: BTreeMap::new(),
            batches: BTreeMap::new(),
            deaths: BTreeMap::new(),
            workers: BTreeMap::new(),
            listened: Duration::ZERO,
            told_alone: false,
            refused: BTreeMap::new(),
            results_of: BTreeMap::new(),
            next: 0,
            pace: None,
            renewals: 0,
            renewed: None,
            lost: 0,
            over: false,
            out: Vec::new(),
        }
    }

    pub fn figures(&self) -> CallerFigures {
        CallerFigures {
            done: self.counted.len(),
            total: self.planned.len(),
            workers: self.workers.len(),
            lost: self.lost,
            set_aside: self.aside.len(),
        }
    }

    /// Handles an event at a time that never goes back, and returns what is to be
    /// done.
    pub fn handle(&mut self, now: Duration, event: CallerEvent) -> Vec<CallerCommand> {
        self.now = now.max(self.now);
        self.began.get_or_insert(self.now);
        match event {
            CallerEvent::Tick => self.tick(),
            CallerEvent::Message(message) => {
                self.listen();
                self.message(message);
            }
            CallerEvent::Status(status) => {
                self.listen();
                self.status(status);
            }
            CallerEvent::Counted(item) => self.count(item),
            CallerEvent::Rejected { item, why } => self.reject(item, why),
            CallerEvent::Unpublished(number) => self.unpublished(number),
            CallerEvent::Stop => self.finish(),
        }
        let all = self.counted.len() + self.aside.len() == self.planned.len();
        if all && self.delivered.is_empty() {
            self.finish();
        }
        std::mem::take(&mut self.out)
    }

    fn send(&mut self, worker: &str, message: ToWorker) {
        self.out.push(CallerCommand::Send {
            worker: worker.to_owned(),
            message,
        });
    }

    fn drop_unit(&mut self, worker: &str, unit: UnitId) {
        self.send(worker, ToWorker::Drop { unit });
    }

    fn refuse(&mut self, worker: &str, why: String, build: bool) {
        self.refused.insert(worker.to_owned(), (why, build));
        self.is_refused(worker);
    }

    /// Tells a worker that is refused so.
    fn is_refused(&mut self, worker: &str) -> bool {
        let Some((why, build)) = self.refused.get(worker).cloned() else {
            return false;
        };
        let job = self.config.job.clone();
        self.send(worker, ToWorker::Refused { job, why, build });
        true
    }

    fn unit(&self, number: u64) -> UnitId {
        UnitId {
            job: self.config.job.clone(),
            epoch: self.config.epoch,
            number,
        }
    }

    /// The number of a unit that this process has published.
    fn own(&self, unit: &UnitId) -> Option<u64> {
        let ours = (&unit.job, unit.epoch) == (&self.config.job, self.config.epoch);
        (ours && self.leases.contains_key(&unit.number)).then_some(unit.number)
    }

    fn message(&mut self, message: ToCaller) {
        match message {
            ToCaller::Claim { worker, unit } => self.claim(&worker, unit),
            ToCaller::Results {
                worker,
                unit,
                batch,
                items,
                seconds,
            } => self.results(&worker, unit, batch, items, seconds),
            ToCaller::Unable { worker, unit, why } => {
                if !self.refused.contains_key(&worker) {
                    let (worker, why) = (worker.clone(), why.clone());
                    self.out
                        .push(CallerCommand::Tell(Notice::Unable { worker, why }));
                }
                self.refuse(&worker, why, false);
                self.return_unit(&worker, &unit);
            }
            ToCaller::Returned { worker, unit } => self.return_unit(&worker, &unit),
            ToCaller::Failed { worker, unit, why } => {
                if let Some(number) = self.taken_by(&worker, &unit) {
                    self.out.push(CallerCommand::Tell(Notice::Failed {
                        worker: worker.clone(),
                        why,
                    }));
                    self.lose(number, &worker);
                }
            }
        }
    }

    fn claim(&mut self, worker: &str, unit: UnitId) {
        if self.is_refused(worker) {
            return self.return_unit(worker, &unit);
        }
        let number = self.own(&unit).filter(|_| !self.over);
        let Some(lease) = number.and_then(|number| self.leases.get_mut(&number)) else {
            return self.drop_unit(worker, unit);
        };
        match &lease.state {
            LeaseState::Taken { worker: other, .. } if other != worker => {
                return self.drop_unit(worker, unit);
            }
            _ => {
                lease.state = LeaseState::Taken {
                    worker: worker.to_owned(),
                    heard: self.now,
                }
            }
        }
        self.renewals = 0;
        let items = lease.items.ranges();
        let task = self.config.task.clone();
        self.send(worker, ToWorker::Go { unit, items, task });
        self.fill();
    }

    fn taken_by(&self, worker: &str, unit: &UnitId) -> Option<u64> {
        let number = self.own(unit)?;
        match &self.leases.get(&number)?.state {
            LeaseState::Taken { worker: taker, .. } => (taker == worker).then_some(number),
            _ => None,
        }
    }

    /// Offers a unit again that a worker will not do. Its ticket is gone.
    fn return_unit(&mut self, worker: &str, unit: &UnitId) {
        let waiting = self.own(unit).filter(|number| {
            let state = self.leases.get(number).map(|lease| &lease.state);
            matches!(state, Some(LeaseState::Waiting { .. }))
        });
        let at = self.now + PAUSE;
        let number = waiting.or_else(|| self.taken_by(worker, unit));
        if let Some(lease) = number.and_then(|number| self.leases.get_mut(&number)) {
            lease.state = LeaseState::Unsent { at };
        }
    }

    fn tick(&mut self) {
        if self.over {
            return;
        }
        self.lose_silent();
        self.watch();
        self.publish_due();
        self.fill();
    }

    fn finish(&mut self) {
        if self.over {
            return;
        }
        self.over = true;
        for (number, lease) in std::mem::take(&mut self.leases) {
            if let LeaseState::Taken { worker, .. } = lease.state {
                self.drop_unit(&worker, self.unit(number));
            }
        }
        self.out.push(CallerCommand::Done);
    }
}
