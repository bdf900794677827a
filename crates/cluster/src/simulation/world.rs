//! The world around the state machines: time, network, faults, and the journal.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    time::Duration,
};

use foglight_play::{rng::Rng, seeded};
use rand::Rng as _;

use super::stream::{Pull, Stream};
use crate::{
    caller::{Caller, CallerCommand, CallerConfig, CallerEvent},
    protocol::{ToCaller, ToWorker, UnitId, WorkerStatus, encode},
    worker::{Worker, WorkerCommand, WorkerConfig, WorkerEvent},
};

/// What is simulated.
#[derive(Clone)]
pub(super) struct Plan {
    pub(super) seed: u64,
    pub(super) workers: usize,
    pub(super) items: u64,
    /// Faults, spread over the first minutes.
    pub(super) faults: usize,
    pub(super) caller_dies: bool,
    /// Seconds of an item, and those that a unit should take.
    pub(super) seconds: f64,
    pub(super) unit_seconds: f64,
    /// Items that kill the worker that does them.
    pub(super) poison: BTreeSet<u64>,
    /// Whether the first worker returns wrong results.
    pub(super) forger: bool,
    /// The most milliseconds until a killed worker is there again.
    pub(super) restart: u64,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            seed: 0,
            workers: 4,
            items: 100,
            faults: 0,
            caller_dies: false,
            seconds: 1.0,
            unit_seconds: 5.0,
            poison: BTreeSet::new(),
            forger: false,
            restart: 5000,
        }
    }
}

/// The result of an item.
pub(super) fn result(item: u64) -> String {
    format!("result {}", foglight_play::rng::derive(7, item))
}

/// Messages and bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Cost {
    pub(super) to_caller: u64,
    pub(super) to_workers: u64,
    pub(super) statuses: u64,
    pub(super) tickets: u64,
    pub(super) bytes: u64,
}

/// A process, its clock and its connection.
struct Node {
    /// Milliseconds of its clock for one of the world's, and the clock at 0.
    rate: f64,
    offset: f64,
    paused_until: u64,
    cut_until: u64,
}

impl Node {
    fn new(rng: &mut Rng) -> Node {
        Node {
            rate: rng.random_range(0.9..1.1),
            offset: rng.random_range(0.0..1e6),
            paused_until: 0,
            cut_until: 0,
        }
    }

    fn clock(&self, now: u64) -> Duration {
        Duration::from_secs_f64((self.offset + self.rate * now as f64) / 1000.0)
    }
}

struct WorkerNode {
    node: Node,
    instance: u64,
    machine: Option<Worker>,
    running: BTreeMap<UnitId, VecDeque<u64>>,
}

/// Something on its way.
#[derive(Clone)]
enum Event {
    ToCaller(ToCaller),
    Status(WorkerStatus),
    Unpublished(u64, u64),
    ToWorker(usize, u64, ToWorker),
    Ticket(usize, u64, u64, UnitId),
    NoTicket(usize, u64),
    Ack(u64),
    Publish(UnitId),
    Renew(bool),
    Pull(usize, u64),
    ItemDone(usize, u64, UnitId),
    CallerTick(u64),
    WorkerTick(usize, u64),
    Serve,
    Fault,
    StartWorker(usize),
    StartCaller,
}

pub(super) struct World {
    plan: Plan,
    rng: Rng,
    now: u64,
    order: u64,
    queue: BTreeMap<(u64, u64), Event>,
    stream: Stream,
    caller: Option<Caller>,
    caller_node: Node,
    epoch: u64,
    workers: Vec<WorkerNode>,
    over: bool,
    pub(super) journal: BTreeMap<u64, String>,
    pub(super) notices: Vec<String>,
    pub(super) cost: Cost,
    pub(super) faults_done: u64,
    pub(super) done_items: u64,
    pub(super) most_tickets: usize,
    /// A digest of everything that happened.
    pub(super) trace: u64,
}

/// Milliseconds between two ticks of a process.
const TICK: u64 = 250;
/// Simulated milliseconds after which a run has failed.
const LONGEST: u64 = 1_800_000;

