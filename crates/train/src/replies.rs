//! Fits the model of the enemy's replies to games: a conditional logit, that is
//! a softmax over the mover's legal moves, by maximum likelihood.

use foglight_engine::belief::{Evidence, REPLY_FEATURES, ReplyContext, ReplyModel};
use foglight_play::seeded;
use foglight_rules::{Action, Record};
use rand::seq::SliceRandom;

use crate::adam::Adam;

/// A choice of a player: the features of each move that it had, and the place
/// of the move that it played.
#[derive(Clone, Debug)]
pub struct ReplyChoice {
    moves: Vec<Vec<u16>>,
    played: usize,
}

/// The choices of both players of a fog game with more than one move.
pub fn choices(record: &Record) -> Vec<ReplyChoice> {
    let mut replay = record.replay();
    let mut choices = Vec::new();
    while let Some(action) = replay.peek() {
        let state = replay.state();
        let observation = state.observe(!state.position().turn());
        let evidence = Evidence::new(state.game(), observation.view());
        let context = ReplyContext::new(&evidence, state.plies());
        let moves = state.game().legal_moves(state.position());
        let played = moves.iter().position(|m| action == Action::Move(*m));
        if let Some(played) = played.filter(|_| moves.len() > 1) {
            let features = moves.iter().map(|m| {
                let features = context.features(state.position(), *m);
                features.into_iter().map(|feature| feature as u16).collect()
            });
            choices.push(ReplyChoice {
                moves: features.collect(),
                played,
            });
        }
        if !matches!(replay.step(), Some(Ok(_))) {
            break;
        }
    }
    choices
}

/// Settings of a fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ReplyTrainConfig {
    pub epochs: u32,
    pub rate: f32,
    /// Strength of the pull of every score to 0, per choice.
    pub decay: f32,
    /// Seed of the order of the choices.
    pub seed: u64,
}

/// Choices per step.
const BATCH: usize = 64;

/// Fits a model to choices. `progress` is called after each epoch with the mean
/// log loss of the epoch.
pub fn fit(
    choices: &[ReplyChoice],
    config: &ReplyTrainConfig,
    progress: &mut dyn FnMut(f64),
) -> ReplyModel {
    let mut scores = vec![0.0; REPLY_FEATURES];
    let mut adam = Adam::new(REPLY_FEATURES);
    let mut rng = seeded(config.seed);
    let mut order: Vec<&ReplyChoice> = choices.iter().collect();
    for epoch in 0..config.epochs {
        order.shuffle(&mut rng);
        let rate = config.rate * (1.0 - epoch as f32 / config.epochs as f32);
        let mut loss = 0.0;
        for batch in order.chunks(BATCH) {
            let mut gradient: Vec<f32> = scores.iter().map(|score| config.decay * score).collect();
            for choice in batch {
                loss += descend(choice, &scores, &mut gradient, batch.len());
            }
            adam.begin();
            adam.step(&mut scores, &gradient, 0, 1.0, rate);
        }
        progress(loss / choices.len().max(1) as f64);
    }
    ReplyModel::new(scores).expect("a score for each feature")
}

/// Adds a choice's share of the gradient; returns its log loss.
fn descend(choice: &ReplyChoice, scores: &[f32], gradient: &mut [f32], batch: usize) -> f64 {
    let odds = probabilities(choice, |feature| scores[feature]);
    for (i, features) in choice.moves.iter().enumerate() {
        let error = odds[i] - f32::from(u8::from(i == choice.played));
        for &feature in features {
            gradient[usize::from(feature)] += error / batch as f32;
        }
    }
    -f64::from(odds[choice.played].max(1e-9)).ln()
}

fn probabilities(choice: &ReplyChoice, score: impl Fn(usize) -> f32) -> Vec<f32> {
    let of = |features: &Vec<u16>| features.iter().map(|&i| score(usize::from(i))).sum::<f32>();
    let scores: Vec<f32> = choice.moves.iter().map(of).collect();
    let top = scores.iter().copied().fold(f32::MIN, f32::max);
    let odds: Vec<f32> = scores.iter().map(|score| (score - top).exp()).collect();
    let total: f32 = odds.iter().sum();
    odds.into_iter().map(|odds| odds / total).collect()
}

/// The mean log loss of choices: by the model alone, by the model with a share
/// spread evenly, and if all moves were equally likely.
pub fn log_losses(choices: &[ReplyChoice], model: &ReplyModel, even_share: f32) -> [f64; 3] {
    let mut sums = [0.0; 3];
    for choice in choices {
        let even = 1.0 / choice.moves.len() as f32;
        let odds = probabilities(choice, |feature| model.score([feature]))[choice.played];
        let mixed = (1.0 - even_share) * odds + even_share * even;
        for (sum, odds) in sums.iter_mut().zip([odds.max(1e-9), mixed, even]) {
            *sum -= f64::from(odds).ln();
        }
    }
    sums.map(|sum| sum / choices.len().max(1) as f64)
}
