//! The tree in flat arrays, with the data of every pass apart from the rest.

use crate::{
    game::{Side, Successor, extend_infostate_key},
    infosets::Infosets,
};

/// State of a node in the growth of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum NodeKind {
    /// Not expanded: its value is an estimate.
    Leaf,
    /// Queued for expansion; until then a leaf.
    Pending,
    /// Expanded, with one child per action.
    Inner,
    /// The game is over.
    Terminal,
}

/// Index of no node or infoset.
pub(crate) const NONE: u32 = u32::MAX;

/// Fields of a node that every pass reads: 24 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HotNode {
    /// The estimate or the payoff.
    pub value: f32,
    /// The first child; the others follow it.
    pub first: u32,
    pub infoset: u32,
    /// The inner child that was expanded last, or [`NONE`]; its siblings follow.
    pub inner: u32,
    /// The inner sibling that was expanded before this one, or [`NONE`].
    pub sibling: u32,
    pub count: u16,
    pub kind: NodeKind,
    pub actor: Side,
}

/// Fields of a node for expansion and reuse.
#[derive(Clone, Debug)]
pub(crate) struct ColdNode<S> {
    pub state: S,
    /// Infostate keys of both sides.
    pub keys: [u64; 2],
    /// The parent node, or [`NONE`] at a root.
    pub parent: u32,
    /// The iteration in which the node was created.
    pub born: u32,
    /// The action that led here.
    pub action: u16,
    /// Plies below the root.
    pub depth: u16,
    /// Whether our strategies in this subtree are fixed.
    pub frozen: bool,
}

/// A partially expanded game tree. Nodes are identified by index.
#[derive(Clone, Debug)]
pub struct GameTree<S> {
    pub(crate) nodes: Vec<HotNode>,
    /// Our value of each node after the last pass; for nodes that are not inner,
    /// their own value. Stored apart from the nodes, so that a pass reads those
    /// of siblings contiguously.
    pub(crate) worths: Vec<f32>,
    pub(crate) cold: Vec<ColdNode<S>>,
    /// The infosets of both sides.
    pub infosets: Infosets,
    pub(crate) depth: u32,
}

impl<S> Default for GameTree<S> {
    fn default() -> GameTree<S> {
        GameTree {
            nodes: Vec::new(),
            worths: Vec::new(),
            cold: Vec::new(),
            infosets: Infosets::default(),
            depth: 0,
        }
    }
}

impl<S> GameTree<S> {
    /// Number of nodes in the tree.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the tree has no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Number of plies from a root to the deepest node.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    #[inline]
    pub(crate) fn node(&self, at: u32) -> &HotNode {
        &self.nodes[at as usize]
    }

    /// State of a node in the growth of the tree.
    #[inline]
    pub fn kind(&self, at: u32) -> NodeKind {
        self.node(at).kind
    }

    /// The node's estimate, or the payoff of a terminal node.
    #[inline]
    pub fn value(&self, at: u32) -> f32 {
        self.node(at).value
    }

    /// The infoset of the actor; `None` unless the node is expanded.
    #[inline]
    pub fn infoset(&self, at: u32) -> Option<u32> {
        let node = self.node(at);
        (node.kind == NodeKind::Inner).then_some(node.infoset)
    }

    /// The children, in the order of the actions; empty unless the node is
    /// expanded.
    #[inline]
    pub fn children(&self, at: u32) -> std::ops::Range<u32> {
        let node = self.node(at);
        node.first..node.first + u32::from(node.count)
    }

    /// The game state at the node.
    pub fn state(&self, at: u32) -> &S {
        &self.cold[at as usize].state
    }

    /// The action that led to the node; 0 at a root.
    pub fn action(&self, at: u32) -> u16 {
        self.cold[at as usize].action
    }

    /// A side's infostate key at the node.
    pub fn infostate_key(&self, at: u32, side: Side) -> u64 {
        self.cold[at as usize].keys[side.index()]
    }

    /// The infoset of a side with this infostate key, if it exists.
    pub fn infoset_of(&self, side: Side, key: u64) -> Option<u32> {
        self.infosets.find(key ^ actor_salt(side))
    }

