//! Training of the network: sparse first layer, Adam, several threads.
//!
//! A batch is split into a fixed number of shards whose gradients are added in
//! order, so that the result does not depend on the number of threads.

pub mod datagen;
pub mod dice_datagen;
mod example;
mod gradient;
pub mod wdl;

use rand::{Rng as _, seq::SliceRandom};

use super::{
    adam::Adam,
    shards::{Shards, rate_at},
};
pub use example::NetworkExample;
use foglight_engine::eval::network::weights::{
    FloatNetworkWeights, HEADS, HIDDEN, INPUTS, OUTPUT_MOST,
};
use foglight_play::{rng::derive, seeded};
pub use gradient::NetworkGradient;

/// Shards of a batch: fixed, so that the number of threads has no effect.
const SHARDS: usize = 8;

/// Hyperparameters of a training run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NetworkTrainConfig {
    /// Positions per gradient step.
    pub batch: usize,
    /// Passes over all positions.
    pub epochs: u32,
    /// Initial learning rate; it falls to a hundredth on a cosine.
    pub rate: f32,
    /// The share of the game's result in the target; the rest is the score.
    pub result: f32,
    /// Seed of the initial weights and of the order of positions.
    pub seed: u64,
    pub threads: usize,
}

impl Default for NetworkTrainConfig {
    fn default() -> NetworkTrainConfig {
        NetworkTrainConfig {
            batch: 4096,
            epochs: 10,
            rate: 0.001,
            result: 0.0,
            seed: 1,
            threads: 1,
        }
    }
}

/// A network in training. Saved after an epoch and restored, it continues with
/// identical results.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkTrainer {
    pub floats: FloatNetworkWeights,
    adam: Adam,
    pub epoch: u32,
}

impl NetworkTrainer {
    /// Starts from small random weights.
    pub fn new(seed: u64) -> NetworkTrainer {
        let mut rng = seeded(seed);
        let mut draw = |n: usize, most: f32| -> Vec<f32> {
            (0..n).map(|_| rng.random_range(-most..most)).collect()
        };
        NetworkTrainer {
            floats: FloatNetworkWeights {
                rows: draw(INPUTS * HIDDEN, 0.1),
                bias: vec![0.25; HIDDEN],
                output: draw(2 * HIDDEN, 0.1).repeat(HEADS),
                offset: vec![0.0; HEADS],
            },
            adam: Adam::new(parameters(INPUTS)),
            epoch: 0,
        }
    }

    /// Continues training from an existing network.
    pub fn from_floats(floats: FloatNetworkWeights) -> NetworkTrainer {
        NetworkTrainer {
            adam: Adam::new(parameters(floats.inputs())),
            floats,
            epoch: 0,
        }
    }

    /// One pass over all examples in shuffled order; returns the mean loss.
    pub fn run_epoch(&mut self, examples: &[NetworkExample], settings: &NetworkTrainConfig) -> f64 {
        let mut order: Vec<u32> = (0..examples.len() as u32).collect();
        order.shuffle(&mut seeded(derive(settings.seed, u64::from(self.epoch))));
        let steps = order.len().div_ceil(settings.batch) as u64;
        let all = steps * u64::from(settings.epochs);
        let mut loss = 0.0;
        let mut shards = self.shards();
        for (i, batch) in order.chunks(settings.batch).enumerate() {
            let step = u64::from(self.epoch) * steps + i as u64;
            let rate = rate_at(settings.rate, step as f64 / all as f64);
            let sum = sum(&mut shards, &self.floats, examples, batch, settings);
            self.step(sum, batch.len(), rate);
            loss += sum.loss;
        }
        self.epoch += 1;
        loss / examples.len().max(1) as f64
    }

    /// The mean loss over examples, without training.
    pub fn loss(&self, examples: &[NetworkExample], settings: &NetworkTrainConfig) -> f64 {
        let all: Vec<u32> = (0..examples.len() as u32).collect();
        let mut shards = self.shards();
        let loss = sum(&mut shards, &self.floats, examples, &all, settings).loss;
        loss / examples.len().max(1) as f64
    }

    fn shards(&self) -> Shards<NetworkGradient> {
        Shards::new(SHARDS, || NetworkGradient::zero(self.floats.inputs()))
    }

    fn step(&mut self, sum: &NetworkGradient, positions: usize, rate: f32) {
        self.adam.begin();
        let scale = 1.0 / positions as f32;
        let floats = &mut self.floats;
        let parts: [(&mut [f32], &[f32]); 4] = [
            (&mut floats.rows, &sum.floats.rows),
            (&mut floats.bias, &sum.floats.bias),
            (&mut floats.output, &sum.floats.output),
            (&mut floats.offset, &sum.floats.offset),
        ];
        let mut at = 0;
        for (values, gradient) in parts {
            self.adam.step(values, gradient, at, scale, rate);
            at += gradient.len();
        }
        for weight in &mut self.floats.output {
            *weight = weight.clamp(-OUTPUT_MOST, OUTPUT_MOST);
        }
    }

    /// The complete state of training.
    pub fn to_bytes(&self) -> Vec<u8> {
        let floats = &self.floats;
        let parts = [&floats.rows, &floats.bias, &floats.output, &floats.offset];
        let mut bytes = self.epoch.to_le_bytes().to_vec();
        bytes.extend(self.adam.steps().to_le_bytes());
        let values = parts.into_iter().flatten().chain(self.adam.moments());
        bytes.extend(values.flat_map(|value| value.to_le_bytes()));
        bytes
    }

    /// Restores the output of [`NetworkTrainer::to_bytes`]; `None` if the bytes
    /// are something else.
    pub fn from_bytes(bytes: &[u8]) -> Option<NetworkTrainer> {
        let (head, rest) = bytes.split_at_checked(8)?;
        let mut shapes = [INPUTS, 2 * INPUTS].into_iter();
        let inputs = shapes.find(|inputs| rest.len() == 3 * 4 * parameters(*inputs))?;
        let number = |at: usize| Some(u32::from_le_bytes(head[at..at + 4].try_into().ok()?));
        let mut values = rest
            .chunks_exact(4)
            .map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]));
        let all = parameters(inputs);
        let mut take = |n: usize| -> Vec<f32> { values.by_ref().take(n).collect() };
        Some(NetworkTrainer {
            floats: FloatNetworkWeights {
                rows: take(inputs * HIDDEN),
                bias: take(HIDDEN),
                output: take(HEADS * 2 * HIDDEN),
                offset: take(HEADS),
            },
            adam: Adam::resumed(number(4)?, take(all), take(all)),
            epoch: number(0)?,
        })
    }
}

/// Number of weights of a network.
const fn parameters(inputs: usize) -> usize {
    inputs * HIDDEN + HIDDEN + HEADS * (2 * HIDDEN + 1)
}

/// The gradient of a batch.
fn sum<'a>(
    shards: &'a mut Shards<NetworkGradient>,
    floats: &FloatNetworkWeights,
    examples: &[NetworkExample],
    batch: &[u32],
    settings: &NetworkTrainConfig,
) -> &'a NetworkGradient {
    let learn = |gradient: &mut NetworkGradient, part: &[u32]| {
        gradient.clear();
        let mut part = part.iter().map(|&i| &examples[i as usize]);
        gradient.learn(floats, &mut part, settings.result);
    };
    shards.sum(batch, settings.threads, learn, NetworkGradient::add)
}
