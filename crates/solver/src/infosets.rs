//! Infosets: information states of both sides with their strategies.

use std::ops::Range;

use nohash_hasher::IntMap;

use crate::{game::Side, lanes::dot, regret};

/// Fields of an infoset other than those of its actions.
#[derive(Clone, Copy, Debug)]
struct InfosetHeader {
    /// Index of its first action in the arrays.
    first: u32,
    /// Number of its actions.
    count: u16,
    actor: Side,
    /// Whether its strategy is fixed.
    frozen: bool,
    /// The last pass that touched it.
    stamp: u32,
    /// Number of descents that explored it.
    visits: u32,
    /// Iterations that updated its action values, plus two.
    samples: u32,
    /// Reach of the other players, accumulated in the pass.
    reach: f64,
}

/// Number of 64-bit words for the actions of an infoset.
pub(crate) const BLOCKS: usize = 4;
/// Maximum number of actions of an infoset.
pub const MAX_ACTIONS: usize = 64 * BLOCKS;
/// Lower bound of reach: smaller values are raised to it, so that results stay
/// within the normal range of floats.
const MIN_REACH: f64 = 1e-25;

/// All infosets of a tree, in flat arrays, identified by index.
#[derive(Clone, Default, Debug)]
pub struct Infosets {
    headers: Vec<InfosetHeader>,
    keys: Vec<u64>,
    /// Keys are already hashes.
    by_key: IntMap<u64, u32>,
    regrets: Vec<f32>,
    pub(crate) strategy: Vec<f32>,
    /// One bit per action: whether its probability is positive.
    played: Vec<[u64; BLOCKS]>,
    /// Values of the actions to their actor, times the reach of the other
    /// players, accumulated in the pass.
    gathered: Vec<f32>,
    /// The last value of each action to its actor.
    values: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    visits: Vec<u32>,
    touched: Vec<u32>,
    pass: u32,
}

impl Infosets {
    /// Number of infosets of both sides.
    pub fn len(&self) -> usize {
        self.headers.len()
    }

    /// Whether there are no infosets.
    pub fn is_empty(&self) -> bool {
        self.headers.is_empty()
    }

    /// Finds an infoset by its key.
    pub(crate) fn find(&self, key: u64) -> Option<u32> {
        self.by_key.get(&key).copied()
    }

    pub(crate) fn key(&self, infoset: u32) -> u64 {
        self.keys[infoset as usize]
    }

    /// Range of the actions of an infoset in the arrays.
    #[inline]
    pub(crate) fn range(&self, infoset: u32) -> Range<usize> {
        let header = &self.headers[infoset as usize];
        header.first as usize..header.first as usize + header.count as usize
    }

    /// The current strategy of an infoset: a probability for each action.
    #[inline]
    pub fn strategy(&self, infoset: u32) -> &[f32] {
        &self.strategy[self.range(infoset)]
    }

    /// The last values of its actions to its actor.
    pub fn values(&self, infoset: u32) -> &[f32] {
        &self.values[self.range(infoset)]
    }

    /// Finds the infoset with this key and number of actions, or creates one that
    /// plays `best` with certainty.
    pub(crate) fn find_or_insert(
        &mut self,
        mut key: u64,
        actor: Side,
        count: usize,
        best: usize,
    ) -> u32 {
        loop {
            match self.by_key.get(&key) {
                None => break,
                Some(&infoset) => {
                    let header = &self.headers[infoset as usize];
                    if header.count as usize == count && header.actor == actor {
                        return infoset;
                    }
                    // A collision of two keys must not share a strategy.
                    debug_assert!(false, "one infoset, two lists of actions");
                    key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ count as u64;
                }
            }
        }
        let infoset = self.headers.len() as u32;
        self.headers.push(InfosetHeader {
            first: self.regrets.len() as u32,
            count: count as u16,
            actor,
            frozen: false,
            stamp: 0,
            visits: 0,
            samples: 2,
            reach: 0.0,
        });
        self.keys.push(key);
        self.by_key.insert(key, infoset);
        let end = self.regrets.len() + count;
        self.regrets.resize(end, 0.0);
        self.strategy.resize(end, 0.0);
        self.gathered.resize(end, 0.0);
        self.values.resize(end, 0.0);
        self.means.resize(end, 0.0);
        // Prior: as if -1 and +1 had been observed once each.
        self.squares.resize(end, 2.0);
        self.visits.resize(end, 0);
        self.strategy[end - count + best] = 1.0;
        assert!(
            count <= MAX_ACTIONS,
            "at most {MAX_ACTIONS} actions in an infoset, not {count}"
        );
        self.played.push([0; BLOCKS]);
        self.note_played(infoset);
        infoset
    }

    /// One 64-bit word of the actions with positive probability.
    #[inline]
    pub(crate) fn played(&self, infoset: u32, block: usize) -> u64 {
        self.played[infoset as usize][block]
    }

    /// Updates the bits of the actions with positive probability.
    fn note_played(&mut self, infoset: u32) {
        let mut played = [0; BLOCKS];
        for (block, shares) in played.iter_mut().zip(self.strategy(infoset).chunks(64)) {
            for (i, share) in shares.iter().enumerate() {
                *block |= u64::from(*share > 0.0) << i;
            }
        }
        self.played[infoset as usize] = played;
    }

