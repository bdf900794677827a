//! `foglight cluster`: what happens on a cluster.

use std::io::{self, IsTerminal as _, Write};

use clap::Args;
use foglight_cluster::{CallerStatus, Snapshot, WorkerStatus, watch};
use serde_json::json;

use super::cluster_failure;
use crate::{commands::matches::interrupt_flag, failure::CliError};

/// Shows the workers with their versions, speeds and load, and the running
/// matches with their statistics, until Ctrl-C.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  foglight cluster nats://127.0.0.1:4222\n  foglight cluster nats://127.0.0.1:4222 --once --json"
)]
pub(crate) struct ClusterView {
    /// Address of the server
    #[arg(value_name = "URL")]
    url: String,

    /// Print one snapshot, after five seconds
    #[arg(long)]
    once: bool,

    /// Print each snapshot as a line of JSON
    #[arg(long)]
    json: bool,
}

/// Snapshots until everybody has been heard.
const COMPLETE: usize = 2;

impl ClusterView {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let stop = interrupt_flag()?;
        let mut out = io::stdout();
        let (mut seen, mut written) = (0, Ok(()));
        let watched = watch(&self.url, &stop, |snapshot| {
            seen += 1;
            if self.once && seen < COMPLETE {
                return true;
            }
            written = self.show(&mut out, snapshot);
            written.is_ok() && !self.once
        });
        watched.map_err(cluster_failure)?;
        Ok(written?)
    }

    fn show(&self, out: &mut io::Stdout, snapshot: &Snapshot) -> io::Result<()> {
        if self.json {
            let line = json!({"workers": snapshot.workers, "jobs": snapshot.callers});
            writeln!(out, "{line}")?;
            return out.flush();
        }
        if out.is_terminal() && !self.once {
            // Clears the screen and goes to its first line.
            write!(out, "\x1b[2J\x1b[H")?;
        }
        write!(out, "{}", text(snapshot))?;
        out.flush()
    }
}

/// A snapshot for people.
fn text(snapshot: &Snapshot) -> String {
    let workers: String = snapshot.workers.iter().map(worker).collect();
    let jobs: String = snapshot.callers.iter().map(job).collect();
    let slots: usize = snapshot.workers.iter().map(|one| one.slots).sum();
    format!(
        "{:<40} {:>8} {:>10} {:>9} {:>7} {:>9} {:>8}\n{workers}{} workers, {slots} slots\n\n{jobs}{} running\n",
        "worker",
        "version",
        "signature",
        "speed",
        "busy",
        "results",
        "failures",
        snapshot.workers.len(),
        snapshot.callers.iter().filter(|job| !job.over).count(),
    )
}

fn worker(one: &WorkerStatus) -> String {
    format!(
        "{:<40} {:>8} {:>10} {:>9.0} {:>7} {:>9} {:>8}\n",
        one.worker,
        one.version,
        one.signature,
        one.speed,
        format!("{}/{}", one.units.len(), one.slots),
        one.done,
        one.failures
    )
}

fn job(one: &CallerStatus) -> String {
    let over = if one.over { ", over" } else { "" };
    format!(
        "{}: {} of {}, {:.0} an hour, {} workers, {} units lost, {} set aside{over}\n    {}\n",
        one.title,
        one.done,
        one.total,
        one.per_hour,
        one.workers,
        one.lost,
        one.set_aside,
        one.standing
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_is_a_table() {
        let snapshot = Snapshot {
            workers: vec![WorkerStatus {
                worker: "a-1".to_owned(),
                version: "0.1.0".to_owned(),
                signature: "123".to_owned(),
                speed: 500_000.4,
                slots: 2,
                units: Vec::new(),
                done: 7,
                failures: 1,
            }],
            callers: vec![CallerStatus {
                job: "f00".to_owned(),
                title: "A vs B of fog".to_owned(),
                done: 7,
                total: 100,
                standing: "LLR: 0.1".to_owned(),
                per_hour: 3600.0,
                workers: 1,
                lost: 2,
                set_aside: 0,
                over: false,
            }],
        };
        let text = text(&snapshot);
        for part in [
            "500000     0/2         7        1\n",
            "1 workers, 2 slots",
            "A vs B of fog: 7 of 100, 3600 an hour, 1 workers, 2 units lost, 0 set aside\n    LLR: 0.1\n",
            "1 running",
        ] {
            assert!(text.contains(part), "{part:?} in {text}");
        }
    }
}
