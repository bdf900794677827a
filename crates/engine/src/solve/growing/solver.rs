//! The solver: alternating passes of predictive CFR+ over the tree as it is.

use super::{
    game::Player,
    gate::{Entry, Gate},
    infoset::BLOCKS,
    tree::{Kind, NONE, Tree},
};

/// How to explore.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SolverSettings {
    /// The constant of the exploration bonus.
    pub explore: f32,
    /// Does the variance stand in the bonus, or the standard deviation?
    pub variance: bool,
    /// Do both players explore in every walk?
    pub two_sided: bool,
}

impl Default for SolverSettings {
    fn default() -> SolverSettings {
        SolverSettings {
            explore: 1.0,
            variance: false,
            two_sided: false,
        }
    }
}

/// A tree, its root layer, and the work done on them.
#[derive(Clone, Debug)]
pub struct Solver<S> {
    /// The tree.
    pub tree: Tree<S>,
    /// The root layer.
    pub gate: Gate,
    /// How to explore.
    pub settings: SolverSettings,
    /// Rounds done: both players have learnt in each.
    pub iterations: u32,
    /// Nodes expanded.
    pub expansions: u64,
    /// Nodes looked at by the last round.
    pub visited: u64,
    /// Walks begun, for their turns.
    pub(super) walks: u64,
}

impl<S: Clone> Solver<S> {
    /// Nothing done yet.
    pub fn new(tree: Tree<S>, gate: Gate, settings: SolverSettings) -> Solver<S> {
        Solver {
            tree,
            gate,
            settings,
            iterations: 0,
            expansions: 0,
            visited: 0,
            walks: 0,
        }
    }

    /// One round: the opponent learns, the gadgets learn, we learn.
    pub fn iterate(&mut self) {
        self.visited = 0;
        for hero in [Player::Them, Player::Us] {
            self.pass(hero);
            self.tree.sets.learn();
            if hero == Player::Them {
                self.gate.learn();
            }
        }
        self.iterations += 1;
    }

    /// Values all nodes that count for `hero` and gathers what it regrets.
    fn pass(&mut self, hero: Player) {
        self.tree.sets.begin();
        let open = self.gate.entry == Entry::Open;
        for group in &mut self.gate.groups {
            // Under the opponent's own choice of group only the scale differs.
            let reach = match hero {
                Player::Us => group.weight,
                Player::Them if open => group.prior,
                Player::Them => 1.0,
            };
            if hero == Player::Us && reach <= 0.0 {
                continue;
            }
            let mut value = 0.0;
            for root in &group.roots {
                let reach = reach * root.share;
                value += root.share
                    * value_of(&mut self.tree, root.node, hero, reach, &mut self.visited);
            }
            if hero == Player::Them {
                group.value = value;
            }
        }
    }

    /// Values every group without learning.
    pub fn refresh(&mut self) {
        for i in 0..self.gate.groups.len() {
            let roots = self.gate.groups[i].roots.clone();
            let value = roots
                .iter()
                .map(|root| root.share * self.expected(root.node))
                .sum();
            self.gate.groups[i].value = value;
        }
    }

    /// Our value of a node when both play their current strategies.
    pub fn expected(&self, at: u32) -> f64 {
        let node = self.tree.node(at);
        if node.kind != Kind::Inner {
            return f64::from(node.value);
        }
        let shares = self.tree.sets.strategy(node.set);
        let played = self.tree.children(at).zip(shares);
        let played = played.filter(|(_, share)| **share > 0.0);
        played
            .map(|(child, share)| f64::from(*share) * self.expected(child))
            .sum()
    }
}

/// Our value of a node in a pass for `hero`; `reach` is that of everybody but
/// the hero. Where the other player acts only what it plays is looked at.
fn value_of<S>(tree: &mut Tree<S>, at: u32, hero: Player, reach: f64, visited: &mut u64) -> f64 {
    let node = tree.nodes[at as usize];
    if node.kind != Kind::Inner {
        *visited += 1;
        return f64::from(node.value);
    }
    if node.actor == hero {
        *visited += u64::from(node.count);
        let mut child = node.inner;
        while child != NONE {
            let worth = value_of(tree, child, hero, reach, visited);
            tree.worths[child as usize] = worth as f32;
            child = tree.nodes[child as usize].sibling;
        }
        let children = node.first as usize..node.first as usize + node.count as usize;
        let worths = &tree.worths[children];
        return tree.sets.gather(node.set, worths, reach, hero.sign());
    }
    *visited += 2;
    let mut value = 0.0;
    for block in 0..BLOCKS {
        let mut played = tree.sets.played(node.set, block);
        while played != 0 {
            let action = block as u32 * 64 + played.trailing_zeros();
            played &= played - 1;
            let share = f64::from(tree.sets.strategy(node.set)[action as usize]);
            value += share * value_of(tree, node.first + action, hero, reach * share, visited);
        }
    }
    value
}
