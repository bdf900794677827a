//! Equilibria of tiny fog games: the error is bounded, and with full views the
//! value equals minimax.

use foglight_engine::solve::{FogError, FogSettings, solve_fog};
use foglight_rules::{Action, Color, Game, Sight, State};

fn minimax(state: &State, plies: u32) -> f64 {
    if let Some(outcome) = state.outcome() {
        return 2.0 * outcome.score(Color::White) - 1.0;
    }
    if state.plies() >= plies {
        return 0.0;
    }
    let values = state.legal_moves().into_iter().map(|m| {
        let mut next = state.clone();
        next.play_unchecked(Action::Move(m));
        minimax(&next, plies)
    });
    match state.position().turn() {
        Color::White => values.fold(f64::NEG_INFINITY, f64::max),
        Color::Black => values.fold(f64::INFINITY, f64::min),
    }
}

#[test]
fn with_full_sight_it_is_minimax() {
    let game = Game::fog()
        .with_sight(Color::White, Sight::Full)
        .with_sight(Color::Black, Sight::Full);
    for fen in [
        "k3/4/4/1QK1 w - - 0 1",
        "1k2/4/4/K2R w - - 0 1",
        "k1r1/4/4/2K1 w - - 0 1",
    ] {
        let position = game.parse_fen(fen).expect("a position");
        let settings = FogSettings {
            plies: 3,
            error: 1e-3,
            ..FogSettings::default()
        };
        let solved = solve_fog(&game, &position, settings, |_, _| {}).expect("solved");
        let exact = minimax(&State::new(game, position), 3);
        assert!(
            (solved.value - exact).abs() <= solved.error + 1e-9,
            "{fen}: {solved:?} {exact}"
        );
        assert!(solved.error <= 1e-3, "{fen}: {solved:?}");
    }
}

#[test]
fn in_fog_the_error_falls_under_what_was_asked_for() {
    let game = Game::fog();
    let fen = "k3/r3/3R/3K w - - 0 1";
    let position = game.parse_fen(fen).expect("a position");
    let settings = FogSettings {
        plies: 4,
        ..FogSettings::default()
    };
    let mut errors = Vec::new();
    let solved =
        solve_fog(&game, &position, settings, |_, error| errors.push(error)).expect("solved");
    println!("{fen}: {solved:?}");
    assert!(solved.error <= 0.005, "{errors:?}");
    assert!(
        errors.iter().all(|error| *error >= -1e-9),
        "a best response never loses by knowing"
    );
    assert!((-1.0..=1.0).contains(&solved.value));
    let total: f64 = solved.mix.iter().map(|(_, share)| share).sum();
    assert!((total - 1.0).abs() < 1e-9);
}

#[test]
fn too_large_trees_are_refused() {
    let game = Game::fog();
    let settings = FogSettings {
        plies: 6,
        most: 10_000,
        ..FogSettings::default()
    };
    let refused = solve_fog(&game, &game.start(), settings, |_, _| {});
    assert_eq!(refused, Err(FogError::Tree(10_000)));
    let chess = solve_fog(&Game::chess(), &game.start(), settings, |_, _| {});
    assert_eq!(chess, Err(FogError::Game));
}