    /// Replaces the strategy of an infoset; a frozen one does not change during
    /// iterations.
    pub fn set_strategy(&mut self, infoset: u32, strategy: &[f32], frozen: bool) {
        let range = self.range(infoset);
        self.strategy[range].copy_from_slice(strategy);
        self.headers[infoset as usize].frozen = frozen;
        self.note_played(infoset);
    }

    /// Replaces the strategy by one action with certainty.
    pub fn set_pure_strategy(&mut self, infoset: u32, action: usize, frozen: bool) {
        let mut only = vec![0.0; self.range(infoset).len()];
        only[action] = 1.0;
        self.set_strategy(infoset, &only, frozen);
    }

    /// Sets whether the strategy of an infoset is fixed.
    pub(crate) fn freeze(&mut self, infoset: u32, frozen: bool) {
        self.headers[infoset as usize].frozen = frozen;
    }

    /// Copies the strategy and a share of the regrets of an infoset of another
    /// tree.
    pub(crate) fn inherit(&mut self, infoset: u32, from: &Infosets, old: u32, share: f32) {
        let (here, there) = (self.range(infoset), from.range(old));
        self.strategy[here.clone()].copy_from_slice(&from.strategy[there.clone()]);
        self.values[here.clone()].copy_from_slice(&from.values[there.clone()]);
        for (regret, known) in self.regrets[here].iter_mut().zip(&from.regrets[there]) {
            *regret = known * share;
        }
        self.headers[infoset as usize].frozen = from.headers[old as usize].frozen;
        self.played[infoset as usize] = from.played[old as usize];
    }

    /// Begins a new pass.
    pub(crate) fn begin(&mut self) {
        self.pass += 1;
        self.touched.clear();
    }

    /// Accumulates the values of the actions at a node of the infoset for its
    /// actor; returns our value of the node.
    #[inline]
    pub(crate) fn gather(&mut self, infoset: u32, worths: &[f32], reach: f64, sign: f64) -> f64 {
        let reach = reach.max(MIN_REACH);
        let header = &mut self.headers[infoset as usize];
        let range = header.first as usize..header.first as usize + header.count as usize;
        let signed = (reach * sign) as f32;
        let gathered = self.gathered[range.clone()].iter_mut().zip(worths);
        if header.stamp == self.pass {
            header.reach += reach;
            gathered.for_each(|(sum, worth)| *sum += signed * worth);
        } else {
            (header.stamp, header.reach) = (self.pass, reach);
            self.touched.push(infoset);
            gathered.for_each(|(sum, worth)| *sum = signed * worth);
        }
        f64::from(dot(&self.strategy[range], worths))
    }

    /// Updates all infosets that the pass touched.
    pub(crate) fn learn(&mut self) {
        let touched = std::mem::take(&mut self.touched);
        for &infoset in &touched {
            self.learn_at(infoset);
        }
        self.touched = touched;
    }

    fn learn_at(&mut self, infoset: u32) {
        let header = &mut self.headers[infoset as usize];
        header.samples = header.samples.saturating_add(1);
        let (samples, frozen) = (header.samples as f32, header.frozen);
        let scale = (1.0 / header.reach) as f32;
        let range = self.range(infoset);
        let gathered = &self.gathered[range.clone()];
        let values = self.values[range.clone()].iter_mut().zip(gathered);
        let spread = self.means[range.clone()]
            .iter_mut()
            .zip(&mut self.squares[range.clone()]);
        for ((value, gathered), (mean, squares)) in values.zip(spread) {
            *value = gathered * scale;
            let off = *value - *mean;
            *mean += off / samples;
            *squares += off * (*value - *mean);
        }
        if frozen {
            return;
        }
        let regrets = &mut self.regrets[range.clone()];
        if regret::step(regrets, &mut self.strategy[range], gathered) {
            self.note_played(infoset);
        }
    }

    /// The action with the best value plus exploration bonus: PUCT, with the
    /// spread of the value over the iterations instead of a prior.
    pub(crate) fn most_promising(&self, infoset: u32, constant: f32, variance: bool) -> usize {
        let header = &self.headers[infoset as usize];
        let root = (header.visits as f32).sqrt();
        let samples = header.samples as f32;
        let mut best = (0, f32::NEG_INFINITY);
        for (i, slot) in self.range(infoset).enumerate() {
            let spread = self.squares[slot] / samples;
            let spread = if variance { spread } else { spread.sqrt() };
            let bonus = constant * spread * root / (1 + self.visits[slot]) as f32;
            let score = self.values[slot] + bonus;
            if score > best.1 {
                best = (i, score);
            }
        }
        best.0
    }

    /// Counts a descent through an action of an infoset.
    #[inline]
    pub(crate) fn visit(&mut self, infoset: u32, action: usize) {
        let slot = self.range(infoset).start + action;
        self.headers[infoset as usize].visits += 1;
        self.visits[slot] += 1;
    }
}

impl Infosets {
    /// Memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        let slots = self.regrets.capacity();
        let headers = self.headers.capacity();
        slots * 28
            + headers * (size_of::<InfosetHeader>() + 8 + 8 * BLOCKS)
            + self.by_key.capacity() * 17
    }
}
