//! Thinning of successors before they are merged, so that a capped belief does
//! not store many more than it keeps.

use super::{key::Marked, successors::Bucket};

/// One mark in this many is looked at to find the threshold.
const SAMPLED: u32 = 32;

/// Thins marks to about `most`: those lighter than a threshold stay with a
/// probability in proportion to their weight, and then weigh as much as the
/// threshold. Sums of weights keep their expectation.
pub(super) fn thin(parts: &mut [Vec<Bucket>], most: usize) {
    let buckets = || parts.iter().flatten();
    if buckets().map(Vec::len).sum::<usize>() <= most {
        return;
    }
    let mut sampled: Vec<f32> = (buckets().flatten())
        .filter(|mark| mark.check % SAMPLED == 0)
        .map(|mark| mark.weight)
        .collect();
    sampled.sort_unstable_by(|a, b| b.total_cmp(a));
    let threshold = threshold(&sampled, most / SAMPLED as usize);
    for bucket in parts.iter_mut().flatten() {
        bucket.retain_mut(|mark| {
            let heavy = mark.weight >= threshold;
            let kept = heavy || chance(mark) * threshold < mark.weight;
            mark.weight = mark.weight.max(threshold);
            kept
        });
    }
}

/// The threshold that keeps about `most` of these weights, heaviest first.
fn threshold(weights: &[f32], most: usize) -> f32 {
    let mut light: f64 = weights.iter().map(|weight| f64::from(*weight)).sum();
    for (heavy, weight) in weights.iter().enumerate() {
        let room = most.saturating_sub(heavy).max(1) as f64;
        let threshold = light / room;
        if f64::from(*weight) <= threshold {
            return threshold as f32;
        }
        light -= f64::from(*weight);
    }
    0.0
}

/// A number from 0 to 1 that depends on the move and the world it leads to.
fn chance(mark: &Marked) -> f32 {
    let mixed = (mark.check ^ mark.number.wrapping_mul(0x9e37_79b9)).wrapping_mul(0x85eb_ca6b);
    (mixed >> 8) as f32 / (1 << 24) as f32
}
