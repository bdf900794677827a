//! Thinking: agents in threads of their own, apart from those that serve.

mod agents;
mod pool;

pub use agents::{
    AgentError, AgentFactory, AgentInfo, BotLevel, MAX_MOVE_TIME, advisor, check, describe,
    is_bounded, levels,
};
pub use pool::{QueueFull, WorkerPool};
