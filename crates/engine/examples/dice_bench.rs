//! Measures dice chess: `suite`, `depth`, `leaves`, `match A B`.
//!
//! `cargo run --release -p foglight-engine --example dice_bench -- depth`

use std::time::{Duration, Instant};

use foglight_engine::{
    Agent, Budget, Providers,
    dice::{
        Values,
        selfplay::{draw_roll, play_game},
        table::Table,
        think::think,
        think3,
    },
    registry,
    rng::derive,
    seeded,
    train::{
        dice_value,
        logistic::{Course, Examples, Lesson, judge, train},
    },
};
use foglight_rules::{Action, ByColor, Color, Game, Position, Record, State, Turn};
use rand::{Rng as _, seq::IndexedRandom};

const SUITE3: &str = include_str!("../../../data/dice/turns.fen");
const SUITE: &str = include_str!("../../../data/dice/middlegames.fen");

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |i: usize, default: &str| words.get(i).cloned().unwrap_or(default.to_owned());
    let number = |i: usize, default: u64| word(i, "").parse().unwrap_or(default);
    match word(0, "depth").as_str() {
        "suite" => suite(Game::dice1(), number(1, 2002)),
        "depth" => depths(
            number(1, 1000),
            number(2, 2) as usize,
            number(3, 100) as usize,
        ),
        "leaves" => leaves(number(1, 20) as usize),
        "match" => versus(
            &word(1, "dice"),
            &word(2, "goal"),
            number(3, 20),
            number(4, 50),
        ),
        "learn" => learn(
            &word(1, ""),
            number(2, 5000) as usize,
            number(3, 0) as usize,
            &word(4, ""),
        ),
        "learn-self" => learn_self(number(1, 3000), number(2, 2000), &word(3, "")),
        "suite3" => suite(Game::dice3(), number(1, 3003)),
        "turns" => turns(
            number(1, 1000),
            number(2, 2) as usize,
            number(3, 100) as usize,
        ),
        "match3" => versus_in(
            Game::dice3(),
            &word(1, "dice"),
            &word(2, "goal"),
            number(3, 10),
            number(4, 50),
        ),
        "fit" => fit(number(1, 1000), number(2, 2000), number(3, 1)),
        other => eprintln!(
            "'{other}': expected suite, depth, leaves, match, suite3, turns, match3, fit, learn or learn-self"
        ),
    }
}

/// A hundred rolled positions of the 20th to 40th ply, captures preferred half
/// of the time.
fn suite(game: Game, seed: u64) {
    let mut found = 0;
    for index in 0.. {
        let mut rng = seeded(derive(seed, index));
        let mut state = State::start(game);
        let stop = rng.random_range(20..=40);
        while !matches!(state.turn(), Turn::Over(_)) {
            let action = match state.turn() {
                Turn::Chance => Action::Roll(draw_roll(&state.chance(), &mut rng).expect("a roll")),
                _ => {
                    let moves = state.moves();
                    let takes = |m: &&_| state.position().captured(**m).is_some();
                    let captures: Vec<_> = moves.iter().filter(takes).copied().collect();
                    let greedy = rng.random_bool(0.5) && !captures.is_empty();
                    let choice = if greedy { &captures } else { &moves };
                    Action::Move(*choice.choose(&mut rng).expect("a move"))
                }
            };
            state.play_unchecked(action);
            let choice = matches!(state.turn(), Turn::Player(_)) && state.moves().len() > 1;
            if state.plies() >= stop && choice {
                println!("{}", game.fen(state.position()));
                found += 1;
                break;
            }
        }
        if found == 100 {
            return;
        }
    }
}

/// Models of moves from a PGN file, or from self-play.
fn learn(path: &str, games: usize, hidden: usize, out: &str) {
    let text = std::fs::read_to_string(path).expect("a PGN file");
    let games = foglight_rules::notation::pgn::read(&text).take(games);
    let lessons = games.filter_map(|game| Lesson::of_pgn(&game.ok()?));
    teach(lessons, hidden, out);
}

fn teach(lessons: impl Iterator<Item = Lesson>, hidden: usize, out: &str) {
    let (mut learned, mut kept) = (Examples::default(), Examples::default());
    for (i, lesson) in lessons.enumerate() {
        let set = if i % 10 == 9 { &mut kept } else { &mut learned };
        set.add(&lesson);
    }
    let course = Course {
        hidden,
        ..Course::default()
    };
    let model = train(&learned, course, &mut |_| {});
    println!("trained on {} moves, hidden {hidden}", learned.len());
    for (letter, j) in "PNBRQKpnbrqk".chars().zip(judge(&model, &kept)) {
        println!(
            "| {letter} | {} | {} | {:.1} % | {:.1} % | {:.1} % |",
            j.good,
            j.bad,
            100.0 * j.accuracy,
            100.0 * j.balanced,
            100.0 * j.precision,
        );
    }
    std::fs::write(out, model.to_bytes()).expect("a place for the weights");
}

fn learn_self(games: u64, nodes: u64, out: &str) {
    let records = (0..games).map(|index| self_play(index, nodes, 77));
    teach(records.filter_map(|record| Lesson::of(&record)), 0, out);
}

/// One game of `dice` against itself after a few random moves.
fn self_play(index: u64, nodes: u64, seed: u64) -> Record {
    let game = Game::dice1();
    let spec = "dice:hash=1".parse().expect("a spec");
    let build = || registry::build(&spec, &game, &Providers::default()).expect("an agent");
    let (mut one, mut two) = (build(), build());
    let mut rng = seeded(derive(seed, index));
    let mut state = State::start(game);
    for _ in 0..2 * rng.random_range(0..8u32) {
        if let Some(action) = state.actions().choose(&mut rng) {
            state.play_unchecked(*action);
        }
    }
    let white: &mut dyn Agent = &mut one;
    let agents = ByColor {
        white,
        black: &mut two,
    };
    play_game(
        state,
        agents,
        &|_| Budget::nodes(nodes),
        300,
        derive(seed, index),
    )
}

