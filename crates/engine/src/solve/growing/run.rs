//! Growing and solving at once, within limits: interleaved on one thread, or
//! with the expensive part of an expansion on others.

use std::{
    sync::mpsc::{Receiver, Sender, channel},
    thread,
    time::Instant,
};

use super::{
    game::{Child, Growing},
    solver::Solver,
    tree::Kind,
};
use foglight_play::Rng;

/// When to stop.
pub struct Limits<'a> {
    /// New nodes.
    pub nodes: Option<u64>,
    /// When the search began, and when it must end.
    pub until: Option<(Instant, Instant)>,
    /// Asked now and then: has somebody told us to stop?
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Share of the limit after which nothing is expanded any more.
    pub grow: f64,
    /// Nodes that a solver visits in the time of one expansion: balances the
    /// two on one thread, by counting and not by the clock.
    pub balance: u64,
    /// The most nodes that a tree may have.
    pub most: usize,
}

/// How far along a search is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spent {
    /// Share of the limit that is used up.
    pub share: f64,
}

impl Limits<'_> {
    fn share(&self, made: u64, settled: u64) -> f64 {
        if (self.stop)() {
            return 1.0;
        }
        let nodes = self
            .nodes
            .map_or(0.0, |limit| (made + settled) as f64 / limit.max(1) as f64);
        let time = self.until.map_or(0.0, |(began, until)| {
            let whole = (until - began).as_secs_f64();
            began.elapsed().as_secs_f64() / whole.max(1e-9)
        });
        nodes.max(time)
    }
}

/// Grows and solves until a limit is reached. `watch` is called after every
/// round with the share of the limit that is used up.
pub fn run<G: Growing + Clone>(
    solver: &mut Solver<G::State>,
    game: &mut G,
    rng: &mut Rng,
    limits: &Limits<'_>,
    threads: usize,
    mut watch: impl FnMut(&Solver<G::State>, Spent),
) {
    if threads > 1 {
        return run_apart(solver, game, rng, limits, threads - 1, watch);
    }
    let before = solver.tree.len() as u64;
    let mut settled = 0.0;
    let mut children = Vec::new();
    loop {
        solver.iterate();
        let made = solver.tree.len() as u64 - before;
        let share = limits.share(made, settled as u64);
        watch(solver, Spent { share });
        if share >= 1.0 {
            return;
        }
        let full = solver.tree.len() >= limits.most;
        let mut grown = 0;
        if share < limits.grow && !full {
            let rounds = solver.visited.div_ceil(limits.balance).max(1);
            for _ in 0..2 * rounds {
                grown += u64::from(grow(solver, game, rng, &mut children));
                if grown >= rounds {
                    break;
                }
            }
        }
        if grown == 0 {
            // Solving alone: charged as if nodes had been made meanwhile.
            settled += (30 * solver.visited) as f64 / limits.balance as f64;
        }
    }
}

/// One expansion; false if the walk found nothing to expand.
pub fn grow<G: Growing>(
    solver: &mut Solver<G::State>,
    game: &mut G,
    rng: &mut Rng,
    children: &mut Vec<Child<G::State>>,
) -> bool {
    let Some(leaf) = solver.pick(rng) else {
        return false;
    };
    expand(solver, game, leaf, children);
    true
}

/// Expands a leaf.
pub fn expand<G: Growing>(
    solver: &mut Solver<G::State>,
    game: &mut G,
    leaf: u32,
    children: &mut Vec<Child<G::State>>,
) {
    children.clear();
    let rest = &solver.tree.rest[leaf as usize];
    game.expand(&rest.state, u32::from(rest.depth), children);
    hang(solver, leaf, children);
}

/// Hangs children under their leaf.
fn hang<S: Clone>(solver: &mut Solver<S>, leaf: u32, children: &[Child<S>]) {
    if children.is_empty() {
        solver.tree.nodes[leaf as usize].kind = Kind::End;
        return;
    }
    let born = solver.iterations;
    solver.tree.attach(leaf, children, born);
    solver.expansions += 1;
}

/// A leaf on its way to a worker.
struct Job<S> {
    leaf: u32,
    depth: u32,
    state: S,
}

/// Leaves under way at once, for each worker: enough to keep it busy while the
/// solver makes a round.
const UNDER_WAY: usize = 24;

/// The solver on this thread, the expansions on `workers` others.
fn run_apart<G: Growing + Clone>(
    solver: &mut Solver<G::State>,
    game: &mut G,
    rng: &mut Rng,
    limits: &Limits<'_>,
    workers: usize,
    mut watch: impl FnMut(&Solver<G::State>, Spent),
) {
    let before = solver.tree.len() as u64;
    thread::scope(|scope| {
        let (done, results) = channel();
        let lines: Vec<Sender<Job<G::State>>> = (0..workers)
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
            let share = limits.share(made, settled as u64);
            watch(solver, Spent { share });
            if share >= 1.0 {
                break;
            }
            if share < limits.grow && solver.tree.len() < limits.most {
                flight.send(solver, rng);
            } else if flight.under_way == 0 {
                settled += (30 * solver.visited) as f64 / limits.balance as f64;
            }
        }
        flight.lines.clear();
        while let Ok((leaf, children)) = results.recv() {
            hang(solver, leaf, &children);
        }
    });
}

fn work<G: Growing>(
    mut game: G,
    jobs: &Receiver<Job<G::State>>,
    done: &Sender<(u32, Vec<Child<G::State>>)>,
) {
    while let Ok(job) = jobs.recv() {
        let mut children = Vec::new();
        game.expand(&job.state, job.depth, &mut children);
        if done.send((job.leaf, children)).is_err() {
            return;
        }
    }
}

/// The leaves under way.
struct Flight<S> {
    lines: Vec<Sender<Job<S>>>,
    next: usize,
    under_way: usize,
}

impl<S: Clone> Flight<S> {
    fn collect(&mut self, solver: &mut Solver<S>, results: &Receiver<(u32, Vec<Child<S>>)>) {
        while let Ok((leaf, children)) = results.try_recv() {
            self.under_way -= 1;
            hang(solver, leaf, &children);
        }
    }

    fn send(&mut self, solver: &mut Solver<S>, rng: &mut Rng) {
        let room = (UNDER_WAY * self.lines.len()).saturating_sub(self.under_way);
        for _ in 0..2 * room {
            if self.under_way >= UNDER_WAY * self.lines.len() {
                return;
            }
            let Some(leaf) = solver.pick(rng) else {
                continue;
            };
            solver.tree.nodes[leaf as usize].kind = Kind::Pending;
            let rest = &solver.tree.rest[leaf as usize];
            let job = Job {
                leaf,
                depth: u32::from(rest.depth),
                state: rest.state.clone(),
            };
            self.next = (self.next + 1) % self.lines.len();
            if self.lines[self.next].send(job).is_ok() {
                self.under_way += 1;
            }
        }
    }
}
