//! Weights fitted to games: fitting is reproducible and reduces the loss.

use foglight_engine::eval::{
    classic::ClassicWeights,
    ensemble::{Ensemble, EvaluatorKind},
};
use foglight_play::seeded;
use foglight_rules::{Action, Color, Game, State};
use foglight_train::{classic, ensemble};
use rand::seq::IndexedRandom;

#[test]
fn evolution_repeats_and_knows_who_wins() {
    let (material, checks) = (
        Ensemble::only(EvaluatorKind::Pointwise),
        Ensemble::only(EvaluatorKind::Check),
    );
    let tally = ensemble::compare(&material, &checks, 3, 1, 5);
    assert!(tally.share() > 0.6, "{tally:?}");
    let settings = ensemble::EvolutionConfig {
        generations: 2,
        children: 2,
        pairs: 1,
        depth: 1,
    };
    let run = || ensemble::evolve(&Ensemble::EQUAL, &settings, 3, &mut |_, _, _| ());
    assert_eq!(run(), run());
}

/// Texel's method on a few games of random moves: the training loss falls.
#[test]
fn tuning_learns_from_games() {
    let mut rng = seeded(2);
    let mut examples = Vec::new();
    for _ in 0..300 {
        let mut state = State::start(Game::chess());
        for _ in 0..60 {
            let Some(&m) = state.legal_moves().choose(&mut rng) else {
                break;
            };
            state.play_unchecked(Action::Move(m));
        }
        // The side with more queens and rooks is labelled the winner.
        let board = *state.position().board();
        let heavy = |side| {
            use foglight_rules::Role::{Queen, Rook};
            (board.pieces(side, Queen) | board.pieces(side, Rook)).count() as i32
        };
        let result = match heavy(Color::White) - heavy(Color::Black) {
            0 => 0.5,
            more => f32::from(u8::from(more > 0)),
        };
        examples.push(classic::example(state.position(), result));
    }
    let settings = classic::TexelConfig {
        epochs: 12,
        batch: 64,
        rate: 4.0,
        ..classic::TexelConfig::default()
    };
    let mut losses = Vec::new();
    let mut told = |_, loss| losses.push(loss);
    let tuned = classic::tune(
        &ClassicWeights::published(),
        examples,
        &settings,
        &mut rng,
        &mut told,
    );
    assert_ne!(tuned, ClassicWeights::published());
    assert!(losses.last() < losses.first(), "{losses:?}");
}
