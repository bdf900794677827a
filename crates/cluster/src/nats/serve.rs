//! A worker: its state machine at work.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use async_nats::jetstream::consumer::PullConsumer;
use foglight_arena::queue::RemoteJob;
use futures_util::StreamExt as _;
use tokio::sync::mpsc::{self, Receiver, Sender};

use super::{
    connection::{ClusterError, Connection},
    queue::Identity,
    store::FullTask,
    stream::Ticket,
};
use crate::{
    protocol::{UnitId, decode, encode, to_caller, to_worker, worker_status},
    worker::{Worker, WorkerCommand, WorkerConfig, WorkerEvent},
};

/// Time between two ticks of the state machine.
const TICK: Duration = Duration::from_millis(200);
/// Pause after a failed pull.
const PAUSE: Duration = Duration::from_secs(1);
/// Time for the last results after a worker was told to stop.
const FAREWELL: Duration = Duration::from_secs(5);
/// Results that wait to be sent; beyond that the work pauses.
const AHEAD: usize = 64;
/// Opened tasks that are remembered.
const OPENED: usize = 4;

/// Opens tasks of whatever kind.
pub trait OpenJob: Send + Sync {
    /// The error says what a worker lacks or does not allow.
    fn open(&self, task: &FullTask) -> Result<Arc<dyn RemoteJob>, String>;
}

/// Options of a worker.
pub struct ServeOptions {
    /// Name of the worker, of letters, digits and underscores.
    pub name: String,
    pub identity: Identity,
    /// Items at a time.
    pub slots: usize,
    /// The longest time of a unit.
    pub longest: Duration,
}

/// Works until `stop`; `tell` gets lines for the person who runs the worker.
pub fn serve(
    url: &str,
    options: &ServeOptions,
    opener: Arc<dyn OpenJob>,
    stop: &AtomicBool,
    tell: &dyn Fn(&str),
) -> Result<(), ClusterError> {
    let runtime = super::runtime();
    let worked = runtime.block_on(async {
        let connection = Connection::open(url, "foglight worker").await?;
        connection.renew(&options.identity.signature, false).await?;
        let process = std::process::id();
        let worker = format!("{}-{process:x}{:x}", options.name, now_micros());
        tell(&format!("worker {worker} waits for work"));
        let (events, inputs) = mpsc::channel(AHEAD);
        let machine = Worker::new(WorkerConfig {
            worker: worker.clone(),
            version: options.identity.version.clone(),
            signature: options.identity.signature.clone(),
            speed: options.identity.speed,
            slots: options.slots,
            longest: options.longest,
        });
        let driver = Driver {
            puller: Arc::new(Puller {
                connection: connection.clone(),
                signature: options.identity.signature.clone(),
                consumer: tokio::sync::Mutex::new(None),
            }),
            connection,
            machine,
            worker,
            events,
            tickets: BTreeMap::new(),
            running: BTreeMap::new(),
            jobs: Arc::new(Jobs {
                opener,
                opened: tokio::sync::Mutex::default(),
            }),
            began: Instant::now(),
            tell,
        };
        driver.run(inputs, stop).await
    });
    // Items that do not stop are not waited for.
    runtime.shutdown_background();
    worked
}

fn now_micros() -> u128 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |time| time.as_micros())
}

/// What tasks of a worker report.
enum Report {
    Event(WorkerEvent),
    Ticket(Box<Ticket>),
}

struct Driver<'a> {
    connection: Connection,
    machine: Worker,
    worker: String,
    events: Sender<Report>,
    puller: Arc<Puller>,
    /// Tickets that are not acknowledged, by token.
    tickets: BTreeMap<u64, Box<Ticket>>,
    running: BTreeMap<UnitId, Arc<AtomicBool>>,
    jobs: Arc<Jobs>,
    began: Instant,
    tell: &'a dyn Fn(&str),
}

