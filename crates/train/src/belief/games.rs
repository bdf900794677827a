//! Training games of the belief network, and the observations of each side in
//! them.

use foglight_rules::{Action, ByColor, Color, Game, Replay, State};
use rand::{Rng as _, seq::IndexedRandom};

use super::BeliefExample;
use foglight_engine::belief::{
    EnemyMaterial, Evidence, World,
    network::{Features, ObservationHistory, features::turned},
};
use foglight_play::{Agent, AgentGame, Budget, Next, Session, rng::derive, seeded};

/// Settings of the training games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BeliefGames {
    /// Maximum random plies before the players begin.
    pub random: usize,
    /// Nodes of a player's move.
    pub nodes: u64,
    /// Maximum length of a game.
    pub plies: u32,
    /// Seed of all random choices.
    pub seed: u64,
}

impl Default for BeliefGames {
    fn default() -> BeliefGames {
        BeliefGames {
            random: 6,
            nodes: 2000,
            plies: 200,
            seed: 1,
        }
    }
}

impl BeliefGames {
    /// The moves of one game. The same number and seed give the same game,
    /// whatever ran before.
    pub fn game(&self, game: &Game, players: [&mut dyn Agent; 2], number: u32) -> Vec<Action> {
        let mut rng = seeded(derive(self.seed, u64::from(number)));
        let [white, black] = players;
        let seeds = ByColor {
            white: rng.random(),
            black: rng.random(),
        };
        let session = Session::new(*game, game.start(), None);
        let mut table = AgentGame::start(session, ByColor { white, black }, seeds);
        let random = rng.random_range(0..=self.random);
        loop {
            let session = table.session();
            let Next::Ask(side) = session.next() else {
                break;
            };
            let plies = session.state().plies();
            if plies >= self.plies {
                break;
            }
            let drawn = match (plies as usize) < random {
                true => session
                    .observation(side)
                    .legal_moves()
                    .choose(&mut rng)
                    .copied(),
                false => None,
            };
            let chosen = drawn.unwrap_or_else(|| table.ask(side, &Budget::nodes(self.nodes)));
            table.apply(Action::Move(chosen));
        }
        table.end().actions
    }
}

/// One side that follows a game.
struct Follower {
    side: Color,
    memory: ObservationHistory,
    material: EnemyMaterial,
}

impl Follower {
    fn new(state: &State, side: Color) -> Follower {
        let enemy = World::of(state.position(), !side);
        Follower {
            side,
            memory: ObservationHistory::of_start(&enemy),
            material: EnemyMaterial::new(&enemy, !side),
        }
    }

    fn see(&mut self, state: &State) {
        let observation = state.observe(self.side);
        self.material.update(&observation.news());
        self.memory.see(&observation);
    }

    /// The side's observation, labelled with the true state.
    fn example(&self, state: &State) -> BeliefExample {
        let observation = state.observe(self.side);
        let evidence = Evidence::new(state.game(), observation.view());
        BeliefExample {
            features: Features::new(&self.memory, &self.material, &evidence),
            truth: truth(state, self.side),
        }
    }
}

/// The true contents of each square, empty or an enemy piece type, in the
/// observer's orientation.
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

/// The observations of the side to move before each move of a game.
pub fn examples(game: &Game, actions: &[Action]) -> Vec<BeliefExample> {
    let mut replay = Replay::new(State::start(*game), actions);
    let mut followers =
        [Color::White, Color::Black].map(|side| Follower::new(replay.state(), side));
    let mut examples = Vec::with_capacity(actions.len());
    while replay.peek().is_some() {
        let turn = usize::from(replay.state().position().turn().is_black());
        examples.push(followers[turn].example(replay.state()));
        if !matches!(replay.step(), Some(Ok(_))) {
            break;
        }
        for follower in &mut followers {
            follower.see(replay.state());
        }
    }
    examples
}
