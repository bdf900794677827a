//! From one move to the next: what of the old tree the new subgame is made of
//! (order-2 knowledge-limited unfrozen subgame solving, 2-KLUSS).
//!
//! Kept are the nodes where we are to move again and that the opponent cannot
//! tell from one that we now think possible, with all below. Nodes among them
//! that we know not to be in stay free to change, unless they are frozen as in
//! the engine of 2021.

use super::{
    game::Player,
    gate::{Group, Root},
    infoset::KeyMap,
    solver::Solver,
    tree::{Kind, Rest, Tree},
};

/// The old tree's part in a new subgame.
#[derive(Debug)]
pub struct Carried<S> {
    /// The tree, its root nodes in the groups.
    pub tree: Tree<S>,
    /// The groups, with alternatives and reaches.
    pub groups: Vec<Group>,
    /// Root nodes that we may be in.
    pub here: Vec<u32>,
}

/// A node two plies below the old root.
struct Kept {
    node: u32,
    /// Reach of everybody but the opponent.
    reach: f64,
    value: f64,
    here: bool,
}

/// Kept nodes that the opponent cannot tell apart.
#[derive(Default)]
struct Neighbours {
    nodes: Vec<Kept>,
    here: bool,
    /// How likely the opponent plays to get there.
    own: f64,
    gift: f64,
}

/// What a set of the opponent was worth to us, and each of its actions.
struct Worth {
    reach: f64,
    value: f64,
    actions: Vec<f64>,
}

/// How to carry over.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Carrying {
    /// Share of the old regrets that is taken along.
    pub regrets: f32,
    /// Our own nodes elsewhere keep their strategies.
    pub freeze: bool,
    /// Nodes that we may be in, at most: what the opponent is likeliest to
    /// have played comes first.
    pub most: usize,
}

/// Makes the beginning of the subgame in which our chain is `key`.
pub fn carry<S: Clone>(old: &Solver<S>, key: u64, how: Carrying) -> Carried<S> {
    let worths = worths(old);
    let mut all: KeyMap<Neighbours> = KeyMap::default();
    let mut order = Vec::new();
    for_replies(old, |reply| {
        let rest = &old.tree.rest[reply.node as usize];
        let [ours, theirs] = rest.keys;
        let known = all.entry(theirs).or_insert_with(|| {
            order.push(theirs);
            let strategy = old.tree.sets.strategy(reply.set);
            Neighbours {
                own: reply.prior * f64::from(strategy[reply.action]),
                gift: worths.get(&u64::from(reply.set)).map_or(0.0, |worth| {
                    ((worth.actions[reply.action] - worth.value) / worth.reach).max(0.0)
                }),
                ..Neighbours::default()
            }
        });
        known.here |= ours == key;
        known.nodes.push(Kept {
            node: reply.node,
            reach: reply.reach,
            value: 0.0,
            here: ours == key,
        });
    });
    let mut carried = Carried {
        tree: Tree::default(),
        groups: Vec::new(),
        here: Vec::new(),
    };
    let mut kept: Vec<Neighbours> = order
        .into_iter()
        .filter_map(|theirs| all.remove(&theirs).filter(|group| group.here))
        .collect();
    kept.sort_by(|a, b| b.own.total_cmp(&a.own));
    for mut group in kept {
        if carried.here.len() >= how.most {
            break;
        }
        for kept in &mut group.nodes {
            kept.value = old.expected(kept.node);
        }
        carried.take(old, group, how);
    }
    carried
}

/// A reply of the opponent to one of our moves at the old root.
struct Reply {
    node: u32,
    reach: f64,
    prior: f64,
    set: u32,
    action: usize,
}

/// Every node at which the opponent acts after our move, with the reach of
/// everybody but the opponent and the prior of its group.
fn for_moves<S: Clone>(old: &Solver<S>, mut tell: impl FnMut(u32, f64, f64)) {
    for group in &old.gate.groups {
        for root in &group.roots {
            let node = old.tree.node(root.node);
            if node.kind != Kind::Inner || node.actor != Player::Us {
                continue;
            }
            let strategy = old.tree.sets.strategy(node.set);
            for (child, share) in old.tree.children(root.node).zip(strategy) {
                let next = old.tree.node(child);
                if *share > 0.0 && next.kind == Kind::Inner && next.actor == Player::Them {
                    tell(child, root.share * f64::from(*share), group.prior);
                }
            }
        }
    }
}

