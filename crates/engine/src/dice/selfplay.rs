//! Whole games between two agents, for training and for making suites.

use foglight_rules::{ByColor, Color, Game, Record, State};
use rand::{Rng as _, seq::IndexedRandom};

use crate::registry;
use foglight_play::{
    Agent, Budget, GameConfig, Limits, Providers, Session, rng::derive, seeded,
    session::play_agents,
};

/// Single moves after which a game of self-play is given up.
const MOST_MOVES: u32 = 300;

/// A game of `dice` with one die against itself after a few random moves; equal
/// arguments give equal games.
pub fn self_play(index: u64, nodes: u64, seed: u64) -> Record {
    let game = Game::dice1();
    let spec = "dice:hash=1".parse().expect("a spec");
    let build = || registry::build(&spec, &game, &Providers::default()).expect("an agent");
    let (mut one, mut two) = (build(), build());
    let mut rng = seeded(derive(seed, index));
    let mut state = State::start(game);
    for _ in 0..2 * rng.random_range(0..8u32) {
        if let Some(action) = state.actions().choose(&mut rng) {
            state.play_unchecked(*action);
        }
    }
    let agents: ByColor<&mut dyn Agent> = ByColor {
        white: &mut one,
        black: &mut two,
    };
    let budget = |_| Budget::nodes(nodes);
    play_game(state, agents, &budget, MOST_MOVES, derive(seed, index))
}

/// Plays one game from `state` to its end, or until so many plies were
/// played: it has no outcome then.
pub fn play_game(
    state: State,
    agents: ByColor<&mut dyn Agent>,
    budget: &dyn Fn(Color) -> Budget,
    most: u32,
    seed: u64,
) -> Record {
    let limits = ByColor::new_with(|side| Limits {
        nodes: budget(side).nodes,
        ..Limits::default()
    });
    let config = GameConfig {
        limits,
        ..GameConfig::new(*state.game(), *state.position(), seed, 0)
    };
    let session = Session::resume(state, None);
    play_agents(session, &config, agents, &|session| {
        session.state().plies() >= most
    })
}
