//! Successors of a batch of worlds, found and merged on all threads.

use std::thread;

use super::{
    key::Marked,
    replies::Step,
    world::{Change, World},
    world_set::WorldSet,
};

/// The successors of a batch in one shard, as reported by a [`Step`]: the mark,
/// with the index of the old world in the batch above the number.
pub(super) type Bucket = Vec<Marked>;

/// Fills each part, buckets by shard, from its share of the worlds, one thread
/// per part.
pub(super) fn expand(
    batch: &[World],
    weigh: &(impl Fn(usize) -> f32 + Sync),
    parts: &mut [Vec<Bucket>],
    seed: u64,
    step: &(impl Step + Sync),
) {
    let fill = |first: usize, worlds: &[World], part: &mut Vec<Bucket>| {
        part.iter_mut().for_each(Vec::clear);
        let mask = part.len() - 1;
        for (i, world) in worlds.iter().enumerate() {
            let place = ((first + i) as u32) << Change::BITS;
            let weight = weigh(first + i);
            step.step(world, &mut |key, code, probability| {
                let told = Marked::new(key, seed, place | code, weight * probability);
                part[told.hash as usize & mask].push(told);
            });
        }
    };
    if let [part] = parts {
        return fill(0, batch, part);
    }
    thread::scope(|scope| {
        let share = batch.len().div_ceil(parts.len()).max(1);
        let mut shares = batch.chunks(share);
        for (i, part) in parts.iter_mut().enumerate() {
            let worlds = shares.next().unwrap_or(&[]);
            let fill = &fill;
            scope.spawn(move || fill(i * share, worlds, part));
        }
    });
}

/// Merges the parts into the sets, one thread per part, each set by a single
/// thread.
pub(super) fn merge(
    sets: &mut [WorldSet],
    batch: &[World],
    parts: &[Vec<Bucket>],
    step: &(impl Step + Sync),
) {
    let insert = |first: usize, sets: &mut [WorldSet]| {
        for (shard, set) in sets.iter_mut().enumerate() {
            for part in parts {
                for told in &part[first + shard] {
                    let world = &batch[(told.number >> Change::BITS) as usize];
                    let code = told.number & ((1 << Change::BITS) - 1);
                    set.insert(told, || step.make(world, code));
                }
            }
        }
    };
    if parts.len() == 1 {
        return insert(0, sets);
    }
    let share = sets.len().div_ceil(parts.len());
    thread::scope(|scope| {
        for (i, sets) in sets.chunks_mut(share).enumerate() {
            let insert = &insert;
            scope.spawn(move || insert(i * share, sets));
        }
    });
}
