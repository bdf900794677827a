//! Pondering: the tree of the last search is expanded below the played move until
//! the opponent's reply is observed.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use foglight_rules::{Move, PackedPosition};
use foglight_solver::{SolveLimits, Solver, run};

use super::{BALANCE, MAX_NODES, domain::FogSubgame, limits::time_used, place_of};
use foglight_play::{Rng, Stopwatch};

/// Upper bound on the time spent pondering one move.
const MAX_PONDER_TIME: Duration = Duration::from_secs(600);

/// A search that runs in its own thread during the opponent's turn.
pub struct Pondering {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Solver<PackedPosition>>>,
}

impl Pondering {
    /// Continues the search of a tree in which we have played `played`.
    pub fn start(
        solver: Solver<PackedPosition>,
        fog: FogSubgame,
        key: u64,
        played: Move,
        rng: Rng,
        timer: Stopwatch,
    ) -> Pondering {
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stop);
        let thread = thread::spawn(move || grow_on(solver, fog, key, played, rng, timer, &told));
        Pondering {
            stop,
            thread: Some(thread),
        }
    }

    /// Stops and returns the solver; `None` if the search panicked.
    pub fn finish(mut self) -> Option<Solver<PackedPosition>> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take()?.join().ok()
    }
}

impl Drop for Pondering {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // After a panic only a tree that is no longer needed is lost.
            let _ = thread.join();
        }
    }
}

/// Expands the tree with our root strategy pure on the played move. Restores the
/// strategy afterwards, since the moves that the opponent considers possible
/// depend on it.
fn grow_on(
    mut solver: Solver<PackedPosition>,
    mut fog: FogSubgame,
    key: u64,
    played: Move,
    mut rng: Rng,
    timer: Stopwatch,
    stop: &AtomicBool,
) -> Solver<PackedPosition> {
    let Some((infoset, at)) = place_of(&solver, key, played) else {
        return solver;
    };
    let before = solver.tree.infosets.strategy(infoset).to_vec();
    solver.tree.infosets.set_pure_strategy(infoset, at, true);
    let limits = SolveLimits {
        nodes: None,
        grow: 1.0,
        balance: BALANCE,
        max_nodes: MAX_NODES / 4,
        threads: 1,
    };
    let used = || time_used(&timer, Some(MAX_PONDER_TIME), stop.load(Ordering::Relaxed));
    run(&mut solver, &mut fog, &mut rng, &limits, used, |_, _| {});
    let infosets = &mut solver.tree.infosets;
    infosets.set_strategy(infoset, &before, false);
    solver
}
