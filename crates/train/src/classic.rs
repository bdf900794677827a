//! Texel tuning of the classic evaluation: finds the weights whose scores,
//! through a logistic curve, best predict the results of games.
//!
//! Method: Peter Österlund, "Texel's Tuning Method" (Chess Programming Wiki),
//! with the exact gradient (the evaluation is linear in its weights but for the
//! endgame scale) and Adam (Kingma and Ba 2015).

use foglight_rules::{Action, Game, PgnGame, Position, Replay, State};
use rand::{Rng as _, seq::SliceRandom};

use foglight_engine::{
    eval::{
        Score,
        classic::{COUNT, ClassicWeights, EvalTrace, FULL_PHASE, trace},
    },
    search::alphabeta::is_still,
};
use foglight_play::Rng;

/// A position and the result of the game it comes from.
#[derive(Clone, Debug)]
pub struct TexelExample {
    trace: EvalTrace,
    /// 1 if White won, 0.5 for a draw, 0 if Black did.
    result: f32,
}

/// Plies of the opening that are left out.
const OPENING: usize = 14;

/// Samples up to `most` quiet positions of a game that has a result, each with
/// the result: 1 if White won, 0.5 for a draw, 0 if Black did.
pub fn still_positions(game: &PgnGame, most: usize, rng: &mut Rng) -> Vec<(Position, f32)> {
    let Some(result) = game.result else {
        return Vec::new();
    };
    let result = result
        .winner
        .map_or(0.5, |side| if side.is_white() { 1.0 } else { 0.0 });
    let mut replay = Replay::new(State::new(game.game, game.start), &game.actions);
    let mut still: Vec<Position> = Vec::new();
    while let Some(action) = replay.peek() {
        let state = replay.state();
        // Only positions before a quiet move: a hanging piece makes a position
        // noisy.
        if let Action::Move(m) = action
            && state.plies() as usize >= OPENING
            && state.position().captured(m).is_none()
            && m.promotion().is_none()
            && is_still(state.position())
        {
            still.push(*state.position());
        }
        if !matches!(replay.step(), Some(Ok(_))) || replay.state().outcome().is_some() {
            break;
        }
    }
    let (chosen, _) = still.partial_shuffle(rng, most);
    chosen.iter().map(|&position| (position, result)).collect()
}

/// White's expected share of the points at a reference evaluation in
/// centipawns.
pub fn lesson(centipawns: i32) -> f32 {
    1.0 / (1.0 + 10f32.powf(-centipawns as f32 / 300.0))
}

/// An example of a position and a result for White.
pub fn example(position: &Position, result: f32) -> TexelExample {
    TexelExample {
        trace: trace(position),
        result,
    }
}

/// Hyperparameters of the tuning.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TexelConfig {
    /// Passes over all examples.
    pub epochs: usize,
    pub batch: usize,
    /// First step size in centipawns; it falls to a tenth.
    pub rate: f64,
    /// Regularisation towards the starting weights: just enough to hold terms
    /// that rarely occur.
    pub pull: f64,
}

impl Default for TexelConfig {
    fn default() -> TexelConfig {
        TexelConfig {
            epochs: 30,
            batch: 8192,
            rate: 1.0,
            pull: 5e-10,
        }
    }
}

/// Weights in floating point.
struct Model {
    middle: Vec<f64>,
    end: Vec<f64>,
}

impl Model {
    fn new(weights: &ClassicWeights) -> Model {
        let parts = |part: fn(Score) -> i32| {
            weights
                .0
                .iter()
                .map(|&score| f64::from(part(score)))
                .collect()
        };
        Model {
            middle: parts(Score::middle),
            end: parts(Score::end),
        }
    }

    fn weights(&self) -> ClassicWeights {
        let mut weights = ClassicWeights::published();
        for i in 0..COUNT {
            weights.0[i] = Score::new(self.middle[i].round() as i32, self.end[i].round() as i32);
        }
        weights
    }

    /// Centipawns for White, and the shares of the two phases in them.
    fn score(&self, trace: &EvalTrace) -> (f64, [f64; 2]) {
        let (mut middle, mut end) = (0.0, 0.0);
        for &(term, count) in &trace.terms {
            middle += self.middle[term as usize] * f64::from(count);
            end += self.end[term as usize] * f64::from(count);
        }
        let phase = f64::from(trace.phase) / f64::from(FULL_PHASE);
        let scale = f64::from(trace.scales[usize::from(end < 0.0)]) / 64.0;
        let shares = [phase, (1.0 - phase) * scale];
        (middle * shares[0] + end * shares[1], shares)
    }
}

fn expected(score: f64, steepness: f64) -> f64 {
    1.0 / (1.0 + (-steepness * score).exp())
}

/// Mean squared error of the weights on examples.
pub fn loss(weights: &ClassicWeights, examples: &[TexelExample], steepness: f64) -> f64 {
    let model = Model::new(weights);
    mean_loss(&model, examples, steepness)
}

