//! Law: what is read as PGN, asked for any game, is written and read again as
//! the same game.
#![no_main]

use foglight_rules::{Game, notation::pgn};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let asked = Game::ALL.map(|game| pgn::read(text).of_game(game));
    let games = pgn::read(text).chain(asked.into_iter().flatten());
    for game in games.flatten() {
        let written = game.write().expect("a legal game");
        let again: Result<Vec<_>, _> = pgn::read(&written).collect();
        assert_eq!(again, Ok(vec![game]));
    }
});
