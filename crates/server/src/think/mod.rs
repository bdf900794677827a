//! Thinking: agents in threads of their own, apart from those that serve.

mod agents;
mod pool;

pub use agents::{AgentError, AgentInfo, Level, advisor, build, describe, is_bounded, levels};
pub use pool::{Busy, Pool};
