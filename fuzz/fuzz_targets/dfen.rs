//! Law: a FEN with dice is written and read again as the same position, its
//! rolls are a distribution, and every roll can be played.
#![no_main]

use foglight_rules::{Action, Game, State, Turn};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for game in [Game::dice1(), Game::dice3()] {
        let Ok(position) = game.parse_fen(text) else {
            continue;
        };
        assert_eq!(game.parse_fen(&game.fen(&position)), Ok(position));
        let state = State::new(game, position);
        let rolls = state.chance_outcomes();
        if state.turn() == Turn::Chance {
            let sum: f64 = rolls.iter().map(|(_, share)| share).sum();
            assert!((sum - 1.0).abs() < 1e-9);
        }
        for (dice, _) in rolls {
            let mut rolled = state.clone();
            rolled.play(Action::Roll(dice)).expect("a possible roll");
            let _ = rolled.legal_moves();
        }
    }
});
