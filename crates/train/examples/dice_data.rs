//! Generates the data that `dice` is measured on and was fitted with: `suite`,
//! `suite3` (the positions of `data/dice/`) and `fit` (piece values from
//! self-play).
//!
//! `cargo run --release -p foglight-train --example dice_data -- suite`

use foglight_engine::dice::PieceSquareValues;
use foglight_play::{dice::weighted, rng::derive, seeded};
use foglight_rules::{Action, Game, State, Turn};
use foglight_train::{dice_games::self_play, dice_value};
use rand::{Rng as _, seq::IndexedRandom};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |i: usize| words.get(i).map_or("", String::as_str);
    let number = |i: usize, default: u64| word(i).parse().unwrap_or(default);
    match word(0) {
        "suite" => suite(Game::dice1(), number(1, 2002)),
        "suite3" => suite(Game::dice3(), number(1, 3003)),
        "fit" => fit(number(1, 1000), number(2, 2000), number(3, 1)),
        other => eprintln!("'{other}': expected suite, suite3 or fit"),
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
                Turn::Chance => Action::Roll(weighted(&state.chance_outcomes(), rng.random())),
                _ => {
                    let moves = state.legal_moves();
                    let takes = |m: &&_| state.position().captured(**m).is_some();
                    let captures: Vec<_> = moves.iter().filter(takes).copied().collect();
                    let greedy = rng.random_bool(0.5) && !captures.is_empty();
                    let choice = if greedy { &captures } else { &moves };
                    Action::Move(*choice.choose(&mut rng).expect("a move"))
                }
            };
            state.play_unchecked(action);
            let choice = matches!(state.turn(), Turn::Player(_)) && state.legal_moves().len() > 1;
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

/// Plays games with `nodes` per move and fits weights to them.
fn fit(games: u64, nodes: u64, seed: u64) {
    let mut samples = Vec::new();
    for index in 0..games {
        samples.extend(dice_value::samples(&self_play(index, nodes, seed), 0));
    }
    let (values, before, after) =
        dice_value::fit(&samples, PieceSquareValues::default_values(), 10, seed);
    eprintln!("{} samples: {before:?} -> {after:?}", samples.len());
    let about = format!(
        "Log-odds of winning, thousandths: pawn to king on a1 to h8, then the right to roll. Fitted to self-play: dice_data fit {games} {nodes} {seed}"
    );
    print!("{}", dice_value::write(&values, &about));
}
