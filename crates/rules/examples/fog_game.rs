//! Two players move at random in the fog; prints the view of each: `cargo run -p
//! foglight-rules --example fog_game -- [SEED]`.

use foglight_rules::{Action, Color, FogRules, Game, Observation, State, Turn};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Prints the view as a board, with `?` for hidden squares, and the announcement.
fn show(name: &str, observation: &Observation) {
    println!("{name} sees");
    for row in observation.view().rows().split('/') {
        println!("  {row}");
    }
    if let Some((square, role)) = observation.news().lost {
        println!("  and has lost a {role:?} on {square}");
    }
}

pub(crate) fn main() {
    let seed = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed.unwrap_or(1));
    let mut state = State::start(Game::fog_with(FogRules::Chesscom));
    while let Turn::Player(side) = state.turn() {
        // A player's only information: the position cannot be recovered from it.
        let observation = state.observe(side);
        let m = observation
            .legal_moves()
            .choose(&mut rng)
            .expect("a game that goes on has a move");
        state
            .play(Action::Move(*m))
            .expect("an observed move is legal");
        println!("\n{}. {m}", state.plies());
        show("White", &state.observe(Color::White));
        show("Black", &state.observe(Color::Black));
    }
    println!(
        "\n{}",
        state.outcome().expect("the loop ends with the game")
    );
}
