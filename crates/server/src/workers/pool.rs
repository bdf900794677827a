//! A fixed number of worker threads, with lower priority than those that serve
//! requests.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

use tokio::sync::oneshot;

type Job = Box<dyn FnOnce() + Send>;

/// The queue is full, or the job failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the server is busy thinking; try again in a moment")]
pub(crate) struct QueueFull;

/// A thread pool with a bounded queue.
#[derive(Clone)]
pub(crate) struct WorkerPool {
    jobs: mpsc::Sender<Job>,
    waiting: Arc<AtomicUsize>,
    limit: usize,
}

impl WorkerPool {
    /// Starts `threads` threads; more than `limit` waiting jobs are refused.
    pub fn new(name: &str, threads: usize, limit: usize) -> WorkerPool {
        let (jobs, queue) = mpsc::channel::<Job>();
        let queue = Arc::new(Mutex::new(queue));
        for i in 0..threads.max(1) {
            let queue = Arc::clone(&queue);
            let spawned = thread::Builder::new()
                .name(format!("{name} {i}"))
                .stack_size(16 << 20)
                .spawn(move || work(&queue));
            spawned.expect("a thread can be started");
        }
        WorkerPool {
            jobs,
            waiting: Arc::default(),
            limit,
        }
    }

    /// Number of waiting and running jobs.
    pub fn load(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Runs a job in one of the threads.
    pub async fn run<T, F>(&self, job: F) -> Result<T, QueueFull>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= self.limit {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            return Err(QueueFull);
        }
        let (answer, answered) = oneshot::channel();
        let waiting = Arc::clone(&self.waiting);
        let sent = self.jobs.send(Box::new(move || {
            let done = catch_unwind(AssertUnwindSafe(job));
            waiting.fetch_sub(1, Ordering::Relaxed);
            if let Ok(done) = done {
                let _ = answer.send(done); // the caller may have gone
            }
        }));
        sent.map_err(|_| QueueFull)?;
        answered.await.map_err(|_| QueueFull)
    }
}

fn work(queue: &Mutex<mpsc::Receiver<Job>>) {
    lower_priority();
    loop {
        let next = match queue.lock() {
            Ok(queue) => queue.recv(),
            Err(_) => return,
        };
        match next {
            Ok(job) => job(),
            Err(_) => return,
        }
    }
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
    use super::*;

    #[tokio::test]
    async fn a_panic_costs_one_job_and_no_thread() {
        let pool = WorkerPool::new("test", 1, 4);
        let failed = pool.run(|| panic!("on purpose")).await;
        assert_eq!(failed, Err::<(), QueueFull>(QueueFull));
        assert_eq!(pool.run(|| 7).await, Ok(7));
        assert_eq!(pool.load(), 0);
    }

    #[tokio::test]
    async fn a_full_queue_refuses() {
        let pool = WorkerPool::new("test", 1, 0);
        assert_eq!(pool.run(|| 7).await, Err(QueueFull));
    }
}
