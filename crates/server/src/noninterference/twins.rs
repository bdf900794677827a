//! Pairs of games that one side cannot tell apart.

use foglight_play::{Rng, Session};
use foglight_rules::{Action, Color, Game, State, Turn};
use rand::seq::IndexedRandom as _;

/// Two games that are indistinguishable to one side.
#[derive(Clone, Debug)]
pub struct Twins {
    pub game: Game,
    /// The observer, who cannot tell the games apart.
    pub side: Color,
    /// The actions of both games, ply by ply.
    pub actions: Vec<[Action; 2]>,
}

/// Plays two games side by side with equal observations for `side`. `None` if
/// the true states never differ.
pub fn twins(game: Game, side: Color, plies: usize, rng: &mut Rng) -> Option<Twins> {
    let mut states = [State::start(game), State::start(game)];
    let mut actions = Vec::new();
    while actions.len() < plies && states.iter().all(|state| state.outcome().is_none()) {
        let Some((pair, next)) = step(&states, side, rng) else {
            break;
        };
        states = next;
        actions.push(pair);
    }
    let parted = states[0].position() != states[1].position();
    parted.then_some(Twins {
        game,
        side,
        actions,
    })
}

fn after(state: &State, action: Action) -> State {
    let mut session = Session::resume(state.clone(), None);
    session.apply(action);
    session.state().clone()
}

/// One ply of both games after which the observations of `side` are still
/// equal.
fn step(states: &[State; 2], side: Color, rng: &mut Rng) -> Option<([Action; 2], [State; 2])> {
    let mine = states[0].turn() == Turn::Player(side);
    for _ in 0..8 {
        let first = *states[0].legal_actions().choose(rng)?;
        let one = after(&states[0], first);
        let seen = one.observe(side);
        let fits = |action: &Action| -> Option<State> {
            let other = after(&states[1], *action);
            (other.observe(side) == seen && other.outcome().is_none()).then_some(other)
        };
        if one.outcome().is_some() {
            continue;
        }
        if mine {
            if let Some(other) = fits(&first) {
                return Some(([first, first], [one, other]));
            }
            continue;
        }
        let mut choices: Vec<(Action, State)> = states[1]
            .legal_actions()
            .into_iter()
            .filter_map(|action| fits(&action).map(|state| (action, state)))
            .collect();
        let apart = |(_, state): &(Action, State)| state.position() != one.position();
        if choices.iter().any(apart) {
            choices.retain(apart);
        }
        if let Some((second, other)) = choices.choose(rng).cloned() {
            return Some(([first, second], [one, other]));
        }
    }
    None
}
