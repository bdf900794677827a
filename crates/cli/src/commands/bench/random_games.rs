//! Games of random actions from a seed.

use foglight_rules::{Action, Game, State, walk};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Plies after which a game is left unfinished: two lone kings in dice games
/// may chase each other for long.
const MOST_PLIES: u32 = 1000;

/// Plays one game; `watch` receives each state with the action chosen in it.
pub(crate) fn play(game: Game, seed: u64, mut watch: impl FnMut(&State, Action)) -> State {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    walk(State::start(game), |state| {
        let actions = state.legal_actions();
        if actions.is_empty() || state.plies() >= MOST_PLIES {
            return None;
        }
        let action = actions[rng.random_range(0..actions.len())];
        watch(state, action);
        Some(action)
    })
}
