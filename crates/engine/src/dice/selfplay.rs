//! Whole games between two agents without a referee's ceremony, for training
//! and for making suites.

use foglight_rules::{Action, ByColor, Color, Dice, Game, Record, State, Turn};
use rand::{Rng as _, seq::IndexedRandom};

use crate::registry;
use foglight_play::{Agent, Budget, Providers, Rng, rng::derive, seeded};

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

/// Draws a roll by its probability.
pub fn draw_roll(rolls: &[(Dice, f64)], rng: &mut Rng) -> Option<Dice> {
    let mut left: f64 = rng.random();
    for &(dice, probability) in rolls {
        left -= probability;
        if left < 0.0 {
            return Some(dice);
        }
    }
    rolls.last().map(|(dice, _)| *dice)
}

/// Plays one game from `state` to its end, or until so many single moves were
/// played: it has no outcome then.
pub fn play_game(
    mut state: State,
    mut agents: ByColor<&mut dyn Agent>,
    budget: &dyn Fn(Color) -> Budget,
    most: u32,
    seed: u64,
) -> Record {
    let game: Game = *state.game();
    let start = *state.position();
    let mut dice = seeded(derive(seed, 0));
    for (i, side) in Color::ALL.into_iter().enumerate() {
        agents
            .get_mut(side)
            .start(&game, side, derive(seed, 1 + i as u64));
    }
    let mut actions = Vec::new();
    while state.plies() < most {
        let action = match state.turn() {
            Turn::Over(_) => break,
            Turn::Chance => match draw_roll(&state.chance(), &mut dice) {
                Some(roll) => Action::Roll(roll),
                None => break,
            },
            Turn::Player(side) => {
                let observation = state.observe(side);
                Action::Move(agents.get_mut(side).act(&observation, &budget(side)))
            }
        };
        state.play_unchecked(action);
        actions.push(action);
    }
    Record {
        game,
        start,
        actions,
        outcome: state.outcome(),
    }
}
