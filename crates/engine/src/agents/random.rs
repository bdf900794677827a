//! The agent that draws a legal move uniformly at random.

use foglight_rules::{Color, Game, Move, Observation};
use rand::seq::IndexedRandom;

use foglight_play::{Agent, Budget, Entry, Rng, seeded};

pub const ENTRY: Entry = Entry {
    name: "random",
    about: "plays a legal move drawn uniformly at random",
    options: &[],
    plays: |_| true,
    build: |_, _| Ok(Box::new(Random { rng: seeded(0) })),
};

struct Random {
    rng: Rng,
}

impl Agent for Random {
    fn start(&mut self, _: &Game, _: Color, seed: u64) {
        self.rng = seeded(seed);
    }

    fn act(&mut self, observation: &Observation, _: &Budget) -> Move {
        let moves = observation.legal_moves();
        *moves.choose(&mut self.rng).expect("a move to choose")
    }
}
