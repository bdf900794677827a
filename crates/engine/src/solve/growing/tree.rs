//! The tree in flat arrays: what the solver reads apart from what it does not.

use super::{
    game::{Child, Player, link},
    infoset::Sets,
};

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Not expanded: its value is an estimate.
    Leaf,
    /// On its way to be expanded; until then a leaf.
    Pending,
    /// Expanded.
    Inner,
    /// The game has ended.
    End,
}

/// No set.
pub const NONE: u32 = u32::MAX;

/// What every pass reads of an inner node: 24 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The estimate or the result.
    pub value: f32,
    /// The first child; the others follow it.
    pub first: u32,
    /// The information set of an inner node.
    pub set: u32,
    /// The inner child that was opened last, or [`NONE`]; its siblings follow.
    pub inner: u32,
    /// The inner sibling that was opened before this one, or [`NONE`].
    pub sibling: u32,
    /// Number of children.
    pub count: u16,
    /// What it is.
    pub kind: Kind,
    /// Who acts.
    pub actor: Player,
}

/// What is needed to grow and to carry over.
#[derive(Clone, Debug)]
pub struct Rest<S> {
    /// The state.
    pub state: S,
    /// Both players' chains.
    pub keys: [u64; 2],
    /// The node above, or [`NONE`] at a root.
    pub parent: u32,
    /// The iteration in which the node was made.
    pub born: u32,
    /// The action that led here.
    pub action: u16,
    /// Plies below the root.
    pub depth: u16,
    /// Our strategies from here on do not change.
    pub frozen: bool,
}

/// The tree.
#[derive(Clone, Debug)]
pub struct Tree<S> {
    /// Nodes as the solver sees them.
    pub nodes: Vec<Node>,
    /// What each node is worth to us as far as the last pass knows: of what is
    /// not inner, its value. Apart from the nodes, so that a pass reads those
    /// of siblings in one go.
    pub(super) worths: Vec<f32>,
    /// The rest of each node.
    pub rest: Vec<Rest<S>>,
    /// The information sets.
    pub sets: Sets,
    /// Deepest node.
    pub depth: u32,
}

impl<S> Default for Tree<S> {
    fn default() -> Tree<S> {
        Tree {
            nodes: Vec::new(),
            worths: Vec::new(),
            rest: Vec::new(),
            sets: Sets::default(),
            depth: 0,
        }
    }
}

impl<S: Clone> Tree<S> {
    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node.
    #[inline]
    pub fn node(&self, at: u32) -> &Node {
        &self.nodes[at as usize]
    }

    /// The children of an inner node.
    pub fn children(&self, at: u32) -> std::ops::Range<u32> {
        let node = self.node(at);
        node.first..node.first + u32::from(node.count)
    }

    /// Adds a node that hangs nowhere yet.
    pub fn push(
        &mut self,
        state: S,
        actor: Player,
        keys: [u64; 2],
        value: f32,
        ended: bool,
    ) -> u32 {
        self.nodes.push(Node {
            value,
            first: 0,
            set: NONE,
            inner: NONE,
            sibling: NONE,
            count: 0,
            kind: if ended { Kind::End } else { Kind::Leaf },
            actor,
        });
        self.worths.push(value);
        self.rest.push(Rest {
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

    /// Hangs all children under a node. The set of the actor is the one with
    /// the actor's key; a new set plays what the evaluator likes best.
    pub fn attach(&mut self, at: u32, children: &[Child<S>], born: u32) {
        let actor = self.node(at).actor;
        let (keys, depth, frozen) = {
            let rest = &self.rest[at as usize];
            (rest.keys, rest.depth + 1, rest.frozen)
        };
        let first = self.nodes.len() as u32;
        let mut best = (0, f64::NEG_INFINITY);
        for (i, child) in children.iter().enumerate() {
            let chained = Player::BOTH.map(|player| {
                let own = (player == actor).then_some(child.action);
                link(keys[player.index()], own, child.seen[player.index()])
            });
            let node = self.push(
                child.state.clone(),
                child.actor,
                chained,
                child.value,
                child.ended,
            );
            let rest = &mut self.rest[node as usize];
            (rest.born, rest.action, rest.depth) = (born, child.action, depth);
            (rest.parent, rest.frozen) = (at, frozen);
            let worth = actor.sign() * f64::from(child.value);
            if worth > best.1 {
                best = (i, worth);
            }
        }
        self.depth = self.depth.max(u32::from(depth));
        let key = keys[actor.index()] ^ actor_salt(actor);
        let known = self.sets.len();
        let set = self.sets.enter(key, actor, children.len(), best.0);
        if frozen && actor == Player::Us && self.sets.len() > known {
            self.sets.freeze(set, true);
        }
        self.open(at, first, children.len() as u16, set);
    }

    /// Makes a node an inner one, whose children stand from `first` on.
    pub(super) fn open(&mut self, at: u32, first: u32, count: u16, set: u32) {
        let parent = self.rest[at as usize].parent;
        let mut sibling = NONE;
        if parent != NONE {
            sibling = std::mem::replace(&mut self.nodes[parent as usize].inner, at);
        }
        let node = &mut self.nodes[at as usize];
        (node.first, node.count) = (first, count);
        (node.set, node.kind) = (set, Kind::Inner);
        (node.inner, node.sibling) = (NONE, sibling);
    }

    /// The set of a player that has this chain, if it has one.
    pub fn set_of(&self, actor: Player, key: u64) -> Option<u32> {
        self.sets.find(key ^ actor_salt(actor))
    }

    /// Bytes in use, all arrays together.
    pub fn bytes(&self) -> usize {
        let nodes = self.nodes.capacity() * size_of::<Node>() + self.worths.capacity() * 4;
        let rest = self.rest.capacity() * size_of::<Rest<S>>();
        nodes + rest + self.sets.bytes()
    }
}

/// Keeps the sets of the two players apart.
const fn actor_salt(actor: Player) -> u64 {
    match actor {
        Player::Us => 0,
        Player::Them => 0x5851_f42d_4c95_7f2d,
    }
}