fn for_replies<S: Clone>(old: &Solver<S>, mut tell: impl FnMut(Reply)) {
    for_moves(old, |at, reach, prior| {
        let set = old.tree.node(at).set;
        for (action, node) in old.tree.children(at).enumerate() {
            let found = old.tree.node(node);
            if found.kind != Kind::End && found.actor == Player::Us {
                tell(Reply {
                    node,
                    reach,
                    prior,
                    set,
                    action,
                });
            }
        }
    });
}

/// Counterfactual values of the opponent's first choices, unnormalised.
fn worths<S: Clone>(old: &Solver<S>) -> KeyMap<Worth> {
    let mut worths: KeyMap<Worth> = KeyMap::default();
    for_moves(old, |at, reach, _| {
        let node = *old.tree.node(at);
        let strategy = old.tree.sets.strategy(node.set);
        let worth = worths.entry(u64::from(node.set)).or_insert_with(|| Worth {
            reach: 0.0,
            value: 0.0,
            actions: vec![0.0; strategy.len()],
        });
        worth.reach += reach;
        for (i, child) in old.tree.children(at).enumerate() {
            let value = reach * old.expected(child);
            worth.actions[i] += value;
            worth.value += f64::from(strategy[i]) * value;
        }
    });
    worths
}

impl<S: Clone> Carried<S> {
    /// Takes a group over.
    fn take(&mut self, old: &Solver<S>, group: Neighbours, how: Carrying) {
        let total: f64 = group.nodes.iter().map(|kept| kept.reach).sum();
        let mut value = 0.0;
        let mut roots = Vec::with_capacity(group.nodes.len());
        for kept in &group.nodes {
            let share = kept.reach / total;
            value += share * kept.value;
            let node = self.copy(old, kept.node, how.regrets, how.freeze && !kept.here);
            roots.push(Root { node, share });
            if kept.here {
                self.here.push(node);
            }
        }
        let alternative = value - group.gift;
        self.groups.push(Group::new(roots, alternative, group.own));
    }

    /// Copies a node and all below; it becomes a root.
    fn copy(&mut self, old: &Solver<S>, from: u32, regrets: f32, frozen: bool) -> u32 {
        let root = self.push(&old.tree, from, 0, frozen);
        let mut open = vec![(from, root)];
        while let Some((from, to)) = open.pop() {
            let node = *old.tree.node(from);
            if node.kind != Kind::Inner {
                continue;
            }
            let first = self.tree.len() as u32;
            let depth = self.tree.rest[to as usize].depth + 1;
            for child in old.tree.children(from) {
                let copied = self.push(&old.tree, child, depth, frozen);
                self.tree.rest[copied as usize].parent = to;
                open.push((child, copied));
            }
            let known = self.tree.sets.len();
            let sets = &mut self.tree.sets;
            let key = old.tree.sets.key(node.set);
            let set = sets.enter(key, node.actor, node.count as usize, 0);
            if sets.len() > known {
                sets.inherit(set, &old.tree.sets, node.set, regrets);
                sets.freeze(set, frozen && node.actor == Player::Us);
            }
            self.tree.open(to, first, node.count, set);
        }
        root
    }

    fn push(&mut self, old: &Tree<S>, from: u32, depth: u16, frozen: bool) -> u32 {
        let node = *old.node(from);
        let rest = &old.rest[from as usize];
        let ended = node.kind == Kind::End;
        let state = rest.state.clone();
        let copied = self
            .tree
            .push(state, node.actor, rest.keys, node.value, ended);
        self.tree.depth = self.tree.depth.max(u32::from(depth));
        self.tree.rest[copied as usize] = Rest {
            born: 0,
            action: rest.action,
            depth,
            frozen,
            ..self.tree.rest[copied as usize].clone()
        };
        copied
    }
}
