//! Stockfish as an analyser, if installed: without it these tests fail in
//! continuous integration and are visibly skipped elsewhere.

use std::time::Duration;

use foglight_play::{Analyser, AnalysisLimit};
use foglight_rules::{Game, Position};
use foglight_uci::client::stockfish::{Stockfish, StockfishSetup};

fn setup(workers: usize) -> Option<StockfishSetup> {
    let found = ["/usr/games/stockfish", "stockfish"]
        .into_iter()
        .map(|command| StockfishSetup {
            command: command.to_owned(),
            workers,
            patience: Duration::from_secs(120),
        })
        .find(|setup| Stockfish::start(setup).is_ok());
    if found.is_none() {
        let needed = "Stockfish (Debian: apt-get install stockfish)";
        assert!(std::env::var_os("CI").is_none(), "expected {needed}");
        eprintln!("SKIPPED: expected {needed}");
    }
    found
}

/// Number of children killed in the test; the pool retries a position more
/// often.
const KILLS: usize = 5;

fn kill(child: u32) {
    let kill = std::process::Command::new("kill")
        .args(["-9", &child.to_string()])
        .status();
    assert!(kill.expect("kill").success());
}

/// Distinct positions of a seeded random walk.
fn positions(count: usize) -> Vec<Position> {
    let game = Game::chess();
    let mut found = Vec::new();
    let mut seed = 1_u64;
    while found.len() < count {
        let mut position = game.start();
        for _ in 0..20 {
            let moves = game.legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            game.play_unchecked(&mut position, moves[(seed >> 33) as usize % moves.len()]);
        }
        if !game.legal_moves(&position).is_empty() && !found.contains(&position) {
            found.push(position);
        }
    }
    found
}

/// The child started with the pool, once its id is known.
fn first_child(pool: &Stockfish) -> u32 {
    loop {
        match pool.children().first() {
            Some(&child) => return child,
            None => std::thread::yield_now(),
        }
    }
}

#[test]
fn a_judge_that_is_killed_answers_all_the_same() {
    let Some(setup) = setup(2) else { return };
    let pool = Stockfish::start(&setup).expect("a pool");
    let asked = positions(100);
    // The first is dead before its first request, the others die at any moment.
    let mut killed = vec![first_child(&pool)];
    kill(killed[0]);
    let answers = std::thread::scope(|scope| {
        let judging =
            scope.spawn(|| pool.analyse(&Game::chess(), &asked, AnalysisLimit::depth(8, 1)));
        while !judging.is_finished() && killed.len() < KILLS {
            let children = pool.children();
            if let Some(&child) = children.iter().find(|child| !killed.contains(child)) {
                kill(child);
                killed.push(child);
            }
            std::thread::yield_now();
        }
        judging.join().expect("answers")
    });
    assert_eq!(answers.len(), 100);
    assert!(answers.iter().all(Option::is_some));
    let again = pool.analyse(&Game::chess(), &asked, AnalysisLimit::depth(8, 1));
    assert_eq!(again, answers, "remembered");
}

#[test]
fn it_tells_every_move_at_depth_one() {
    let Some(setup) = setup(1) else { return };
    let pool = Stockfish::start(&setup).expect("a pool");
    let start = Game::chess().start();
    let opinion = pool
        .analyse(&Game::chess(), &[start], AnalysisLimit::depth(1, 500))
        .remove(0)
        .expect("an opinion");
    assert_eq!(opinion.moves.len(), 20);
    assert!(opinion.moves.windows(2).all(|pair| pair[0].1 >= pair[1].1));
}
