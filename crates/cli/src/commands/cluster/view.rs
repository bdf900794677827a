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
        let mut screen = Screen {
            out: io::stdout(),
            live: io::stdout().is_terminal() && !self.once && !self.json,
        };
        let (mut seen, mut written) = (0, screen.begin());
        let watched = watch(&self.url, &stop, |snapshot| {
            seen += 1;
            if self.once && seen < COMPLETE {
                return true;
            }
            written = match self.json {
                true => screen.line(snapshot),
                false => screen.show(snapshot),
            };
            written.is_ok() && !self.once
        });
        screen.end()?;
        watched.map_err(cluster_failure)?;
        Ok(written?)
    }
}

/// The output; a live one is drawn over, on a screen of its own.
struct Screen {
    out: io::Stdout,
    live: bool,
}

impl Screen {
    fn begin(&mut self) -> io::Result<()> {
        if self.live {
            // The alternate screen, without a cursor.
            write!(self.out, "\x1b[?1049h\x1b[?25l")?;
            write!(self.out, "waiting for workers and matches ...")?;
        }
        self.out.flush()
    }

    fn end(&mut self) -> io::Result<()> {
        if self.live {
            write!(self.out, "\x1b[?25h\x1b[?1049l")?;
        }
        self.out.flush()
    }

    fn line(&mut self, snapshot: &Snapshot) -> io::Result<()> {
        let line = json!({"workers": snapshot.workers, "jobs": snapshot.callers});
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }

    fn show(&mut self, snapshot: &Snapshot) -> io::Result<()> {
        let text = text(snapshot, self.live);
        if !self.live {
            write!(self.out, "{text}")?;
            return self.out.flush();
        }
        // Over the old text, line by line, so that nothing flickers.
        write!(self.out, "\x1b[H")?;
        for line in text.lines() {
            writeln!(self.out, "{line}\x1b[K")?;
        }
        write!(self.out, "\x1b[J")?;
        self.out.flush()
    }
}

/// Ways of showing text on a terminal.
const BOLD: &str = "1";
const DIM: &str = "2";
const RED: &str = "31";

/// Text in a style, where there are styles.
fn styled(live: bool, style: &str, text: &str) -> String {
    match live {
        true => format!("\x1b[{style}m{text}\x1b[0m"),
        false => text.to_owned(),
    }
}

/// A snapshot for people.
fn text(snapshot: &Snapshot, live: bool) -> String {
    let running = snapshot.callers.iter().filter(|job| !job.over).count();
    let slots: usize = snapshot.workers.iter().map(|one| one.slots).sum();
    let in_use: usize = snapshot.workers.iter().map(busy).sum();
    let summary = format!(
        "{running} running, {} workers, {in_use} of {slots} slots busy",
        snapshot.workers.len(),
    );
    let mut text = styled(live, BOLD, &summary) + "\n";
    for one in &snapshot.callers {
        text += "\n";
        text += &job(one, live);
    }
    if !snapshot.workers.is_empty() {
        let head = format!(
            "{:<32} {:>8} {:>10} {:>9} {:>7} {:>9} {:>8}",
            "worker", "version", "signature", "speed", "busy", "results", "failures"
        );
        text += &format!("\n{}\n", styled(live, DIM, &head));
    }
    for one in &snapshot.workers {
        let row = format!(
            "{:<32} {:>8} {:>10} {:>9.0} {:>7} {:>9} {:>8}",
            shown(&one.worker, &snapshot.workers),
            one.version,
            one.signature,
            one.speed,
            format!("{}/{}", busy(one), one.slots),
            one.done,
            one.failures
        );
        text += &match one.failures {
            0 => row,
            _ => styled(live, RED, &row),
        };
        text += "\n";
    }
    text
}

/// Slots of a worker that are in use.
fn busy(one: &WorkerStatus) -> usize {
    one.units.len().min(one.slots)
}

