//! Solving on this thread while other threads expand.
//!
//! Leaves travel to a worker and their successors back in batches. A worker has
//! more leaves than it can expand during one iteration, so that it need not wait
//! for its end. Each worker has channels of its own; nothing is shared by all but
//! a flag that is set once.

use std::{
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, Sender, TryRecvError, channel},
    },
    thread,
};

use rand::Rng;

use super::SolveLimits;
use crate::{
    game::{ExtensiveGame, Successor},
    solver::Solver,
    tree::NodeKind,
};

/// Leaves of a worker: at least this many, so that it does not wait for leaves
/// where iterations are short.
const MIN_UNDER_WAY: u64 = 32;
/// At most this many, so that leaves are selected by recent strategies.
const MAX_UNDER_WAY: u64 = 512;
/// Descents without a leaf, beyond those with one, after which no more are made.
const MISSES: usize = 4;
/// Attempts to receive a batch before a worker sleeps, about 20 microseconds.
const SPINS: usize = 1_000;

/// Leaves to expand, then their successors too. The buffers are used again.
struct Batch<S> {
    jobs: Vec<Job<S>>,
    /// For each expanded job, in order, the end of its successors.
    ends: Vec<usize>,
    successors: Vec<Successor<S>>,
}

struct Job<S> {
    leaf: u32,
    depth: u32,
    state: S,
}

/// A worker thread, seen from the solver's.
struct Worker<S> {
    jobs: Sender<Batch<S>>,
    done: Receiver<Batch<S>>,
    /// Leaves that have not come back.
    under_way: usize,
    /// Empty batches.
    spare: Vec<Batch<S>>,
}

pub(super) fn run<G: ExtensiveGame + Clone>(
    solver: &mut Solver<G::State>,
    game: &mut G,
    rng: &mut impl Rng,
    limits: &SolveLimits,
    mut time_used: impl FnMut() -> f64,
    mut on_round: impl FnMut(&Solver<G::State>, f64),
) {
    let before = solver.tree.len() as u64;
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let start = |_| {
            let ((jobs, work), (results, done)) = (channel(), channel());
            let (game, over) = (game.clone(), &over);
            scope.spawn(move || expand_batches(game, &work, &results, over));
            Worker {
                jobs,
                done,
                under_way: 0,
                spare: Vec::new(),
            }
        };
        let mut workers: Vec<Worker<G::State>> = (1..limits.threads).map(start).collect();
        let (mut settled, mut used) = (0.0, 0.0);
        loop {
            workers.iter_mut().for_each(|worker| worker.collect(solver));
            if used < limits.grow && solver.tree.len() < limits.max_nodes {
                let most = 2 * solver.visited / limits.balance;
                let most = most.clamp(MIN_UNDER_WAY, MAX_UNDER_WAY) as usize;
                for worker in &mut workers {
                    worker.send(solver, rng, most);
                }
            }
            solver.iterate();
            let made = solver.tree.len() as u64 - before;
            used = limits.used(made, settled, time_used());
            on_round(solver, used);
            if used >= 1.0 {
                break;
            }
            // Also charged when no leaf is left to expand; otherwise the run
            // would never end.
            if workers.iter().all(|worker| worker.under_way == 0) {
                settled += limits.charge(solver.visited);
            }
        }
        over.store(true, Ordering::Relaxed);
        for worker in workers {
            worker.finish(solver);
        }
    });
}

/// Expands batches until there will be no more. Once `over` is set, leaves are
/// returned without successors.
fn expand_batches<G: ExtensiveGame>(
    mut game: G,
    jobs: &Receiver<Batch<G::State>>,
    done: &Sender<Batch<G::State>>,
    over: &AtomicBool,
) {
    while let Some(mut batch) = receive(jobs) {
        for job in &batch.jobs {
            if over.load(Ordering::Relaxed) {
                break;
            }
            game.expand(&job.state, job.depth, &mut batch.successors);
            batch.ends.push(batch.successors.len());
        }
        if done.send(batch).is_err() {
            return;
        }
    }
}

/// The next message; `None` if there will be none. Waking a thread takes longer
/// than most waits last, so that it first tries for a while.
fn receive<T>(from: &Receiver<T>) -> Option<T> {
    for _ in 0..SPINS {
        match from.try_recv() {
            Ok(message) => return Some(message),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => std::hint::spin_loop(),
        }
    }
    from.recv().ok()
}

impl<S: Clone> Worker<S> {
    /// Attaches what has come back.
    fn collect(&mut self, solver: &mut Solver<S>) {
        while let Ok(batch) = self.done.try_recv() {
            self.under_way -= batch.jobs.len();
            self.spare.push(batch.attach(solver));
        }
    }

    /// Sends new leaves, as far as some are found, until `most` are under way.
    fn send(&mut self, solver: &mut Solver<S>, rng: &mut impl Rng, most: usize) {
        let room = most.saturating_sub(self.under_way);
        let mut batch = self.spare.pop().unwrap_or_else(Batch::new);
        batch.fill(solver, rng, room);
        if batch.jobs.is_empty() {
            self.spare.push(batch);
            return;
        }
        self.under_way += batch.jobs.len();
        self.jobs.send(batch).expect("a worker ends after its jobs");
    }

    /// Ends the worker and attaches what it had finished.
    fn finish(self, solver: &mut Solver<S>) {
        drop(self.jobs);
        while let Ok(batch) = self.done.recv() {
            batch.attach(solver);
        }
    }
}

impl<S: Clone> Batch<S> {
    fn new() -> Batch<S> {
        Batch {
            jobs: Vec::new(),
            ends: Vec::new(),
            successors: Vec::new(),
        }
    }

    /// Selects up to this many leaves; fewer if most descents end at none.
    fn fill(&mut self, solver: &mut Solver<S>, rng: &mut impl Rng, leaves: usize) {
        let mut misses = 0;
        while self.jobs.len() < leaves && misses < MISSES + self.jobs.len() {
            let Some(leaf) = solver.select_leaf(rng) else {
                misses += 1;
                continue;
            };
            solver.tree.nodes[leaf as usize].kind = NodeKind::Pending;
            let cold = &solver.tree.cold[leaf as usize];
            self.jobs.push(Job {
                leaf,
                depth: u32::from(cold.depth),
                state: cold.state.clone(),
            });
        }
    }

    /// Attaches the successors of the expanded leaves; the others can be selected
    /// again. Returns the empty batch.
    fn attach(mut self, solver: &mut Solver<S>) -> Batch<S> {
        let mut first = 0;
        for (i, job) in self.jobs.iter().enumerate() {
            match self.ends.get(i) {
                Some(&end) => {
                    solver.attach(job.leaf, &self.successors[first..end]);
                    first = end;
                }
                None => solver.tree.nodes[job.leaf as usize].kind = NodeKind::Leaf,
            }
        }
        self.jobs.clear();
        self.ends.clear();
        self.successors.clear();
        self
    }
}