    /// Memory in use by all arrays, in bytes.
    pub fn bytes(&self) -> usize {
        let nodes = self.nodes.capacity() * size_of::<HotNode>() + self.worths.capacity() * 4;
        let cold = self.cold.capacity() * size_of::<ColdNode<S>>();
        nodes + cold + self.infosets.bytes()
    }

    /// Adds a root node with both sides' infostate keys. It has an effect once it
    /// is in a [`RootInfoset`](crate::RootInfoset).
    pub fn push_root(&mut self, state: S, actor: Side, keys: [u64; 2], value: f32) -> u32 {
        self.push(state, actor, keys, value, false)
    }

    /// Adds a node that is not attached yet.
    pub(crate) fn push(
        &mut self,
        state: S,
        actor: Side,
        keys: [u64; 2],
        value: f32,
        terminal: bool,
    ) -> u32 {
        self.nodes.push(HotNode {
            value,
            first: 0,
            infoset: NONE,
            inner: NONE,
            sibling: NONE,
            count: 0,
            kind: if terminal {
                NodeKind::Terminal
            } else {
                NodeKind::Leaf
            },
            actor,
        });
        self.worths.push(value);
        self.cold.push(ColdNode {
            state,
            keys,
            parent: NONE,
            born: 0,
            action: 0,
            depth: 0,
            frozen: false,
        });
        self.nodes.len() as u32 - 1
    }

    /// Makes a node terminal with this payoff, whatever was expanded below it.
    pub fn conclude(&mut self, at: u32, value: f32) {
        let node = &mut self.nodes[at as usize];
        (node.kind, node.value) = (NodeKind::Terminal, value);
        self.worths[at as usize] = value;
    }

    /// Makes a node inner, with children from `first` on.
    pub(crate) fn open(&mut self, at: u32, first: u32, count: u16, infoset: u32) {
        let parent = self.cold[at as usize].parent;
        let mut sibling = NONE;
        if parent != NONE {
            sibling = std::mem::replace(&mut self.nodes[parent as usize].inner, at);
        }
        let node = &mut self.nodes[at as usize];
        (node.first, node.count) = (first, count);
        (node.infoset, node.kind) = (infoset, NodeKind::Inner);
        (node.inner, node.sibling) = (NONE, sibling);
    }
}

impl<S: Clone> GameTree<S> {
    /// Attaches all children to a node. The actor's infoset is found by its key;
    /// a new one plays the action with the best estimate.
    pub(crate) fn attach(&mut self, at: u32, successors: &[Successor<S>], born: u32) {
        let actor = self.node(at).actor;
        let (keys, depth, frozen) = {
            let cold = &self.cold[at as usize];
            (cold.keys, cold.depth + 1, cold.frozen)
        };
        let first = self.nodes.len() as u32;
        let mut best = (0, f64::NEG_INFINITY);
        for (i, next) in successors.iter().enumerate() {
            let extended = Side::BOTH.map(|side| {
                let own = (side == actor).then_some(next.action);
                extend_infostate_key(keys[side.index()], own, next.observations[side.index()])
            });
            let state = next.state.clone();
            let node = self.push(state, next.actor, extended, next.value, next.terminal);
            let cold = &mut self.cold[node as usize];
            (cold.born, cold.action, cold.depth) = (born, next.action, depth);
            (cold.parent, cold.frozen) = (at, frozen);
            let worth = actor.sign() * f64::from(next.value);
            if worth > best.1 {
                best = (i, worth);
            }
        }
        self.depth = self.depth.max(u32::from(depth));
        let key = keys[actor.index()] ^ actor_salt(actor);
        let known = self.infosets.len();
        let count = successors.len();
        let infoset = self.infosets.find_or_insert(key, actor, count, best.0);
        if frozen && actor == Side::Us && self.infosets.len() > known {
            self.infosets.freeze(infoset, true);
        }
        self.open(at, first, count as u16, infoset);
    }
}

/// Separates the infosets of the two sides.
const fn actor_salt(actor: Side) -> u64 {
    match actor {
        Side::Us => 0,
        Side::Them => 0x5851_f42d_4c95_7f2d,
    }
}
