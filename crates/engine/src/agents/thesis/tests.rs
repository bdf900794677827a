//! The figures of the thesis that need no game.

use foglight_rules::{Color, Game, Square, State};

use super::{Settings, sense::Sense};
use crate::belief::{Roster, World};

fn settings() -> Settings {
    Settings {
        risk: 1.0,
        ordering: false,
        depth: 2,
        weighted: false,
        printed_cutoff: false,
        may_pass: false,
        by_tables: false,
        carry: false,
        mobility: false,
        phase: false,
        unprotected: false,
        pawns: false,
        king: false,
    }
}

fn sense(fen: &str) -> Sense {
    let game = Game::fog_by(foglight_rules::FogRules::Thesis);
    let state = State::new(game, game.parse_fen(fen).expect("a position"));
    let side = state.position().turn();
    let roster = Roster::new(&World::of(state.position(), !side), !side);
    Sense::new(&state.observe(side), &roster, None, &settings())
}

#[test]
fn material_counts_seen_and_hidden_men_alike() {
    // White sees a knight on b3 from a1; the black king hides.
    let sense = sense("4k3/8/8/8/8/1n6/8/R3K3 w - - 0 1");
    let score = sense.evaluate(&sense.root);
    // Rook 5 against a knight of 3.2 and squares: about 1.8 with kings even.
    assert!((1.0..2.6).contains(&score), "{score}");
}

#[test]
fn risk_is_the_chance_of_eq_4_5() {
    // A lone black knight hides; a white rook on a1 is attacked from b3 and c2.
    let sense = sense("k6n/8/8/8/8/8/8/R6K w - - 0 1");
    let seen = sense.seen;
    let total = 64 - seen.count();
    let possible = [Square::B3, Square::C2]
        .into_iter()
        .filter(|square| !seen.contains(*square))
        .count();
    let rook = 5.0 * possible as f64 / total as f64;
    let king_from = [Square::F2, Square::G3]
        .into_iter()
        .filter(|square| !seen.contains(*square))
        .count();
    let king = 200.0 * king_from as f64 / total as f64;
    let risk = sense.risk(&sense.root);
    assert!((risk - rook - king).abs() < 1e-9, "{risk} {rook} {king}");
    assert_eq!(sense.side, Color::White);
}