impl World {
    pub(super) fn new(plan: Plan) -> World {
        let mut rng = seeded(plan.seed);
        let caller_node = Node::new(&mut rng);
        let workers = (0..plan.workers).map(|_| WorkerNode {
            node: Node::new(&mut rng),
            instance: 0,
            machine: None,
            running: BTreeMap::new(),
        });
        let workers = workers.collect();
        let mut world = World {
            plan,
            rng,
            now: 0,
            order: 0,
            queue: BTreeMap::new(),
            stream: Stream::default(),
            caller: None,
            caller_node,
            epoch: 0,
            workers,
            over: false,
            journal: BTreeMap::new(),
            notices: Vec::new(),
            cost: Cost::default(),
            faults_done: 0,
            done_items: 0,
            most_tickets: 0,
            trace: 0,
        };
        world.stream.renew(true);
        world.later(0, Event::StartCaller);
        for i in 0..world.workers.len() {
            let at = world.rng.random_range(0..3000);
            world.later(at, Event::StartWorker(i));
        }
        for _ in 0..world.plan.faults {
            let at = world.rng.random_range(0..60_000);
            world.later(at, Event::Fault);
        }
        world.later(50, Event::Serve);
        world
    }

    pub(super) fn seconds(&self) -> f64 {
        self.now as f64 / 1000.0
    }

    fn later(&mut self, after: u64, event: Event) {
        self.order += 1;
        self.queue.insert((self.now + after, self.order), event);
    }

    pub(super) fn run(&mut self) {
        while let (false, Some(((at, order), event))) = (self.over, self.queue.pop_first()) {
            let seed = self.plan.seed;
            assert!(at < LONGEST, "seed {seed}: no end, {:?}", self.caller);
            self.now = at;
            self.trace = foglight_play::rng::derive(self.trace, at ^ order << 32);
            self.step(event);
        }
    }

    /// A message through the network, with its duplicates; core messages to or
    /// from a cut process are lost or late.
    fn network(&mut self, cut_until: u64, event: Event) {
        let mut delay = self.rng.random_range(1..40);
        if cut_until > self.now {
            if self.rng.random_bool(0.5) {
                return;
            }
            delay += cut_until - self.now;
        }
        // The client library answers every pull once.
        let pull = matches!(
            event,
            Event::Pull(..) | Event::NoTicket(..) | Event::Ticket(..)
        );
        if !pull && self.plan.faults > 0 && self.rng.random_bool(0.03) {
            let other = self.rng.random_range(1..2000);
            self.later(other, event.clone());
        }
        self.later(delay, event);
    }

    fn step(&mut self, event: Event) {
        match event {
            Event::StartCaller => self.start_caller(),
            Event::StartWorker(i) => self.start_worker(i),
            Event::Fault => self.fault(),
            Event::Serve => self.serve(),
            Event::Publish(unit) => {
                self.cost.tickets += 1;
                let (epoch, number) = (unit.epoch, unit.number);
                if !self.stream.publish(unit) {
                    self.later(100, Event::Unpublished(epoch, number));
                }
                self.most_tickets = self.most_tickets.max(self.stream.len());
            }
            Event::Renew(consumer) => self.stream.renew(consumer),
            Event::Ack(ticket) => self.stream.ack(ticket),
            Event::Pull(worker, instance) => {
                let until = self.now + 3000;
                self.stream.pull(Pull {
                    worker,
                    instance,
                    until,
                });
            }
            Event::ToCaller(message) => self.tell_caller(CallerEvent::Message(message)),
            Event::Status(status) => self.tell_caller(CallerEvent::Status(status)),
            Event::Unpublished(epoch, number) if epoch == self.epoch => {
                self.tell_caller(CallerEvent::Unpublished(number));
            }
            Event::Unpublished(..) => {}
            Event::CallerTick(epoch) => {
                if epoch == self.epoch {
                    self.later(TICK, Event::CallerTick(epoch));
                    self.tell_caller(CallerEvent::Tick);
                }
            }
            Event::ToWorker(i, instance, message) => {
                self.tell_worker(i, instance, WorkerEvent::Message(message));
            }
            Event::Ticket(i, instance, token, unit) => {
                self.tell_worker(i, instance, WorkerEvent::Ticket { token, unit });
            }
            Event::NoTicket(i, instance) => self.tell_worker(i, instance, WorkerEvent::NoTicket),
            Event::WorkerTick(i, instance) => {
                if instance == self.workers[i].instance {
                    self.later(TICK, Event::WorkerTick(i, instance));
                    self.tell_worker(i, instance, WorkerEvent::Tick);
                }
            }
            Event::ItemDone(i, instance, unit) => self.item_done(i, instance, unit),
        }
    }

