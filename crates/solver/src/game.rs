//! What the search must know of a game.

/// The two players of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Side {
    /// The one who searches, and maximises.
    Us,
    /// The opponent, who minimises.
    Them,
}

impl Side {
    /// Both.
    pub const BOTH: [Side; 2] = [Side::Us, Side::Them];

    /// 0 or 1.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// What a value of ours is worth to this side, as a factor.
    #[inline]
    pub const fn sign(self) -> f64 {
        match self {
            Side::Us => 1.0,
            Side::Them => -1.0,
        }
    }
}

/// What one action leads to.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Successor<S> {
    /// The state there.
    pub state: S,
    /// The action, as a name that is the same in every state of the infoset.
    pub action: u16,
    /// Who acts there.
    pub actor: Side,
    /// What each side observes after it, by [`Side::index`]. The tree adds
    /// that the actor knows its own action.
    pub observations: [u64; 2],
    /// The value there for us: exact if the game is over, else an estimate.
    pub value: f32,
    /// Is the game over there?
    pub terminal: bool,
}

/// A state that a game may begin in.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RootState<S> {
    /// The state.
    pub state: S,
    /// Who acts there.
    pub actor: Side,
    /// What each side observes of it, by [`Side::index`].
    pub observations: [u64; 2],
    /// How likely chance makes it.
    pub prob: f64,
}

/// An extensive-form game that a tree can be grown of: two sides, zero sum,
/// perfect recall. Chance acts at the root only: a later chance event is drawn
/// there, kept in the state, and observed when its time has come.
pub trait ExtensiveGame: Send {
    /// All that must be kept to go on from a node.
    type State: Clone + Send;

    /// Appends what every action of the actor in `state` leads to; `depth` is
    /// the plies below the root. The actions and their order depend only on
    /// what the actor knows, and there are at most
    /// [`MAX_ACTIONS`](crate::MAX_ACTIONS) of them.
    fn expand(
        &mut self,
        state: &Self::State,
        depth: u32,
        successors: &mut Vec<Successor<Self::State>>,
    );
}

/// The next key in a side's chain of own actions and observations, its
/// information state. Two nodes have the same key if and only if the side
/// cannot tell them apart (up to collisions of 64 bits). Computed once for each
/// node, from its parent's.
#[inline]
pub fn extend_infostate_key(key: u64, own_action: Option<u16>, observation: u64) -> u64 {
    let own = own_action.map_or(0, |action| u64::from(action) + 1);
    let mixed = mix(
        key ^ 0xa076_1d64_78bd_642f,
        observation ^ 0xe703_7ed1_a0b4_28db,
    );
    mix(mixed ^ own, 0x8ebc_6af0_9c88_c6e3 ^ key.rotate_left(29))
}

/// Multiplies two words and folds the product: a quick hash, for making one
/// number of an observation.
#[inline]
pub fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}
