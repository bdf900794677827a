//! Speed of the network on the moves of random games: incremental update, full
//! refresh, and the classic evaluation for comparison.

use std::hint::black_box;

use foglight_engine::eval::{Classic, Evaluator, Network, network::default_network};
use foglight_rules::{Action, Game, Move, Position, Role};

mod common;
use common::{clock::Clock, random_games};

/// Number of games whose moves are evaluated, and repetitions.
const GAMES: u64 = 100;
const ROUNDS: usize = 20;

/// A move, with the boards before and after it.
struct Step {
    before: Position,
    after: Position,
    m: Move,
    taken: Option<Role>,
}

fn main() {
    let games: Vec<Vec<Step>> = (0..GAMES).map(steps).collect();
    let mut network = Network::new(default_network());
    let kept = speed(&games, |game| follow(&mut network, game));
    let anew = speed(&games, |game| start_anew(&mut network, game));
    let classic = speed(&games, |game| follow(&mut Classic::default(), game));
    let million = |speed: f64| format!("{:.2} million a second", speed / 1e6);
    println!("network, updated          {} (target: 2)", million(kept));
    println!("network, refreshed        {}", million(anew));
    println!("classic                   {}", million(classic));
}

/// The moves of a random game, except a final king capture.
fn steps(seed: u64) -> Vec<Step> {
    let mut steps = Vec::new();
    random_games::play(Game::fog(), seed, |state, action| {
        let Action::Move(m) = action else { return };
        let before = *state.position();
        let mut after = before;
        let taken = state.game().play_unchecked(&mut after, m);
        if taken != Some(Role::King) {
            steps.push(Step {
                before,
                after,
                m,
                taken,
            });
        }
    });
    steps
}

/// Evaluations per second of processor time.
fn speed(games: &[Vec<Step>], mut judge: impl FnMut(&[Step]) -> i32) -> f64 {
    let clock = Clock::own();
    let mut sum = 0i32;
    for _ in 0..ROUNDS {
        for game in games {
            sum = sum.wrapping_add(judge(game));
        }
    }
    black_box(sum);
    let count: usize = games.iter().map(Vec::len).sum();
    (ROUNDS * count) as f64 / clock.seconds()
}

fn follow<E: Evaluator>(leaf: &mut E, game: &[Step]) -> i32 {
    let Some(first) = game.first() else { return 0 };
    leaf.prepare(&first.before);
    let mut carried = leaf.refresh(&first.before);
    let judged = game.iter().map(|step| {
        carried = leaf.update(&carried, &step.before, step.m, step.taken);
        leaf.evaluate(&step.after, &carried)
    });
    judged.fold(0, i32::wrapping_add)
}

fn start_anew<E: Evaluator>(leaf: &mut E, game: &[Step]) -> i32 {
    let judged = game.iter().map(|step| {
        let carried = leaf.refresh(&step.after);
        leaf.evaluate(&step.after, &carried)
    });
    judged.fold(0, i32::wrapping_add)
}
