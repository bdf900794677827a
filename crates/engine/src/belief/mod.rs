//! Belief of one side about the part of the board that it does not see.
//!
//! The observer's own pieces are the same in every possible world, so a
//! [`World`] is the enemy's half of a position. [`Evidence`] is what a view
//! says of that half, in a form that tests a world by a few bit operations.
//! [`BeliefSet`] holds every world consistent with the observations.

mod any;
mod evidence;
mod key;
mod marginals;
mod material;
pub mod network;
mod particles;
mod placing;
mod replay;
mod replies;
mod set;
pub mod tensor;
mod tracker;
mod world;
mod world_set;

pub use any::{AnyBelief, BeliefKind};
pub use evidence::Evidence;
pub use marginals::marginals;
pub(crate) use marginals::weighted_marginals;
pub use material::EnemyMaterial;
pub use network::{BeliefNetwork, BeliefNetworkTracker};
pub use particles::{Filter, Particles, Reinvigoration, Resample};
pub use placing::{sample_placement, weights};
pub use replay::{BeliefReplay, BeliefRow};
pub use set::BeliefSet;
pub use tracker::BeliefTracker;
pub use world::World;
