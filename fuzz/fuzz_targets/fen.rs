//! Law: in every game, what is read as a FEN is written and read again as the
//! same position, and can be played on.
#![no_main]

use foglight_rules::{Game, State};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for game in Game::ALL {
        if let Ok(position) = game.parse_fen(text) {
            assert_eq!(game.parse_fen(&game.fen(&position)), Ok(position));
            assert_eq!(position.hash(), position.recomputed_hash());
            let mut state = State::new(game, position);
            if let Some(action) = state.legal_actions().into_iter().next() {
                state.play(action).expect("a legal action");
            }
        }
    }
});
