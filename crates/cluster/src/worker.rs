//! The worker's side as a state machine without clock and network.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use crate::protocol::{ToCaller, ToWorker, UnitId, WorkerStatus};

/// Pause between two attempts to claim a unit, and their number.
const CLAIM: (Duration, u32) = (Duration::from_secs(2), 5);
/// Results are sent when they are so old, or so large.
const BATCH: (Duration, usize) = (Duration::from_secs(1), 256 << 10);
/// Time after which results are sent again.
const AGAIN: Duration = Duration::from_secs(5);
/// Time without a word of its caller after which a job is given up.
const GIVE_UP: Duration = Duration::from_secs(120);
/// Time between two statuses.
const STATUS: Duration = Duration::from_secs(2);
/// Bytes of unacknowledged results beyond which work pauses.
const CONGESTED: usize = 4 << 20;
/// Time without new units after a refusal, so that others get them.
const REST: Duration = Duration::from_secs(10);
/// The largest result: as JSON it stays below the usual payload limit of 1 MiB.
const LARGEST: usize = 480 << 10;

/// What a worker is.
#[derive(Clone, Debug)]
pub struct WorkerConfig {
    pub worker: String,
    pub version: String,
    pub signature: String,
    pub speed: f64,
    pub slots: usize,
    /// The longest time of a unit.
    pub longest: Duration,
}

/// What happens to a worker. A token names a ticket until it is acknowledged.
#[derive(Debug)]
pub enum WorkerEvent {
    Tick,
    Ticket {
        token: u64,
        unit: UnitId,
    },
    /// A pull has ended without a ticket.
    NoTicket,
    Message(ToWorker),
    /// A result, and the seconds that it took.
    Item {
        unit: UnitId,
        item: u64,
        text: String,
        seconds: f64,
    },
    /// All items of a unit are done.
    Ended(UnitId),
    /// The job cannot be done here.
    Unable {
        unit: UnitId,
        why: String,
    },
    /// The unit broke down.
    Failed {
        unit: UnitId,
        why: String,
    },
    /// The worker is to stop: it returns its units.
    Leave,
}

/// What a worker wants done.
#[derive(Debug, PartialEq)]
pub enum WorkerCommand {
    /// Ask the stream for a ticket.
    Pull,
    /// Take a ticket off the stream.
    Ack(u64),
    Send {
        job: String,
        message: ToCaller,
    },
    Status(WorkerStatus),
    Begin {
        unit: UnitId,
        items: Vec<(u64, u64)>,
        task: String,
    },
    Abandon(UnitId),
    /// A line for the person who runs the worker.
    Tell(String),
}

#[derive(Debug)]
enum Held {
    Claiming {
        token: u64,
        tries: u32,
        at: Duration,
    },
    Running {
        since: Duration,
        buffer: Buffer,
    },
}

/// Results that were not sent yet.
#[derive(Debug, Default)]
struct Buffer {
    items: Vec<(u64, String)>,
    bytes: usize,
    seconds: f64,
    since: Option<Duration>,
}

/// Results that were sent and not acknowledged.
#[derive(Debug)]
struct Batch {
    message: ToCaller,
    job: String,
    bytes: usize,
    first: Duration,
    last: Duration,
}

/// The state machine.
#[derive(Debug)]
pub struct Worker {
    config: WorkerConfig,
    now: Duration,
    units: BTreeMap<UnitId, Held>,
    batches: BTreeMap<u64, Batch>,
    next: u64,
    /// When each caller was heard last.
    heard: BTreeMap<String, Duration>,
    refused: BTreeSet<String>,
    pulling: bool,
    leaving: bool,
    rest_until: Option<Duration>,
    status_at: Option<Duration>,
    done: u64,
    failures: u64,
    out: Vec<WorkerCommand>,
}

impl Worker {
    pub fn new(config: WorkerConfig) -> Worker {
        Worker {
            config,
            now: Duration::ZERO,
            units: BTreeMap::new(),
            batches: BTreeMap::new(),
            next: 0,
            heard: BTreeMap::new(),
            refused: BTreeSet::new(),
            pulling: false,
            leaving: false,
            rest_until: None,
            status_at: None,
            done: 0,
            failures: 0,
            out: Vec::new(),
        }
    }

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

    /// Handles an event at a time that never goes back, and returns what is to be
    /// done.
    pub fn handle(&mut self, now: Duration, event: WorkerEvent) -> Vec<WorkerCommand> {
        self.now = now.max(self.now);
        match event {
            WorkerEvent::Tick => self.tick(),
            WorkerEvent::Ticket { token, unit } => self.ticket(token, unit),
            WorkerEvent::NoTicket => self.pulling = false,
            WorkerEvent::Message(message) => self.message(message),
            WorkerEvent::Item {
                unit,
                item,
                text,
                seconds,
            } => self.item(unit, item, text, seconds),
            WorkerEvent::Ended(unit) => {
                self.flush(&unit);
                self.units.remove(&unit);
            }
            WorkerEvent::Unable { unit, why } => {
                self.failures += 1;
                self.units.remove(&unit);
                self.say(&unit.job.clone(), |worker| ToCaller::Unable {
                    worker,
                    unit,
                    why,
                });
            }
            WorkerEvent::Failed { unit, why } => self.fail(&unit, why),
            WorkerEvent::Leave => {
                self.leaving = true;
                for unit in self.units.keys().cloned().collect::<Vec<_>>() {
                    self.abandon(&unit);
                    self.say(&unit.job.clone(), |worker| ToCaller::Returned {
                        worker,
                        unit,
                    });
                }
            }
        }
        self.pull();
        std::mem::take(&mut self.out)
    }

