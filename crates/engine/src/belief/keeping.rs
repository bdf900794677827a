//! Which positions a bounded belief keeps, and their weights afterwards.
//!
//! Priority sampling (Duffield, Lund & Thorup 2007): of items with odds o and
//! independent uniform u those with the largest o / u are kept. Kept items weigh
//! 1 / P(kept) times as much as before, which makes every sum over the kept ones
//! an unbiased estimate of the sum over all.

use std::sync::Arc;

use super::{
    reply_model::{self, ReplyModel},
    world::World,
    world_set::WorldSet,
};

/// How a belief beyond its cap chooses the positions that it keeps.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Keeping {
    /// A uniform subset; all positions are equally likely.
    #[default]
    Even,
    /// By weight: a position weighs the sum over its parents of their weight
    /// times the probability of the enemy's move by this model.
    Weighted(Arc<ReplyModel>),
}

impl Keeping {
    /// Weighted by the model that ships with the program.
    pub fn weighted() -> Keeping {
        Keeping::Weighted(reply_model::shipped())
    }
}

/// Share of the odds of being kept that is the same for every position, so that
/// the model alone drops none.
const EVEN_SHARE: f64 = 0.1;

/// A draw of the positions to keep from those with given weights.
struct Draw {
    /// Odds are this times the weight plus the even share; their mean is 1.
    by_weight: f64,
    even: f64,
    /// Positions with a larger priority are kept.
    threshold: f64,
    /// Others with a larger priority than this go to the backlog.
    spare: f64,
}

/// The fate of a position in a draw.
enum Fate {
    /// It is kept with this weight.
    Kept(f32),
    /// It goes to the backlog.
    Spare,
    Dropped,
}

impl Draw {
    /// A draw of `cap` of the positions with these hashes and weights, and of
    /// `spare` more for the backlog.
    fn new(cap: usize, spare: usize, keeping: &Keeping, items: &[(u64, f32)]) -> Draw {
        let total: f64 = items.iter().map(|(_, weight)| f64::from(*weight)).sum();
        let (by_weight, even) = match keeping {
            Keeping::Even => (0.0, 1.0),
            Keeping::Weighted(_) => {
                let mean = total / items.len() as f64;
                ((1.0 - EVEN_SHARE) / mean, EVEN_SHARE)
            }
        };
        let mut draw = Draw {
            by_weight,
            even,
            threshold: 0.0,
            spare: 0.0,
        };
        if items.len() > cap {
            let mut priorities: Vec<f64> = (items.iter())
                .map(|(hash, weight)| draw.priority(*hash, *weight))
                .collect();
            let down = |a: &f64, b: &f64| b.total_cmp(a);
            let (_, threshold, rest) = priorities.select_nth_unstable_by(cap, down);
            draw.threshold = *threshold;
            draw.spare = match spare {
                0 => *threshold,
                _ if spare > rest.len() => 0.0,
                _ => *rest.select_nth_unstable_by(spare - 1, down).1,
            };
        }
        draw
    }

    fn odds(&self, weight: f32) -> f64 {
        self.by_weight * f64::from(weight) + self.even
    }

    fn priority(&self, hash: u64, weight: f32) -> f64 {
        const UNIT: f64 = 1.0 / (1u64 << 53) as f64;
        self.odds(weight) / (((hash >> 11) as f64 + 0.5) * UNIT)
    }

    /// What becomes of a position.
    fn fate(&self, hash: u64, weight: f32) -> Fate {
        let priority = self.priority(hash, weight);
        if priority <= self.spare {
            Fate::Dropped
        } else if priority <= self.threshold {
            Fate::Spare
        } else {
            let chance = (self.odds(weight) / self.threshold).min(1.0);
            Fate::Kept(weight / chance as f32)
        }
    }
}

/// Worlds of an updated belief: plausible ones first.
#[derive(Default)]
pub(super) struct SortedWorlds {
    pub(super) worlds: Vec<World>,
    /// The weight of each world, if a choice was made.
    pub(super) weights: Vec<f32>,
    pub(super) trusted: usize,
}

/// Worlds to keep, and worlds for the backlog.
#[derive(Default)]
pub(super) struct DrawnWorlds {
    pub(super) kept: SortedWorlds,
    pub(super) spare: SortedWorlds,
}

