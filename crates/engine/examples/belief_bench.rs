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

/// Games whose beliefs grow to a million and not past three.
const SEEDS: [u64; 2] = [367, 731];

/// Peak memory of the process in megabytes since it was last reset, and its
/// time on all processors in seconds, where the system tells.
fn peak_megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields = stat.rsplit_once(')')?.1.split_whitespace();
    let ticks: Vec<f64> = fields
        .skip(11)
        .take(2)
        .filter_map(|n| n.parse().ok())
        .collect();
    Some(ticks.iter().sum::<f64>() / 100.0)
}

fn main() {
    let threads = std::env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(2);
    for seed in SEEDS {
        let Some((belief, seen)) = recorded(seed) else {
            println!("seed {seed}: no belief of {BEFORE} positions");
            continue;
        };
        let mut belief = belief.with_threads(threads);
        // Forget the peak of making the belief; fails harmlessly elsewhere.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        let (clock, processor) = (Instant::now(), processor_seconds());
        let result = belief.update(&seen);
        let seconds = clock.elapsed().as_secs_f64();
        let spent = processor_seconds().zip(processor).map(|(a, b)| a - b);
        assert!(result.is_ok() && belief.count() <= AFTER, "seed {seed}");
        println!(
            "seed {seed}: {BEFORE} positions became {} in {seconds:.3} s on {threads} threads, \
             {:.2} s of processor, peak {:.0} MB",
            belief.count(),
            spent.unwrap_or(f64::NAN),
            peak_megabytes().unwrap_or(f64::NAN),
        );
    }
}
