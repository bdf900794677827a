//! What the search must know of a game.

/// The two players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Player {
    /// The one who searches, and maximises.
    Us,
    /// The opponent, who minimises.
    Them,
}

impl Player {
    /// Both.
    pub const BOTH: [Player; 2] = [Player::Us, Player::Them];

    /// 0 or 1.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other one.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Player {
        match self {
            Player::Us => Player::Them,
            Player::Them => Player::Us,
        }
    }

    /// What a value is worth to this player.
    #[inline]
    pub const fn sign(self) -> f64 {
        match self {
            Player::Us => 1.0,
            Player::Them => -1.0,
        }
    }
}

/// What one action leads to.
#[derive(Clone, Debug)]
pub struct Child<S> {
    /// The state there.
    pub state: S,
    /// The action, as a name that is the same in every state of the set.
    pub action: u16,
    /// Who acts there.
    pub actor: Player,
    /// What each player sees after it, by [`Player::index`]. The actor's own
    /// knowledge of its action is added by the tree.
    pub seen: [u64; 2],
    /// The value there for us: exact if the game has ended, else an estimate.
    pub value: f32,
    /// Has the game ended?
    pub ended: bool,
}

/// A game that a tree can be grown of. Chance acts at the root only: a later
/// chance event is drawn there and shown when its time has come.
pub trait Growing: Send {
    /// All that must be kept to go on from a node.
    type State: Clone + Send;

    /// Every action of the actor in `state`, which is `depth` plies below the
    /// root. Their names and order depend only on what the actor knows.
    fn expand(&mut self, state: &Self::State, depth: u32, children: &mut Vec<Child<Self::State>>);
}

/// The next key in a player's chain of own actions and observations. Two nodes
/// have the same key if and only if the player cannot tell them apart (up to
/// collisions of 64 bits). Computed once for each node, from its parent's.
#[inline]
pub fn link(key: u64, own: Option<u16>, seen: u64) -> u64 {
    let own = own.map_or(0, |action| u64::from(action) + 1);
    let mixed = fold(key ^ 0xa076_1d64_78bd_642f, seen ^ 0xe703_7ed1_a0b4_28db);
    fold(mixed ^ own, 0x8ebc_6af0_9c88_c6e3 ^ key.rotate_left(29))
}

/// Multiplies two words and folds the product.
#[inline]
pub(crate) fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}