/// A worker's own name; with the number of its process, if others have it too.
fn shown(worker: &str, workers: &[WorkerStatus]) -> String {
    let name = |worker: &str| -> String {
        let name = worker.rsplit_once('-').map_or(worker, |(name, _)| name);
        name.to_owned()
    };
    let own = name(worker);
    let same = workers.iter().filter(|one| name(&one.worker) == own);
    match same.count() {
        0 | 1 => own,
        _ => worker.chars().take(32).collect(),
    }
}

/// A job: how far it is, its statistics, and what went wrong.
fn job(one: &CallerStatus, live: bool) -> String {
    let share = one.done as f64 / one.total.max(1) as f64;
    let left = (one.total - one.done.min(one.total)) as f64;
    let end = match one.over {
        true => "over".to_owned(),
        false if one.per_hour < 1.0 => "waiting".to_owned(),
        false => format!("{} left", duration(3600.0 * left / one.per_hour)),
    };
    let mut text = format!(
        "{}\n  {} {:>3.0} %  {} of {}, {:.0} an hour, {end}\n",
        styled(live, BOLD, &one.title),
        bar(share),
        100.0 * share,
        one.done,
        one.total,
        one.per_hour,
    );
    if !one.standing.is_empty() {
        text += &format!("  {}\n", one.standing);
    }
    let workers = format!(
        "{} workers, {} units lost, {} set aside",
        one.workers, one.lost, one.set_aside
    );
    text += &format!("  {}\n", styled(live, DIM, &workers));
    for notice in &one.notices {
        text += &format!("  {}\n", styled(live, RED, notice));
    }
    text
}

/// A bar of this share of its width.
fn bar(share: f64) -> String {
    const WIDTH: usize = 30;
    let full = ((WIDTH as f64 * share) as usize).min(WIDTH);
    "█".repeat(full) + &"░".repeat(WIDTH - full)
}

fn duration(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round() as u64;
    match (minutes / 60, minutes % 60) {
        (0, 0) => format!("{seconds:.0} s"),
        (0, minutes) => format!("{minutes} min"),
        (hours, minutes) => format!("{hours} h {minutes:02} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worker(name: &str) -> WorkerStatus {
        WorkerStatus {
            worker: name.to_owned(),
            version: "0.1.0".to_owned(),
            signature: "123".to_owned(),
            speed: 500_000.4,
            slots: 2,
            units: Vec::new(),
            done: 7,
            failures: 1,
        }
    }

    #[test]
    fn a_snapshot_is_told_in_lines() {
        let snapshot = Snapshot {
            workers: vec![worker("a-1f"), worker("b-2"), worker("b-3")],
            callers: vec![CallerStatus {
                job: "f00".to_owned(),
                epoch: 1,
                title: "A vs B of fog".to_owned(),
                done: 30,
                total: 120,
                standing: "LLR: 0.1".to_owned(),
                per_hour: 60.0,
                workers: 1,
                lost: 2,
                set_aside: 0,
                notices: vec!["worker c is refused".to_owned()],
                over: false,
            }],
        };
        let plain = text(&snapshot, false);
        for part in [
            "1 running, 3 workers, 0 of 6 slots busy\n\nA vs B of fog\n  ███████░",
            "░  25 %  30 of 120, 60 an hour, 1 h 30 min left\n  LLR: 0.1\n",
            "  1 workers, 2 units lost, 0 set aside\n  worker c is refused\n\nworker ",
            "\na        ",
            "\nb-2      ",
            "    500000     0/2         7        1\n",
        ] {
            assert!(plain.contains(part), "{part:?} in {plain}");
        }
        assert!(!plain.contains('\x1b') && plain.lines().all(|line| line.chars().count() < 100));
        assert!(text(&snapshot, true).contains("\x1b[1mA vs B of fog\x1b[0m"));
    }

    #[test]
    fn times_are_read_at_a_glance() {
        for (seconds, expected) in [(5.0, "5 s"), (90.0, "2 min"), (5400.0, "1 h 30 min")] {
            assert_eq!(duration(seconds), expected);
        }
    }
}
