//! Whole games between two agents without a referee's ceremony, for training
//! and for making suites.

use foglight_rules::{Action, ByColor, Color, Dice, Game, Record, State, Turn};
use rand::Rng as _;

use crate::{Agent, Budget, Rng, rng::derive, seeded};

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
