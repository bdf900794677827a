//! The luck-adjusted score is unbiased and has a lower variance than the raw score.

use foglight_engine::{
    dice::luck::{Scored, adjust, expected, roll_values},
    registry,
};
use foglight_play::{GameConfig, Providers, Session, session::play_agents};
use foglight_rules::{ByColor, Color, Game};

fn games(one: &str, other: &str, count: u64) -> Vec<Scored> {
    let game = Game::dice1();
    let build = |text: &str| {
        let spec = text.parse().expect("a spec");
        registry::build(&spec, &game, &Providers::default()).expect("an agent")
    };
    let (mut first, mut second) = (build(one), build(other));
    (0..count)
        .filter_map(|i| {
            let side = if i % 2 == 0 {
                Color::White
            } else {
                Color::Black
            };
            let agents = match side {
                Color::White => ByColor {
                    white: &mut first as _,
                    black: &mut second as _,
                },
                Color::Black => ByColor {
                    white: &mut second as _,
                    black: &mut first as _,
                },
            };
            let config = GameConfig::new(game, game.start(), i, 0);
            let session = Session::new(game, game.start(), Some(1000));
            let record = play_agents(session, &config, agents, &|_| false);
            Scored::of(&record, side)
        })
        .collect()
}

#[test]
fn adjusting_keeps_the_mean_and_narrows_the_error() {
    let games = games("goal", "greedy", 2000);
    assert_eq!(games.len(), 2000);
    let result = adjust(&games).expect("enough games");
    let n = games.len() as f64;
    let luck: f64 = games.iter().map(|game| game.luck).sum::<f64>() / n;
    let spread = games
        .iter()
        .map(|game| (game.luck - luck).powi(2))
        .sum::<f64>()
        / n;
    let error = (spread / n).sqrt();
    assert!(
        luck.abs() < 3.5 * error,
        "luck has mean 0: {luck} +- {error}"
    );
    assert!(
        (result.adjusted - result.raw).abs() < 3.0 * result.raw_error,
        "{result:?}"
    );
    assert!(result.error < 0.9 * result.raw_error, "{result:?}");
}

#[test]
fn the_start_is_about_even_and_rolls_make_a_whole() {
    for game in [Game::dice1(), Game::dice3()] {
        let start = game.start();
        assert!((expected(&game, &start) - 0.5).abs() < 0.2);
        let sum: f64 = roll_values(&game, &start).iter().map(|(_, p, _)| p).sum();
        assert!((sum - 1.0).abs() < 1e-12);
    }
}
