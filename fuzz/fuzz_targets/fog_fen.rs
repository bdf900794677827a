//! Law: what is read as a fog FEN is written and read again as the same view,
//! and its moves follow from it alone.
#![no_main]

use foglight_rules::{Color, FogRules, Game};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for game in FogRules::ALL.map(Game::fog_with) {
        for side in Color::ALL {
            if let Ok(view) = game.parse_fog_fen(text, side) {
                let again = game.parse_fog_fen(&view.to_string(), side);
                assert_eq!(again, Ok(view));
                let _ = view.fog_moves();
            }
        }
    }
});
