//! Random positions, and enumeration of forced wins.

use foglight_play::{Rng, seeded};
use foglight_rules::{Action, Game, Move, Position, Role, State};
use rand::{Rng as _, seq::IndexedRandom};

/// Positions from random games, one per game.
pub fn random_positions(game: &Game, count: usize, seed: u64) -> Vec<Position> {
    let mut rng = seeded(seed);
    let mut found = Vec::new();
    while found.len() < count {
        if let Some(position) = random_position(game, &mut rng) {
            found.push(position);
        }
    }
    found
}

/// The position after a random number of random moves; `None` if the game is over.
pub fn random_position(game: &Game, rng: &mut Rng) -> Option<Position> {
    let mut state = State::start(*game);
    for _ in 0..rng.random_range(0..120) {
        let m = *state.legal_moves().choose(rng)?;
        state.play_unchecked(Action::Move(m));
    }
    state.outcome().is_none().then(|| *state.position())
}

/// The position with about half of its pieces removed, still legal.
pub fn thinned(game: &Game, position: &Position, rng: &mut Rng) -> Position {
    let mut setup = position.setup();
    setup.castling = foglight_rules::CastlingRights::NONE;
    setup.ep_squares = foglight_rules::Bitboard::EMPTY;
    for (square, piece) in position.board().iter() {
        let mut fewer = setup;
        fewer.board.clear(square);
        if piece.role != Role::King && rng.random_bool(0.5) && game.position(fewer).is_ok() {
            setup = fewer;
        }
    }
    game.position(setup).expect("checked piece by piece")
}

/// Whether the side to move can force a win within `plies` plies, by enumeration.
pub fn wins_within(game: &Game, position: &Position, plies: u32) -> bool {
    plies > 0
        && game.legal_moves(position).iter().any(|&m| {
            let next = after(game, position, m);
            match game.outcome(&next) {
                Some(end) => end.winner == Some(position.turn()),
                None => plies >= 3 && all_lose(game, &next, plies - 1),
            }
        })
}

/// Whether every move of the side to move loses within `plies` plies.
pub fn all_lose(game: &Game, position: &Position, plies: u32) -> bool {
    game.legal_moves(position).iter().all(|&m| {
        let next = after(game, position, m);
        match game.outcome(&next) {
            Some(end) => end.winner == Some(!position.turn()),
            None => wins_within(game, &next, plies - 1),
        }
    })
}

/// The position after a legal move.
pub fn after(game: &Game, position: &Position, m: Move) -> Position {
    let mut next = *position;
    game.play_unchecked(&mut next, m);
    next
}
