//! The belief set: every position consistent with the observations of a side.
//!
//! After Obscuro (Zhang & Sandholm 2025), where it is the set P. Counters for
//! draws are not part of a position, so that a continuing game gives no
//! information about them.

use crate::belief::marginals;
use std::ops::Range;

use foglight_rules::{Color, Game, Observation, Position, Termination, Turn, View};
use rand::Rng as _;

use super::{
    evidence::Evidence,
    keeping::{DrawnWorlds, Keeping, SortedWorlds, draw, whole},
    key::Marked,
    replies::{OwnMove, Reply, Step},
    reply_odds::ReplyOdds,
    successors::{Bucket, expand, merge},
    thinning::thin,
    world::World,
    world_set::WorldSet,
};
use foglight_play::{BeliefStanding, Marginals};
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

/// Successors that a capped belief stores, in multiples of its cap.
const SPARE: f64 = 4.0;

/// Least weight of a world: none is ruled out by rounding.
const LEAST_WEIGHT: f32 = 1e-30;

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
    /// The weight of each world, with mean 1; none if all are equally likely.
    weights: Vec<f32>,
    /// Logarithm of the number by which the weights were divided so far.
    scale: f64,
    /// What the last cut of a weighed belief dropped.
    dropped: Option<Box<BeliefSet>>,
    exact: bool,
    plies: u32,
    cap: usize,
    keeping: Keeping,
    /// Most positions that a cut hands to the backlog.
    spare: usize,
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
            weights: Vec::new(),
            scale: 0.0,
            dropped: None,
            exact: true,
            plies: 0,
            cap: usize::MAX,
            keeping: Keeping::Even,
            spare: 0,
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
            weights: Vec::new(),
            scale: 0.0,
            dropped: None,
            exact: false,
            plies,
            cap: usize::MAX,
            keeping: Keeping::Even,
            spare: 0,
            threads: 1,
            seed: 0,
        }
    }

    /// Limits the belief to a subset of at most `cap` positions, drawn by the
    /// seed. From the first cut on [`BeliefSet::is_exact`] is false.
    #[must_use]
    pub fn with_cap(mut self, cap: usize, seed: u64) -> BeliefSet {
        (self.cap, self.seed) = (cap.max(1), seed);
        self
    }

    /// Sets how positions beyond the cap are chosen, and whether they are
    /// weighed.
    #[must_use]
    pub fn with_keeping(mut self, keeping: Keeping) -> BeliefSet {
        self.keeping = keeping;
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
        let (kept, doubted): (Vec<usize>, Vec<usize>) =
            (0..self.trusted).partition(|&i| !odd(&self.evidence, &self.worlds[i]));
        if kept.is_empty() || doubted.is_empty() {
            return;
        }
        self.trusted = kept.len();
        let order: Vec<usize> = kept.into_iter().chain(doubted).collect();
        reorder(&mut self.worlds, &order);
        if !self.weights.is_empty() {
            reorder(&mut self.weights, &order);
        }
    }

    /// Sets how many positions a cut hands to the backlog.
    #[must_use]
    pub(super) fn sparing(mut self, spare: usize) -> BeliefSet {
        self.spare = spare;
        self
    }

    fn is_weighed(&self) -> bool {
        matches!(self.keeping, Keeping::Weighted(_))
    }

    /// The weight of the world at this place of [`BeliefSet::worlds`]; the mean
    /// of all is 1.
    pub fn weight(&self, place: usize) -> f32 {
        self.weights.get(place).copied().unwrap_or(1.0)
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

    /// The probability and the rank of a position, `None` if it is not in the
    /// set.
    pub fn standing(&self, position: &Position) -> Option<BeliefStanding> {
        let world = self.evidence.world_of(position)?;
        let place = self.worlds.iter().position(|other| *other == world)?;
        let (mine, all) = (self.weight(place), self.worlds.len());
        let weights = || (0..all).map(|i| self.weight(i));
        let total: f64 = weights().map(f64::from).sum();
        let likelier = weights().filter(|weight| *weight > mine).count() as f64;
        let equal = weights().filter(|weight| *weight == mine).count() as f64;
        Some(BeliefStanding {
            probability: f64::from(mine) / total,
            rank: likelier + (equal + 1.0) / 2.0,
        })
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
            None => {
                let reply = Reply::new(&self.evidence, after, news.lost);
                match &self.keeping {
                    Keeping::Even => self.advance(&reply),
                    Keeping::Weighted(model) => {
                        let odds = ReplyOdds::new(model, &self.evidence, self.plies);
                        self.advance(&reply.weighed(odds))
                    }
                }
            }
        }
    }

    /// Replaces the old worlds by the new ones.
    fn settle(
        &mut self,
        sets: Vec<WorldSet>,
        after: Evidence,
        plies: u32,
    ) -> Result<(), BeliefError> {
        let found: usize = sets.iter().map(WorldSet::len).sum();
        if found == 0 {
            return Err(BeliefError::Contradiction(plies));
        }
        self.exact &= found <= self.cap && !sets.iter().any(WorldSet::is_cut);
        let drawn = match found > self.cap || self.is_weighed() {
            true => draw(sets, self.cap, self.spare, &self.keeping),
            false => DrawnWorlds {
                kept: whole(sets),
                ..DrawnWorlds::default()
            },
        };
        (self.evidence, self.plies) = (after, plies);
        self.dropped = None;
        if !drawn.spare.worlds.is_empty() {
            let mut dropped = BeliefSet {
                exact: false,
                worlds: Vec::new(),
                weights: Vec::new(),
                dropped: None,
                keeping: self.keeping.clone(),
                spare: 0,
                ..*self
            };
            dropped.take(drawn.spare);
            self.dropped = Some(Box::new(dropped));
        }
        self.take(drawn.kept);
        Ok(())
    }

    /// Takes over new worlds.
    fn take(&mut self, drawn: SortedWorlds) {
        self.trusted = match drawn.trusted {
            0 => drawn.worlds.len(),
            trusted => trusted,
        };
        self.worlds = drawn.worlds;
        self.weights = match self.is_weighed() {
            true => drawn.weights,
            false => Vec::new(),
        };
        if !self.weights.is_empty() {
            let total: f64 = self.weights.iter().map(|weight| f64::from(*weight)).sum();
            let mean = total / self.weights.len() as f64;
            self.scale += mean.ln();
            let weights = self.weights.iter_mut();
            weights.for_each(|weight| *weight = (*weight / mean as f32).max(LEAST_WEIGHT));
        }
    }

    /// Removes and returns what the last update dropped.
    pub(super) fn take_dropped(&mut self) -> Option<BeliefSet> {
        self.dropped.take().map(|dropped| *dropped)
    }

    /// Adds the worlds of another belief of the same ply.
    pub(super) fn absorb(&mut self, other: &BeliefSet) {
        let key = derive(self.seed, u64::from(self.plies));
        let mut set = WorldSet::new(usize::MAX, self.count() + other.count());
        let mut add = |from: &BeliefSet, places: Range<usize>| {
            let unit = (from.scale - self.scale).exp() as f32;
            for place in places {
                let (world, weight) = (from.worlds[place], from.weight(place) * unit);
                let mark = Marked::new(world.key(), key, 0, weight);
                set.insert(&mark, || world);
            }
            set.len()
        };
        add(self, 0..self.trusted);
        let trusted = add(other, 0..other.count());
        add(self, self.trusted..self.count());
        set.seal_at(trusted);
        let drawn = draw(vec![set], self.cap, 0, &self.keeping);
        self.take(drawn.kept);
    }

    /// The deduplicated successors of all worlds, on all threads.
    fn advance(&self, step: &(impl Step + Sync)) -> Vec<WorldSet> {
        let key = derive(self.seed, u64::from(self.plies + 1));
        let cap = match self.is_weighed() {
            true => usize::MAX,
            false => self.cap.saturating_add(1),
        };
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
        let mut advance = |worlds: &[World], first: usize, sets: &mut [WorldSet]| {
            for (i, batch) in worlds.chunks(BATCH).enumerate() {
                let weigh = |place: usize| self.weight(first + i * BATCH + place);
                expand(batch, &weigh, &mut parts, key, step);
                if self.is_weighed() && !self.exact {
                    let share = batch.len() as f64 / self.worlds.len() as f64;
                    let most = SPARE * self.cap as f64 * share;
                    thin(&mut parts, most as usize);
                }
                merge(sets, batch, &parts, step);
            }
        };
        advance(trusted, 0, &mut sets);
        sets.iter_mut().for_each(WorldSet::seal);
        advance(doubted, self.trusted, &mut sets);
        sets
    }
}

/// Puts the first items of a list in this order of their places.
fn reorder<T: Copy>(items: &mut [T], order: &[usize]) {
    let sorted: Vec<T> = order.iter().map(|&place| items[place]).collect();
    items[..order.len()].copy_from_slice(&sorted);
}

/// A set of one world.
fn single(world: World) -> WorldSet {
    let mut set = WorldSet::new(usize::MAX, 1);
    set.insert(&Marked::new(world.key(), 0, 0, 1.0), || world);
    set.seal();
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

    fn standing(&self, position: &Position) -> Option<BeliefStanding> {
        self.standing(position)
    }

    fn marginals(&self) -> Marginals {
        self.marginals()
    }

    fn positions(&self) -> Box<dyn Iterator<Item = Position> + '_> {
        Box::new(self.positions())
    }
}
