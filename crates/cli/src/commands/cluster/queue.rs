//! The queue of a match whose games workers play.

use std::{
    cell::Cell,
    collections::BTreeMap,
    error::Error,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use foglight_arena::tournament::{MatchEntrant, Tournament};
use foglight_cluster::{ClusterError, ClusterQueue, QueueOptions};
use foglight_engine::registry;
use foglight_play::{Providers, Spec};
use foglight_rules::Game;

use super::{cluster_failure, identity};
use crate::{commands::matches::args::ClusterArgs, failure::CliError, providers};

/// Time between two statistics for `foglight cluster`.
const PAUSE: Duration = Duration::from_secs(1);

/// A queue with what is shown of it.
pub(in crate::commands) struct Queue {
    queue: ClusterQueue,
    shown: Cell<Option<Instant>>,
}

/// Connects a match to a cluster.
pub(in crate::commands) fn open_queue(
    url: &str,
    args: &ClusterArgs,
    tournament: &Tournament,
) -> Result<Queue, CliError> {
    let entrants = &tournament.contestants;
    let names: Vec<&str> = entrants.iter().map(|one| one.name.as_str()).collect();
    let mut files = BTreeMap::new();
    for entrant in entrants {
        files.extend(files_of(entrant, tournament.game)?);
    }
    let options = QueueOptions {
        title: format!("{} of {}", names.join(" vs "), tournament.game),
        identity: identity(),
        files,
        unit_seconds: args.unit_seconds,
        audit: args.audit,
    };
    let tell = |notice: &foglight_cluster::Notice| eprintln!("foglight: {notice}");
    let queue = ClusterQueue::open(url, options, tell).map_err(cluster_failure)?;
    Ok(Queue {
        queue,
        shown: Cell::new(None),
    })
}

/// The files that an agent reads when it is built, which travel with the match.
fn files_of(entrant: &MatchEntrant, game: Game) -> Result<BTreeMap<String, Vec<u8>>, CliError> {
    if let Some(engine) = &entrant.engine {
        return match engine.dir {
            None => Ok(BTreeMap::new()),
            Some(_) => Err(CliError::input(
                "-engine dir= and -cluster: expected one of them, as workers have folders of their own",
            )),
        };
    }
    let read = Arc::new(Mutex::new(BTreeMap::new()));
    let list = read.clone();
    let all = providers::all();
    let open = all.read.clone().expect("this program reads files");
    let recording = Providers {
        read: Some(Arc::new(move |path: &str| {
            let content = open(path)?;
            let mut list = list.lock().expect("inserting does not panic");
            list.insert(path.to_owned(), content.clone());
            Ok(content)
        })),
        ..all
    };
    let spec: Spec = entrant.agent.parse().map_err(CliError::input)?;
    registry::build(&spec, &game, &recording).map_err(CliError::input)?;
    drop(recording);
    let mut read = read.lock().expect("inserting does not panic");
    Ok(std::mem::take(&mut *read))
}

impl Queue {
    pub(in crate::commands) fn queue(&self) -> &ClusterQueue {
        &self.queue
    }

    /// Statistics for `foglight cluster`, at most once a second.
    pub(in crate::commands) fn set_standing(&self, standing: impl FnOnce() -> String) {
        if self.shown.get().is_none_or(|at| at.elapsed() >= PAUSE) {
            self.shown.set(Some(Instant::now()));
            self.queue.set_standing(standing());
        }
    }

    /// Fails if work is missing or not to be believed.
    pub(in crate::commands) fn end(&self) -> Result<(), CliError> {
        match self.queue.trouble() {
            trouble if trouble.is_empty() => Ok(()),
            trouble => Err(CliError::Run(anyhow::anyhow!(trouble.join("; ")))),
        }
    }
}

/// The failure of a queue.
pub(in crate::commands) fn failure_of(error: Box<dyn Error + Send + Sync>) -> CliError {
    match error.downcast::<ClusterError>() {
        Ok(error) => cluster_failure(*error),
        Err(other) => CliError::Run(anyhow::anyhow!(other)),
    }
}
