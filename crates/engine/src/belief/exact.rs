//! The exact belief: every position that fits all that a side has seen.
//!
//! After Obscuro (Zhang & Sandholm 2025), whose P it is. Draws by counting are
//! no part of a position, so that the game goes on tells nothing of them.

use std::thread;

use foglight_rules::{Color, Game, Observation, Position, Reason, Turn, View};
use rand::Rng as _;

use super::{
    evidence::Evidence,
    heat::Heat,
    replies::{OwnMove, Reply},
    world::World,
    world_set::WorldSet,
};
use crate::{Rng, rng::derive};

/// Why a belief could not be kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BeliefError {
    /// Nothing fits what was seen.
    #[error(
        "no position fits the view of ply {0}; expected every single move of the game in order, \
         from the start that the belief was given"
    )]
    Contradiction(u32),
    /// A ply was left out, or told twice.
    #[error("an observation of ply {found} came; expected ply {expected}")]
    Order {
        /// The ply that came.
        found: u32,
        /// The ply that was due.
        expected: u32,
    },
}

/// Shards of the set of worlds, the same for any number of threads so that the
/// order of the worlds is the same too.
const SHARDS: usize = 16;
/// Worlds between two merges: bounds the memory of what is not yet deduplicated.
const BATCH: usize = 1 << 16;

/// Every position that fits all that one side has seen, or a uniform subset.
#[derive(Clone, Debug)]
pub struct ExactBelief {
    evidence: Evidence,
    worlds: Vec<World>,
    exact: bool,
    plies: u32,
    cap: usize,
    threads: usize,
    seed: u64,
}

impl ExactBelief {
    /// The belief of a side that knows where the game begins.
    pub fn new(game: &Game, side: Color, start: &Position) -> ExactBelief {
        let view = View::new(game, start, side);
        ExactBelief {
            evidence: Evidence::new(game, &view),
            worlds: vec![World::of(start, !side)],
            exact: true,
            plies: 0,
            cap: usize::MAX,
            threads: 1,
            seed: 0,
        }
    }

    /// A belief in these worlds, which fit the evidence.
    pub fn from_worlds(evidence: Evidence, worlds: Vec<World>, plies: u32) -> ExactBelief {
        ExactBelief {
            evidence,
            worlds,
            exact: false,
            plies,
            cap: usize::MAX,
            threads: 1,
            seed: 0,
        }
    }

    /// The same, keeping a uniform subset of at most `cap` positions, drawn by
    /// the seed. From the first cut on [`ExactBelief::is_exact`] is false.
    #[must_use]
    pub fn with_cap(mut self, cap: usize, seed: u64) -> ExactBelief {
        (self.cap, self.seed) = (cap.max(1), seed);
        self
    }