/// Self-play with so many nodes a move, and weights fitted to it.
fn fit(games: u64, nodes: u64, seed: u64) {
    let mut samples = Vec::new();
    for index in 0..games {
        samples.extend(dice_value::samples(&self_play(index, nodes, seed), 0));
    }
    let (values, before, after) = dice_value::fit(&samples, Values::shipped(), 10, seed);
    eprintln!("{} samples: {before:?} -> {after:?}", samples.len());
    let about = format!(
        "Log-odds of winning, thousandths: pawn to king on a1 to h8, then the right to roll. Fitted to self-play: dice_bench fit {games} {nodes} {seed}"
    );
    print!("{}", dice_value::write(&values, &about));
}

fn positions() -> Vec<Position> {
    let game = Game::dice1();
    let lines = SUITE.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|fen| game.parse_fen(fen).expect("a position of the suite"))
        .collect()
}

fn depths(ms: u64, threads: usize, count: usize) {
    let game = Game::dice1();
    let mut reached = [0; 32];
    let mut nodes = 0;
    let begin = Instant::now();
    for position in positions().into_iter().take(count) {
        let moves = game.moves(&position).to_vec();
        let table = Table::new(16);
        let mut budget = Budget::time(Duration::from_millis(ms));
        budget.threads = threads;
        let thought = think(
            &game,
            &position,
            &moves,
            (Values::shipped(), &table),
            &budget,
        );
        let won = thought.value >= 1.0 && thought.depth == 1;
        reached[if won { 31 } else { thought.depth as usize }] += 1;
        nodes += thought.nodes;
    }
    let seconds = begin.elapsed().as_secs_f64();
    for (depth, count) in reached.iter().enumerate().filter(|(_, count)| **count > 0) {
        println!("depth {depth}: {count} positions");
    }
    println!("{:.2} million nodes a second", nodes as f64 / seconds / 1e6);
}

/// Are all end boards answered by all rolls within the time?
fn turns(ms: u64, threads: usize, count: usize) {
    let game = Game::dice3();
    let lines = SUITE3.lines().filter(|line| !line.starts_with('#'));
    let (mut full, mut all, mut slowest, mut deepened) = (0, 0, 0.0f64, 0);
    for fen in lines.take(count) {
        let position = game.parse_fen(fen).expect("a position of the suite");
        let mut budget = Budget::time(Duration::from_millis(ms));
        budget.threads = threads;
        let values = Values::shipped();
        let Some(turn) = think3::think(&position, position.dice(), values, &budget) else {
            continue;
        };
        all += 1;
        full += usize::from(turn.replied == turn.ends || turn.value == 1.0);
        deepened += usize::from(turn.deepened > 0);
        budget = Budget::time(Duration::from_millis(10 * ms));
        (budget.depth, budget.threads) = (Some(2), threads);
        let begin = Instant::now();
        think3::think(&position, position.dice(), values, &budget);
        slowest = slowest.max(begin.elapsed().as_secs_f64());
    }
    println!(
        "full width two turns: {full} of {all}; deeper: {deepened}; slowest two turns {slowest:.3} s"
    );
}

fn leaves(count: usize) {
    let game = Game::dice1();
    let (mut leaves, mut seconds) = (0, 0.0);
    for position in positions().into_iter().take(count) {
        let moves = game.moves(&position).to_vec();
        let table = Table::new(16);
        let begin = Instant::now();
        let budget = Budget::time(Duration::from_millis(200));
        leaves += think(
            &game,
            &position,
            &moves,
            (Values::shipped(), &table),
            &budget,
        )
        .leaves;
        seconds += begin.elapsed().as_secs_f64();
    }
    println!(
        "{:.2} million leaves a second, one thread",
        leaves as f64 / seconds / 1e6
    );
}

/// Pairs with the same dice and colours exchanged.
fn versus(a: &str, b: &str, pairs: u64, ms: u64) {
    versus_in(Game::dice1(), a, b, pairs, ms);
}

fn versus_in(game: Game, a: &str, b: &str, pairs: u64, ms: u64) {
    let outside = Providers {
        read: Some(std::sync::Arc::new(|path: &str| std::fs::read(path))),
        ..Providers::default()
    };
    let build = |text: &str| {
        let spec = text.parse().expect("a spec");
        registry::build(&spec, &game, &outside).expect("an agent")
    };
    let (mut first, mut second) = (build(a), build(b));
    let budget = |_| Budget::time(Duration::from_millis(ms));
    let (mut score, mut games, mut plies) = (0.0, 0.0, 0);
    for seed in 0..pairs {
        for side in Color::ALL {
            let one: &mut dyn Agent = &mut first;
            let two: &mut dyn Agent = &mut second;
            let (white, black) = if side.is_white() {
                (one, two)
            } else {
                (two, one)
            };
            let agents = ByColor { white, black };
            let record = play_game(State::start(game), agents, &budget, 400, seed);
            score += record.outcome.map_or(0.5, |outcome| outcome.score(side));
            plies += record.actions.len() / 2;
            games += 1.0;
        }
    }
    let error = (score / games * (1.0 - score / games) / games).sqrt();
    println!(
        "{a} v {b}: {score} of {games} ({:.1} % +- {:.1}), {:.0} plies a game",
        100.0 * score / games,
        100.0 * error,
        plies as f64 / games
    );
}
