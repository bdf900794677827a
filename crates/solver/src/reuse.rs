//! Tree reuse from one move to the next: the part of the old tree that forms the
//! new subgame (order-2 knowledge-limited unfrozen subgame solving, 2-KLUSS).
//!
//! The subgame retains the nodes where we are to move again and that the opponent
//! cannot distinguish from one that we now consider possible, with their
//! subtrees. Nodes among them that we know to be impossible remain unfrozen,
//! unless they are frozen as in the engine of Zhang & Sandholm 2021.

use nohash_hasher::IntMap;

use crate::{
    gadget::{RootInfoset, RootNode},
    game::Side,
    solver::Solver,
    tree::{GameTree, NodeKind},
};

/// The part of an old tree reused in a new subgame.
#[derive(Clone, Debug)]
pub struct ReusedTree<S> {
    /// The tree, with its root nodes in the infosets.
    pub tree: GameTree<S>,
    /// The root infosets, with alternate values and reaches.
    pub infosets: Vec<RootInfoset>,
    /// Root nodes that are possible by our information.
    pub here: Vec<u32>,
}

impl<S> Default for ReusedTree<S> {
    fn default() -> ReusedTree<S> {
        ReusedTree {
            tree: GameTree::default(),
            infosets: Vec::new(),
            here: Vec::new(),
        }
    }
}

/// Settings of the reuse of a tree.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ReuseSettings {
    /// Share of the old regrets that is retained.
    pub regrets: f32,
    /// Whether our strategies are frozen at nodes that we know to be impossible.
    pub freeze: bool,
    /// No further infoset is reused once there are this many possible root nodes;
    /// the infosets that the opponent likeliest played to come first.
    pub max_roots: usize,
    /// Whether the opponent's choice at the old root counts as one of its moves, as
    /// in Obscuro: in its reach by the gadget's strategy instead of the prior, and
    /// as a gift where another root infoset was better for it.
    pub root_choice: bool,
}

impl Default for ReuseSettings {
    fn default() -> ReuseSettings {
        ReuseSettings {
            regrets: 1.0,
            freeze: false,
            max_roots: usize::MAX,
            root_choice: false,
        }
    }
}

/// A node two plies below the old root.
struct Kept {
    node: u32,
    /// Reach of all players but the opponent.
    reach: f64,
    here: bool,
}

/// Retained nodes that the opponent cannot distinguish.
#[derive(Default)]
struct Neighbours {
    nodes: Vec<Kept>,
    here: bool,
    /// The probability that the opponent comes here by its prior at the root.
    likelihood: f64,
    /// The opponent's reach, unnormalised.
    own: f64,
    gift: f64,
}

/// Our values of an opponent's infoset and of its actions.
struct Worth {
    reach: f64,
    value: f64,
    actions: Vec<f64>,
}

/// Builds the root of the subgame in which our infostate key is `key`.
///
/// The alternate value of an infoset is its value in the old search, less the
/// gifts: the opponent's losses from not playing its best actions on the way. The
/// old root may be the opponent's, for its first move in a known position.
pub fn reuse<S: Clone>(old: &Solver<S>, key: u64, settings: ReuseSettings) -> ReusedTree<S> {
    let worths = worths(old);
    let margin = old.gadget.margin();
    let mut all: IntMap<u64, Neighbours> = IntMap::default();
    let mut order = Vec::new();
    for_replies(old, |reply| {
        let [ours, theirs] = old.tree.cold[reply.node as usize].keys;
        let known = all.entry(theirs).or_insert_with(|| {
            order.push(theirs);
            let played = old.tree.infosets.strategy(reply.infoset)[reply.action];
            let gift = worths.get(&reply.infoset).map_or(0.0, |worth| {
                ((worth.actions[reply.action] - worth.value) / worth.reach).max(0.0)
            });
            let (chosen, root_gift) = match settings.root_choice {
                true => (reply.root.weight, (-reply.root.gain() - margin).max(0.0)),
                false => (reply.root.prior, 0.0),
            };
            Neighbours {
                likelihood: reply.root.prior * f64::from(played),
                own: chosen * f64::from(played),
                gift: gift + root_gift,
                ..Neighbours::default()
            }
        });
        known.here |= ours == key;
        known.nodes.push(Kept {
            node: reply.node,
            reach: reply.reach,
            here: ours == key,
        });
    });
    let mut reused = ReusedTree::default();
    let mut kept: Vec<Neighbours> = order
        .into_iter()
        .filter_map(|theirs| all.remove(&theirs).filter(|neighbours| neighbours.here))
        .collect();
    kept.sort_by(|a, b| b.likelihood.total_cmp(&a.likelihood));
    for neighbours in kept {
        if reused.here.len() >= settings.max_roots {
            break;
        }
        reused.take(old, neighbours, settings);
    }
    reused
}

/// A move of the opponent, the first in the old tree.
struct Reply<'a> {
    node: u32,
    reach: f64,
    root: &'a RootInfoset,
    infoset: u32,
    action: usize,
}

