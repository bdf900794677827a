//! Law: whatever stands in an opening book, it gives legal moves.
#![no_main]

use foglight_engine::book::Polyglot;
use foglight_rules::{Game, State};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(book) = Polyglot::parse(bytes) else {
        return;
    };
    let mut state = State::start(Game::chess());
    for _ in 0..20 {
        let Some((m, _)) = book.moves(state.position()).into_iter().next() else {
            return;
        };
        state.play(foglight_rules::Action::Move(m)).expect("a legal move");
    }
});