    /// The same, updated on so many threads. The result does not depend on it.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> ExactBelief {
        self.threads = threads.max(1);
        self
    }

    /// How many positions there are.
    pub fn count(&self) -> usize {
        self.worlds.len()
    }

    /// Are these all positions that fit, none left out?
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Single moves followed so far.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// What was seen last.
    pub fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// The worlds.
    pub fn worlds(&self) -> &[World] {
        &self.worlds
    }

    /// The positions, one by one.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        let worlds = self.worlds.iter();
        worlds.map(|world| self.evidence.position(world))
    }

    /// Is this position among them? Counters aside.
    pub fn contains(&self, position: &Position) -> bool {
        self.evidence
            .world_of(position)
            .is_some_and(|world| self.worlds.contains(&world))
    }

    /// A position, each as likely as the others.
    pub fn sample(&self, rng: &mut Rng) -> Option<Position> {
        let i = (!self.worlds.is_empty()).then(|| rng.random_range(0..self.worlds.len()))?;
        Some(self.evidence.position(&self.worlds[i]))
    }

    /// The probability of each enemy piece on each square, all positions alike.
    pub fn heat(&self) -> Heat {
        Heat::of(&self.worlds)
    }

    /// Learns what is seen after the next single move, by whichever side. On an
    /// error the belief stays as it was.
    pub fn update(&mut self, observation: &Observation) -> Result<(), BeliefError> {
        let plies = observation.plies();
        if plies == self.plies {
            return Ok(());
        }
        if plies != self.plies + 1 {
            let expected = self.plies + 1;
            let found = plies;
            return Err(BeliefError::Order { found, expected });
        }
        let after = Evidence::new(observation.game(), observation.view());
        let sets = if let Some(position) = observation.position() {
            vec![single(World::of(position, !after.side()))]
        } else {
            self.step(observation, &after)
        };
        self.settle(sets, after, plies)
    }

    fn step(&self, observation: &Observation, after: &Evidence) -> Vec<WorldSet> {
        let news = observation.news();
        match news.mine {
            Some(played) => {
                let own = OwnMove::new(after, played, news.took, enemy_moves(observation));
                self.advance(|world, emit| {
                    if let Some(next) = own.apply(world) {
                        emit(next);
                    }
                })
            }
            None => {
                let reply = Reply::new(&self.evidence, after, news.lost);
                self.advance(|world, emit| reply.expand(world, &mut |next| emit(next)))
            }
        }
    }

    /// Puts the new worlds in the place of the old ones.
    fn settle(
        &mut self,
        sets: Vec<WorldSet>,
        after: Evidence,
        plies: u32,
    ) -> Result<(), BeliefError> {
        let key = derive(self.seed, u64::from(plies));
        let limit = sets.iter().map(WorldSet::limit).min().unwrap_or(u64::MAX);
        let cut = sets.iter().any(WorldSet::is_cut);
        let mut worlds = Vec::new();
        for set in sets {
            worlds.append(&mut set.into_worlds());
        }
        if worlds.is_empty() {
            return Err(BeliefError::Contradiction(plies));
        }
        self.exact &= !cut && worlds.len() <= self.cap;
        if cut {
            worlds.retain(|world| world.hash(key) <= limit);
        }
        if worlds.len() > self.cap {
            let hash = |world: &World| world.hash(key);
            worlds.select_nth_unstable_by_key(self.cap - 1, hash);
            worlds.truncate(self.cap);
            worlds.sort_unstable_by_key(hash);
        }
        (self.worlds, self.evidence, self.plies) = (worlds, after, plies);
        Ok(())
    }

    /// What all worlds become, deduplicated, on all threads.
    fn advance<F>(&self, step: F) -> Vec<WorldSet>
    where
        F: Fn(&World, &mut dyn FnMut(World)) + Sync,
    {
        let key = derive(self.seed, u64::from(self.plies + 1));
        let cap = self.cap.saturating_add(1);
        let mut sets: Vec<WorldSet> = (0..SHARDS).map(|_| WorldSet::new(key, cap)).collect();
        let threads = if self.worlds.len() < 512 {
            1
        } else {
            self.threads
        };
        for batch in self.worlds.chunks(BATCH) {
            let parts = expand_batch(batch, threads, key, &step);
            merge(&mut sets, &parts, threads);
        }
        sets
    }
}

/// New worlds of one thread, by shard, with their hashes.
type Part = [Vec<(World, u64)>; SHARDS];

fn expand_batch<F>(batch: &[World], threads: usize, key: u64, step: &F) -> Vec<Part>
where
    F: Fn(&World, &mut dyn FnMut(World)) + Sync,
{
    let expand = |worlds: &[World]| {
        let mut part: Part = Default::default();
        for world in worlds {
            step(world, &mut |next| {
                let hash = next.hash(key);
                part[hash as usize % SHARDS].push((next, hash));
            });
        }
        part
    };
    if threads == 1 {
        return vec![expand(batch)];
    }
    thread::scope(|scope| {
        let share = batch.len().div_ceil(threads);
        let jobs: Vec<_> = batch
            .chunks(share)
            .map(|worlds| scope.spawn(move || expand(worlds)))
            .collect();
        let parts = jobs.into_iter();
        parts
            .map(|job| job.join().expect("an expansion does not panic"))
            .collect()
    })
}

/// Puts the parts into the sets, each set by one thread.
fn merge(sets: &mut [WorldSet], parts: &[Part], threads: usize) {
    let insert = |first: usize, sets: &mut [WorldSet]| {
        for (shard, set) in sets.iter_mut().enumerate() {
            for (world, hash) in parts.iter().flat_map(|part| &part[first + shard]) {
                set.insert(*world, *hash);
            }
        }
    };
    if threads == 1 {
        return insert(0, sets);
    }
    let share = SHARDS.div_ceil(threads);
    thread::scope(|scope| {
        for (i, sets) in sets.chunks_mut(share).enumerate() {
            let insert = &insert;
            scope.spawn(move || insert(i * share, sets));
        }
    });
}

/// A set of one world.
fn single(world: World) -> WorldSet {
    let mut set = WorldSet::new(0, usize::MAX);
    set.insert(world, world.hash(0));
    set
}

/// After the observer's own move: must the enemy have a move?
fn enemy_moves(observation: &Observation) -> Option<bool> {
    match observation.turn() {
        Turn::Over(outcome) if outcome.reason == Reason::NoMoves => Some(false),
        Turn::Over(_) => None,
        _ => Some(true),
    }
}
