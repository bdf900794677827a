//! Law: a belief begins with any view that is read as a fog FEN, and gives the
//! view back from every position in it.
#![no_main]

use foglight_engine::belief::BeliefTracker;
use foglight_play::seeded;
use foglight_rules::{Announcement, Color, FogRules, Game, Observation};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for game in FogRules::ALL.map(Game::fog_with) {
        for side in Color::ALL {
            let Ok(view) = game.parse_fog_fen(text, side) else {
                continue;
            };
            let seen = Observation::from_view(game, view, 0, Announcement::default());
            let mut tracker = BeliefTracker::new(50, 1);
            tracker.start(1);
            tracker.see(&seen);
            for position in tracker.sample(3, &mut seeded(1)) {
                assert_eq!(position.turn(), view.turn);
                assert_eq!(position.board().side(side), view.own());
            }
        }
    }
});
