//! The worker's side as a state machine without clock and network.

mod results;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use self::results::{Batch, Buffer};
use crate::protocol::{ToCaller, ToWorker, UnitId, WorkerStatus};

/// Pause between two attempts to claim a unit, and their number.
const CLAIM: (Duration, u32) = (Duration::from_secs(2), 5);
/// Time between two statuses.
const STATUS: Duration = Duration::from_secs(2);
/// Time for which a worker that no caller wants for its build waits for another.
const UNWANTED: Duration = Duration::from_secs(10);
/// Time without new units after a refusal, so that others get them.
const REST: Duration = Duration::from_secs(10);

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
    /// No caller wants this build.
    Unwanted(String),
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
    /// Since when and why its build is refused; none once it had work.
    unwanted: Option<(Duration, String)>,
    worked: bool,
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
            unwanted: None,
            worked: false,
            status_at: None,
            done: 0,
            failures: 0,
            out: Vec::new(),
        }
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
                (self.worked, self.unwanted) = (true, None);
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
            ToWorker::Wait { job } => self.hear(&job),
            ToWorker::Refused { job, why, build } => {
                self.rest_until = Some(self.now + REST);
                if build && !self.worked {
                    self.unwanted.get_or_insert((self.now, why.clone()));
                }
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

    fn fail(&mut self, unit: &UnitId, why: String) {
        self.failures += 1;
        self.abandon(unit);
        self.say(&unit.job, |worker| ToCaller::Failed {
            worker,
            unit: unit.clone(),
            why,
        });
    }

    fn tick(&mut self) {
        self.claim_again();
        self.flush_old();
        self.stop_long();
        self.send_again();
        if let Some((since, why)) = &self.unwanted
            && self.now - *since >= UNWANTED
        {
            self.out.push(WorkerCommand::Unwanted(why.clone()));
        }
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worker() -> Worker {
        Worker::new(WorkerConfig {
            worker: "w-1".to_owned(),
            version: "1".to_owned(),
            signature: "2".to_owned(),
            speed: 1.0,
            slots: 1,
            longest: Duration::from_secs(60),
        })
    }

    fn unit() -> UnitId {
        UnitId {
            job: "job".to_owned(),
            epoch: 1,
            number: 0,
        }
    }

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// A worker that has just begun a unit of ten items.
    fn busy() -> Worker {
        let mut worker = worker();
        let (unit, task) = (unit(), "task".to_owned());
        let ticket = WorkerEvent::Ticket {
            token: 7,
            unit: unit.clone(),
        };
        worker.handle(seconds(0), ticket);
        let items = vec![(0, 10)];
        let go = WorkerEvent::Message(ToWorker::Go { unit, items, task });
        let begun = worker.handle(seconds(1), go);
        assert!(begun.contains(&WorkerCommand::Ack(7)), "{begun:?}");
        worker
    }

    fn failure(commands: &[WorkerCommand]) -> Option<&str> {
        commands.iter().find_map(|command| match command {
            WorkerCommand::Send {
                message: ToCaller::Failed { why, .. },
                ..
            } => Some(why.as_str()),
            _ => None,
        })
    }

    #[test]
    fn a_unit_has_a_limit_in_time() {
        let mut worker = busy();
        let commands = worker.handle(seconds(61), WorkerEvent::Tick);
        assert_eq!(failure(&commands), None);
        let commands = worker.handle(seconds(62), WorkerEvent::Tick);
        assert_eq!(failure(&commands), Some("a unit took longer than 60 s"));
        assert!(commands.contains(&WorkerCommand::Abandon(unit())));
    }

    #[test]
    fn a_result_has_a_limit_in_size() {
        let mut worker = busy();
        let item = |bytes| WorkerEvent::Item {
            unit: unit(),
            item: 0,
            text: "x".repeat(bytes),
            seconds: 1.0,
        };
        assert_eq!(failure(&worker.handle(seconds(2), item(480 << 10))), None);
        let commands = worker.handle(seconds(3), item((480 << 10) + 1));
        let why = failure(&commands).expect("a failure");
        assert!(why.contains("expected at most 491520"), "{why}");
    }

    /// What is not acknowledged is bounded, and sent again until it is.
    #[test]
    fn results_are_kept_until_they_are_in_the_journal() {
        let mut worker = busy();
        for number in 0..9 {
            let item = WorkerEvent::Item {
                unit: unit(),
                item: number,
                text: "x".repeat(470 << 10),
                seconds: 1.0,
            };
            worker.handle(seconds(2), item);
        }
        assert!(worker.is_congested());
        let again = worker.handle(seconds(8), WorkerEvent::Tick);
        let sent = again.iter().filter(|command| {
            matches!(
                command,
                WorkerCommand::Send {
                    message: ToCaller::Results { .. },
                    ..
                }
            )
        });
        assert_eq!(sent.count(), 9);
        for batch in 0..9 {
            let job = "job".to_owned();
            let got = WorkerEvent::Message(ToWorker::Got { job, batch });
            worker.handle(seconds(9), got);
        }
        assert!(worker.is_settled() && !worker.is_congested());
    }

    #[test]
    fn a_build_that_nobody_wants_ends() {
        let refused = || {
            WorkerEvent::Message(ToWorker::Refused {
                job: "job".to_owned(),
                why: "version 1; expected 2".to_owned(),
                build: true,
            })
        };
        let ends = |worker: &mut Worker, at| {
            let commands = worker.handle(seconds(at), WorkerEvent::Tick);
            let unwanted = |command: &WorkerCommand| matches!(command, WorkerCommand::Unwanted(_));
            commands.iter().any(unwanted)
        };
        let mut idle = worker();
        idle.handle(seconds(0), refused());
        assert!(!ends(&mut idle, 9) && ends(&mut idle, 10));
        // One that others of its build need stays.
        let mut busy = busy();
        busy.handle(seconds(2), refused());
        assert!(!ends(&mut busy, 20));
    }
}
