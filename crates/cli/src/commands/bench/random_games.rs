//! Games of random actions from a seed.

use foglight_rules::{Action, Game, State};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Single moves after which a game is left unfinished: two lone kings in dice
/// games may chase each other for long.
const MOST_PLIES: u32 = 1000;

/// Plays one game; `watch` sees each state with the action chosen in it.
pub fn play(game: Game, seed: u64, mut watch: impl FnMut(&State, Action)) -> State {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut state = State::start(game);
    while state.plies() < MOST_PLIES {
        let actions = state.actions();
        if actions.is_empty() {
            break;
        }
        let action = actions[rng.random_range(0..actions.len())];
        watch(&state, action);
        state.play_unchecked(action);
    }
    state
}
