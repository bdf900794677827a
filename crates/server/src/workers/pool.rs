//! Worker threads for agents and analyses. As many run at a time as there are
//! processors; they take turns, and a [`FairQueue`] says whose is next.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

use super::{
    fair::{FairQueue, Payer, Share},
    turn::{self, Turn},
};

/// Reasons why a job has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum JobError {
    /// The payer has too many requests waiting.
    #[error(
        "{REQUESTS} of your requests wait for the processor already; \
         expected you to wait for one of them"
    )]
    Yours,
    /// All payers together have.
    #[error("the server is busy thinking; try again in a moment")]
    Full,
    #[error("the work failed")]
    Panicked,
}

/// What a job is for. Requests are refused if too many wait; work of games is
/// bounded by the number of games, and never refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Work {
    Game,
    Request,
}

/// Requests of one payer that may wait or run, and of all payers.
const REQUESTS: usize = 8;
const ALL_REQUESTS: usize = 256;
/// Threads that may exist: those with a turn and those between two turns.
const MAX_THREADS: usize = 256;
/// Jobs of one payer that may be between two turns.
const STARTED: usize = 16;
/// Length of a turn, if others wait.
const SLICE: Duration = Duration::from_millis(20);

/// A pool of worker threads.
#[derive(Clone)]
pub(crate) struct WorkerPool(Arc<Shared>);

pub(super) struct Shared {
    state: Mutex<State>,
    /// Threads without a job.
    idle: Condvar,
}

struct State {
    queue: FairQueue<Waiting>,
    /// Turns that nobody has.
    free: usize,
    /// Jobs with a turn that no thread has picked up yet.
    ready: Vec<(Share, Job)>,
    threads: usize,
    idle: usize,
    requests: Vec<Payer>,
    /// Arrivals so far.
    number: u64,
}

enum Waiting {
    /// A job that has not begun, and its number in order of arrival.
    New(u64, Job),
    /// A thread between two turns.
    Begun(Arc<Seat>),
}

impl Waiting {
    fn arrived(&self) -> Option<u64> {
        match self {
            Waiting::New(number, _) => Some(*number),
            Waiting::Begun(_) => None,
        }
    }
}

struct Job {
    run: Box<dyn FnOnce() + Send>,
    stop: Arc<AtomicBool>,
}

/// Where a thread waits for its next turn.
#[derive(Default)]
pub(super) struct Seat {
    called: Mutex<bool>,
    news: Condvar,
}

/// Ends the job when the future that waits for it is dropped.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Frees a request's place however it ends.
struct Admission(Option<(Arc<Shared>, Payer)>);

impl Drop for Admission {
    fn drop(&mut self) {
        if let Some((shared, payer)) = self.0.take() {
            let requests = &mut shared.state().requests;
            if let Some(at) = requests.iter().position(|known| *known == payer) {
                requests.swap_remove(at);
            }
        }
    }
}

impl WorkerPool {
    /// A pool in which `processors` jobs run at a time.
    pub fn new(processors: usize) -> WorkerPool {
        WorkerPool(Arc::new(Shared {
            state: Mutex::new(State {
                queue: FairQueue::default(),
                free: processors.max(1),
                ready: Vec::new(),
                threads: 0,
                idle: 0,
                requests: Vec::new(),
                number: 0,
            }),
            idle: Condvar::new(),
        }))
    }

