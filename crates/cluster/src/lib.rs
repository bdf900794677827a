//! Work on many machines: a queue of units over NATS JetStream.
//!
//! A unit is some items of a list, and a result follows from the list and the
//! item's number alone. The caller's own list and its journal are the truth; what
//! the server loses costs time and never a result.

mod caller;
mod items;
mod nats;
mod protocol;
#[cfg(test)]
mod simulation;
mod worker;

pub use caller::Notice;
pub use nats::{
    ClusterError, ClusterQueue, FullTask, Identity, OpenJob, QueueOptions, ServeOptions, Snapshot,
    serve, watch,
};
pub use protocol::{CallerStatus, WorkerStatus};
