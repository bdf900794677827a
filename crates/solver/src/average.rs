//! Average strategies over the iterations, for which CFR guarantees convergence.

use crate::{response::StrategyProfile, solver::Solver, tree::NodeKind};

/// Sum of strategies, with greater weight for later iterations.
#[derive(Clone, Default, Debug)]
pub struct AverageStrategy {
    sums: Vec<f64>,
    stamps: Vec<u32>,
    rounds: u32,
}

impl AverageStrategy {
    /// Adds the current strategies, weighted by the square of the iteration and
    /// by each side's own reach. Call it after every [`Solver::iterate`].
    pub fn add<S>(&mut self, solver: &Solver<S>) {
        self.rounds += 1;
        let infosets = &solver.tree.infosets;
        self.sums.resize(infosets.strategy.len(), 0.0);
        self.stamps.resize(infosets.len(), 0);
        for infoset in &solver.gadget.infosets {
            for root in &infoset.roots {
                self.descend(solver, root.node, [1.0; 2]);
            }
        }
    }

    fn descend<S>(&mut self, solver: &Solver<S>, at: u32, reach: [f64; 2]) {
        let node = *solver.tree.node(at);
        if node.kind != NodeKind::Inner {
            return;
        }
        let slots = solver.tree.infosets.range(node.infoset);
        let actor = node.actor.index();
        let fresh = self.stamps[node.infoset as usize] != self.rounds;
        self.stamps[node.infoset as usize] = self.rounds;
        let weight = f64::from(self.rounds).powi(2) * reach[actor];
        for (slot, child) in slots.zip(solver.tree.children(at)) {
            let share = f64::from(solver.tree.infosets.strategy[slot]);
            if fresh {
                self.sums[slot] += weight * share;
            }
            let mut reach = reach;
            reach[actor] *= share;
            self.descend(solver, child, reach);
        }
    }

    /// The average; uniform where nothing was added.
    pub fn profile<S>(&self, solver: &Solver<S>) -> StrategyProfile {
        let infosets = &solver.tree.infosets;
        let mut probs = self.sums.clone();
        probs.resize(infosets.strategy.len(), 0.0);
        for infoset in 0..infosets.len() as u32 {
            let probs = &mut probs[infosets.range(infoset)];
            let total: f64 = probs.iter().sum();
            let even = 1.0 / probs.len() as f64;
            for prob in probs {
                *prob = if total > 0.0 { *prob / total } else { even };
            }
        }
        StrategyProfile { probs }
    }
}