    fn start_caller(&mut self) {
        self.epoch += 1;
        let config = CallerConfig {
            job: "job".to_owned(),
            epoch: self.epoch,
            version: "1".to_owned(),
            signature: "2".to_owned(),
            task: "task".to_owned(),
            unit_seconds: self.plan.unit_seconds,
            group: 2,
        };
        let left = (0..self.plan.items).filter(|item| !self.journal.contains_key(item));
        self.caller = Some(Caller::new(config, left));
        self.stream.renew(false);
        self.later(0, Event::CallerTick(self.epoch));
    }

    fn start_worker(&mut self, i: usize) {
        let worker = &mut self.workers[i];
        worker.instance += 1;
        worker.running.clear();
        worker.machine = Some(Worker::new(WorkerConfig {
            worker: format!("w{i}-{}", worker.instance),
            version: "1".to_owned(),
            signature: "2".to_owned(),
            speed: 1.0,
            slots: 1,
            longest: Duration::from_secs(3600),
        }));
        let instance = worker.instance;
        self.later(0, Event::WorkerTick(i, instance));
    }

    fn tell_caller(&mut self, event: CallerEvent) {
        let node = &self.caller_node;
        if node.paused_until > self.now {
            let after = node.paused_until - self.now;
            let epoch = self.epoch;
            // A stopped process reads its messages when it goes on.
            match event {
                CallerEvent::Message(message) => self.later(after, Event::ToCaller(message)),
                CallerEvent::Status(status) => self.later(after, Event::Status(status)),
                CallerEvent::Unpublished(number) => {
                    self.later(after, Event::Unpublished(epoch, number));
                }
                _ => {}
            }
            return;
        }
        let mut events = VecDeque::from([event]);
        while let (Some(event), Some(caller)) = (events.pop_front(), &mut self.caller) {
            let commands = caller.handle(self.caller_node.clock(self.now), event);
            for command in commands {
                self.caller_command(command, &mut events);
            }
        }
    }

    fn caller_command(&mut self, command: CallerCommand, events: &mut VecDeque<CallerEvent>) {
        let cut = self.caller_node.cut_until;
        match command {
            CallerCommand::Publish { unit, .. } => match cut > self.now {
                true => self.later(5000, Event::Unpublished(unit.epoch, unit.number)),
                false => self.network(0, Event::Publish(unit)),
            },
            CallerCommand::Renew { consumer } => self.network(cut, Event::Renew(consumer)),
            CallerCommand::Send { worker, message } => {
                self.cost.to_workers += 1;
                self.cost.bytes += encode(&message).len() as u64;
                let (name, instance) = worker.rsplit_once('-').expect("a worker's name");
                let i: usize = name[1..].parse().expect("a number");
                let instance = instance.parse().expect("a number");
                self.network(cut, Event::ToWorker(i, instance, message));
            }
            CallerCommand::Deliver { item, text } => {
                if text != result(item) {
                    let why = "it is different".to_owned();
                    return events.push_back(CallerEvent::Rejected { item, why });
                }
                let before = self.journal.insert(item, text);
                let seed = self.plan.seed;
                assert_eq!(before, None, "seed {seed}: item {item} was counted twice");
                events.push_back(CallerEvent::Counted(item));
            }
            CallerCommand::Tell(notice) => self.notices.push(notice.to_string()),
            CallerCommand::Done => self.over = true,
        }
    }

    fn tell_worker(&mut self, i: usize, instance: u64, event: WorkerEvent) {
        let worker = &mut self.workers[i];
        if worker.instance != instance {
            return;
        }
        if worker.node.paused_until > self.now {
            let after = worker.node.paused_until - self.now;
            match event {
                WorkerEvent::Message(message) => {
                    self.later(after, Event::ToWorker(i, instance, message));
                }
                WorkerEvent::Ticket { token, unit } => {
                    self.later(after, Event::Ticket(i, instance, token, unit));
                }
                WorkerEvent::NoTicket => self.later(after, Event::NoTicket(i, instance)),
                _ => {}
            }
            return;
        }
        let Some(machine) = &mut worker.machine else {
            return;
        };
        let commands = machine.handle(worker.node.clock(self.now), event);
        for command in commands {
            self.worker_command(i, instance, command);
        }
    }

