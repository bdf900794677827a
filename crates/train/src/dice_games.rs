//! Training games of dice chess.

use foglight_engine::registry;
use foglight_play::{
    Agent, GameConfig, Limits, Providers, Session, rng::derive, seeded, session::play_agents,
};
use foglight_rules::{ByColor, Game, Record};
use rand::{Rng as _, seq::IndexedRandom};

/// Plies after which a game is abandoned.
const MOST_PLIES: u32 = 300;

/// A game of `dice` with one die against itself after a few random moves; equal
/// arguments give equal games.
pub fn self_play(index: u64, nodes: u64, seed: u64) -> Record {
    let game = Game::dice1();
    let spec = "dice:hash=1".parse().expect("a spec");
    let build = || registry::build(&spec, &game, &Providers::default()).expect("an agent");
    let (mut white, mut black) = (build(), build());
    let seed = derive(seed, index);
    let mut rng = seeded(seed);
    let mut opening = Session::new(game, game.start(), None);
    for _ in 0..2 * rng.random_range(0..8u32) {
        if let Some(action) = opening.state().legal_actions().choose(&mut rng) {
            opening.apply(*action);
        }
    }
    let state = opening.state().clone();
    let config = GameConfig {
        limits: ByColor::new_with(|_| Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }),
        ..GameConfig::new(game, *state.position(), seed, 0)
    };
    let agents = ByColor::<&mut dyn Agent> {
        white: &mut white,
        black: &mut black,
    };
    play_agents(Session::resume(state, None), &config, agents, &|session| {
        session.state().plies() >= MOST_PLIES
    })
}
