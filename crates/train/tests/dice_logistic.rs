//! Models of moves: the gradient is correct, and training is reproducible and
//! reduces the cost.

use foglight_engine::dice::move_model::{ModelLayer, MoveModel, board_features, move_features};
use foglight_play::seeded;
use foglight_rules::{Action, Color, Game, Outcome, Record, State, Termination};
use foglight_train::logistic::{Examples, TrainConfig, TrainingGame, descend, train, validate};
use rand::seq::IndexedRandom;

fn weights(layer: &mut ModelLayer) -> impl Iterator<Item = &mut f32> {
    layer.inward.iter_mut().chain(&mut layer.outward)
}

/// A training step against the difference quotient of the cost.
#[test]
fn the_gradient_is_that_of_the_cost() {
    let game = Game::chess();
    let position = game.start();
    let m = game.legal_moves(&position)[3];
    let mut features = board_features(&position);
    features.extend(move_features(m));
    for hidden in [0, 5] {
        for good in [true, false] {
            let mut rng = seeded(7);
            let start = ModelLayer::new(hidden, &mut rng);
            let mut stepped = start.clone();
            let rate = 1e-3;
            descend(&mut stepped, &features, good, rate, 0.0);
            let before: Vec<f32> = weights(&mut start.clone()).map(|w| *w).collect();
            let after: Vec<f32> = weights(&mut stepped).map(|w| *w).collect();
            let mut moved = 0;
            for (i, (before, after)) in before.iter().zip(&after).enumerate() {
                let gradient = f64::from(before - after) / f64::from(rate);
                let cost = |h: f32| {
                    let mut layer = start.clone();
                    *weights(&mut layer).nth(i).expect("a weight") += h;
                    f64::from(layer.cost(&features, good))
                };
                if gradient == 0.0 && i % 50 != 0 {
                    continue;
                }
                let numeric = (cost(1e-2) - cost(-1e-2)) / 2e-2;
                assert!(
                    (gradient - numeric).abs() < 5e-3,
                    "{i}: {gradient} {numeric}"
                );
                moved += usize::from(gradient != 0.0);
            }
            assert!(moved >= 34, "{moved} weights move");
        }
    }
}

/// Games in which the winner always plays the move that comes first by number.
fn lessons(count: u64) -> Examples {
    let game = Game::chess();
    let mut examples = Examples::default();
    for seed in 0..count {
        let mut rng = seeded(seed);
        let mut state = State::start(game);
        let mut actions = Vec::new();
        while state.outcome().is_none() && state.plies() < 20 {
            let moves = state.legal_moves();
            let m = match state.position().turn() {
                Color::White => *moves.iter().max().expect("a move"),
                Color::Black => *moves.choose(&mut rng).expect("a move"),
            };
            actions.push(Action::Move(m));
            state.play_unchecked(Action::Move(m));
        }
        let record = Record {
            game,
            start: game.start(),
            actions,
            outcome: Some(Outcome::win(Color::White, Termination::Resign)),
        };
        examples.add(&TrainingGame::of(&record).expect("a won game"));
    }
    examples
}

#[test]
fn training_repeats_and_learns() {
    let examples = lessons(40);
    let course = TrainConfig::default();
    let model = train(&examples, course, &mut |_| {});
    assert_eq!(model, train(&examples, course, &mut |_| {}));
    let other = TrainConfig { seed: 2, ..course };
    assert_ne!(model, train(&examples, other, &mut |_| {}));
    let judged = validate(&model, &lessons(50));
    let pawns = judged[0];
    assert!(pawns.good > 0 && pawns.balanced > 0.9, "{pawns:?}");
    assert_eq!(judged[6].good, 0, "Black never won");
}

#[test]
fn weights_are_small_and_survive_writing() {
    for model in [
        MoveModel::logistic(),
        MoveModel::selfplay(),
        MoveModel::network(),
    ] {
        let bytes = model.to_bytes();
        assert!(bytes.len() < 100_000, "{}", bytes.len());
        let again = MoveModel::from_bytes(&bytes).expect("what was written");
        let position = Game::dice1().start();
        for m in Game::chess().legal_moves(&Game::chess().start()) {
            let (a, b) = (
                model.probability(&position, m),
                again.probability(&position, m),
            );
            assert!((a - b).abs() < 1e-3);
            assert!((0.0..=1.0).contains(&a));
        }
    }
    assert!(MoveModel::from_bytes(&[0, 1, 2]).is_none());
}
