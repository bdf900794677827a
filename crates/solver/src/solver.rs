//! The solver: alternating passes of predictive CFR+ over the current tree.

use nohash_hasher::IntMap;

use crate::{
    gadget::{RootGadget, RootInfoset, RootKind, RootNode},
    game::{RootState, Side, Successor, extend_infostate_key},
    infosets::BLOCKS,
    tree::{GameTree, NONE, NodeKind},
};

/// Settings of the tree growth.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SolverSettings {
    /// Constant of the exploration bonus, for values between -1 and 1. Larger
    /// payoffs or poor estimates need a larger one.
    pub explore: f32,
    /// Whether the bonus uses the variance instead of the standard deviation.
    pub variance: bool,
    /// Whether both sides explore in every descent.
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

/// A game tree with its root layer and solver state.
#[derive(Clone, Debug)]
pub struct Solver<S> {
    /// The tree with its infosets.
    pub tree: GameTree<S>,
    pub(crate) gadget: RootGadget,
    pub(crate) settings: SolverSettings,
    pub(crate) iterations: u32,
    pub(crate) expansions: u64,
    /// Nodes visited by the last iteration.
    pub(crate) visited: u64,
    /// Number of descents, which decides the explorer.
    pub(crate) descents: u64,
    /// Buffer for the successors of an expansion.
    pub(crate) successors: Vec<Successor<S>>,
}

impl<S> Solver<S> {
    /// A solver on a tree whose root nodes are in the infosets of the gadget.
    pub fn new(tree: GameTree<S>, gadget: RootGadget, settings: SolverSettings) -> Solver<S> {
        Solver {
            tree,
            gadget,
            settings,
            iterations: 0,
            expansions: 0,
            visited: 0,
            descents: 0,
            successors: Vec::new(),
        }
    }

    /// A solver for a whole game, not expanded yet. A side's infostate key at a
    /// root is that of its observation `o`, `extend_infostate_key(0, None, o)`.
    pub fn whole_game(
        roots: impl IntoIterator<Item = RootState<S>>,
        settings: SolverSettings,
    ) -> Solver<S> {
        let mut tree = GameTree::default();
        let mut places: IntMap<u64, usize> = IntMap::default();
        let mut known: Vec<(f64, Vec<RootNode>)> = Vec::new();
        for root in roots {
            let keys = root
                .observations
                .map(|observation| extend_infostate_key(0, None, observation));
            let node = tree.push_root(root.state, root.actor, keys, 0.0);
            let place = *places.entry(keys[1]).or_insert(known.len());
            if place == known.len() {
                known.push((0.0, Vec::new()));
            }
            known[place].0 += root.prob;
            let prob = root.prob;
            known[place].1.push(RootNode { node, prob });
        }
        let infosets = known.into_iter().map(|(total, mut roots)| {
            roots.iter_mut().for_each(|root| root.prob /= total);
            RootInfoset::new(roots, 0.0, total)
        });
        Solver::new(tree, RootGadget::whole_game(infosets.collect()), settings)
    }

    /// The root layer with its infosets.
    pub fn gadget(&self) -> &RootGadget {
        &self.gadget
    }

    /// Number of iterations; both sides update in each.
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// Number of expanded nodes.
    pub fn expansions(&self) -> u64 {
        self.expansions
    }

    /// One iteration: updates the opponent, the gadget, then our strategies.
    pub fn iterate(&mut self) {
        self.visited = 0;
        for hero in [Side::Them, Side::Us] {
            self.pass(hero);
            self.tree.infosets.learn();
            if hero == Side::Them {
                self.gadget.learn();
            }
        }
        self.iterations += 1;
    }

    /// Computes the values relevant to `hero` and accumulates its regrets.
    fn pass(&mut self, hero: Side) {
        self.tree.infosets.begin();
        let chance = self.gadget.kind == RootKind::Chance;
        for infoset in &mut self.gadget.infosets {
            // With a gadget the opponent chooses: only the scale differs.
            let reach = match hero {
                Side::Us => infoset.weight,
                Side::Them if chance => infoset.prior,
                Side::Them => 1.0,
            };
            if hero == Side::Us && reach <= 0.0 {
                continue;
            }
            let mut value = 0.0;
            for root in &infoset.roots {
                let reach = reach * root.prob;
                value +=
                    root.prob * value_of(&mut self.tree, root.node, hero, reach, &mut self.visited);
            }
            if hero == Side::Them {
                infoset.value = value;
            }
        }
    }

    /// Our expected value of a node under the current strategies.
    pub fn expected_value(&self, at: u32) -> f64 {
        let node = self.tree.node(at);
        if node.kind != NodeKind::Inner {
            return f64::from(node.value);
        }
        let shares = self.tree.infosets.strategy(node.infoset);
        let played = self.tree.children(at).zip(shares);
        let played = played.filter(|(_, share)| **share > 0.0);
        played
            .map(|(child, share)| f64::from(*share) * self.expected_value(child))
            .sum()
    }
}

/// Our value of a node in a pass for `hero`; `reach` is the reach of all players
/// but the hero. At the other side's nodes only actions with positive probability
/// are visited.
fn value_of<S>(tree: &mut GameTree<S>, at: u32, hero: Side, reach: f64, visited: &mut u64) -> f64 {
    let node = tree.nodes[at as usize];
    if node.kind != NodeKind::Inner {
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
        let infosets = &mut tree.infosets;
        return infosets.gather(node.infoset, worths, reach, hero.sign());
    }
    *visited += 2;
    let mut value = 0.0;
    for block in 0..BLOCKS {
        let mut played = tree.infosets.played(node.infoset, block);
        while played != 0 {
            let action = block as u32 * 64 + played.trailing_zeros();
            played &= played - 1;
            let share = f64::from(tree.infosets.strategy(node.infoset)[action as usize]);
            value += share * value_of(tree, node.first + action, hero, reach * share, visited);
        }
    }
    value
}
