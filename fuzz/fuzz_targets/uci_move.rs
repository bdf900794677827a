//! Law: a text, `FEN|move`, is an action only if it is that action's own text
//! and the action is legal; and SAN names every legal move.
#![no_main]

use foglight_rules::{Action, Game, State, notation::san};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (fen, text) = text.split_once('|').unwrap_or(("", text));
    for game in Game::ALL {
        let start = game.parse_fen(fen).unwrap_or(game.start());
        let state = State::new(game, start);
        if let Ok(action) = state.parse_action(text) {
            assert_eq!(action.to_string(), text);
            assert!(state.legal_actions().contains(&action));
        }
        let _ = san::find(text, &game, state.position());
        for m in state.legal_moves() {
            assert_eq!(state.parse_action(&m.to_string()), Ok(Action::Move(m)));
            let text = san::write(&game, state.position(), m);
            assert_eq!(san::find(&text, &game, state.position()), Ok(m));
            let figurine = san::figurine(&text);
            assert_eq!(san::find(&figurine, &game, state.position()), Ok(m));
        }
    }
});