impl Driver<'_> {
    async fn run(
        mut self,
        mut inputs: Receiver<Report>,
        stop: &AtomicBool,
    ) -> Result<(), ClusterError> {
        let connection = self.connection.clone();
        let closed = || connection.failed("the connection is closed");
        let mail = to_worker(&self.worker);
        let mut mail = connection
            .client
            .subscribe(mail)
            .await
            .map_err(|error| connection.failed(error))?;
        let mut tick = tokio::time::interval(TICK);
        let mut token = 0;
        let mut leaving: Option<Instant> = None;
        let mut up = true;
        loop {
            let congested = self.machine.is_congested();
            let event = tokio::select! {
                message = mail.next() => {
                    let message = message.ok_or_else(closed)?;
                    let Some(message) = decode(&message.payload) else { continue };
                    WorkerEvent::Message(message)
                }
                Some(report) = inputs.recv(), if !congested => match report {
                    Report::Event(event) => event,
                    Report::Ticket(ticket) => {
                        token += 1;
                        let unit = ticket.unit.clone();
                        self.tickets.insert(token, ticket);
                        WorkerEvent::Ticket { token, unit }
                    }
                },
                _ = tick.tick() => WorkerEvent::Tick,
            };
            self.handle(event).await?;
            if let Some(news) = connection.news(&mut up) {
                (self.tell)(&news);
            }
            if stop.load(Ordering::Relaxed) && leaving.is_none() {
                leaving = Some(Instant::now());
                self.handle(WorkerEvent::Leave).await?;
            }
            if leaving.is_some_and(|since| self.machine.is_settled() || since.elapsed() > FAREWELL)
            {
                // The caller finds out by itself what is missing.
                let _ = connection.client.flush().await;
                return Ok(());
            }
        }
    }

    async fn handle(&mut self, event: WorkerEvent) -> Result<(), ClusterError> {
        for command in self.machine.handle(self.began.elapsed(), event) {
            self.execute(command).await?;
        }
        Ok(())
    }

    async fn publish(&self, subject: String, message: Vec<u8>) -> Result<(), ClusterError> {
        let published = self.connection.client.publish(subject, message.into());
        published
            .await
            .map_err(|error| self.connection.failed(error))
    }

    async fn execute(&mut self, command: WorkerCommand) -> Result<(), ClusterError> {
        match command {
            WorkerCommand::Pull => {
                let (puller, events) = (self.puller.clone(), self.events.clone());
                tokio::spawn(async move {
                    let report = match puller.pull().await {
                        Some(ticket) => Report::Ticket(Box::new(ticket)),
                        None => Report::Event(WorkerEvent::NoTicket),
                    };
                    // Without a driver nobody waits for it.
                    let _ = events.send(report).await;
                });
            }
            WorkerCommand::Ack(token) => {
                if let Some(ticket) = self.tickets.remove(&token) {
                    ticket.ack().await;
                }
            }
            WorkerCommand::Send { job, message } => {
                self.publish(to_caller(&job), encode(&message)).await?;
            }
            WorkerCommand::Status(status) => {
                let subject = worker_status(&self.worker);
                self.publish(subject, encode(&status)).await?;
            }
            WorkerCommand::Begin { unit, items, task } => self.begin(unit, items, task),
            WorkerCommand::Abandon(unit) => {
                if let Some(stop) = self.running.remove(&unit) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            WorkerCommand::Tell(line) => (self.tell)(&line),
            WorkerCommand::Unwanted(why) => return Err(ClusterError::Build(why)),
        }
        self.running.retain(|_, stop| Arc::strong_count(stop) > 1);
        Ok(())
    }

    /// Starts a unit on a thread of its own, after its task was loaded.
    fn begin(&mut self, unit: UnitId, items: Vec<(u64, u64)>, task: String) {
        let stop = Arc::new(AtomicBool::new(false));
        self.running.insert(unit.clone(), stop.clone());
        let (connection, jobs, events) = (
            self.connection.clone(),
            self.jobs.clone(),
            self.events.clone(),
        );
        tokio::spawn(async move {
            match jobs.open(&connection, &task).await {
                Err(why) => {
                    let event = WorkerEvent::Unable { unit, why };
                    // Without a driver nobody waits for it.
                    let _ = events.send(Report::Event(event)).await;
                }
                Ok(job) => {
                    thread::spawn(move || {
                        let worked = catch_unwind(AssertUnwindSafe(|| {
                            work(job.as_ref(), &unit, &items, &stop, &events);
                        }));
                        let event = match worked {
                            Ok(()) => WorkerEvent::Ended(unit),
                            Err(_) => WorkerEvent::Failed {
                                unit,
                                why: "the work panicked".to_owned(),
                            },
                        };
                        let _ = events.blocking_send(Report::Event(event));
                    });
                }
            }
        });
    }
}

/// Does the items of a unit, in their order.
fn work(
    job: &dyn RemoteJob,
    unit: &UnitId,
    items: &[(u64, u64)],
    stop: &AtomicBool,
    events: &Sender<Report>,
) {
    let mut hand = job.hand();
    for item in items.iter().flat_map(|&(first, end)| first..end) {
        let start = Instant::now();
        let Some(text) = hand(item, &|| stop.load(Ordering::Relaxed)) else {
            return;
        };
        let event = WorkerEvent::Item {
            unit: unit.clone(),
            item,
            text,
            seconds: start.elapsed().as_secs_f64(),
        };
        let sent = events.blocking_send(Report::Event(event));
        if sent.is_err() || stop.load(Ordering::Relaxed) {
            return;
        }
    }
}

/// Takes tickets off the stream.
struct Puller {
    connection: Connection,
    signature: String,
    consumer: tokio::sync::Mutex<Option<PullConsumer>>,
}

impl Puller {
    /// A ticket; `None` if there is none for a while, or the stream has to be
    /// created anew.
    async fn pull(&self) -> Option<Ticket> {
        let mut consumer = self.consumer.lock().await;
        if consumer.is_none() {
            match self.connection.consumer(&self.signature).await {
                Ok(new) => *consumer = Some(new),
                Err(_) => {
                    tokio::time::sleep(PAUSE).await;
                    return None;
                }
            }
        }
        match Ticket::pull(consumer.as_ref()?).await {
            Ok(ticket) => ticket,
            Err(_) => {
                *consumer = None;
                tokio::time::sleep(PAUSE).await;
                None
            }
        }
    }
}

/// Opened tasks, the last one first.
struct Jobs {
    opener: Arc<dyn OpenJob>,
    opened: tokio::sync::Mutex<Vec<(String, Arc<dyn RemoteJob>)>>,
}

impl Jobs {
    async fn open(
        &self,
        connection: &Connection,
        task: &str,
    ) -> Result<Arc<dyn RemoteJob>, String> {
        let mut opened = self.opened.lock().await;
        if let Some((_, job)) = opened.iter().find(|(name, _)| name == task) {
            return Ok(job.clone());
        }
        let full = connection.get_task(task).await.map_err(|e| e.to_string())?;
        let opener = self.opener.clone();
        let job = tokio::task::spawn_blocking(move || opener.open(&full)).await;
        let job = job.map_err(|_| "opening the task panicked".to_owned())??;
        opened.insert(0, (task.to_owned(), job.clone()));
        opened.truncate(OPENED);
        Ok(job)
    }
}
