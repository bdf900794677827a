//! What was done between two positions of a game that is seen whole.
//!
//! An observation tells a player its own move and the position, not the
//! opponent's move: where everything is seen that follows from the positions,
//! and engines that want a list of moves get it from here.

use foglight_rules::{Action, Kind, Move, Position, Role, State, Turn};

/// Where a state is followed to.
pub struct Target<'a> {
    /// The position seen.
    pub position: &'a Position,
    /// Single moves played by then.
    pub plies: u32,
    /// The last of them, if it is known.
    pub last: Option<Move>,
}

/// Rolls and moves in a row that are tried: several passes in dice games.
const MOST_ACTIONS: usize = 6;

/// Plays on until the target is reached and gives what was played; `None`,
/// with the state as it was, if nothing legal leads there.
pub fn follow(state: &mut State, target: &Target<'_>) -> Option<Vec<Action>> {
    let mut actions = Vec::new();
    let reached = search(state, target, &mut actions)?;
    *state = reached;
    Some(actions)
}

fn search(state: &State, target: &Target<'_>, actions: &mut Vec<Action>) -> Option<State> {
    if state.plies() == target.plies && state.position() == target.position {
        return Some(state.clone());
    }
    if actions.len() == MOST_ACTIONS || state.plies() > target.plies {
        return None;
    }
    let mut tried: Vec<Position> = Vec::new();
    for action in plausible(state, target) {
        let mut next = state.clone();
        next.play_unchecked(action);
        if tried.contains(next.position()) {
            continue;
        }
        tried.push(*next.position());
        actions.push(action);
        if let Some(reached) = search(&next, target, actions) {
            return Some(reached);
        }
        actions.pop();
    }
    None
}

/// The actions that can lead to the target, as far as one look tells.
fn plausible(state: &State, target: &Target<'_>) -> Vec<Action> {
    let board = target.position.board();
    let last = state.plies() + 1 == target.plies;
    match state.turn() {
        Turn::Over(_) => Vec::new(),
        Turn::Player(_) if state.plies() == target.plies => Vec::new(),
        Turn::Player(_) => {
            let mut moves = state.moves();
            if let (true, Some(known)) = (last, target.last) {
                moves.retain(|&m| m == known);
            } else if last {
                moves.retain(|&m| lands(state.position(), m, target.position));
            }
            moves.into_iter().map(Action::Move).collect()
        }
        Turn::Chance => {
            let position = state.position();
            let own = position.board().side(position.turn());
            let gone = own & !board.side(position.turn());
            let moved: Vec<Role> = gone
                .into_iter()
                .filter_map(|square| position.board().role_at(square))
                .collect();
            let rolls = state.chance().into_iter().map(|(dice, _)| dice);
            let shown = target.position.dice();
            // A roll that is on the table now, a roll that something moved by,
            // and, when neither is there, any: it was passed on.
            let (first, rest): (Vec<_>, Vec<_>) = rolls.partition(|&dice| {
                if last {
                    moved.iter().any(|&role| dice.has(role))
                } else {
                    dice == shown
                }
            });
            first.into_iter().chain(rest).map(Action::Roll).collect()
        }
    }
}

/// Does the moved piece stand in the target where the move puts it?
fn lands(before: &Position, m: Move, after: &Position) -> bool {
    let role = match m.kind() {
        Kind::Promotion(role) => role,
        _ => before.mover(m),
    };
    after.board().piece_at(m.to()) == Some(role.of(before.turn()))
        && after.board().piece_at(m.from()).is_none()
}

#[cfg(test)]
mod tests {
    use foglight_play::{rng::derive, seeded};
    use foglight_rules::{Game, Sight};
    use rand::seq::IndexedRandom;

    use super::*;

    /// Plays a game at random and follows it, told of each action or only of
    /// each single move.
    fn follows(game: Game, seed: u64, told_of_rolls: bool) {
        let mut rng = seeded(seed);
        let mut truth = State::start(game);
        let mut mirror = State::start(game);
        for _ in 0..200 {
            let Some(&action) = truth.actions().choose(&mut rng) else {
                return;
            };
            truth.play(action).expect("one of the legal actions");
            if !told_of_rolls && matches!(action, Action::Roll(_)) {
                continue;
            }
            let target = Target {
                position: truth.position(),
                plies: truth.plies(),
                last: None,
            };
            let found = follow(&mut mirror, &target);
            assert!(
                found.is_some(),
                "{game} {seed} {action}: {}",
                truth.position()
            );
            assert_eq!(mirror.position(), truth.position());
            assert_eq!(mirror.occurrences(), truth.occurrences());
        }
    }

    #[test]
    fn random_games_are_followed() {
        let full = Game::fog().with_sight(foglight_rules::Color::White, Sight::Full);
        for game in [Game::chess(), full, Game::dice1(), Game::dice3()] {
            for number in 0..20 {
                follows(game, derive(7, number), true);
                follows(game, derive(8, number), false);
            }
        }
    }

    #[test]
    fn what_cannot_follow_is_not_followed() {
        let game = Game::chess();
        let mut state = State::start(game);
        let far = game
            .parse_fen("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
            .expect("a position");
        let target = Target {
            position: &far,
            plies: 1,
            last: None,
        };
        assert_eq!(follow(&mut state, &target), None);
        assert_eq!(state.plies(), 0);
    }
}
