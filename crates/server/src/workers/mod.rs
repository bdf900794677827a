//! Worker threads for agents, separate from the threads that serve requests.

mod agents;
mod fair;
mod memory;
mod pace;
mod pool;
mod quota;
mod turn;

pub(crate) use agents::AgentError;
pub(crate) use agents::AgentInfo;
pub(crate) use agents::BotLevel;
pub(crate) use agents::MAX_MOVE_TIME;
pub(crate) use agents::advisor;
pub(crate) use agents::is_bounded;
pub(crate) use agents::is_listed;
pub use agents::{AgentFactory, check, describe, levels};
pub(crate) use fair::{Payer, Share};
pub(crate) use memory::{MemoryBudget, MemoryFull, Reservation, memory_of};
pub(crate) use pace::Pace;
pub(crate) use pool::{JobError, Work, WorkerPool};
pub(crate) use quota::{Held, Quota};
pub(crate) use turn::{PROCESSOR, pause};