/// All worlds of the sets.
pub(super) fn whole(sets: Vec<WorldSet>) -> SortedWorlds {
    // Frees each table before the result is built, so that both are never in
    // memory together.
    let lists: Vec<(Vec<World>, usize)> = sets.into_iter().map(WorldSet::into_worlds).collect();
    let mut worlds = Vec::with_capacity(lists.iter().map(|(list, _)| list.len()).sum());
    for (list, trusted) in &lists {
        worlds.extend_from_slice(&list[..*trusted]);
    }
    let trusted = worlds.len();
    for (list, trusted) in &lists {
        worlds.extend_from_slice(&list[*trusted..]);
    }
    SortedWorlds {
        worlds,
        weights: Vec::new(),
        trusted,
    }
}

/// At most `cap` of the worlds of the sets, and `spare` for the backlog. A uniform
/// subset comes in the order of the hashes, so that its beginnings are
/// uniform subsets as well.
pub(super) fn draw(
    sets: Vec<WorldSet>,
    cap: usize,
    spare: usize,
    keeping: &Keeping,
) -> DrawnWorlds {
    let items: Vec<(u64, f32)> = sets.iter().flat_map(WorldSet::items).collect();
    let draw = Draw::new(cap, spare, keeping, &items);
    let (mut kept, mut spares) = <(Parts, Parts)>::default();
    let mut items = items.into_iter();
    for set in sets {
        let (worlds, trusted) = set.into_worlds();
        for (place, world) in worlds.into_iter().enumerate() {
            let (hash, weight) = items.next().expect("an item for each world");
            let part = usize::from(place >= trusted);
            match draw.fate(hash, weight) {
                Fate::Kept(weight) => kept[part].push((hash, weight, world)),
                Fate::Spare => spares[part].push((hash, weight, world)),
                Fate::Dropped => {}
            }
        }
    }
    if *keeping == Keeping::Even {
        let parts = kept.iter_mut();
        parts.for_each(|part| part.sort_unstable_by_key(|(hash, ..)| *hash));
    }
    DrawnWorlds {
        kept: sorted(kept),
        spare: sorted(spares),
    }
}

/// Plausible worlds and others, with their hashes and weights.
type Parts = [Vec<(u64, f32, World)>; 2];

fn sorted([plausible, others]: Parts) -> SortedWorlds {
    let trusted = plausible.len();
    let all = plausible.into_iter().chain(others);
    let (weights, worlds) = all.map(|(_, weight, world)| (weight, world)).unzip();
    SortedWorlds {
        worlds,
        weights,
        trusted,
    }
}

#[cfg(test)]
mod tests {
    use foglight_play::rng::derive;

    use super::*;

    /// Over many draws the weights that an item has, nought if it is dropped,
    /// average to its own: Duffield, Lund & Thorup, theorem 1.
    #[test]
    fn kept_weights_are_unbiased() {
        const DRAWS: u64 = 4000;
        let weights: Vec<f32> = (0..60).map(|i| 1.2f32.powi(i % 30)).collect();
        let mut sums = vec![0.0; weights.len()];
        let mut spares = 0;
        for seed in 0..DRAWS {
            let hash = |i: usize| derive(seed, i as u64);
            let items: Vec<(u64, f32)> = (weights.iter().enumerate())
                .map(|(i, weight)| (hash(i), *weight))
                .collect();
            let draw = Draw::new(15, 15, &Keeping::weighted(), &items);
            let mut kept = 0;
            for (sum, (hash, weight)) in sums.iter_mut().zip(items) {
                match draw.fate(hash, weight) {
                    Fate::Kept(weight) => (*sum, kept) = (*sum + weight, kept + 1),
                    Fate::Spare => spares += 1,
                    Fate::Dropped => {}
                }
            }
            assert_eq!(kept, 15);
        }
        assert_eq!(spares, 15 * DRAWS);
        for (sum, weight) in sums.into_iter().zip(weights) {
            let mean = sum / DRAWS as f32;
            assert!((mean / weight - 1.0).abs() < 0.25, "{mean} {weight}");
        }
    }

    /// With equal odds the draw is that of the smallest hashes.
    #[test]
    fn an_even_draw_keeps_the_smallest_hashes() {
        let items: Vec<(u64, f32)> = (0..100).map(|i| (derive(7, i), i as f32)).collect();
        let draw = Draw::new(10, 0, &Keeping::Even, &items);
        let mut hashes: Vec<u64> = items.iter().map(|(hash, _)| *hash).collect();
        hashes.sort_unstable();
        for (hash, weight) in items {
            let kept = matches!(draw.fate(hash, weight), Fate::Kept(_));
            assert_eq!(kept, hash <= hashes[9]);
        }
    }
}
