//! `foglight verify traps`: the trap rate of recorded games.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;
use foglight_arena::{
    attack::{TrapCount, TrapReply, traps},
    journal,
};
use serde::Serialize;
use serde_json::json;

use crate::failure::CliError;

/// Counts, in the games of journals, the replies that lose the king to a move
/// that the player could not tell from the one that was played: to every move of
/// the enemy from the true position before, after which the player would have
/// observed the same. By player, by ply and by the player's own value.
#[derive(Args)]
#[command(after_help = "Example:\n  foglight verify traps games.jsonl --plies 60")]
pub(super) struct VerifyTraps {
    /// Journals of matches
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Count the first plies of each game only
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(2..))]
    plies: u32,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Plies and values of one row.
const PLIES: u32 = 10;
const VALUES: [(f64, &str); 5] = [
    (-0.5, "value under -0.5"),
    (-0.1, "value -0.5 to -0.1"),
    (0.1, "value -0.1 to 0.1"),
    (0.5, "value 0.1 to 0.5"),
    (f64::INFINITY, "value over 0.5"),
];

/// Counts of one player.
#[derive(Default, Serialize)]
struct PlayerTraps {
    all: TrapCount,
    by_ply: BTreeMap<u32, TrapCount>,
    by_value: BTreeMap<usize, TrapCount>,
}

impl PlayerTraps {
    fn add(&mut self, reply: &TrapReply) {
        self.all += reply;
        *self.by_ply.entry(reply.ply / PLIES * PLIES).or_default() += reply;
        let row = |value: f64| VALUES.iter().position(|(most, _)| value <= *most);
        if let Some(row) = reply.value.and_then(row) {
            *self.by_value.entry(row).or_default() += reply;
        }
    }
}

impl VerifyTraps {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let mut players: BTreeMap<String, PlayerTraps> = BTreeMap::new();
        let mut games = 0;
        for path in &self.files {
            for record in journal::read(path).map_err(CliError::input)? {
                games += 1;
                let replies = traps(&record)
                    .map_err(|error| CliError::input(format!("{}: {error}", path.display())))?;
                for reply in replies.iter().filter(|reply| reply.ply < self.plies) {
                    let name = &record.players.get(reply.side).name;
                    players.entry(name.clone()).or_default().add(reply);
                }
            }
        }
        self.print(games, &players)
    }

    fn print(&self, games: u64, players: &BTreeMap<String, PlayerTraps>) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        if self.json {
            let answer = json!({"games": games, "plies": self.plies, "players": players});
            writeln!(out, "{answer}")?;
            return Ok(());
        }
        writeln!(out, "{games} games, the first {} plies", self.plies)?;
        for (name, counts) in players {
            writeln!(out, "{name}")?;
            writeln!(
                out,
                "  {:<20} {:>8} {:>8}  {:<22} traps among moves alike",
                "", "replies", "trapped", ""
            )?;
            write_row(&mut out, "all", counts.all)?;
            for (first, count) in &counts.by_ply {
                let label = format!("plies {first} to {}", first + PLIES - 1);
                write_row(&mut out, &label, *count)?;
            }
            for (row, count) in &counts.by_value {
                write_row(&mut out, VALUES[*row].1, *count)?;
            }
        }
        Ok(())
    }
}

fn write_row(out: &mut impl Write, label: &str, count: TrapCount) -> io::Result<()> {
    let share = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
    let interval = count.interval();
    let trapped = format!(
        "{:.2} % ({:.2} to {:.2})",
        share(count.trapped, count.replies),
        100.0 * interval.low,
        100.0 * interval.high
    );
    writeln!(
        out,
        "  {label:<20} {:>8} {:>8}  {trapped:<22} {:.3} %",
        count.replies,
        count.trapped,
        share(count.traps, count.alike)
    )
}