    /// Runs a job when its turn comes. The job gets a flag that is set when
    /// nobody waits for the result any more; one that has not begun is dropped.
    pub async fn run<T, F>(&self, share: &Share, work: Work, job: F) -> Result<T, JobError>
    where
        T: Send + 'static,
        F: FnOnce(&Arc<AtomicBool>) -> T + Send + 'static,
    {
        let admission = self.admit(&share.payer, work)?;
        let (answer, answered) = oneshot::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stop);
        let job = Job {
            run: Box::new(move || {
                let _admission = admission;
                if let Ok(done) = catch_unwind(AssertUnwindSafe(|| job(&told))) {
                    let _ = answer.send(done); // the caller may have gone
                }
            }),
            stop: Arc::clone(&stop),
        };
        let _stop = StopOnDrop(stop);
        self.0.submit(share, job);
        answered.await.map_err(|_| JobError::Panicked)
    }

    fn admit(&self, payer: &Payer, work: Work) -> Result<Admission, JobError> {
        if work == Work::Game {
            return Ok(Admission(None));
        }
        let requests = &mut self.0.state().requests;
        if requests.iter().filter(|known| *known == payer).count() >= REQUESTS {
            return Err(JobError::Yours);
        }
        if requests.len() >= ALL_REQUESTS {
            return Err(JobError::Full);
        }
        requests.push(payer.clone());
        Ok(Admission(Some((Arc::clone(&self.0), payer.clone()))))
    }

    /// Number of jobs that arrived earlier than the first waiting one of a
    /// share, and wait too; `None` if the share has none waiting. Counted by
    /// arrival, it tells nothing about the share's own use.
    pub fn place(&self, share: &Share) -> Option<usize> {
        let state = self.0.state();
        let own = state.queue.first(share)?.arrived()?;
        let others = state.queue.items().filter_map(Waiting::arrived);
        Some(others.filter(|other| *other < own).count())
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic holds it")
    }

    fn submit(self: &Arc<Shared>, share: &Share, job: Job) {
        let mut state = self.state();
        state.number += 1;
        let new = Waiting::New(state.number, job);
        state.queue.push(share, new);
        self.hand_out(&mut state);
    }

    /// Gives the free turns to the next in the queue.
    fn hand_out(self: &Arc<Shared>, state: &mut State) {
        while state.free > 0 {
            let room = state.threads < MAX_THREADS || state.idle > state.ready.len();
            let next = state.queue.pop(|waiting, started| match waiting {
                Waiting::New(..) => room && started < STARTED,
                Waiting::Begun(_) => true,
            });
            match next {
                None => return,
                Some((_, Waiting::Begun(seat))) => seat.call(),
                Some((share, Waiting::New(_, job))) => {
                    state.queue.start(&share.payer);
                    state.ready.push((share, job));
                    self.wake(state);
                }
            }
            state.free -= 1;
        }
    }

    fn wake(self: &Arc<Shared>, state: &mut State) {
        if state.idle >= state.ready.len() {
            self.idle.notify_one();
            return;
        }
        state.threads += 1;
        let shared = Arc::clone(self);
        let spawned = thread::Builder::new()
            .name("worker".to_owned())
            .stack_size(16 << 20)
            .spawn(move || shared.work());
        spawned.expect("a thread can be started");
    }

    fn work(self: Arc<Shared>) {
        lower_priority();
        let mut state = self.state();
        loop {
            let Some((share, job)) = state.ready.pop() else {
                if state.idle >= state.free.max(4) {
                    state.threads -= 1;
                    return; // enough threads wait for work
                }
                state.idle += 1;
                state = self.idle.wait(state).expect("no panic holds it");
                state.idle -= 1;
                continue;
            };
            drop(state);
            turn::begin(Turn::new(Arc::clone(&self), share));
            match job.stop.load(Ordering::Relaxed) {
                true => drop(job), // nobody waits for it any more
                false => (job.run)(),
            }
            let (share, used) = turn::end().expect("this thread had a turn");
            state = self.state();
            state.queue.charge(&share, used);
            state.queue.finish(&share.payer);
            state.free += 1;
            self.hand_out(&mut state);
        }
    }

    /// Ends a turn that has lasted long enough if others wait, and waits for
    /// the next.
    pub(super) fn yield_turn(self: &Arc<Shared>, share: &Share, seat: &Arc<Seat>, used: Duration) {
        let mut state = self.state();
        state.queue.charge(share, used);
        if state.queue.is_empty() {
            return;
        }
        let begun = Waiting::Begun(Arc::clone(seat));
        state.queue.push_front(share, begun);
        state.free += 1;
        self.hand_out(&mut state);
        drop(state);
        seat.wait();
    }
}

impl Seat {
    fn call(&self) {
        *self.called.lock().expect("no panic holds it") = true;
        self.news.notify_one();
    }

    fn wait(&self) {
        let mut called = self.called.lock().expect("no panic holds it");
        while !std::mem::take(&mut *called) {
            called = self.news.wait(called).expect("no panic holds it");
        }
    }
}

/// Whether a turn that began then has lasted long enough.
pub(super) fn is_over(began: Instant) -> bool {
    began.elapsed() >= SLICE
}

