//! Thinking: agents in threads of their own, apart from those that serve.

mod agents;
mod pool;

pub use agents::{
    AgentError, AgentInfo, LONGEST, Level, advisor, build, describe, is_bounded, levels, rebuild,
};
pub use pool::{Busy, Pool};
