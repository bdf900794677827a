//! Games to learn from, and what each side saw in them.

use foglight_rules::{Action, Color, Game, State};
use rand::{Rng as _, seq::IndexedRandom};

use super::Example;
use crate::belief::{
    Evidence, Roster, World,
    network::{Features, Memory, features::turned},
};
use foglight_play::{Agent, Budget, rng::derive, seeded};

/// How games are played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Play {
    /// Random single moves before the players begin, at most.
    pub random: usize,
    /// Nodes of a player's move.
    pub nodes: u64,
    /// Games end here at the latest.
    pub plies: u32,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for Play {
    fn default() -> Play {
        Play {
            random: 6,
            nodes: 2000,
            plies: 200,
            seed: 1,
        }
    }
}

impl Play {
    /// The moves of one game. The same number and seed give the same game,
    /// whatever ran before.
    pub fn game(&self, game: &Game, players: [&mut dyn Agent; 2], number: u32) -> Vec<Action> {
        let mut rng = seeded(derive(self.seed, u64::from(number)));
        let mut state = State::start(*game);
        let mut actions = Vec::new();
        let [white, black] = players;
        white.start(game, Color::White, rng.random());
        black.start(game, Color::Black, rng.random());
        let random = rng.random_range(0..=self.random);
        while state.outcome().is_none() && state.plies() < self.plies {
            white.see(&state.observe(Color::White));
            black.see(&state.observe(Color::Black));
            let turn = state.position().turn();
            let player = match turn {
                Color::White => &mut *white,
                Color::Black => &mut *black,
            };
            let drawn = (actions.len() < random)
                .then(|| state.moves().choose(&mut rng).copied())
                .flatten();
            let chosen = drawn
                .unwrap_or_else(|| player.act(&state.observe(turn), &Budget::nodes(self.nodes)));
            state.play_unchecked(Action::Move(chosen));
            actions.push(Action::Move(chosen));
        }
        actions
    }
}

/// One side that follows a game.
struct Follower {
    side: Color,
    memory: Memory,
    roster: Roster,
}

impl Follower {
    fn new(state: &State, side: Color) -> Follower {
        let enemy = World::of(state.position(), !side);
        Follower {
            side,
            memory: Memory::of_start(&enemy),
            roster: Roster::new(&enemy, !side),
        }
    }

    fn see(&mut self, state: &State) {
        let observation = state.observe(self.side);
        let news = observation.news();
        if let Some((square, role)) = news.took {
            self.roster.took(square, role);
        }
        if news.lost.is_some() {
            self.roster.lost();
        }
        self.memory.see(&observation);
    }

    /// What is seen now, and the truth beside it.
    fn example(&self, state: &State) -> Example {
        let observation = state.observe(self.side);
        let evidence = Evidence::new(state.game(), observation.view());
        Example {
            features: Features::new(&self.memory, &self.roster, &evidence),
            truth: truth(state, self.side),
        }
    }
}

/// Nothing or the number of the kind of each enemy man, turned.
fn truth(state: &State, side: Color) -> [u8; 64] {
    let enemy = World::of(state.position(), !side);
    let mut truth = [0; 64];
    for role in foglight_rules::Role::ALL {
        for square in turned(side, enemy.pieces(role)) {
            truth[square as usize] = role as u8;
        }
    }
    truth
}

/// What the side to move saw, before each move of a game.
pub fn examples(game: &Game, actions: &[Action]) -> Vec<Example> {
    let mut state = State::start(*game);
    let mut followers = [Color::White, Color::Black].map(|side| Follower::new(&state, side));
    let mut examples = Vec::with_capacity(actions.len());
    for &action in actions {
        let turn = usize::from(state.position().turn().is_black());
        examples.push(followers[turn].example(&state));
        state.play_unchecked(action);
        followers
            .iter_mut()
            .for_each(|follower| follower.see(&state));
    }
    examples
}
