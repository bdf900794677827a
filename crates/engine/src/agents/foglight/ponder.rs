//! Thinking on the opponent's time: the tree of the last move grows on under
//! the move that was played, until the opponent's answer is seen.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use foglight_rules::{Move, Packed};
use foglight_solver::{SolveLimits, Solver, run};

use super::{BALANCE, MOST_NODES, domain::Fog, place_of, time_used};
use foglight_play::{Rng, Timer};

/// Nobody thinks longer than this on somebody else's time.
const LONGEST: Duration = Duration::from_secs(600);

/// A search under way while the opponent thinks.
pub struct Pondering {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Solver<Packed>>>,
}

impl Pondering {
    /// Goes on with a tree in which we have played `played`.
    pub fn start(
        solver: Solver<Packed>,
        fog: Fog,
        key: u64,
        played: Move,
        rng: Rng,
        timer: Timer,
    ) -> Pondering {
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stop);
        let thread = thread::spawn(move || grow_on(solver, fog, key, played, rng, timer, &told));
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
    timer: Timer,
    stop: &AtomicBool,
) -> Solver<Packed> {
    let Some((infoset, at)) = place_of(&solver, key, played) else {
        return solver;
    };
    let before = solver.tree.infosets.strategy(infoset).to_vec();
    solver.tree.infosets.set_pure_strategy(infoset, at, true);
    let limits = SolveLimits {
        nodes: None,
        grow: 1.0,
        balance: BALANCE,
        max_nodes: MOST_NODES / 4,
        threads: 1,
    };
    let used = || time_used(&timer, Some(LONGEST), stop.load(Ordering::Relaxed));
    run(&mut solver, &mut fog, &mut rng, &limits, used, |_, _| {});
    let infosets = &mut solver.tree.infosets;
    infosets.set_strategy(infoset, &before, false);
    solver
}
