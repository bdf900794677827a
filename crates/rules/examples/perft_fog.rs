//! Move counts of fog chess, and the number of views that a player can
//! distinguish: `cargo run -p foglight-rules --example perft_fog`.

use std::collections::HashSet;

use foglight_rules::{Color, Game, Position, View, perft};

/// Calls `found` for every position after `depth` plies, once per sequence.
fn leaves(game: &Game, position: &Position, depth: u32, found: &mut impl FnMut(&Position)) {
    if depth == 0 || game.outcome(position).is_some() {
        return found(position);
    }
    for m in game.legal_moves(position) {
        let mut next = *position;
        game.play_unchecked(&mut next, m);
        leaves(game, &next, depth - 1, found);
    }
}

pub(crate) fn main() {
    let game = Game::fog();
    let start = game.start();
    for depth in 1..=3 {
        let mut views = HashSet::new();
        leaves(&game, &start, depth, &mut |position| {
            views.insert(View::new(&game, position, Color::White).to_string());
        });
        let nodes = perft(&game, &start, depth);
        println!(
            "depth {depth}: {nodes} sequences of moves, {} views of White",
            views.len()
        );
    }
}