fn mean_loss(model: &Model, examples: &[TexelExample], steepness: f64) -> f64 {
    let square = |example: &TexelExample| {
        let error = expected(model.score(&example.trace).0, steepness) - f64::from(example.result);
        error * error
    };
    examples.iter().map(square).sum::<f64>() / examples.len().max(1) as f64
}

/// The steepness of the curve at which the weights predict best; it is fixed
/// before tuning, so that the scale of a pawn is unchanged.
pub(crate) fn steepness(weights: &ClassicWeights, examples: &[TexelExample]) -> f64 {
    let model = Model::new(weights);
    let (mut low, mut high) = (0.0005, 0.02);
    for _ in 0..20 {
        let third = (high - low) / 3.0;
        let (a, b) = (low + third, high - third);
        if mean_loss(&model, examples, a) < mean_loss(&model, examples, b) {
            high = b;
        } else {
            low = a;
        }
    }
    (low + high) / 2.0
}

/// Adam's averages for one half of the weights.
struct Adam {
    mean: Vec<f64>,
    square: Vec<f64>,
    steps: i32,
}

impl Adam {
    fn new() -> Adam {
        Adam {
            mean: vec![0.0; COUNT],
            square: vec![0.0; COUNT],
            steps: 0,
        }
    }

    fn step(&mut self, values: &mut [f64], gradient: &[f64], rate: f64) {
        const KEEP: (f64, f64) = (0.9, 0.999);
        self.steps += 1;
        let fresh = (1.0 - KEEP.0.powi(self.steps), 1.0 - KEEP.1.powi(self.steps));
        for i in 0..values.len() {
            self.mean[i] = KEEP.0 * self.mean[i] + (1.0 - KEEP.0) * gradient[i];
            self.square[i] = KEEP.1 * self.square[i] + (1.0 - KEEP.1) * gradient[i] * gradient[i];
            let (mean, square) = (self.mean[i] / fresh.0, self.square[i] / fresh.1);
            values[i] -= rate * mean / (square.sqrt() + 1e-9);
        }
    }
}

/// Tunes weights on examples. `told` is called with the epoch and the loss on
/// the held-out tenth of the examples.
pub fn tune(
    start: &ClassicWeights,
    mut examples: Vec<TexelExample>,
    settings: &TexelConfig,
    rng: &mut Rng,
    told: &mut dyn FnMut(usize, f64),
) -> ClassicWeights {
    examples.shuffle(rng);
    let held = examples.split_off(examples.len() - examples.len() / 10);
    let steepness = steepness(start, &examples);
    let origin = Model::new(start);
    let mut model = Model::new(start);
    let mut adam = (Adam::new(), Adam::new());
    for epoch in 0..settings.epochs {
        examples.shuffle(rng);
        let left = 1.0 - epoch as f64 / settings.epochs.max(1) as f64;
        let rate = settings.rate * (0.1 + 0.9 * left);
        for batch in examples.chunks(settings.batch.max(1)) {
            let (middle, end) = gradient(&model, &origin, batch, steepness, settings.pull);
            adam.0.step(&mut model.middle, &middle, rate);
            adam.1.step(&mut model.end, &end, rate);
        }
        told(epoch + 1, mean_loss(&model, &held, steepness));
    }
    model.weights()
}

fn gradient(
    model: &Model,
    origin: &Model,
    batch: &[TexelExample],
    steepness: f64,
    pull: f64,
) -> (Vec<f64>, Vec<f64>) {
    let pulled = |now: &[f64], then: &[f64]| -> Vec<f64> {
        now.iter()
            .zip(then)
            .map(|(now, then)| pull * (now - then))
            .collect()
    };
    let mut middle = pulled(&model.middle, &origin.middle);
    let mut end = pulled(&model.end, &origin.end);
    for example in batch {
        let (score, shares) = model.score(&example.trace);
        let guess = expected(score, steepness);
        let error = guess - f64::from(example.result);
        let slope = error * guess * (1.0 - guess) * steepness / batch.len() as f64;
        for &(term, count) in &example.trace.terms {
            let part = slope * f64::from(count);
            middle[term as usize] += part * shares[0];
            end[term as usize] += part * shares[1];
        }
    }
    (middle, end)
}

/// Examples from games that the evaluation plays against itself with few nodes
/// per move, from random openings.
pub fn self_play(
    weights: &ClassicWeights,
    games: usize,
    nodes: u64,
    rng: &mut Rng,
) -> Vec<TexelExample> {
    let mut found = Vec::new();
    for _ in 0..games {
        let game = super::selfplay::record(&Game::chess(), weights, nodes, rng.random());
        let still = still_positions(&game, 10, rng);
        found.extend(still.iter().map(|(position, end)| example(position, *end)));
    }
    found
}
