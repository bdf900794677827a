//! What a side may believe of a board that it does not see.
//!
//! The observer's own pieces are the same in every world that it thinks
//! possible, so a [`World`] is the enemy's half of a position. [`Evidence`] is
//! what a view says of that half, in a form that tests a world by a few bit
//! operations. [`ExactBelief`] holds every world that fits all that was seen.

mod evidence;
mod exact;
mod keeper;
mod key;
mod marginals;
pub mod network;
mod particles;
mod placing;
mod replies;
mod roster;
pub mod tensor;
mod trace;
mod watch;
mod world;
mod world_set;

pub use evidence::Evidence;
pub use exact::{BeliefError, ExactBelief};
pub use keeper::Keeper;
pub use marginals::{marginals, weighted_marginals};
pub use network::{BeliefNetwork, Seer};
pub use particles::{Filter, Particles, Regenerate, Resample};
pub use placing::{place, weights};
pub use roster::{Hidden, Roster};
pub use trace::{BeliefRow, Trace};
pub use watch::{BeliefKind, Watch};
pub use world::World;
