//! Thinking: agents in threads of their own, apart from those that serve.

mod agents;
mod pool;

pub use agents::{
    AgentError, AgentFactory, AgentInfo, LONGEST, Level, advisor, check, describe, is_bounded,
    levels,
};
pub use pool::{Busy, Pool};