/// Visits every node at which the opponent acts first, at the root or after our
/// move, with the reach of all players but the opponent and the root infoset.
fn for_moves<'a, S>(old: &'a Solver<S>, mut tell: impl FnMut(u32, f64, &'a RootInfoset)) {
    for infoset in &old.gadget.infosets {
        for root in &infoset.roots {
            let node = old.tree.node(root.node);
            if node.kind != NodeKind::Inner {
                continue;
            }
            if node.actor == Side::Them {
                tell(root.node, root.prob, infoset);
                continue;
            }
            let strategy = old.tree.infosets.strategy(node.infoset);
            for (child, share) in old.tree.children(root.node).zip(strategy) {
                let next = old.tree.node(child);
                if *share > 0.0 && next.kind == NodeKind::Inner && next.actor == Side::Them {
                    tell(child, root.prob * f64::from(*share), infoset);
                }
            }
        }
    }
}

fn for_replies<'a, S>(old: &'a Solver<S>, mut tell: impl FnMut(Reply<'a>)) {
    for_moves(old, |at, reach, root| {
        let infoset = old.tree.node(at).infoset;
        for (action, node) in old.tree.children(at).enumerate() {
            let found = old.tree.node(node);
            if found.kind != NodeKind::Terminal && found.actor == Side::Us {
                tell(Reply {
                    node,
                    reach,
                    root,
                    infoset,
                    action,
                });
            }
        }
    });
}

/// Counterfactual values of the opponent's first choices, unnormalised.
fn worths<S>(old: &Solver<S>) -> IntMap<u32, Worth> {
    let mut worths: IntMap<u32, Worth> = IntMap::default();
    for_moves(old, |at, reach, _| {
        let infoset = old.tree.node(at).infoset;
        let strategy = old.tree.infosets.strategy(infoset);
        let worth = worths.entry(infoset).or_insert_with(|| Worth {
            reach: 0.0,
            value: 0.0,
            actions: vec![0.0; strategy.len()],
        });
        worth.reach += reach;
        for (i, child) in old.tree.children(at).enumerate() {
            let value = reach * old.expected_value(child);
            worth.actions[i] += value;
            worth.value += f64::from(strategy[i]) * value;
        }
    });
    worths
}

impl<S: Clone> ReusedTree<S> {
    /// Copies nodes that the opponent cannot distinguish.
    fn take(&mut self, old: &Solver<S>, neighbours: Neighbours, settings: ReuseSettings) {
        let total: f64 = neighbours.nodes.iter().map(|kept| kept.reach).sum();
        let mut value = 0.0;
        let mut roots = Vec::with_capacity(neighbours.nodes.len());
        for kept in &neighbours.nodes {
            let prob = kept.reach / total;
            value += prob * old.expected_value(kept.node);
            let frozen = settings.freeze && !kept.here;
            let node = self.copy(old, kept.node, settings.regrets, frozen);
            roots.push(RootNode { node, prob });
            if kept.here {
                self.here.push(node);
            }
        }
        let alternate_value = value - neighbours.gift;
        let infoset = RootInfoset::new(roots, alternate_value, neighbours.own);
        self.infosets.push(infoset);
    }

    /// Copies a node with its subtree as a root.
    fn copy(&mut self, old: &Solver<S>, from: u32, regrets: f32, frozen: bool) -> u32 {
        let root = self.push(&old.tree, from, 0, frozen);
        let mut open = vec![(from, root)];
        while let Some((from, to)) = open.pop() {
            let node = *old.tree.node(from);
            if node.kind != NodeKind::Inner {
                continue;
            }
            let first = self.tree.len() as u32;
            let depth = self.tree.cold[to as usize].depth + 1;
            for child in old.tree.children(from) {
                let copied = self.push(&old.tree, child, depth, frozen);
                self.tree.cold[copied as usize].parent = to;
                open.push((child, copied));
            }
            let infosets = &mut self.tree.infosets;
            let known = infosets.len();
            let key = old.tree.infosets.key(node.infoset);
            let infoset = infosets.find_or_insert(key, node.actor, node.count as usize, 0);
            if infosets.len() > known {
                infosets.inherit(infoset, &old.tree.infosets, node.infoset, regrets);
                infosets.freeze(infoset, frozen && node.actor == Side::Us);
            }
            self.tree.open(to, first, node.count, infoset);
        }
        root
    }

    fn push(&mut self, old: &GameTree<S>, from: u32, depth: u16, frozen: bool) -> u32 {
        let node = *old.node(from);
        let cold = &old.cold[from as usize];
        let terminal = node.kind == NodeKind::Terminal;
        let state = cold.state.clone();
        let copied = self
            .tree
            .push(state, node.actor, cold.keys, node.value, terminal);
        self.tree.depth = self.tree.depth.max(u32::from(depth));
        let new = &mut self.tree.cold[copied as usize];
        (new.action, new.depth, new.frozen) = (cold.action, depth, frozen);
        copied
    }
}
