//! Perft: the number of move sequences of a given length. Draw rules do not
//! count; in dice games each distinct roll counts once.

use shakmaty::Role;

use crate::{
    games::{Game, Variant},
    moves::Move,
    position::Position,
};

/// Sequences of `depth` single moves from a position.
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

/// The count under each move of the position.
pub fn divide(game: &Game, position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let below = |m: &Move| {
        let mut next = *position;
        game.play_unchecked(&mut next, *m);
        (*m, perft(game, &next, depth.saturating_sub(1)))
    };
    game.moves(position).iter().map(below).collect()
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
    game.moves(position)
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

/// A pass is a ply of its own, as it is for the half-move clock; else two sides
/// whose rolls are useless would pass for ever.
fn with_dice(game: &Game, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let rolls = game.chance(position);
    if rolls.is_empty() {
        return moves_with_dice(game, position, depth);
    }
    rolls
        .iter()
        .map(|&(dice, _)| {
            let mut rolled = *position;
            game.roll_unchecked(&mut rolled, dice);
            let passed = rolled.dice().is_none();
            with_dice(game, &rolled, depth - u32::from(passed))
        })
        .sum()
}

fn moves_with_dice(game: &Game, position: &Position, depth: u32) -> u64 {
    let moves = game.moves(position);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .iter()
        .map(|&m| {
            let mut next = *position;
            match game.play_unchecked(&mut next, m) {
                Some(Role::King) => 0,
                _ => {
                    let one_move_a_turn = game.variant() == Variant::Dice1;
                    let passed = one_move_a_turn && next.turn() == position.turn();
                    with_dice(game, &next, depth - 1 - u32::from(passed))
                }
            }
        })
        .sum()
}