/// Gives serving threads precedence over agents: on Linux each thread has its
/// own priority; elsewhere this does nothing.
#[cfg(target_os = "linux")]
fn lower_priority() {
    const NICE: i32 = 10;
    // Without permission the thread runs at normal priority.
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICE);
}

#[cfg(not(target_os = "linux"))]
fn lower_priority() {}

#[cfg(test)]
mod tests {
    use std::{net::IpAddr, sync::atomic::AtomicUsize};

    use super::*;
    use crate::{domain::Network, workers::turn::pause};

    fn share(last: u8, game: u64) -> Share {
        let payer = Payer::Network(Network::from(IpAddr::from([127, 0, 0, last])));
        Share { payer, game }
    }

    /// Computes until told to stop, and lets others run in between.
    fn compute(stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) {
            pause();
        }
    }

    #[tokio::test]
    async fn a_panic_costs_one_job_and_no_thread() {
        let pool = WorkerPool::new(1);
        let one = share(1, 1);
        let failed = pool.run(&one, Work::Game, |_| panic!("on purpose")).await;
        assert_eq!(failed, Err::<(), JobError>(JobError::Panicked));
        assert_eq!(pool.run(&share(1, 1), Work::Game, |_| 7).await, Ok(7));
    }

    /// Endless work of one client delays another by a few turns at most.
    #[tokio::test]
    async fn endless_work_stops_nobody_else() {
        let pool = WorkerPool::new(1);
        let mut endless = Vec::new();
        for game in 0..50 {
            let pool = pool.clone();
            let work = async move {
                pool.run(&share(1, game), Work::Game, |stop| compute(stop))
                    .await
            };
            endless.push(tokio::spawn(work));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        for _ in 0..5 {
            let asked = Instant::now();
            assert_eq!(pool.run(&share(2, 1), Work::Game, |_| 7).await, Ok(7));
            assert!(
                asked.elapsed() < Duration::from_secs(2),
                "{:?}",
                asked.elapsed()
            );
        }
        endless.iter().for_each(|work| work.abort());
        let all = pool.run(&share(1, 99), Work::Game, |_| 7).await;
        assert_eq!(all, Ok(7), "who nobody waits for has ended");
    }

    #[tokio::test]
    async fn no_more_run_at_a_time_than_there_are_processors() {
        let pool = WorkerPool::new(2);
        let running = Arc::new(AtomicUsize::new(0));
        let most = Arc::new(AtomicUsize::new(0));
        let mut jobs = Vec::new();
        for game in 0..20 {
            let (pool, running, most) = (pool.clone(), Arc::clone(&running), Arc::clone(&most));
            jobs.push(tokio::spawn(async move {
                let work = move |_: &Arc<AtomicBool>| {
                    let began = Instant::now();
                    while began.elapsed() < Duration::from_millis(60) {
                        let now = running.fetch_add(1, Ordering::SeqCst) + 1;
                        most.fetch_max(now, Ordering::SeqCst);
                        thread::sleep(Duration::from_millis(2));
                        running.fetch_sub(1, Ordering::SeqCst);
                        pause();
                    }
                };
                pool.run(&share(1, game), Work::Game, work).await
            }));
        }
        for job in jobs {
            assert_eq!(job.await.expect("no panic"), Ok(()));
        }
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn the_requests_of_one_client_are_bounded_and_its_games_are_not() {
        let pool = WorkerPool::new(1);
        let mut waiting = Vec::new();
        for _ in 0..REQUESTS {
            let pool = pool.clone();
            let work = async move {
                pool.run(&share(1, 0), Work::Request, |stop| compute(stop))
                    .await
            };
            waiting.push(tokio::spawn(work));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        let one_more = pool.run(&share(1, 0), Work::Request, |_| 7).await;
        assert_eq!(one_more, Err(JobError::Yours));
        assert_eq!(pool.run(&share(1, 5), Work::Game, |_| 7).await, Ok(7));
        assert_eq!(pool.run(&share(2, 0), Work::Request, |_| 7).await, Ok(7));
        waiting.iter().for_each(|work| work.abort());
        for _ in 0..1000 {
            if pool.run(&share(1, 0), Work::Request, |_| 7).await == Ok(7) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("cancelled requests still count");
    }
}
