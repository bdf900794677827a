//! Averages of strategies over the rounds, for proofs of convergence. Players
//! use the last strategies and need none.

use super::{solver::Solver, tree::Kind};

/// Strategies added up, later rounds weighing more.
#[derive(Clone, Default, Debug)]
pub struct Averages {
    sums: Vec<f64>,
    stamps: Vec<u32>,
    rounds: u32,
}

impl Averages {
    /// Adds the current strategies, weighed by the square of the round and by
    /// each player's own reach.
    pub fn add<S: Clone>(&mut self, solver: &Solver<S>) {
        self.rounds += 1;
        self.sums.resize(solver.tree.sets.strategy.len(), 0.0);
        self.stamps.resize(solver.tree.sets.len(), 0);
        for group in &solver.gate.groups {
            for root in &group.roots {
                self.descend(solver, root.node, [1.0; 2]);
            }
        }
    }

    fn descend<S: Clone>(&mut self, solver: &Solver<S>, at: u32, reach: [f64; 2]) {
        let node = *solver.tree.node(at);
        if node.kind != Kind::Inner {
            return;
        }
        let info = solver.tree.sets.info(node.set);
        let first = info.first as usize;
        let actor = node.actor.index();
        let fresh = self.stamps[node.set as usize] != self.rounds;
        self.stamps[node.set as usize] = self.rounds;
        let weight = f64::from(self.rounds).powi(2) * reach[actor];
        for (slot, child) in (first..).zip(solver.tree.children(at)) {
            let share = f64::from(solver.tree.sets.strategy[slot]);
            if fresh {
                self.sums[slot] += weight * share;
            }
            let mut reach = reach;
            reach[actor] *= share;
            self.descend(solver, child, reach);
        }
    }

    /// The average strategies, in the order of the tree's slots.
    pub fn strategies<S: Clone>(&self, solver: &Solver<S>) -> Vec<f64> {
        let sets = &solver.tree.sets;
        let mut shares = vec![0.0; self.sums.len()];
        for set in 0..sets.len() as u32 {
            let info = sets.info(set);
            let range = info.first as usize..info.first as usize + info.count as usize;
            let total: f64 = self.sums[range.clone()].iter().sum();
            for slot in range.clone() {
                shares[slot] = if total > 0.0 {
                    self.sums[slot] / total
                } else {
                    1.0 / range.len() as f64
                };
            }
        }
        shares
    }
}
