//! The expander: a descent from the root layer selects a leaf, as in Obscuro and
//! GT-CFR, and the game supplies its successors.

use rand::Rng;

use crate::{
    gadget::RootKind,
    game::{ExtensiveGame, Side, Successor},
    solver::Solver,
    tree::{NONE, NodeKind},
};

impl<S: Clone> Solver<S> {
    /// Selects a leaf, if the descent ends at one. The sides alternate as
    /// explorer; the other side plays its current strategy, so the tree grows
    /// where one side deviates and not where both would have to.
    pub(crate) fn select_leaf(&mut self, rng: &mut impl Rng) -> Option<u32> {
        let explorer = match self.descents % 2 {
            0 => Side::Us,
            _ => Side::Them,
        };
        self.descents += 1;
        let mut at = self.select_root(explorer, rng);
        loop {
            let node = *self.tree.node(at);
            match node.kind {
                NodeKind::Terminal | NodeKind::Pending => return None,
                NodeKind::Leaf => {
                    let born = self.tree.cold[at as usize].born;
                    return (born < self.iterations.max(1)).then_some(at);
                }
                NodeKind::Inner => {}
            }
            debug_assert_ne!(node.infoset, NONE);
            let explores = self.settings.two_sided || node.actor == explorer;
            let action = if explores {
                let action = self.explore(node.infoset, rng);
                self.tree.infosets.visit(node.infoset, action);
                action
            } else {
                sample(self.tree.infosets.strategy(node.infoset), rng)
            };
            at = node.first + action as u32;
        }
    }

    /// Selects the root node to start from.
    fn select_root(&mut self, explorer: Side, rng: &mut impl Rng) -> u32 {
        let explores = self.gadget.kind == RootKind::Gadget
            && (self.settings.two_sided || explorer == Side::Them);
        let infosets = &self.gadget.infosets;
        let chosen = if explores && rng.random_bool(0.5) {
            self.gadget
                .most_promising(f64::from(self.settings.explore), self.settings.variance)
        } else if explores {
            let live = |i: &usize| infosets[*i].weight > 0.0;
            let count = (0..infosets.len()).filter(live).count();
            let nth = rng.random_range(0..count.max(1));
            (0..infosets.len()).filter(live).nth(nth).unwrap_or(0)
        } else {
            sample_by(infosets.len(), |i| infosets[i].weight, rng)
        };
        self.gadget.visit(chosen);
        let roots = &self.gadget.infosets[chosen].roots;
        roots[sample_by(roots.len(), |i| roots[i].prob, rng)].node
    }

    /// With equal probability a random action among those played, or the most
    /// promising one.
    fn explore(&self, infoset: u32, rng: &mut impl Rng) -> usize {
        let infosets = &self.tree.infosets;
        if rng.random_bool(0.5) {
            let settings = &self.settings;
            return infosets.most_promising(infoset, settings.explore, settings.variance);
        }
        let strategy = infosets.strategy(infoset);
        let played = |i: &usize| strategy[*i] > 0.0;
        let count = (0..strategy.len()).filter(played).count();
        let nth = rng.random_range(0..count.max(1));
        (0..strategy.len()).filter(played).nth(nth).unwrap_or(0)
    }

    /// Expands a leaf; does nothing for other nodes.
    pub fn expand<G: ExtensiveGame<State = S>>(&mut self, game: &mut G, leaf: u32) {
        if self.tree.kind(leaf) != NodeKind::Leaf {
            return;
        }
        let mut successors = std::mem::take(&mut self.successors);
        let cold = &self.tree.cold[leaf as usize];
        game.expand(&cold.state, u32::from(cold.depth), &mut successors);
        self.attach(leaf, &successors);
        successors.clear();
        self.successors = successors;
    }

    /// Expands every leaf until all are terminal. For small games.
    pub fn expand_all<G: ExtensiveGame<State = S>>(&mut self, game: &mut G) {
        let mut at = 0;
        while at < self.tree.len() {
            self.expand(game, at as u32);
            at += 1;
        }
    }

    /// Selects and expands a leaf; false if the descent found none.
    pub(crate) fn grow<G: ExtensiveGame<State = S>>(
        &mut self,
        game: &mut G,
        rng: &mut impl Rng,
    ) -> bool {
        let leaf = self.select_leaf(rng);
        if let Some(leaf) = leaf {
            self.expand(game, leaf);
        }
        leaf.is_some()
    }

    /// Attaches the successors of a leaf. A state without actions is terminal.
    pub(crate) fn attach(&mut self, leaf: u32, successors: &[Successor<S>]) {
        if successors.is_empty() {
            self.tree.nodes[leaf as usize].kind = NodeKind::Terminal;
            return;
        }
        self.tree.attach(leaf, successors, self.iterations);
        self.expansions += 1;
    }
}

fn sample(strategy: &[f32], rng: &mut impl Rng) -> usize {
    sample_by(strategy.len(), |i| f64::from(strategy[i]), rng)
}

/// Samples an index in proportion to its weight.
fn sample_by(count: usize, weight: impl Fn(usize) -> f64, rng: &mut impl Rng) -> usize {
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
