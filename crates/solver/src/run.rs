//! Growing and solving within limits: interleaved on one thread, or with the
//! expansions on other threads.

use std::{
    sync::mpsc::{Receiver, Sender, channel},
    thread,
};

use rand::Rng;

use crate::{
    game::{ExtensiveGame, Successor},
    solver::Solver,
    tree::NodeKind,
};

/// Limits of a run, and the division of its work.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SolveLimits {
    /// Maximum new nodes. On one thread a node budget is exactly reproducible.
    pub nodes: Option<u64>,
    /// Share of the limit after which no node is expanded.
    pub grow: f64,
    /// Nodes that the solver visits in the time of one expansion. Balances the
    /// two on one thread by counting, independent of the clock.
    pub balance: u64,
    /// Maximum number of nodes in the tree.
    pub max_nodes: usize,
    /// Number of threads: one solves and the others, if any, expand.
    pub threads: usize,
}

impl Default for SolveLimits {
    fn default() -> SolveLimits {
        SolveLimits {
            nodes: None,
            grow: 0.85,
            balance: 5_000,
            max_nodes: 4_000_000,
            threads: 1,
        }
    }
}

impl SolveLimits {
    /// A limit of `nodes` new nodes, on one thread.
    pub fn nodes(nodes: u64) -> SolveLimits {
        SolveLimits {
            nodes: Some(nodes),
            ..SolveLimits::default()
        }
    }

    /// Used share of the limit. Iterations without expansions are charged as
    /// `settled` nodes.
    fn used(&self, made: u64, settled: f64, time_used: f64) -> f64 {
        let nodes = self.nodes.map_or(0.0, |limit| {
            (made + settled as u64) as f64 / limit.max(1) as f64
        });
        nodes.max(time_used)
    }

    /// The charge in nodes for an iteration without expansions.
    fn charge(&self, visited: u64) -> f64 {
        (30 * visited) as f64 / self.balance as f64
    }
}

/// Grows and solves until a limit is reached.
///
/// After every iteration `time_used` returns the used share of the caller's own
/// limit, such as a clock; 1 ends the run, so a stop flag returns 1. If it always
/// returns 0, only [`SolveLimits::nodes`] ends the run. Then `on_round` is called
/// with the share of the nearer limit.
pub fn run<G: ExtensiveGame + Clone>(
    solver: &mut Solver<G::State>,
    game: &mut G,
    rng: &mut impl Rng,
    limits: &SolveLimits,
    mut time_used: impl FnMut() -> f64,
    mut on_round: impl FnMut(&Solver<G::State>, f64),
) {
    if limits.threads > 1 {
        return run_apart(solver, game, rng, limits, time_used, on_round);
    }
    let before = solver.tree.len() as u64;
    let mut settled = 0.0;
    loop {
        solver.iterate();
        let made = solver.tree.len() as u64 - before;
        let used = limits.used(made, settled, time_used());
        on_round(solver, used);
        if used >= 1.0 {
            return;
        }
        let full = solver.tree.len() >= limits.max_nodes;
        let mut grown = 0;
        if used < limits.grow && !full {
            let rounds = solver.visited.div_ceil(limits.balance).max(1);
            for _ in 0..2 * rounds {
                grown += u64::from(solver.grow(game, rng));
                if grown >= rounds {
                    break;
                }
            }
        }
        if grown == 0 {
            settled += limits.charge(solver.visited);
        }
    }
}

/// A leaf sent to a worker.
struct Job<S> {
    leaf: u32,
    depth: u32,
    state: S,
}

/// A leaf and its successors from a worker.
type Expanded<S> = (u32, Vec<Successor<S>>);

/// Leaves in flight per worker: enough to occupy it during one iteration of the
/// solver.
const UNDER_WAY: usize = 24;

/// Solves on this thread and expands on the others.
fn run_apart<G: ExtensiveGame + Clone>(
    solver: &mut Solver<G::State>,
    game: &mut G,
    rng: &mut impl Rng,
    limits: &SolveLimits,
    mut time_used: impl FnMut() -> f64,
    mut on_round: impl FnMut(&Solver<G::State>, f64),
) {
    let before = solver.tree.len() as u64;
    thread::scope(|scope| {
        let (done, results) = channel();
        let lines: Vec<Sender<Job<G::State>>> = (1..limits.threads)
            .map(|_| {
                let (line, jobs) = channel();
                let (game, done) = (game.clone(), done.clone());
                scope.spawn(move || work(game, &jobs, &done));
                line
            })
            .collect();
        drop(done);
        let mut flight = Flight {
            lines,
            next: 0,
            under_way: 0,
        };
        let mut settled = 0.0;
        loop {
            flight.collect(solver, &results);
            solver.iterate();
            let made = solver.tree.len() as u64 - before;
            let used = limits.used(made, settled, time_used());
            on_round(solver, used);
            if used >= 1.0 {
                break;
            }
            if used < limits.grow && solver.tree.len() < limits.max_nodes {
                flight.send(solver, rng);
            }
            // Also charged when no leaf is left to expand; otherwise the run
            // would never end.
            if flight.under_way == 0 {
                settled += limits.charge(solver.visited);
            }
        }
        flight.lines.clear();
        while let Ok((leaf, successors)) = results.recv() {
            solver.attach(leaf, &successors);
        }
    });
}

fn work<G: ExtensiveGame>(
    mut game: G,
    jobs: &Receiver<Job<G::State>>,
    done: &Sender<Expanded<G::State>>,
) {
    while let Ok(job) = jobs.recv() {
        let mut successors = Vec::new();
        game.expand(&job.state, job.depth, &mut successors);
        if done.send((job.leaf, successors)).is_err() {
            return;
        }
    }
}

/// Leaves in flight to the workers.
struct Flight<S> {
    lines: Vec<Sender<Job<S>>>,
    next: usize,
    under_way: usize,
}

impl<S: Clone> Flight<S> {
    fn collect(&mut self, solver: &mut Solver<S>, results: &Receiver<Expanded<S>>) {
        while let Ok((leaf, successors)) = results.try_recv() {
            self.under_way -= 1;
            solver.attach(leaf, &successors);
        }
    }

    fn send(&mut self, solver: &mut Solver<S>, rng: &mut impl Rng) {
        let room = (UNDER_WAY * self.lines.len()).saturating_sub(self.under_way);
        for _ in 0..2 * room {
            if self.under_way >= UNDER_WAY * self.lines.len() {
                return;
            }
            let Some(leaf) = solver.select_leaf(rng) else {
                continue;
            };
            solver.tree.nodes[leaf as usize].kind = NodeKind::Pending;
            let cold = &solver.tree.cold[leaf as usize];
            let job = Job {
                leaf,
                depth: u32::from(cold.depth),
                state: cold.state.clone(),
            };
            self.next = (self.next + 1) % self.lines.len();
            if self.lines[self.next].send(job).is_ok() {
                self.under_way += 1;
            }
        }
    }
}
