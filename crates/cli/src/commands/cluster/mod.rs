//! Work on many machines: the queue of callers, `foglight worker`, and
//! `foglight cluster`.

mod host;
mod jobs;
mod options;
mod queue;
mod view;
mod worker;

pub(super) use host::Host;
pub(super) use jobs::Listed;
pub(super) use options::{ClusterArgs, share, unit_seconds};
pub(super) use queue::{Hands, failure_of, files_of};
pub(crate) use view::ClusterView;
pub(crate) use worker::WorkerArgs;

use std::sync::OnceLock;

use foglight_cluster::{ClusterError, Identity};

use super::bench;
use crate::failure::CliError;

/// This build on this machine, measured once.
fn identity() -> Identity {
    static OURS: OnceLock<Identity> = OnceLock::new();
    let measured = OURS.get_or_init(|| {
        let (signature, speed) = bench::measure();
        Identity {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            signature: signature.to_string(),
            speed,
        }
    });
    measured.clone()
}

fn cluster_failure(error: ClusterError) -> CliError {
    match error.is_input() {
        true => CliError::input(error),
        false => CliError::Run(error.into()),
    }
}
