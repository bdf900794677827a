//! Speed of beliefs: one update of a belief of a million positions, and boards
//! per second that `pbsa` analyses.

use std::{fs, time::Instant};

use foglight_engine::{
    belief::BeliefSet,
    search::{SearchAnalyser, analyser::best},
};
use foglight_play::{AnalysisLimit, seeded};
use foglight_rules::{Color, Game, Observation, Position};

mod common;
use common::{GreedyGame, clock::Clock};

/// Positions before the move, and the maximum after it.
const BEFORE: usize = 1_000_000;
const AFTER: usize = 3_000_000;
/// Games of greedy players in which White's belief grows to a million before a
/// move of Black that leaves fewer than three.
const SEEDS: [u64; 2] = [367, 731];
/// Threads of the update.
const THREADS: usize = 2;
/// Boards to analyse, and nodes for each.
const BOARDS: usize = 400;
const NODES: u64 = 5000;

fn main() {
    let updates: Vec<Update> = SEEDS.into_iter().filter_map(update).collect();
    let (boards, nodes) = boards_a_second();
    for row in &updates {
        println!(
            "update by one enemy move, {} positions to {}, {THREADS} threads",
            row.before, row.after
        );
        println!(
            "    {:.3} s by the clock (target: 1.0), {:.3} s of processor, peak {:.0} MB (target: 400)",
            row.seconds, row.processor, row.peak_megabytes
        );
    }
    println!("boards of a belief analysed by our search, {NODES} nodes each, one core");
    println!("    {boards:.0} boards a second of processor (target: 200), {nodes:.0} nodes each");
}

struct Update {
    before: usize,
    after: usize,
    seconds: f64,
    processor: f64,
    peak_megabytes: f64,
}

fn update(seed: u64) -> Option<Update> {
    let (belief, seen) = recorded(seed)?;
    let mut belief = belief.with_threads(THREADS);
    let before = belief.count();
    // Resets the peak memory of building the belief; harmless if it fails.
    let _ = fs::write("/proc/self/clear_refs", "5");
    let (wall, processor) = (Instant::now(), Processor::now());
    belief.update(&seen).ok()?;
    let seconds = wall.elapsed().as_secs_f64();
    let processor = processor.seconds();
    (belief.count() <= AFTER).then(|| Update {
        before,
        after: belief.count(),
        seconds,
        processor,
        peak_megabytes: peak_megabytes().unwrap_or(f64::NAN),
    })
}

/// Plays a game of greedy players until White's belief contains a million
/// positions before a move of Black; returns that belief, cut to the million,
/// and White's observation after the move.
fn recorded(seed: u64) -> Option<(BeliefSet, Observation)> {
    let game = Game::fog();
    let mut played = GreedyGame::new(&game, seed);
    let start = BeliefSet::new(&game, Color::White, &game.start());
    let mut belief = start.with_threads(THREADS);
    while played.session.outcome().is_none() && belief.count() < 4 * BEFORE {
        let side = played.step();
        let seen = played.session.observation(Color::White).clone();
        if side.is_black() && belief.count() >= BEFORE {
            let worlds = belief.worlds()[..BEFORE].to_vec();
            let (evidence, plies) = (*belief.evidence(), belief.plies());
            return Some((BeliefSet::from_worlds(evidence, worlds, plies), seen));
        }
        belief.update(&seen).ok()?;
    }
    None
}

/// Boards per second that `pbsa` would analyse, and the nodes per board.
fn boards_a_second() -> (f64, f64) {
    let game = Game::fog();
    let boards = boards(&game);
    let judge = SearchAnalyser::default();
    let clock = Clock::own();
    let mut spent = 0;
    for board in &boards {
        spent += best(&judge, &game, board, AnalysisLimit::nodes(NODES)).1;
    }
    let count = boards.len() as f64;
    (count / clock.seconds(), spent as f64 / count)
}

/// Boards sampled from White's beliefs in greedy games, White to move.
fn boards(game: &Game) -> Vec<Position> {
    let mut boards = Vec::new();
    let mut rng = seeded(5);
    for seed in 0.. {
        let mut played = GreedyGame::new(game, seed);
        let start = BeliefSet::new(game, Color::White, &game.start());
        let mut belief = start.with_cap(20_000, seed);
        while played.session.outcome().is_none() {
            played.step();
            let seen = played.session.observation(Color::White);
            if belief.update(seen).is_err() {
                break;
            }
            let state = played.session.state();
            if state.position().turn().is_white() && state.plies() > 10 {
                boards.extend(belief.sample(&mut rng));
            }
            if boards.len() == BOARDS {
                return boards;
            }
        }
    }
    boards
}

/// Processor time of this process, including threads that have ended.
struct Processor(Option<f64>);

impl Processor {
    fn now() -> Processor {
        let stat = fs::read_to_string("/proc/self/stat").ok();
        let ticks = stat.and_then(|stat| {
            let (_, rest) = stat.rsplit_once(')')?;
            let fields = rest.split_whitespace().skip(11).take(2);
            let ticks: Option<Vec<f64>> = fields.map(|n| n.parse().ok()).collect();
            Some(ticks?.iter().sum::<f64>() / 100.0)
        });
        Processor(ticks)
    }

    /// Seconds since the start, to a hundredth.
    fn seconds(&self) -> f64 {
        let pair = Processor::now().0.zip(self.0);
        pair.map_or(f64::NAN, |(now, before)| now - before)
    }
}

/// Peak memory of this process since it was last reset, if Linux reports it.
fn peak_megabytes() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
