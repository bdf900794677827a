//! Helpers shared by the benchmarks.

#![allow(dead_code, reason = "each measurement uses a part")]

#[path = "../../src/commands/bench/clock.rs"]
pub mod clock;
#[path = "../../src/commands/bench/random_games.rs"]
pub mod random_games;

use foglight_engine::agents::greedy::{Greedy, Style};
use foglight_play::{Agent, Budget, Session};
use foglight_rules::{Action, Color, Game};

/// A fog game between greedy players.
pub struct GreedyGame {
    pub session: Session,
    players: [Greedy; 2],
}

impl GreedyGame {
    pub fn new(game: &Game, seed: u64) -> GreedyGame {
        let players = [0, 1].map(|i| {
            let mut player = Greedy::new(Style::Plain);
            player.start(game, Color::White, seed * 2 + i);
            player
        });
        GreedyGame {
            session: Session::new(*game, game.start(), None),
            players,
        }
    }

    /// Plays one move; returns the mover.
    pub fn step(&mut self) -> Color {
        let side = self.session.state().position().turn();
        let player = &mut self.players[usize::from(side.is_black())];
        let m = player.act(self.session.observation(side), &Budget::default());
        self.session.apply(Action::Move(m));
        side
    }
}