    fn worker_command(&mut self, i: usize, instance: u64, command: WorkerCommand) {
        let cut = self.workers[i].node.cut_until;
        match command {
            WorkerCommand::Pull => match cut > self.now {
                true => self.later(3000, Event::NoTicket(i, instance)),
                false => self.network(0, Event::Pull(i, instance)),
            },
            WorkerCommand::Ack(ticket) => self.network(cut, Event::Ack(ticket)),
            WorkerCommand::Send { message, .. } => {
                let bytes = encode(&message).len();
                self.cost.to_caller += 1;
                self.cost.bytes += bytes as u64;
                self.network(
                    cut.max(self.caller_node.cut_until),
                    Event::ToCaller(message),
                );
            }
            WorkerCommand::Status(status) => {
                self.cost.statuses += 1;
                self.cost.bytes += encode(&status).len() as u64;
                self.network(cut.max(self.caller_node.cut_until), Event::Status(status));
            }
            WorkerCommand::Begin { unit, items, .. } => {
                let items = items.into_iter().flat_map(|(first, end)| first..end);
                self.workers[i]
                    .running
                    .insert(unit.clone(), items.collect());
                self.begin_item(i, instance, unit);
            }
            WorkerCommand::Abandon(unit) => {
                self.workers[i].running.remove(&unit);
            }
            WorkerCommand::Tell(_) => {}
            WorkerCommand::Unwanted(why) => panic!("all builds are the same: {why}"),
        }
    }

    fn begin_item(&mut self, i: usize, instance: u64, unit: UnitId) {
        let mean = 1000.0 * self.plan.seconds;
        let time = (mean * self.rng.random_range(0.1..1.9)) as u64;
        self.later(time.max(1), Event::ItemDone(i, instance, unit));
    }

    fn item_done(&mut self, i: usize, instance: u64, unit: UnitId) {
        let worker = &mut self.workers[i];
        if worker.instance != instance {
            return;
        }
        if worker.node.paused_until > self.now {
            let after = worker.node.paused_until - self.now;
            return self.later(after, Event::ItemDone(i, instance, unit));
        }
        let Some(items) = worker.running.get_mut(&unit) else {
            return;
        };
        let Some(item) = items.pop_front() else {
            worker.running.remove(&unit);
            return self.tell_worker(i, instance, WorkerEvent::Ended(unit));
        };
        if self.plan.poison.contains(&item) {
            return self.kill_worker(i);
        }
        self.done_items += 1;
        let forged = self.plan.forger && i == 0 && self.rng.random_bool(0.2);
        let text = match forged {
            true => "a win for me".to_owned(),
            false => result(item),
        };
        let seconds = self.plan.seconds;
        let event = WorkerEvent::Item {
            unit: unit.clone(),
            item,
            text,
            seconds,
        };
        self.tell_worker(i, instance, event);
        let left = self.workers[i].running.get(&unit);
        match left.map(VecDeque::is_empty) {
            Some(true) => self.later(1, Event::ItemDone(i, instance, unit)),
            Some(false) => self.begin_item(i, instance, unit),
            None => {}
        }
    }

    /// The server hands out tickets and ends pulls.
    fn serve(&mut self) {
        for pull in self.stream.expired(self.now) {
            self.network(0, Event::NoTicket(pull.worker, pull.instance));
        }
        for (pull, ticket, unit) in self.stream.deliver(self.now) {
            self.network(0, Event::Ticket(pull.worker, pull.instance, ticket, unit));
        }
        self.later(50, Event::Serve);
    }

    fn kill_worker(&mut self, i: usize) {
        let worker = &mut self.workers[i];
        worker.machine = None;
        worker.instance += 1;
        worker.running.clear();
        let after = self.rng.random_range(0..self.plan.restart);
        self.later(after, Event::StartWorker(i));
    }

    fn fault(&mut self) {
        self.faults_done += 1;
        let i = self.rng.random_range(0..self.workers.len());
        let until = self.now + self.rng.random_range(1000..40_000);
        match self.rng.random_range(0..10) {
            0..3 => self.kill_worker(i),
            3 => self.workers[i].node.paused_until = until,
            4 => self.workers[i].node.cut_until = until,
            5 => self.caller_node.cut_until = until,
            6 => self.caller_node.paused_until = until,
            7 => match self.rng.random_bool(0.5) {
                true => self.stream.lose(),
                false => self.stream.lose_tail(),
            },
            8 => self.stream.hangs = true,
            _ if self.plan.caller_dies => {
                self.caller = None;
                self.epoch += 1;
                let after = self.rng.random_range(0..20_000);
                self.later(after, Event::StartCaller);
            }
            _ => self.kill_worker(i),
        }
    }
}
