//! Shared parts of the gradient trainers: batches on several threads whose
//! result does not depend on their number, and the learning-rate schedule.

use std::thread;

/// The gradients of the parts of a batch, reused for all batches.
pub struct Shards<G>(Vec<G>);

impl<G: Send> Shards<G> {
    /// Splits a batch into `count` parts, at least one. The sum depends on
    /// their number and on nothing else of the machine.
    pub fn new(count: usize, zero: impl Fn() -> G) -> Shards<G> {
        Shards((0..count.max(1)).map(|_| zero()).collect())
    }

    /// The sum over a batch: each shard by itself, then all in order. `learn`
    /// sets a gradient to that of some examples, whatever it was.
    pub fn sum(
        &mut self,
        batch: &[u32],
        threads: usize,
        learn: impl Fn(&mut G, &[u32]) + Sync,
        add: fn(&mut G, &G),
    ) -> &G {
        let count = self.0.len();
        let share = batch.len().div_ceil(count).max(1);
        let mut parts = batch.chunks(share);
        let mut work: Vec<(&mut G, &[u32])> = self
            .0
            .iter_mut()
            .map(|gradient| (gradient, parts.next().unwrap_or_default()))
            .collect();
        let run = |(gradient, part): &mut (&mut G, &[u32])| learn(gradient, part);
        let each = count.div_ceil(threads.clamp(1, count));
        let (own, others) = work.split_at_mut(each);
        thread::scope(|scope| {
            for part in others.chunks_mut(each) {
                scope.spawn(|| part.iter_mut().for_each(&run));
            }
            own.iter_mut().for_each(&run);
        });
        let (sum, rest) = self.0.split_first_mut().expect("a shard");
        rest.iter().for_each(|shard| add(sum, shard));
        sum
    }
}

/// The rate after this share of the training: it falls to a hundredth on a
/// cosine.
pub(crate) fn rate_at(rate: f32, done: f64) -> f32 {
    let cosine = (1.0 + (std::f64::consts::PI * done).cos()) / 2.0;
    rate * (0.01 + 0.99 * cosine as f32)
}
