//! Growing and solving within limits: interleaved on one thread, or with the
//! expansions on other threads.

mod parallel;

use rand::Rng;

use crate::{game::ExtensiveGame, solver::Solver};

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
        return parallel::run(solver, game, rng, limits, time_used, on_round);
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
