//! How fast the exact belief is: a belief of 1,000,000 positions, recorded from
//! a game between greedy players, is updated by one opponent move.
//!
//! `cargo run --release -p foglight-engine --example belief_bench [THREADS]`

use std::time::Instant;

use foglight_engine::{
    Agent, Budget,
    agents::greedy::{Greedy, Style},
    belief::ExactBelief,
};
use foglight_rules::{Action, Color, Game, Observation, State};

/// Positions before the move, and the most after it.
const BEFORE: usize = 1_000_000;
const AFTER: usize = 3_000_000;

/// A game of greedy players whose White has a belief of a million positions
/// before a move of Black; gives that belief and what White sees after it.
fn recorded(seed: u64) -> Option<(ExactBelief, Observation)> {
    let game = Game::fog();
    let mut state = State::start(game);
    let mut players = [0, 1].map(|i| {
        let mut player = Greedy::new(Style::Plain);
        player.start(&game, Color::White, seed * 2 + i);
        player
    });
    let mut belief = ExactBelief::new(&game, Color::White, state.position()).with_threads(2);
    while state.outcome().is_none() && belief.count() < 4 * BEFORE {
        let side = state.position().turn();
        let player = &mut players[usize::from(side.is_black())];
        let m = player.act(&state.observe(side), &Budget::default());
        state.play_unchecked(Action::Move(m));
        let seen = state.observe(Color::White);
        if side.is_black() && belief.count() >= BEFORE {
            let worlds = belief.worlds()[..BEFORE].to_vec();
            let plies = belief.plies();
            return Some((
                ExactBelief::from_worlds(*belief.evidence(), worlds, plies),
                seen,
            ));
        }
        belief.update(&seen).ok()?;
    }
    None
}

/// Peak memory of the process in megabytes, where the system tells.
fn peak_megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

fn main() {
    let threads = std::env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(2);
    let mut measured = 0;
    for seed in 0.. {
        let Some((belief, seen)) = recorded(seed) else {
            continue;
        };
        let mut belief = belief.with_threads(threads);
        let clock = Instant::now();
        let result = belief.update(&seen);
        let seconds = clock.elapsed().as_secs_f64();
        let count = belief.count();
        if result.is_err() || !(BEFORE / 2..=AFTER).contains(&count) {
            continue;
        }
        println!(
            "seed {seed}: {BEFORE} positions became {count} in {seconds:.3} s on {threads} threads"
        );
        measured += 1;
        if measured == 3 {
            break;
        }
    }
    if let Some(peak) = peak_megabytes() {
        println!("peak memory, the making of the beliefs included: {peak:.0} MB");
    }
}