    fn say(&mut self, job: &str, message: impl FnOnce(String) -> ToCaller) {
        self.out.push(WorkerCommand::Send {
            job: job.to_owned(),
            message: message(self.config.worker.clone()),
        });
    }

    fn pull(&mut self) {
        let rests = self.rest_until.is_some_and(|until| self.now < until);
        if !self.leaving && !rests && !self.pulling && self.units.len() < self.config.slots {
            self.pulling = true;
            self.out.push(WorkerCommand::Pull);
        }
    }

    fn ticket(&mut self, token: u64, unit: UnitId) {
        self.pulling = false;
        if self.units.contains_key(&unit) {
            // A second ticket of the same unit.
            return self.out.push(WorkerCommand::Ack(token));
        }
        let at = self.now;
        self.units.insert(
            unit.clone(),
            Held::Claiming {
                token,
                tries: 1,
                at,
            },
        );
        self.say(&unit.job.clone(), |worker| ToCaller::Claim { worker, unit });
    }

    fn message(&mut self, message: ToWorker) {
        match message {
            ToWorker::Go { unit, items, task } => {
                self.hear(&unit.job);
                let now = self.now;
                let Some(held) = self.units.get_mut(&unit) else {
                    return;
                };
                let Held::Claiming { token, .. } = *held else {
                    return;
                };
                *held = Held::Running {
                    since: now,
                    buffer: Buffer::default(),
                };
                self.out.push(WorkerCommand::Ack(token));
                self.out.push(WorkerCommand::Begin { unit, items, task });
            }
            ToWorker::Drop { unit } => {
                self.hear(&unit.job);
                self.abandon(&unit);
            }
            ToWorker::Got { job, batch } => {
                self.hear(&job);
                if self
                    .batches
                    .get(&batch)
                    .is_some_and(|waiting| waiting.job == job)
                {
                    self.batches.remove(&batch);
                }
            }
            ToWorker::Refused { job, why } => {
                self.rest_until = Some(self.now + REST);
                if self.refused.insert(job.clone()) {
                    let line = format!("refused by job {job}: {why}");
                    self.out.push(WorkerCommand::Tell(line));
                }
                self.leave(&job);
            }
        }
    }

    fn hear(&mut self, job: &str) {
        self.heard.insert(job.to_owned(), self.now);
    }

    /// Gives up a unit. What is done of it is sent.
    fn abandon(&mut self, unit: &UnitId) {
        self.flush(unit);
        match self.units.remove(unit) {
            Some(Held::Claiming { token, .. }) => self.out.push(WorkerCommand::Ack(token)),
            Some(Held::Running { .. }) => self.out.push(WorkerCommand::Abandon(unit.clone())),
            None => {}
        }
    }

    /// Gives up everything of a job.
    fn leave(&mut self, job: &str) {
        self.batches.retain(|_, batch| batch.job != job);
        let units = self.units.keys().filter(|unit| unit.job == job);
        for unit in units.cloned().collect::<Vec<_>>() {
            if let Some(Held::Running { buffer, .. }) = self.units.get_mut(&unit) {
                *buffer = Buffer::default();
            }
            self.abandon(&unit);
        }
    }

    fn item(&mut self, unit: UnitId, item: u64, text: String, seconds: f64) {
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

    fn fail(&mut self, unit: &UnitId, why: String) {
        self.failures += 1;
        self.abandon(unit);
        self.say(&unit.job, |worker| ToCaller::Failed {
            worker,
            unit: unit.clone(),
            why,
        });
    }

    /// Sends the results of a unit that wait.
    fn flush(&mut self, unit: &UnitId) {
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

    fn tick(&mut self) {
        self.claim_again();
        self.flush_old();
        self.stop_long();
        self.send_again();
        if self.status_at.is_none_or(|at| self.now - at >= STATUS) {
            self.status_at = Some(self.now);
            let config = &self.config;
            self.out.push(WorkerCommand::Status(WorkerStatus {
                worker: config.worker.clone(),
                version: config.version.clone(),
                signature: config.signature.clone(),
                speed: config.speed,
                slots: config.slots,
                units: self.units.keys().cloned().collect(),
                done: self.done,
                failures: self.failures,
            }));
        }
    }

    fn claim_again(&mut self) {
        let (pause, most) = CLAIM;
        let mut again = Vec::new();
        let mut dead = Vec::new();
        for (unit, held) in &mut self.units {
            if let Held::Claiming { tries, at, .. } = held
                && self.now - *at >= pause
            {
                *tries += 1;
                *at = self.now;
                match *tries > most {
                    true => dead.push(unit.clone()),
                    false => again.push(unit.clone()),
                }
            }
        }
        for unit in again {
            self.say(&unit.job.clone(), |worker| ToCaller::Claim { worker, unit });
        }
        // A caller without an answer is dead, or has a successor with tickets of
        // its own.
        dead.iter().for_each(|unit| self.abandon(unit));
    }

    fn flush_old(&mut self) {
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

    fn stop_long(&mut self) {
        let longest = self.config.longest;
        let long = self.units.iter().filter(
            |(_, held)| matches!(held, Held::Running { since, .. } if self.now - *since > longest),
        );
        for unit in long.map(|(unit, _)| unit.clone()).collect::<Vec<_>>() {
            let why = format!("a unit took longer than {} s", longest.as_secs());
            self.fail(&unit, why);
        }
    }

    fn send_again(&mut self) {
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
