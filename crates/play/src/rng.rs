//! Seeded random generators: the same seed always gives the same game.

use rand::SeedableRng;

/// The generator used everywhere, named so that it never changes silently.
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;

/// Creates a generator from a seed.
pub fn seeded(seed: u64) -> Rng {
    Rng::seed_from_u64(seed)
}

/// Index in whose share `mark` falls when the weights are laid end to end from 0.
/// If `mark` reaches their sum, which rounding can cause, the last index with a
/// positive weight; `None` if there is no weight.
pub fn weighted_index(weights: impl IntoIterator<Item = f64>, mark: f64) -> Option<usize> {
    let mut left = mark;
    let mut last = None;
    for (i, weight) in weights.into_iter().enumerate() {
        if weight > 0.0 {
            last = Some(i);
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
    }
    last
}

/// Derives an independent seed for part `index`: SplitMix64's output function
/// over both, so that neighbouring indices are uncorrelated.
pub fn derive(seed: u64, index: u64) -> u64 {
    let z = seed
        .wrapping_add(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(index.wrapping_mul(0xd134_2543_de82_ef95));
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::weighted_index;

    #[test]
    fn a_mark_falls_into_a_share() {
        let drawn = |mark| weighted_index([0.0, 0.5, 0.0, 0.25, 0.0], mark);
        let marks = [0.0, 0.4, 0.5, 0.7, 0.75, 9.0];
        let places = [1, 1, 3, 3, 3, 3];
        assert_eq!(marks.map(drawn), places.map(Some));
        assert_eq!(weighted_index([0.0, 0.0], 0.0), None);
    }
}
