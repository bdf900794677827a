//! The belief set: every position consistent with the observations of a side.
//!
//! After Obscuro (Zhang & Sandholm 2025), where it is the set P. Counters for
//! draws are not part of a position, so that a continuing game gives no
//! information about them.

use crate::belief::marginals;
use std::thread;

use foglight_rules::{Color, Game, Observation, Position, Termination, Turn, View};
use rand::Rng as _;

use super::{
    evidence::Evidence,
    key::Marked,
    replies::{OwnMove, Reply, Step},
    world::{Change, World},
    world_set::WorldSet,
};
use foglight_play::Marginals;
use foglight_play::{Rng, rng::derive};

/// Error of a belief update.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BeliefError {
    /// No position is consistent with the observation.
    #[error(
        "no position is consistent with the view of ply {0}; expected every ply of the \
         game in order, from the start that the belief was given"
    )]
    Contradiction(u32),
    /// A ply was skipped or repeated.
    #[error("an observation of ply {found} came; expected ply {expected}")]
    Order {
        /// The ply of the observation.
        found: u32,
        /// The ply that should have come.
        expected: u32,
    },
}

/// Worlds between two merges: bounds the memory before deduplication. An index
/// in a batch and the number of a change must fit into 32 bits.
const BATCH: usize = 1 << 16;

/// Number of shards of the set of new worlds. It depends on the number of old
/// worlds alone, so that the order of the new ones is the same for any number
/// of threads. A shard of a large belief, list and table, fits into a core's
/// own cache.
fn shards_for(worlds: usize) -> usize {
    match worlds {
        0..4096 => 1,
        4096..131_072 => 16,
        _ => 512,
    }
}

/// Every position consistent with the observations of one side, or a uniform
/// subset.
#[derive(Clone, Debug)]
pub struct BeliefSet {
    evidence: Evidence,
    worlds: Vec<World>,
    /// Number of plausible worlds, which come first.
    trusted: usize,
    exact: bool,
    plies: u32,
    cap: usize,
    threads: usize,
    seed: u64,
}

impl BeliefSet {
    /// The belief of a side that knows the start position.
    pub fn new(game: &Game, side: Color, start: &Position) -> BeliefSet {
        let view = View::new(game, start, side);
        BeliefSet {
            evidence: Evidence::new(game, &view),
            worlds: vec![World::of(start, !side)],
            trusted: 1,
            exact: true,
            plies: 0,
            cap: usize::MAX,
            threads: 1,
            seed: 0,
        }
    }

    /// A belief in these worlds, which must be consistent with the evidence.
    pub fn from_worlds(evidence: Evidence, worlds: Vec<World>, plies: u32) -> BeliefSet {
        BeliefSet {
            evidence,
            trusted: worlds.len(),
            worlds,
            exact: false,
            plies,
            cap: usize::MAX,
            threads: 1,
            seed: 0,
        }
    }

    /// Limits the belief to a uniform subset of at most `cap` positions, drawn
    /// by the seed. From the first cut on [`BeliefSet::is_exact`] is false.
    #[must_use]
    pub fn with_cap(mut self, cap: usize, seed: u64) -> BeliefSet {
        (self.cap, self.seed) = (cap.max(1), seed);
        self
    }

    /// Sets the cap from the next update on.
    pub fn keep(&mut self, cap: usize) {
        self.cap = cap.max(1);
    }

