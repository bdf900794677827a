//! The interface between a game and the solver.

/// The two players of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Side {
    /// The searching player, who maximises.
    Us,
    /// The opponent, who minimises.
    Them,
}

impl Side {
    /// Both sides, ours first.
    pub const BOTH: [Side; 2] = [Side::Us, Side::Them];

    /// Index of the side in arrays: 0 or 1.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Factor from our values to this side's: 1 or -1.
    #[inline]
    pub const fn sign(self) -> f64 {
        match self {
            Side::Us => 1.0,
            Side::Them => -1.0,
        }
    }
}

/// The result of one action.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Successor<S> {
    /// The state after the action.
    pub state: S,
    /// Identifier of the action, the same in every state of the infoset.
    pub action: u16,
    /// The side to act in it.
    pub actor: Side,
    /// Each side's observation after the action, by [`Side::index`]. The tree
    /// adds the actor's knowledge of its own action.
    pub observations: [u64; 2],
    /// Our value of it: exact if the game is over, else an estimate.
    pub value: f32,
    /// Whether the game is over.
    pub terminal: bool,
}

/// A possible initial state of a game.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RootState<S> {
    /// The initial state itself.
    pub state: S,
    /// The side to act in it.
    pub actor: Side,
    /// Each side's observation of it, by [`Side::index`].
    pub observations: [u64; 2],
    /// Its probability by chance.
    pub prob: f64,
}

/// An extensive-form game: two sides, zero sum, perfect recall. Chance acts at
/// the root only: a later chance event is drawn there, stored in the state, and
/// observed at its time.
pub trait ExtensiveGame: Send {
    /// The data needed to expand a node.
    type State: Clone + Send;

    /// Appends the successor of every action of the actor in `state`; `depth` is
    /// the number of plies below the root. The actions and their order depend
    /// only on the actor's information, and there are at most
    /// [`MAX_ACTIONS`](crate::MAX_ACTIONS) of them.
    fn expand(
        &mut self,
        state: &Self::State,
        depth: u32,
        successors: &mut Vec<Successor<Self::State>>,
    );
}

/// Extends a side's infostate key, a hash of its own actions and observations.
/// Two nodes have the same key if and only if the side cannot distinguish them
/// (up to 64-bit collisions). Computed once per node from its parent's key.
#[inline]
pub fn extend_infostate_key(key: u64, own_action: Option<u16>, observation: u64) -> u64 {
    let own = own_action.map_or(0, |action| u64::from(action) + 1);
    let mixed = mix(
        key ^ 0xa076_1d64_78bd_642f,
        observation ^ 0xe703_7ed1_a0b4_28db,
    );
    mix(mixed ^ own, 0x8ebc_6af0_9c88_c6e3 ^ key.rotate_left(29))
}

/// Multiplies two words and folds the product: a fast hash, for example to
/// combine an observation into one number.
#[inline]
pub fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}
