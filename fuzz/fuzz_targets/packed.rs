//! Law: four words are refused, or are a position that packs to itself.
#![no_main]

use foglight_rules::{Game, PackedPosition, State};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: [u8; 32]| {
    let word = |i: usize| {
        let eight = bytes[8 * i..8 * i + 8].try_into().expect("eight bytes");
        u64::from_le_bytes(eight)
    };
    let packed = PackedPosition::from_words([word(0), word(1), word(2), word(3)]);
    let Some(setup) = packed.setup() else {
        return;
    };
    for game in Game::ALL {
        if let Ok(position) = game.position(setup) {
            assert_eq!(PackedPosition::new(&position).unpack(), position);
            let _ = State::new(game, position).legal_actions();
        }
    }
});
