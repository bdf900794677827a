//! Thinking on the opponent's time: the tree of the last move grows on under
//! the move that was played, until the opponent's answer is seen.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use foglight_rules::{Move, Packed};

use super::{BALANCE, MOST_NODES, domain::Fog, place_of};
use crate::solve::growing::{Limits, Solver, run};
use foglight_play::Rng;

/// Nobody thinks longer than this on somebody else's time.
const LONGEST: Duration = Duration::from_secs(600);

/// A search under way while the opponent thinks.
pub struct Pondering {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Solver<Packed>>>,
}

impl Pondering {
    /// Goes on with a tree in which we have played `played`.
    pub fn start(solver: Solver<Packed>, fog: Fog, key: u64, played: Move, rng: Rng) -> Pondering {
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stop);
        let thread = thread::spawn(move || grow_on(solver, fog, key, played, rng, &told));
        Pondering {
            stop,
            thread: Some(thread),
        }
    }

    /// Stops, and gives the tree back. `None` if the search panicked.
    pub fn finish(mut self) -> Option<Solver<Packed>> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take()?.join().ok()
    }
}

impl Drop for Pondering {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A panic there has lost a tree that nobody wants any more.
            let _ = thread.join();
        }
    }
}

/// While it grows, our choice at the root is what was played; afterwards the
/// strategy there is what it was, since what else the opponent thinks possible
/// depends on it.
fn grow_on(
    mut solver: Solver<Packed>,
    mut fog: Fog,
    key: u64,
    played: Move,
    mut rng: Rng,
    stop: &AtomicBool,
) -> Solver<Packed> {
    let Some((set, at)) = place_of(&solver, key, played) else {
        return solver;
    };
    let before = solver.tree.sets.strategy(set).to_vec();
    solver.tree.sets.settle(set, at, true);
    let now = Instant::now();
    let limits = Limits {
        nodes: None,
        until: Some((now, now + LONGEST)),
        stop: &|| stop.load(Ordering::Relaxed),
        grow: 1.0,
        balance: BALANCE,
        most: MOST_NODES / 4,
    };
    run(&mut solver, &mut fog, &mut rng, &limits, 1, |_, _| {});
    solver.tree.sets.fix(set, &before, false);
    solver
}
