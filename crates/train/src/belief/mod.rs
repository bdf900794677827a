//! Teaching the belief network: what was seen in games of self-play, and what
//! was there.
//!
//! A batch is cut into a fixed number of shards whose gradients are added in
//! order, so that any number of threads gives the same numbers.

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

/// Shards of a batch: fixed, so that threads do not matter.
const SHARDS: usize = 4;

/// What was seen, and what was there.
#[derive(Clone, PartialEq, Debug)]
pub struct BeliefExample {
    /// What the network is shown.
    pub features: Features,
    /// Nothing or the number of a kind on each square, turned as the features.
    pub truth: [u8; 64],
}

/// How a belief network is taught.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BeliefTrainConfig {
    /// Views to a step.
    pub batch: usize,
    /// Times that all views are gone through.
    pub epochs: u32,
    /// Learning rate at the start; it falls to a hundredth of it on a cosine.
    pub rate: f32,
    /// How fast weights that nothing needs fade, as a share of the rate.
    pub decay: f32,
    /// Seed of the first numbers and of the order of views.
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

/// A belief network being taught.
#[derive(Clone, Debug, PartialEq)]
pub struct BeliefTrainer {
    pub floats: FloatBeliefWeights,
    adam: Adam,
    epoch: u32,
}

impl BeliefTrainer {
    /// Small random numbers in the first layer and none behind it: it begins
    /// as the even tensor.
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

    /// Goes through all examples once, in an order of its own; the mean loss of
    /// a dark square. `told` hears of every step.
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

    /// The mean loss of a dark square, nothing learnt.
    pub fn loss(&self, examples: &[BeliefExample], settings: &BeliefTrainConfig) -> f64 {
        let all: Vec<u32> = (0..examples.len() as u32).collect();
        let mut shards = Shards::new(SHARDS, BeliefGradient::zero);
        let sum = sum(&mut shards, &self.floats, examples, &all, settings.threads);
        sum.loss / sum.squares.max(1) as f64
    }

    fn step(&mut self, sum: &BeliefGradient, rate: f32, decay: f32) {
        self.adam.begin();
        // The mean over squares would be the same but for the scale, which
        // Adam does not feel.
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
