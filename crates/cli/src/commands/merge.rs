//! `foglight merge`: the shards of one match as one journal, with its
//! statistics.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use foglight_arena::{
    merge::{Merged, merge},
    stats::Sprt,
};
use serde_json::json;

use super::matches::{args::read_sprt, standings::Standings};
use crate::{failure::CliError, files};

/// Merges the journals of `match -shard K/N`, lists the missing games, and
/// prints the final report that one match would have printed.
#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Merge {
    /// Journals of one match (JSON lines, as -jsonout writes them)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write the merged journal, in the order of its games, to a new file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// A sequential test of the merged match, with the values of `match -sprt`:
    /// it sees the pairs in their order and ends where one match would have
    /// ended
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..=5)]
    sprt: Option<Vec<String>>,

    /// Print one JSON object instead of the report
    #[arg(long)]
    json: bool,
}

const EXAMPLE: &str = "\
Example:
  foglight match -engine agent=greedy name=A -engine agent=random name=B -game fog \\
      -rounds 500 -srand 7 -shard 1/2 -jsonout file=1.jsonl
  foglight match -engine agent=greedy name=A -engine agent=random name=B -game fog \\
      -rounds 500 -srand 7 -shard 2/2 -jsonout file=2.jsonl
  foglight merge 1.jsonl 2.jsonl --out whole.jsonl
  foglight merge 1.jsonl 2.jsonl --sprt elo0=0 elo1=50";

/// Number of ranges of missing games that are listed.
const TOLD: usize = 12;

impl Merge {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let sprt = self.sprt.as_deref().map(read_sprt).transpose();
        let sprt = sprt.map_err(CliError::Input)?;
        let merged = merge(&self.files).map_err(CliError::input)?;
        refuse_test(sprt.as_ref(), &merged)?;
        if let Some(path) = &self.out {
            write_new(path, &merged.journal())?;
        }
        self.report(&merged, sprt)
    }

    fn report(&self, merged: &Merged, sprt: Option<Sprt>) -> Result<(), CliError> {
        let standings = Standings {
            game: merged.game(),
            seed: merged.stamp().seed,
            players: merged.players(),
            sprt,
        };
        let tally = merged.tally(sprt.as_ref());
        let missing = merged.missing();
        let mut out = io::stdout().lock();
        if self.json {
            let mut object = standings.object(&tally);
            if !missing.is_empty() {
                object["missing"] = json!(missing);
            }
            writeln!(out, "{object}")?;
            return Ok(());
        }
        if !missing.is_empty() {
            let gone: u64 = missing.iter().map(|(first, last)| last - first + 1).sum();
            let planned = merged.planned();
            writeln!(
                out,
                "Missing: {gone} of {planned} games: {}",
                told(&missing)
            )?;
        }
        standings.report(&mut out, &tally)?;
        Ok(())
    }
}

/// A test needs pairs of two players, as in `match`.
fn refuse_test(sprt: Option<&Sprt>, merged: &Merged) -> Result<(), CliError> {
    let stamp = merged.stamp();
    if sprt.is_some() && (stamp.engines.len() != 2 || stamp.games != 2) {
        let message = "--sprt: expected a match of two engines with -games 2";
        return Err(CliError::Input(message.to_owned()));
    }
    Ok(())
}

/// Writes a file, never overwriting a journal.
fn write_new(path: &Path, text: &str) -> Result<(), CliError> {
    if path.exists() {
        let message = format!("--out {} exists; expected a new file", path.display());
        return Err(CliError::Input(message));
    }
    files::write(path, text.as_bytes())
}

/// Text of the ranges: `5-6, 11-12`.
fn told(missing: &[(u64, u64)]) -> String {
    let range = |&(first, last): &(u64, u64)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    let shown: Vec<String> = missing.iter().take(TOLD).map(range).collect();
    let more = missing.len().saturating_sub(TOLD);
    let rest = match more {
        0 => String::new(),
        _ => format!(" and {more} more ranges"),
    };
    shown.join(", ") + &rest
}
