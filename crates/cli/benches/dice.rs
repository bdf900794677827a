//! Speed of `dice` on its two suites of a hundred rolled positions each.

use std::time::{Duration, Instant};

use foglight_engine::dice::{
    PieceSquareValues, dice1_search::think, dice3_search, table::DiceTable,
};
use foglight_play::Budget;
use foglight_rules::{Game, Position};
use foglight_uci::MONOTONIC;

const ONE_DIE: &str = include_str!("../../../data/dice/middlegames.fen");
const THREE_DICE: &str = include_str!("../../../data/dice/turns.fen");

/// Time limit of a move.
const MOVE: Duration = Duration::from_secs(1);

/// Required depth with one die.
const DEPTH: u32 = 5;

/// Number of positions from which leaves are counted, and time for each.
const LEAVES: (usize, Duration) = (20, Duration::from_millis(200));

fn suite(game: &Game, text: &str) -> Vec<Position> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|fen| game.parse_fen(fen).expect("a position of the suite"))
        .collect()
}

fn budget(time: Duration, threads: usize) -> Budget {
    let mut budget = Budget::time(time, MONOTONIC);
    budget.threads = threads;
    budget
}

fn main() {
    let threads = std::env::args().find_map(|word| word.strip_prefix("threads=")?.parse().ok());
    let threads: usize = threads.unwrap_or(2);
    let (deep, positions) = depth(threads);
    let leaves = leaves();
    let (full, turns, slowest) = full_width(threads);
    println!("dice1, 1 s, {threads} threads: depth {DEPTH} completed");
    println!("    {deep} of {positions} positions (target: 80 %)");
    println!("dice1, one thread: leaves");
    println!(
        "    {:.2} million a second (target: 5)",
        leaves / 1_000_000.0
    );
    println!("dice3, 1 s, {threads} threads: every end board against every roll");
    println!("    {full} of {turns} positions (target: 95 %), the slowest in {slowest:.2} s");
}

/// Number of positions in which the depth is reached or the king captured at
/// once, and their total.
fn depth(threads: usize) -> (usize, usize) {
    let game = Game::dice1();
    let positions = suite(&game, ONE_DIE);
    let deep = positions.iter().filter(|position| {
        let moves = game.legal_moves(position).to_vec();
        let table = DiceTable::new(16);
        let values = (PieceSquareValues::default_values(), &table);
        let thought = think(&game, position, &moves, values, &budget(MOVE, threads));
        thought.depth >= DEPTH || thought.value >= 1.0
    });
    (deep.count(), positions.len())
}

/// Leaves per second, including those evaluated for ordering.
fn leaves() -> f64 {
    let game = Game::dice1();
    let (mut leaves, mut seconds) = (0, 0.0);
    for position in suite(&game, ONE_DIE).iter().take(LEAVES.0) {
        let moves = game.legal_moves(position).to_vec();
        let table = DiceTable::new(16);
        let began = Instant::now();
        let values = (PieceSquareValues::default_values(), &table);
        leaves += think(&game, position, &moves, values, &budget(LEAVES.1, 1)).leaves;
        seconds += began.elapsed().as_secs_f64();
    }
    leaves as f64 / seconds
}

/// Number of positions in which all final boards are answered by all rolls in
/// time, their total, and the time of the slowest.
fn full_width(threads: usize) -> (usize, usize, f64) {
    let game = Game::dice3();
    let (mut full, mut all, mut slowest) = (0, 0, 0.0f64);
    for position in suite(&game, THREE_DICE) {
        let mut budget = budget(10 * MOVE, threads);
        budget.depth = Some(2);
        let began = Instant::now();
        let turn = dice3_search::think(
            &position,
            position.dice(),
            PieceSquareValues::default_values(),
            &budget,
        );
        let seconds = began.elapsed().as_secs_f64();
        let Some(turn) = turn else { continue };
        let answered = turn.replied == turn.ends || turn.value >= 1.0;
        all += 1;
        full += usize::from(answered && seconds <= MOVE.as_secs_f64());
        slowest = slowest.max(seconds);
    }
    (full, all, slowest)
}
