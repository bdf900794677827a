//! Speed of `foglight`: expanded nodes per second on one thread and on two, and
//! the memory of a large tree.

use std::time::Duration;

use foglight_engine::registry;
use foglight_play::{Agent as _, Budget, ConfiguredAgent, Providers, Report, Spec};
use foglight_rules::{Color, Game};
use foglight_uci::MONOTONIC;

mod common;
use common::GreedyGame;

/// Games of greedy players, and the ply at which White searches.
const SEEDS: [u64; 4] = [1, 2, 3, 5];
const PLY: u32 = 16;
const TIME: Duration = Duration::from_secs(2);
/// New nodes of the large tree.
const NODES: u64 = 1_000_000;

fn main() {
    let speeds = [1, 2].map(expansions_a_second);
    let large = think("foglight:worlds=256", SEEDS[0], &Budget::nodes(NODES));
    let (nodes, bytes) = (figure(&large, "tree"), figure(&large, "bytes"));
    let megabytes = bytes / nodes; // bytes a node are megabytes a million
    for (threads, speed) in (1..).zip(speeds) {
        println!("expansions a second, threads={threads}  {speed:.0}");
    }
    let ratio = speeds[1] / speeds[0];
    println!("two threads in one               {ratio:.2} (target: 1.6)");
    println!("tree of {nodes:.0} nodes               {megabytes:.0} MB a million (target: 200)");
}

/// Mean expansions per second over the games.
fn expansions_a_second(threads: usize) -> f64 {
    let spec = format!("foglight:threads={threads}");
    let speed = |seed| {
        figure(
            &think(&spec, seed, &Budget::time(TIME, MONOTONIC)),
            "expansions_per_second",
        )
    };
    SEEDS.map(speed).iter().sum::<f64>() / SEEDS.len() as f64
}

/// The report of White's agent in one of the games.
fn think(spec: &str, seed: u64, budget: &Budget) -> Report {
    let game = Game::fog();
    let mut player = build(spec, &game);
    player.start(&game, Color::White, seed);
    let mut played = GreedyGame::new(&game, seed);
    player.see(played.session.observation(Color::White));
    while played.session.state().plies() < PLY && played.session.outcome().is_none() {
        played.step();
        player.see(played.session.observation(Color::White));
    }
    player.act(played.session.observation(Color::White), budget);
    player.report().unwrap_or_default()
}

fn build(spec: &str, game: &Game) -> ConfiguredAgent {
    let spec: Spec = spec.parse().expect("a spec of ours");
    registry::build(&spec, game, &Providers::default()).expect("an agent of ours")
}

fn figure(report: &Report, name: &str) -> f64 {
    let found = report.metrics.iter().find(|(known, _)| *known == name);
    found.map_or(f64::NAN, |(_, value)| *value)
}
