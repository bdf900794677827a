//! The state machines on NATS: connections, the stream of tickets, the object
//! store.

mod connection;
mod queue;
mod serve;
mod store;
mod stream;
mod watch;

pub use connection::ClusterError;
pub use queue::{ClusterQueue, Identity, QueueOptions};
pub use serve::{OpenJob, ServeOptions, serve};
pub use store::FullTask;
pub use watch::{Snapshot, watch};

/// A runtime for connections: one thread beside those that work.
fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("the system gives a thread")
}
