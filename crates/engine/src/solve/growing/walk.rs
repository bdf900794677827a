//! The expander's walk: from the root layer down to a leaf worth expanding.

use rand::Rng as _;

use super::{
    game::Player,
    gate::Entry,
    solver::Solver,
    tree::{Kind, NONE},
};
use foglight_play::Rng;

impl<S: Clone> Solver<S> {
    /// A leaf to expand, if the walk finds one. Walks take turns in who
    /// explores; the other player plays its current strategy, so the tree grows
    /// where one side deviates and not where both would have to.
    pub fn pick(&mut self, rng: &mut Rng) -> Option<u32> {
        let explorer = match self.walks % 2 {
            0 => Player::Us,
            _ => Player::Them,
        };
        self.walks += 1;
        let mut at = self.enter(explorer, rng);
        loop {
            let node = *self.tree.node(at);
            match node.kind {
                Kind::End | Kind::Pending => return None,
                Kind::Leaf => {
                    let born = self.tree.rest[at as usize].born;
                    return (born < self.iterations.max(1)).then_some(at);
                }
                Kind::Inner => {}
            }
            debug_assert_ne!(node.set, NONE);
            let explores = self.settings.two_sided || node.actor == explorer;
            let action = if explores {
                let action = self.explore(node.set, rng);
                self.tree.sets.visit(node.set, action);
                action
            } else {
                sample(self.tree.sets.strategy(node.set), rng)
            };
            at = node.first + action as u32;
        }
    }

    /// The root node to begin at.
    fn enter(&mut self, explorer: Player, rng: &mut Rng) -> u32 {
        let explores = self.gate.entry == Entry::Gadget
            && (self.settings.two_sided || explorer == Player::Them);
        let groups = &self.gate.groups;
        let group = if explores && rng.random_bool(0.5) {
            self.gate
                .most_promising(f64::from(self.settings.explore), self.settings.variance)
        } else if explores {
            let live = |i: &usize| groups[*i].weight > 0.0;
            let count = (0..groups.len()).filter(live).count();
            let nth = rng.random_range(0..count.max(1));
            (0..groups.len()).filter(live).nth(nth).unwrap_or(0)
        } else {
            sample_by(groups.len(), |i| groups[i].weight, rng)
        };
        self.gate.visit(group);
        let roots = &self.gate.groups[group].roots;
        roots[sample_by(roots.len(), |i| roots[i].share, rng)].node
    }

    /// Half the time any action that is played at all, half the time the most
    /// promising one.
    fn explore(&self, set: u32, rng: &mut Rng) -> usize {
        if rng.random_bool(0.5) {
            let settings = &self.settings;
            return self
                .tree
                .sets
                .most_promising(set, settings.explore, settings.variance);
        }
        let strategy = self.tree.sets.strategy(set);
        let played = |i: &usize| strategy[*i] > 0.0;
        let count = (0..strategy.len()).filter(played).count();
        let nth = rng.random_range(0..count.max(1));
        (0..strategy.len()).filter(played).nth(nth).unwrap_or(0)
    }
}

fn sample(strategy: &[f32], rng: &mut Rng) -> usize {
    sample_by(strategy.len(), |i| f64::from(strategy[i]), rng)
}

/// An index, each as likely as its weight.
pub(super) fn sample_by(count: usize, weight: impl Fn(usize) -> f64, rng: &mut Rng) -> usize {
    let total: f64 = (0..count).map(&weight).sum();
    let mut left = rng.random::<f64>() * total;
    for i in 0..count {
        let share = weight(i);
        if left < share {
            return i;
        }
        left -= share;
    }
    (0..count).rev().find(|&i| weight(i) > 0.0).unwrap_or(0)
}
