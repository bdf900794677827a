//! Training of the belief network on observations from self-play, labelled with
//! the true states.
//!
//! A batch is split into a fixed number of shards whose gradients are added in
//! order, so that the result does not depend on the number of threads.

pub mod games;
mod gradient;
pub mod log_loss;

use rand::{Rng as _, seq::SliceRandom};

use super::{
    adam::Adam,
    shards::{Shards, rate_at},
};
use foglight_engine::belief::network::{
    Features,
    floats::{FloatBeliefWeights, HIDDEN},
};
use foglight_play::{rng::derive, seeded};
pub use gradient::BeliefGradient;

/// Shards of a batch: fixed, so that the number of threads has no effect.
const SHARDS: usize = 4;

/// An observation and the true state.
#[derive(Clone, PartialEq, Debug)]
pub struct BeliefExample {
    /// Inputs of the network.
    pub features: Features,
    /// True content of each square, empty or a piece type, in the features'
    /// orientation.
    pub truth: [u8; 64],
}

/// Hyperparameters of a training run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BeliefTrainConfig {
    /// Views per gradient step.
    pub batch: usize,
    /// Passes over all views.
    pub epochs: u32,
    /// Initial learning rate; it falls to a hundredth on a cosine.
    pub rate: f32,
    /// Weight decay, as a share of the rate.
    pub decay: f32,
    /// Seed of the initial weights and of the order of views.
    pub seed: u64,
    pub threads: usize,
}

impl Default for BeliefTrainConfig {
    fn default() -> BeliefTrainConfig {
        BeliefTrainConfig {
            batch: 128,
            epochs: 8,
            rate: 0.002,
            decay: 0.05,
            seed: 1,
            threads: 1,
        }
    }
}

/// A belief network in training.
#[derive(Clone, Debug, PartialEq)]
pub struct BeliefTrainer {
    pub floats: FloatBeliefWeights,
    adam: Adam,
    epoch: u32,
}

impl BeliefTrainer {
    /// Small random weights in the first layer and zeros behind it: it starts
    /// as the uniform tensor.
    pub fn new(seed: u64) -> BeliefTrainer {
        let mut rng = seeded(seed);
        let mut floats = FloatBeliefWeights::zero();
        let rows = floats.rows.iter_mut();
        rows.for_each(|weight| *weight = rng.random_range(-0.1..0.1));
        let bias = floats.bias.iter_mut();
        bias.for_each(|bias| *bias = rng.random_range(0.0..0.2));
        BeliefTrainer {
            floats,
            adam: Adam::new(FloatBeliefWeights::count()),
            epoch: 0,
        }
    }

    /// One pass over all examples in shuffled order; returns the mean loss of a
    /// hidden square. `told` is called after every step.
    pub fn run_epoch(
        &mut self,
        examples: &[BeliefExample],
        settings: &BeliefTrainConfig,
        told: &mut dyn FnMut(),
    ) -> f64 {
        let mut order: Vec<u32> = (0..examples.len() as u32).collect();
        order.shuffle(&mut seeded(derive(settings.seed, u64::from(self.epoch))));
        let steps = order.len().div_ceil(settings.batch) as u64;
        let all = steps * u64::from(settings.epochs);
        let (mut loss, mut squares) = (0.0, 0);
        let mut shards = Shards::new(SHARDS, BeliefGradient::zero);
        for (i, batch) in order.chunks(settings.batch).enumerate() {
            let step = u64::from(self.epoch) * steps + i as u64;
            let rate = rate_at(settings.rate, step as f64 / all as f64);
            let sum = sum(&mut shards, &self.floats, examples, batch, settings.threads);
            (loss, squares) = (loss + sum.loss, squares + sum.squares);
            self.step(sum, rate, settings.decay);
            told();
        }
        self.epoch += 1;
        loss / squares.max(1) as f64
    }

    /// The mean loss of a hidden square, without training.
    pub fn loss(&self, examples: &[BeliefExample], settings: &BeliefTrainConfig) -> f64 {
        let all: Vec<u32> = (0..examples.len() as u32).collect();
        let mut shards = Shards::new(SHARDS, BeliefGradient::zero);
        let sum = sum(&mut shards, &self.floats, examples, &all, settings.threads);
        sum.loss / sum.squares.max(1) as f64
    }

    fn step(&mut self, sum: &BeliefGradient, rate: f32, decay: f32) {
        self.adam.begin();
        // A mean over squares differs only in scale, to which Adam is
        // invariant.
        let scale = 1.0 / sum.squares.max(1) as f32;
        let mut at = 0;
        let parts = self.floats.parts_mut().into_iter().zip(sum.floats.parts());
        for (values, gradient) in parts {
            if values.len() > HIDDEN {
                let kept = 1.0 - rate * decay;
                values.iter_mut().for_each(|value| *value *= kept);
            }
            self.adam.step(values, gradient, at, scale, rate);
            at += gradient.len();
        }
    }
}

/// The gradient of a batch.
fn sum<'a>(
    shards: &'a mut Shards<BeliefGradient>,
    floats: &FloatBeliefWeights,
    examples: &[BeliefExample],
    batch: &[u32],
    threads: usize,
) -> &'a BeliefGradient {
    let learn = |gradient: &mut BeliefGradient, part: &[u32]| {
        gradient.clear();
        for &i in part {
            gradient.learn(floats, &examples[i as usize]);
        }
    };
    shards.sum(batch, threads, learn, BeliefGradient::add)
}
