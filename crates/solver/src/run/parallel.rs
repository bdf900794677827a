//! Solving on this thread while others expand.
//!
//! Leaves travel to a worker and their successors back in small batches. A worker
//! always has more leaves than it expands until this thread looks again. This
//! thread expands as well while the workers make fewer expansions for an iteration
//! than a run on one thread. Each worker has channels of its own; nothing is shared
//! by all but a flag that is set once.

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

/// Leaves of a batch: so few that they are soon back in the tree.
const BATCH: usize = 4;
/// Leaves that a worker has at least, so that it does not wait for leaves where
/// iterations are short.
const MIN_UNDER_WAY: usize = 2 * BATCH;
/// At most this many, so that leaves are selected by recent strategies.
const MAX_UNDER_WAY: usize = 512;
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
    /// Leaves that it should have.
    wanted: usize,
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
            Worker::new(jobs, done)
        };
        let mut workers: Vec<Worker<G::State>> = (1..limits.threads).map(start).collect();
        let mut settled = 0.0;
        loop {
            solver.iterate();
            let made = solver.tree.len() as u64 - before;
            let used = limits.used(made, settled, time_used());
            on_round(solver, used);
            if used >= 1.0 {
                break;
            }
            let growing = used < limits.grow && solver.tree.len() < limits.max_nodes;
            let expanded = solver.expansions();
            workers.iter_mut().for_each(|worker| worker.pace(solver));
            if growing {
                let due = solver.visited.div_ceil(limits.balance).max(1);
                grow(&mut workers, solver, game, rng, expanded + due);
            }
            let grown = solver.expansions() - expanded;
            // Also charged when no leaf is left to expand; otherwise the run
            // would never end.
            if grown == 0 && workers.iter().all(|worker| worker.under_way == 0) {
                settled += limits.charge(solver.visited);
            }
        }
        over.store(true, Ordering::Relaxed);
        for worker in workers {
            worker.finish(solver);
        }
    });
}

/// Keeps the workers busy and expands leaves too, until there are this many
/// expansions: as many as on one thread, whoever makes them.
fn grow<G: ExtensiveGame>(
    workers: &mut [Worker<G::State>],
    solver: &mut Solver<G::State>,
    game: &mut G,
    rng: &mut impl Rng,
    until: u64,
) {
    let mut tries = 2 * until.saturating_sub(solver.expansions());
    loop {
        for worker in &mut *workers {
            worker.collect(solver);
            worker.send(solver, rng);
        }
        if tries == 0 || solver.expansions() >= until {
            return;
        }
        tries -= 1;
        solver.grow(game, rng);
    }
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
    fn new(jobs: Sender<Batch<S>>, done: Receiver<Batch<S>>) -> Worker<S> {
        Worker {
            jobs,
            done,
            under_way: 0,
            wanted: MIN_UNDER_WAY,
            spare: Vec::new(),
        }
    }

    /// After an iteration: attaches what has come back, and decides by its number
    /// how many leaves the worker needs during the next one.
    fn pace(&mut self, solver: &mut Solver<S>) {
        let returned = self.collect(solver);
        self.wanted = (MIN_UNDER_WAY + 2 * returned).min(MAX_UNDER_WAY);
    }

    /// Attaches what has come back; returns the number of leaves.
    fn collect(&mut self, solver: &mut Solver<S>) -> usize {
        let before = self.under_way;
        while let Ok(batch) = self.done.try_recv() {
            self.under_way -= batch.jobs.len();
            self.spare.push(batch.attach(solver));
        }
        before - self.under_way
    }

    /// Sends new leaves, as far as some are found.
    fn send(&mut self, solver: &mut Solver<S>, rng: &mut impl Rng) {
        while self.under_way + BATCH <= self.wanted {
            let mut batch = self.spare.pop().unwrap_or_else(Batch::new);
            batch.fill(solver, rng, BATCH);
            let leaves = batch.jobs.len();
            if leaves == 0 {
                self.spare.push(batch);
                return;
            }
            self.under_way += leaves;
            self.jobs.send(batch).expect("a worker ends after its jobs");
        }
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
