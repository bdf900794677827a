//! Worker threads for agents, separate from the threads that serve requests.

mod agents;
mod pool;

pub(crate) use agents::AgentError;
pub(crate) use agents::AgentInfo;
pub(crate) use agents::BotLevel;
pub(crate) use agents::MAX_MOVE_TIME;
pub(crate) use agents::advisor;
pub(crate) use agents::is_bounded;
pub use agents::{AgentFactory, check, describe, levels};
pub(crate) use pool::QueueFull;
pub(crate) use pool::WorkerPool;
