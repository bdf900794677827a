//! The queue of a cluster: the caller's state machine at work.

use std::{
    collections::{BTreeMap, VecDeque},
    error::Error,
    ops::ControlFlow,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use foglight_arena::queue::{RemoteWork, WorkEvent, WorkQueue};
use futures_util::StreamExt as _;
use tokio::{
    runtime::Runtime,
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
};

use super::{
    connection::{ClusterError, Connection},
    store::FullTask,
    stream::Published,
};
use crate::{
    caller::{Caller, CallerCommand, CallerConfig, CallerEvent, CallerFigures, Notice},
    protocol::{CallerStatus, WORKERS, caller_status, decode, encode, to_caller, to_worker},
};

/// Time between two ticks of the state machine.
const TICK: Duration = Duration::from_millis(200);
/// Time between two statuses.
const STATUS: Duration = Duration::from_secs(2);
/// Notices that a status shows.
const NOTICES: usize = 3;
/// Results that wait to be replayed; beyond that no more are sampled.
const AUDITS: usize = 8;

/// What tells a build and its machine.
#[derive(Clone, Debug)]
pub struct Identity {
    pub version: String,
    /// Signature of `foglight bench`.
    pub signature: String,
    /// Work of `foglight bench` per second.
    pub speed: f64,
}

/// Options of a caller.
pub struct QueueOptions {
    /// What people see in `foglight cluster`.
    pub title: String,
    pub identity: Identity,
    /// Files that the work names.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Seconds that a unit should take.
    pub unit_seconds: f64,
    /// Share of the results that are replayed.
    pub audit: f64,
}

/// A queue whose items are done by workers of a cluster.
pub struct ClusterQueue {
    runtime: Runtime,
    connection: Connection,
    options: QueueOptions,
    standing: std::sync::Arc<Mutex<String>>,
    tell: Box<dyn Fn(&Notice) + Send + Sync>,
    trouble: Mutex<Vec<Notice>>,
}

/// What the connection passes to the caller's thread.
enum Input {
    Deliver { item: u64, text: String },
    Tell(Notice),
    Fatal(ClusterError),
    Done,
}

impl ClusterQueue {
    /// Connects and checks that the server can keep the work; `tell` is for what
    /// a person should know.
    pub fn open(
        url: &str,
        options: QueueOptions,
        tell: impl Fn(&Notice) + Send + Sync + 'static,
    ) -> Result<ClusterQueue, ClusterError> {
        let runtime = super::runtime();
        let connection = runtime.block_on(async {
            let connection = Connection::open(url, "foglight match").await?;
            connection.renew(&options.identity.signature, false).await?;
            Ok(connection)
        })?;
        Ok(ClusterQueue {
            runtime,
            connection,
            options,
            standing: std::sync::Arc::default(),
            tell: Box::new(tell),
            trouble: Mutex::default(),
        })
    }

    /// Statistics to be shown in `foglight cluster`.
    pub fn set_standing(&self, text: String) {
        *self.standing.lock().expect("writing a text does not panic") = text;
    }

    /// Work that is missing or not to be believed, in sentences.
    pub fn trouble(&self) -> Vec<String> {
        let trouble = self.trouble.lock().expect("a list of notices");
        trouble.iter().map(Notice::to_string).collect()
    }

    fn notice(&self, notice: Notice) {
        (self.tell)(&notice);
        if matches!(notice, Notice::Forged { .. } | Notice::SetAside { .. }) {
            self.trouble.lock().expect("a list of notices").push(notice);
        }
    }

    /// Checks and counts what comes in until the caller's state machine is done.
    fn pass_on<W: RemoteWork>(
        &self,
        work: &W,
        inputs: &mpsc::Receiver<Input>,
        audits: &mut Audits<W::Output>,
        intake: &mut Intake<'_, W::Output>,
        stopped: &dyn Fn() -> bool,
    ) -> Result<(), ClusterError> {
        let tools = work.tools();
        loop {
            if stopped() {
                intake.stop();
            }
            for (item, output, same) in audits.replayed.try_iter() {
                match same {
                    true => intake.accept(item, output),
                    false => {
                        let why = "a replay has other moves".to_owned();
                        intake.tell(CallerEvent::Rejected { item, why });
                    }
                }
            }
            match inputs.recv_timeout(TICK / 4) {
                Ok(Input::Deliver { item, text }) => match work.decode(&tools, item, &text) {
                    Ok(output) => {
                        if let Some(output) = audits.take(item, output) {
                            intake.accept(item, output);
                        }
                    }
                    Err(why) => intake.tell(CallerEvent::Rejected { item, why }),
                },
                Ok(Input::Tell(notice)) => self.notice(notice),
                Ok(Input::Fatal(error)) => return Err(error),
                Ok(Input::Done) | Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(()),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Stores the task and starts the caller's state machine.
    fn start<W: RemoteWork>(
        &self,
        work: &W,
        items: &mut (dyn Iterator<Item = u64> + Send),
    ) -> Result<(UnboundedSender<CallerEvent>, mpsc::Receiver<Input>), ClusterError> {
        let identity = &self.options.identity;
        let full = FullTask {
            task: work.task(),
            files: self.options.files.clone(),
            speed: identity.speed,
        };
        let task = self.runtime.block_on(self.connection.put_task(&full))?;
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
        let config = CallerConfig {
            job: full.job(&identity.signature),
            epoch: since_1970.map_or(0, |time| time.as_micros() as u64),
            version: identity.version.clone(),
            signature: identity.signature.clone(),
            task,
            unit_seconds: self.options.unit_seconds,
            group: work.group(),
        };
        let (events, from_caller) = unbounded_channel();
        let (to_caller, inputs) = mpsc::channel();
        let driver = Driver {
            connection: self.connection.clone(),
            caller: Caller::new(config.clone(), items),
            config,
            full,
            title: self.options.title.clone(),
            standing: self.standing.clone(),
            to_caller,
            events: events.clone(),
            notices: VecDeque::new(),
            began: Instant::now(),
        };
        self.runtime.spawn(driver.run(from_caller));
        Ok((events, inputs))
    }
}

/// Results that are replayed on a thread of their own.
struct Audits<T> {
    share: f64,
    /// Unpredictable for workers.
    state: u64,
    to_replay: mpsc::SyncSender<(u64, T)>,
    replayed: mpsc::Receiver<(u64, T, bool)>,
}

impl<T> Audits<T> {
    fn sample(&mut self) -> bool {
        self.state = foglight_play::rng::derive(self.state, 1);
        let mark = (self.state >> 11) as f64 / (1u64 << 53) as f64;
        mark < self.share
    }

    /// Takes a result to be replayed, or returns it.
    fn take(&mut self, item: u64, output: T) -> Option<T> {
        if !self.sample() {
            return Some(output);
        }
        match self.to_replay.try_send((item, output)) {
            Ok(()) => None,
            Err(mpsc::TrySendError::Full((_, output)))
            | Err(mpsc::TrySendError::Disconnected((_, output))) => Some(output),
        }
    }
}

/// Passes results on, on the caller's thread.
struct Intake<'a, T> {
    events: UnboundedSender<CallerEvent>,
    take: &'a mut dyn FnMut(WorkEvent<T>) -> ControlFlow<()>,
    stopping: bool,
}

impl<T> Intake<'_, T> {
    fn tell(&self, event: CallerEvent) {
        // Without a driver the end follows.
        let _ = self.events.send(event);
    }

    fn stop(&mut self) {
        if !self.stopping {
            self.stopping = true;
            self.tell(CallerEvent::Stop);
        }
    }

    fn accept(&mut self, item: u64, output: T) {
        if self.stopping {
            return;
        }
        let started = (self.take)(WorkEvent::Started(item));
        if started.is_break() || (self.take)(WorkEvent::Finished(item, output)).is_break() {
            return self.stop();
        }
        self.tell(CallerEvent::Counted(item));
    }
}

impl<W: RemoteWork> WorkQueue<W> for ClusterQueue {
    type Error = ClusterError;

    fn run(
        &self,
        work: &W,
        items: &mut (dyn Iterator<Item = u64> + Send),
        stopped: &(dyn Fn() -> bool + Sync),
        take: &mut dyn FnMut(WorkEvent<W::Output>) -> ControlFlow<()>,
    ) -> Result<(), ClusterError> {
        let (events, inputs) = self.start(work, items)?;
        let mut intake = Intake {
            events,
            take,
            stopping: false,
        };
        let over = AtomicBool::new(false);
        let halted = || stopped() || over.load(Ordering::Relaxed);
        thread::scope(|scope| {
            let (to_replay, to_check) = mpsc::sync_channel::<(u64, W::Output)>(AUDITS);
            let (checked, replayed) = mpsc::channel();
            let halted = &halted;
            scope.spawn(move || replay(work, to_check, &checked, halted));
            let mut audits = Audits {
                share: match work.repeats() {
                    true => self.options.audit,
                    false => 0.0,
                },
                state: secret(),
                to_replay,
                replayed,
            };
            let ended = self.pass_on(work, &inputs, &mut audits, &mut intake, stopped);
            over.store(true, Ordering::Relaxed);
            ended
        })
    }
}

/// Does the items of sampled results again.
fn replay<W: RemoteWork>(
    work: &W,
    to_check: mpsc::Receiver<(u64, W::Output)>,
    checked: &mpsc::Sender<(u64, W::Output, bool)>,
    halted: &dyn Fn() -> bool,
) {
    let mut tools = work.tools();
    for (item, output) in to_check {
        let again = work.do_item(item, &mut tools, halted);
        let same = again.is_none_or(|again| work.same(&output, &again));
        if checked.send((item, output, same)).is_err() {
            return;
        }
    }
}

/// A number that workers cannot guess.
fn secret() -> u64 {
    use std::hash::{BuildHasher as _, Hasher as _, RandomState};
    RandomState::new().build_hasher().finish()
}

/// The state machine between connection and caller.
struct Driver {
    connection: Connection,
    caller: Caller,
    config: CallerConfig,
    full: FullTask,
    title: String,
    standing: std::sync::Arc<Mutex<String>>,
    to_caller: mpsc::Sender<Input>,
    /// For what happens to commands.
    events: UnboundedSender<CallerEvent>,
    /// The last ones.
    notices: VecDeque<String>,
    began: Instant,
}

impl Driver {
    async fn run(mut self, mut events: UnboundedReceiver<CallerEvent>) {
        if let Err(error) = self.work(&mut events).await {
            let _ = self.to_caller.send(Input::Fatal(ClusterError::Server {
                server: "connection".to_owned(),
                why: error.to_string(),
            }));
        }
    }

    async fn work(
        &mut self,
        events: &mut UnboundedReceiver<CallerEvent>,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let client = self.connection.client.clone();
        let mut mail = client.subscribe(to_caller(&self.config.job)).await?;
        let mut statuses = client.subscribe(WORKERS).await?;
        let mut callers = client.subscribe(caller_status(&self.config.job)).await?;
        let mut tick = tokio::time::interval(TICK);
        let mut status = tokio::time::interval(STATUS);
        let mut up = true;
        loop {
            if let Some(news) = self.connection.news(&mut up) {
                self.to_caller.send(Input::Tell(Notice::Connection(news)))?;
            }
            let event = tokio::select! {
                Some(event) = events.recv() => event,
                message = mail.next() => {
                    let message = message.ok_or("the connection is closed")?;
                    let Some(message) = decode(&message.payload) else { continue };
                    CallerEvent::Message(message)
                }
                message = statuses.next() => {
                    let message = message.ok_or("the connection is closed")?;
                    let Some(status) = decode(&message.payload) else { continue };
                    CallerEvent::Status(status)
                }
                Some(message) = callers.next() => {
                    if let Some(error) = self.twin(&message.payload) {
                        self.to_caller.send(Input::Fatal(error))?;
                        return Ok(());
                    }
                    continue;
                }
                _ = tick.tick() => CallerEvent::Tick,
                _ = status.tick() => {
                    self.publish_status(false).await?;
                    continue;
                }
            };
            for command in self.caller.handle(self.began.elapsed(), event) {
                if self.execute(command).await?.is_break() {
                    return Ok(());
                }
            }
        }
    }

    /// The error if an older process has the same job: each would make the
    /// workers drop the units of the other.
    fn twin(&self, status: &[u8]) -> Option<ClusterError> {
        let status: CallerStatus = decode(status)?;
        let older = status.epoch < self.config.epoch && !status.over;
        older.then(|| ClusterError::Twin(self.title.clone()))
    }

    async fn execute(
        &mut self,
        command: CallerCommand,
    ) -> Result<ControlFlow<()>, Box<dyn Error + Send + Sync>> {
        let (connection, events) = (self.connection.clone(), self.events.clone());
        let signature = self.config.signature.clone();
        match command {
            CallerCommand::Publish { unit, attempt } => {
                let to_caller = self.to_caller.clone();
                tokio::spawn(async move {
                    let published = connection.publish_ticket(&signature, &unit, attempt).await;
                    match published {
                        Published::Stored => {}
                        Published::Failed => {
                            let _ = events.send(CallerEvent::Unpublished(unit.number));
                        }
                        Published::Full(error) => {
                            let _ = to_caller.send(Input::Fatal(error));
                        }
                    }
                });
            }
            CallerCommand::Renew { consumer } => {
                let full = self.full.clone();
                // What cannot be renewed now is renewed at the next turn.
                tokio::spawn(async move {
                    let _ = connection.renew(&signature, consumer).await;
                    let _ = connection.put_task(&full).await;
                });
            }
            CallerCommand::Send { worker, message } => {
                let subject = to_worker(&worker);
                self.connection
                    .client
                    .publish(subject, encode(&message).into())
                    .await?;
            }
            CallerCommand::Deliver { item, text } => {
                self.to_caller.send(Input::Deliver { item, text })?;
            }
            CallerCommand::Tell(notice) => {
                self.notices.push_back(notice.to_string());
                while self.notices.len() > NOTICES {
                    self.notices.pop_front();
                }
                self.to_caller.send(Input::Tell(notice))?;
            }
            CallerCommand::Done => {
                self.publish_status(true).await?;
                self.connection.purge(&signature, &self.config.job).await;
                self.connection.client.flush().await?;
                self.to_caller.send(Input::Done)?;
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    async fn publish_status(&self, over: bool) -> Result<(), async_nats::PublishError> {
        let CallerFigures {
            done,
            total,
            workers,
            lost,
            set_aside,
        } = self.caller.figures();
        let hours = self.began.elapsed().as_secs_f64() / 3600.0;
        let status = CallerStatus {
            job: self.config.job.clone(),
            epoch: self.config.epoch,
            title: self.title.clone(),
            done,
            total,
            standing: self.standing.lock().expect("a text").clone(),
            per_hour: done as f64 / hours.max(1e-9),
            workers,
            lost,
            set_aside,
            notices: self.notices.iter().cloned().collect(),
            over,
        };
        let subject = caller_status(&self.config.job);
        let client = &self.connection.client;
        client.publish(subject, encode(&status).into()).await
    }
}
