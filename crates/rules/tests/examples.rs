//! Every example runs to completion.

#[path = "../examples/fog_game.rs"]
mod fog_game;
#[path = "../examples/perft_fog.rs"]
mod perft_fog;
#[path = "../examples/replay_dice.rs"]
mod replay_dice;

#[test]
fn perft_of_fog() {
    perft_fog::main();
}

#[test]
fn a_game_in_the_fog() {
    fog_game::main();
}

#[test]
fn a_dice_game_as_pgn() {
    replay_dice::main();
}