    /// Sets the number of threads for updates. The result does not depend on
    /// it.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> BeliefSet {
        self.threads = threads.max(1);
        self
    }

    /// Number of positions in the set.
    pub fn count(&self) -> usize {
        self.worlds.len()
    }

    /// Whether the set holds every consistent position.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Plies followed so far.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// Constraints of the last view.
    pub fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    pub fn worlds(&self) -> &[World] {
        &self.worlds
    }

    /// The worlds reachable without passing through an implausible one; all
    /// worlds if there are none such.
    pub fn plausible(&self) -> &[World] {
        &self.worlds[..self.trusted]
    }

    /// Marks worlds matching `odd`, and worlds reachable only through them, as
    /// implausible. Does nothing if every plausible world matches. Marked
    /// worlds stay in the set.
    pub fn mark_implausible(&mut self, odd: impl Fn(&Evidence, &World) -> bool) {
        let (kept, doubted): (Vec<World>, Vec<World>) = self
            .plausible()
            .iter()
            .partition(|world| !odd(&self.evidence, world));
        if kept.is_empty() || doubted.is_empty() {
            return;
        }
        self.trusted = kept.len();
        let all = self.worlds.iter_mut();
        for (world, sorted) in all.zip(kept.into_iter().chain(doubted)) {
            *world = sorted;
        }
    }

    /// Iterates over the positions of the set.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        let worlds = self.worlds.iter();
        worlds.map(|world| self.evidence.position(world))
    }

    /// Whether the set contains this position, regardless of counters.
    pub fn contains(&self, position: &Position) -> bool {
        self.evidence
            .world_of(position)
            .is_some_and(|world| self.worlds.contains(&world))
    }

    /// Samples a position uniformly.
    pub fn sample(&self, rng: &mut Rng) -> Option<Position> {
        let i = (!self.worlds.is_empty()).then(|| rng.random_range(0..self.worlds.len()))?;
        Some(self.evidence.position(&self.worlds[i]))
    }

    /// The probability of each enemy piece on each square, all positions
    /// equally likely.
    pub fn marginals(&self) -> Marginals {
        marginals(&self.worlds)
    }

    /// Updates the belief with the observation after the next ply of either
    /// side. On an error the belief is unchanged.
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
        match news.own_move {
            Some(played) => {
                let goes_on = enemy_moves(observation);
                self.advance(&OwnMove::new(after, played, news.captured, goes_on))
            }
            None => self.advance(&Reply::new(&self.evidence, after, news.lost)),
        }
    }

    /// Replaces the old worlds by the new ones.
    fn settle(
        &mut self,
        sets: Vec<WorldSet>,
        after: Evidence,
        plies: u32,
    ) -> Result<(), BeliefError> {
        let key = derive(self.seed, u64::from(plies));
        let limit = sets.iter().map(WorldSet::limit).min().unwrap_or(u64::MAX);
        let cut = sets.iter().any(WorldSet::is_cut);
        // Frees the tables before the result is built, so that both are never
        // in memory together.
        let (early, late): (Vec<Vec<World>>, Vec<Vec<World>>) =
            sets.into_iter().map(WorldSet::into_worlds).unzip();
        let mut trusted = early.iter().map(Vec::len).sum();
        let mut worlds = Vec::with_capacity(trusted + late.iter().map(Vec::len).sum::<usize>());
        for mut list in early.into_iter().chain(late) {
            worlds.append(&mut list);
        }
        if worlds.is_empty() {
            return Err(BeliefError::Contradiction(plies));
        }
        self.exact &= !cut && worlds.len() <= self.cap;
        if cut {
            keep_up_to(limit, key, &mut worlds, &mut trusted);
        }
        if worlds.len() > self.cap {
            let mut hashes: Vec<u64> = worlds.iter().map(|world| world.hash(key)).collect();
            let (_, limit, _) = hashes.select_nth_unstable(self.cap - 1);
            keep_up_to(*limit, key, &mut worlds, &mut trusted);
            let (early, late) = worlds.split_at_mut(trusted);
            early.sort_by_cached_key(|world| world.hash(key));
            late.sort_by_cached_key(|world| world.hash(key));
        }
        self.trusted = if trusted > 0 { trusted } else { worlds.len() };
        (self.worlds, self.evidence, self.plies) = (worlds, after, plies);
        Ok(())
    }

    /// The deduplicated successors of all worlds, on all threads.
    fn advance(&self, step: &(impl Step + Sync)) -> Vec<WorldSet> {
        let key = derive(self.seed, u64::from(self.plies + 1));
        let cap = self.cap.saturating_add(1);
        let shards = shards_for(self.worlds.len());
        let expected = self.worlds.len() / shards;
        let set = || WorldSet::new(cap, expected);
        let mut sets: Vec<WorldSet> = (0..shards).map(|_| set()).collect();
        let threads = if self.worlds.len() < 512 {
            1
        } else {
            self.threads
        };
        let mut parts = vec![vec![Bucket::new(); shards]; threads];
        // Plausible worlds go first: a common successor is plausible.
        let (trusted, doubted) = self.worlds.split_at(self.trusted);
        let mut advance = |worlds: &[World], sets: &mut [WorldSet]| {
            for batch in worlds.chunks(BATCH) {
                expand(batch, &mut parts, key, step);
                merge(sets, batch, &parts, step);
            }
        };
        advance(trusted, &mut sets);
        sets.iter_mut().for_each(WorldSet::seal);
        advance(doubted, &mut sets);
        sets
    }
}

/// Retains worlds with hashes up to a limit, in order, and updates the number
/// of plausible ones.
fn keep_up_to(limit: u64, key: u64, worlds: &mut Vec<World>, trusted: &mut usize) {
    let (mut place, first) = (0, *trusted);
    *trusted = 0;
    worlds.retain(|world| {
        let kept = world.hash(key) <= limit;
        *trusted += usize::from(kept && place < first);
        place += 1;
        kept
    });
}

/// The successors of a batch in one shard, as reported by a [`Step`]: the mark,
/// with the index of the old world in the batch above the number.
type Bucket = Vec<Marked>;

/// Fills each part, buckets by shard, from its share of the worlds, one thread
/// per part.
fn expand(batch: &[World], parts: &mut [Vec<Bucket>], seed: u64, step: &(impl Step + Sync)) {
    let fill = |first: usize, worlds: &[World], part: &mut Vec<Bucket>| {
        part.iter_mut().for_each(Vec::clear);
        let mask = part.len() - 1;
        for (i, world) in worlds.iter().enumerate() {
            let place = ((first + i) as u32) << Change::BITS;
            step.step(world, &mut |key, code| {
                let told = Marked::new(key, seed, place | code);
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
fn merge(sets: &mut [WorldSet], batch: &[World], parts: &[Vec<Bucket>], step: &(impl Step + Sync)) {
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

/// A set of one world.
fn single(world: World) -> WorldSet {
    let mut set = WorldSet::new(usize::MAX, 1);
    set.insert(&Marked::new(world.key(), 0, 0), || world);
    set
}

/// After the observer's own move: whether the enemy must have a legal move.
fn enemy_moves(observation: &Observation) -> Option<bool> {
    match observation.turn() {
        Turn::Over(outcome) if outcome.reason == Termination::NoMoves => Some(false),
        Turn::Over(_) => None,
        _ => Some(true),
    }
}

impl foglight_play::Belief for BeliefSet {
    fn count(&self) -> usize {
        self.count()
    }

    fn is_exact(&self) -> bool {
        self.is_exact()
    }

    fn contains(&self, position: &Position) -> bool {
        self.contains(position)
    }

    fn marginals(&self) -> Marginals {
        self.marginals()
    }

    fn positions(&self) -> Box<dyn Iterator<Item = Position> + '_> {
        Box::new(self.positions())
    }
}
