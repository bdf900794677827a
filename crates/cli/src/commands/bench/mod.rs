//! `foglight bench`: fixed seeds and node budgets, so that two builds of the
//! same program print the same numbers; and the speed against other programs.

mod clock;
mod peers;
mod random_games;
mod signature;

use std::io::{self, Write};

use clap::Args;
use serde_json::json;

use crate::failure::CliError;
use clock::Clock;
use signature::{Row, rows};

/// Prints the signature of this build, one number a row, and its speed. A
/// changed signature is a change of behaviour. With --peers it compares the
/// speed with other programs instead.
#[derive(Args)]
#[command(after_help = "Examples:\n  foglight bench --json\n  foglight bench --peers")]
pub(crate) struct Bench {
    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Compare the speed with Fairy-Stockfish and shakmaty, on one core
    #[arg(long)]
    peers: bool,
}

impl Bench {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        if self.peers {
            return peers::run(self.json);
        }
        let rows: Vec<Row> = rows().iter().map(|case| case.run()).collect();
        self.print(&rows)?;
        Ok(())
    }

    fn print(&self, rows: &[Row]) -> io::Result<()> {
        let total = signature::total(rows);
        let mut out = io::stdout().lock();
        if self.json {
            return writeln!(out, "{:#}", json!({ "signature": total, "rows": rows }));
        }
        for row in rows {
            let Row {
                name,
                signature,
                work,
                seconds,
            } = row;
            let speed = *work as f64 / seconds.max(1e-9);
            writeln!(
                out,
                "{name:24} {signature:>10} {work:>9} in {seconds:.3} s, {speed:>11.0} a second"
            )?;
        }
        writeln!(out, "{:24} {total:>10}", "signature")
    }
}

/// The signature of this build, and the speed of this machine in work of the
/// signature per second of processor time.
pub(super) fn measure() -> (u32, f64) {
    let clock = Clock::own();
    let rows: Vec<Row> = rows().iter().map(|case| case.run()).collect();
    let work: u64 = rows.iter().map(|row| row.work).sum();
    (signature::total(&rows), work as f64 / clock.seconds())
}
