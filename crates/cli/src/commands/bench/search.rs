//! Speed of `foglight`: nodes that it expands a second on one thread and on
//! two, and the memory of a large tree.

use std::{
    io::{self, Write},
    time::Duration,
};

use foglight_engine::registry;
use foglight_play::{Agent as _, Budget, ConfiguredAgent, Providers, Report, Spec};
use foglight_rules::{Color, Game, State};
use foglight_uci::MONOTONIC;
use serde_json::json;

use super::belief::{greedy_pair, play_one};
use crate::failure::Failure;

/// Games of greedy players, and the single move at which White thinks.
const SEEDS: [u64; 4] = [1, 2, 3, 5];
const PLY: u32 = 16;
/// Time for each.
const TIME: Duration = Duration::from_secs(2);
/// New nodes of the large tree.
const NODES: u64 = 1_000_000;

/// Measures all and prints it with its bars.
pub fn run(as_json: bool) -> Result<(), Failure> {
    let speeds = [1, 2].map(expansions_a_second);
    let large = think("foglight:worlds=256", SEEDS[0], &Budget::nodes(NODES));
    let (nodes, bytes) = (figure(&large, "tree"), figure(&large, "bytes"));
    let megabytes = bytes / nodes; // bytes a node are megabytes a million
    let mut out = io::stdout().lock();
    if as_json {
        let object = json!({
            "expansions_a_second": speeds,
            "nodes": nodes,
            "megabytes_a_million_nodes": megabytes,
        });
        writeln!(out, "{object}")?;
        return Ok(());
    }
    for (threads, speed) in (1..).zip(speeds) {
        let bar = if threads == 2 { " (bar: 5600)" } else { "" };
        writeln!(
            out,
            "expansions a second, threads={threads}  {speed:.0}{bar}"
        )?;
    }
    writeln!(
        out,
        "tree of {nodes:.0} nodes               {megabytes:.0} MB a million (bar: 300)"
    )?;
    Ok(())
}

/// The mean over the games.
fn expansions_a_second(threads: usize) -> f64 {
    let spec = format!("foglight:threads={threads}");
    let speed = |seed| {
        figure(
            &think(&spec, seed, &Budget::time(TIME, MONOTONIC)),
            "expansions/s",
        )
    };
    SEEDS.map(speed).iter().sum::<f64>() / SEEDS.len() as f64
}

/// What White's player tells of its thoughts in one of the games.
fn think(spec: &str, seed: u64, budget: &Budget) -> Report {
    let game = Game::fog();
    let mut player = build(spec, &game);
    player.start(&game, Color::White, seed);
    let mut state = State::start(game);
    let mut others = greedy_pair(&game, seed);
    player.see(&state.observe(Color::White));
    while state.plies() < PLY && state.outcome().is_none() {
        play_one(&mut state, &mut others);
        player.see(&state.observe(Color::White));
    }
    player.act(&state.observe(Color::White), budget);
    player.report().unwrap_or_default()
}

fn build(spec: &str, game: &Game) -> ConfiguredAgent {
    let spec: Spec = spec.parse().expect("a spec of ours");
    registry::build(&spec, game, &Providers::default()).expect("an agent of ours")
}

fn figure(report: &Report, name: &str) -> f64 {
    let found = report.figures.iter().find(|(known, _)| *known == name);
    found.map_or(f64::NAN, |(_, value)| *value)
}
