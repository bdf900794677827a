//! Seeded randomness: the same seed gives the same game tomorrow.

use rand::SeedableRng;

/// The one generator of the project, by name so that it never changes silently.
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;

/// A generator for a seed.
pub fn seeded(seed: u64) -> Rng {
    Rng::seed_from_u64(seed)
}

/// A seed for part `index` of something that has the seed `seed`: SplitMix64's
/// output function over both, so that neighbours share nothing.
pub fn derive(seed: u64, index: u64) -> u64 {
    let z = seed
        .wrapping_add(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(index.wrapping_mul(0xd134_2543_de82_ef95));
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
