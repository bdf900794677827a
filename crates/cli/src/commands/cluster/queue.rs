//! Who does a list: threads of this process, or the workers of a cluster.

use std::{
    cell::Cell,
    collections::BTreeMap,
    error::Error,
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use foglight_arena::{
    queue::{RemoteWork, Threads, WorkEvent, WorkQueue},
    tournament::{MatchEntrant, Tournament},
};
use foglight_cluster::{ClusterError, ClusterQueue, QueueOptions};
use foglight_rules::Game;

use super::{cluster_failure, host::Host, identity, options::ClusterArgs};
use crate::failure::CliError;

/// Time between two statistics for `foglight cluster`.
const PAUSE: Duration = Duration::from_secs(1);

/// Does the items of a list.
pub(in crate::commands) enum Hands {
    Here(Threads),
    Cluster(Box<Remote>),
}

/// The queue of a cluster with what is shown of it.
pub(in crate::commands) struct Remote {
    queue: ClusterQueue,
    shown: Cell<Option<Instant>>,
}

impl Hands {
    /// Threads of this process, or the cluster that `args` names, which gets the
    /// files.
    pub(in crate::commands) fn open(
        args: &ClusterArgs,
        threads: usize,
        title: String,
        files: impl FnOnce() -> Result<BTreeMap<String, Vec<u8>>, CliError>,
    ) -> Result<Hands, CliError> {
        let Some(url) = &args.url else {
            return Ok(Hands::Here(Threads(threads)));
        };
        let options = QueueOptions {
            title,
            identity: identity(),
            files: files()?,
            unit_seconds: args.unit_seconds,
            audit: args.audit,
        };
        let tell = |notice: &foglight_cluster::Notice| eprintln!("foglight: {notice}");
        let queue = ClusterQueue::open(url, options, tell).map_err(cluster_failure)?;
        Ok(Hands::Cluster(Box::new(Remote {
            queue,
            shown: Cell::new(None),
        })))
    }

    /// The same for a match.
    pub(in crate::commands) fn of_match(
        args: &ClusterArgs,
        tournament: &Tournament,
    ) -> Result<Hands, CliError> {
        let entrants = &tournament.contestants;
        let names: Vec<&str> = entrants.iter().map(|one| one.name.as_str()).collect();
        let title = format!("{} of {}", names.join(" vs "), tournament.game);
        let files = || {
            let each = entrants.iter().map(|one| files_of(one, tournament.game));
            let each = each.collect::<Result<Vec<_>, CliError>>()?;
            Ok(each.into_iter().flatten().collect())
        };
        Hands::open(args, tournament.concurrency, title, files)
    }

    /// Does the items and passes the results to `take` as they come; `stop` ends
    /// it between two results.
    pub(in crate::commands) fn each<W: RemoteWork>(
        &self,
        work: &W,
        mut items: impl Iterator<Item = u64> + Send,
        stop: &AtomicBool,
        mut take: impl FnMut(u64, W::Output) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let stopped = || stop.load(Ordering::Relaxed);
        let mut taken = Ok(());
        let ran = self.run(work, &mut items, &stopped, &mut |event| {
            if let WorkEvent::Finished(item, output) = event {
                taken = take(item, output);
            }
            match taken {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        taken?;
        ran.map_err(cluster_failure)?;
        self.end()
    }

    /// Statistics for `foglight cluster`, at most once a second.
    pub(in crate::commands) fn set_standing(&self, standing: impl FnOnce() -> String) {
        if let Hands::Cluster(remote) = self
            && remote.shown.get().is_none_or(|at| at.elapsed() >= PAUSE)
        {
            remote.shown.set(Some(Instant::now()));
            remote.queue.set_standing(standing());
        }
    }

    /// Fails if work is missing or not to be believed.
    pub(in crate::commands) fn end(&self) -> Result<(), CliError> {
        let trouble = match self {
            Hands::Here(_) => Vec::new(),
            Hands::Cluster(remote) => remote.queue.trouble(),
        };
        match trouble.is_empty() {
            true => Ok(()),
            false => Err(CliError::Run(anyhow::anyhow!(trouble.join("; ")))),
        }
    }
}

impl<W: RemoteWork> WorkQueue<W> for Hands {
    type Error = ClusterError;

    fn run(
        &self,
        work: &W,
        items: &mut (dyn Iterator<Item = u64> + Send),
        stopped: &(dyn Fn() -> bool + Sync),
        take: &mut dyn FnMut(WorkEvent<W::Output>) -> ControlFlow<()>,
    ) -> Result<(), ClusterError> {
        match self {
            Hands::Here(threads) => {
                let Ok(()) = threads.run(work, items, stopped, take);
                Ok(())
            }
            Hands::Cluster(remote) => remote.queue.run(work, items, stopped, take),
        }
    }
}

/// The files that an agent reads when it is built, which travel with the task.
pub(in crate::commands) fn files_of(
    entrant: &MatchEntrant,
    game: Game,
) -> Result<BTreeMap<String, Vec<u8>>, CliError> {
    if let Some(engine) = &entrant.engine {
        return match engine.dir {
            None => Ok(BTreeMap::new()),
            Some(_) => Err(CliError::input(
                "-engine dir= and -cluster: expected one of them, as workers have folders of their own",
            )),
        };
    }
    let host = Host::here(true);
    host.spec(&entrant.agent, &game)?;
    Ok(host.files())
}

/// The failure of a queue.
pub(in crate::commands) fn failure_of(error: Box<dyn Error + Send + Sync>) -> CliError {
    match error.downcast::<ClusterError>() {
        Ok(error) => cluster_failure(*error),
        Err(other) => CliError::Run(anyhow::anyhow!(other)),
    }
}
