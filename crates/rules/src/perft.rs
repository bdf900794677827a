//! Perft: the number of action sequences of a given length. Draw rules are
//! ignored; in dice games each distinct roll counts once.

use shakmaty::Role;

use crate::{
    action::Action,
    games::{Game, Variant},
    position::Position,
};

/// Number of sequences of `depth` plies from a position.
pub fn perft(game: &Game, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    match game.variant() {
        Variant::Chess => plain(position, depth),
        Variant::Fog(_) => king_capture(game, position, depth),
        Variant::Dice1 | Variant::Dice3 => with_dice(game, position, depth),
    }
}

/// The count below each legal action, move or roll.
pub fn divide(game: &Game, position: &Position, depth: u32) -> Vec<(Action, u64)> {
    roots(game, position)
        .into_iter()
        .map(|action| (action, under(game, position, action, depth)))
        .collect()
}

/// The possible rolls of a position, or else its moves.
pub fn roots(game: &Game, position: &Position) -> Vec<Action> {
    let rolls = game.chance_outcomes(position);
    if rolls.is_empty() {
        let moves = game.legal_moves(position);
        return moves.iter().map(|&m| Action::Move(m)).collect();
    }
    let roll = |(dice, _)| Action::Roll(dice);
    rolls.into_iter().map(roll).collect()
}

/// The part of [`perft`] at `depth` (at least 1) that begins with `action`.
pub fn under(game: &Game, position: &Position, action: Action, depth: u32) -> u64 {
    let mut next = *position;
    match action {
        Action::Roll(dice) => {
            game.roll_unchecked(&mut next, dice);
            let passed = next.dice().is_none();
            perft(game, &next, depth - u32::from(passed))
        }
        Action::Move(m) => {
            let taken = game.play_unchecked(&mut next, m);
            if depth > 1 && taken == Some(Role::King) {
                return 0;
            }
            let one_move_a_turn = game.variant() == Variant::Dice1;
            let passed = depth > 1 && one_move_a_turn && next.turn() == position.turn();
            perft(game, &next, depth - 1 - u32::from(passed))
        }
    }
}

fn plain(position: &Position, depth: u32) -> u64 {
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let game = Game::chess();
    moves
        .iter()
        .map(|&m| {
            let mut next = *position;
            game.play_unchecked(&mut next, m);
            plain(&next, depth - 1)
        })
        .sum()
}

fn king_capture(game: &Game, position: &Position, depth: u32) -> u64 {
    if depth == 1 {
        return position.count_king_capture_moves() as u64;
    }
    game.legal_moves(position)
        .iter()
        .map(|&m| {
            let mut next = *position;
            match game.play_unchecked(&mut next, m) {
                Some(Role::King) => 0,
                _ => king_capture(game, &next, depth - 1),
            }
        })
        .sum()
}

/// A pass counts as a ply, as for the half-move clock; otherwise two sides with
/// unusable rolls would pass without end.
fn with_dice(game: &Game, position: &Position, depth: u32) -> u64 {
    if depth == 1 && !position.dice().is_none() {
        return game.legal_moves(position).len() as u64;
    }
    let count = |action| under(game, position, action, depth);
    roots(game, position).into_iter().map(count).sum()
}
