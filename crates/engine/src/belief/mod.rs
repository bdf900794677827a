//! Belief of one side about the part of the board that it does not see.
//!
//! The observer's own pieces are the same in every possible world, so a
//! [`World`] is the enemy's half of a position. [`Evidence`] is what a view
//! says of that half, in a form that tests a world by a few bit operations.
//! [`BeliefSet`] holds every world consistent with the observations.

mod any;
mod backlog;
mod evidence;
mod keeping;
mod key;
mod marginals;
mod material;
pub mod network;
mod particles;
mod placing;
mod replay;
mod replies;
mod reply_model;
mod reply_odds;
mod set;
mod successors;
pub mod tensor;
mod thinning;
mod tracker;
mod world;
mod world_set;

pub use any::{AnyBelief, BeliefKind};
pub use evidence::Evidence;
pub use keeping::Keeping;
pub use marginals::marginals;
pub(crate) use marginals::weighted_marginals;
pub use material::EnemyMaterial;
pub use network::{BeliefNetwork, BeliefNetworkTracker};
pub use particles::{Filter, Particles, Reinvigoration, Resample};
pub(crate) use placing::sample_layers;
pub use placing::{sample_placement, weights};
pub use replay::{BeliefReplay, BeliefRow};
pub use reply_model::{REPLY_FEATURES, ReplyContext, ReplyModel};
pub use reply_odds::REPLY_EVEN_SHARE;
pub use set::BeliefSet;
pub use tracker::BeliefTracker;
pub(crate) use tracker::known_start;
pub use world::World;
