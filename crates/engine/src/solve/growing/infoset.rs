//! Information sets: what a player knows, and what it would do there.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use super::{game::Player, lanes::dot, regret};

/// Keys are hashes already.
#[derive(Default)]
pub struct Known(u64);

impl Hasher for Known {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// A map from keys that are hashes.
pub type KeyMap<V> = HashMap<u64, V, BuildHasherDefault<Known>>;

/// What is kept of a set beside its actions.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Where its actions begin in the arrays.
    pub first: u32,
    /// How many actions it has.
    pub count: u16,
    /// Who acts.
    pub actor: Player,
    /// Its strategy does not change.
    pub frozen: bool,
    /// The pass that touched it last.
    stamp: u32,
    /// Walks that came through.
    pub visits: u32,
    /// Iterations that valued its actions, and two more.
    samples: u32,
    /// Reach of everybody else, gathered in the pass.
    reach: f64,
}

/// Words of 64 actions each that a set may have: more than any position has.
pub const BLOCKS: usize = 4;
/// Less reach than this is taken for this much: what follows stays well inside
/// the numbers that are exact.
const LEAST_REACH: f64 = 1e-25;

/// All information sets of a tree, in flat arrays.
#[derive(Clone, Default, Debug)]
pub struct Sets {
    infos: Vec<Info>,
    keys: Vec<u64>,
    by_key: KeyMap<u32>,
    pub(super) regrets: Vec<f32>,
    pub(super) strategy: Vec<f32>,
    /// One bit for each action: is it played at all?
    played: Vec<[u64; BLOCKS]>,
    /// Values of the actions to their actor, times the reach of everybody else,
    /// gathered in the pass.
    gathered: Vec<f32>,
    /// The last value of each action to its actor.
    values: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    visits: Vec<u32>,
    touched: Vec<u32>,
    pass: u32,
}

impl Sets {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.infos.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.infos.is_empty()
    }

    /// The set with a key.
    pub fn find(&self, key: u64) -> Option<u32> {
        self.by_key.get(&key).copied()
    }

    /// What is kept of a set.
    #[inline]
    pub fn info(&self, set: u32) -> &Info {
        &self.infos[set as usize]
    }

    /// The key of a set.
    pub fn key(&self, set: u32) -> u64 {
        self.keys[set as usize]
    }

    #[inline]
    fn range(&self, set: u32) -> std::ops::Range<usize> {
        let info = &self.infos[set as usize];
        info.first as usize..info.first as usize + info.count as usize
    }

    /// The current strategy of a set.
    #[inline]
    pub fn strategy(&self, set: u32) -> &[f32] {
        &self.strategy[self.range(set)]
    }

    /// The regrets of a set.
    pub fn regrets(&self, set: u32) -> &[f32] {
        &self.regrets[self.range(set)]
    }

    /// The last values of its actions to its actor.
    pub fn values(&self, set: u32) -> &[f32] {
        &self.values[self.range(set)]
    }

    /// The set with this key and as many actions, made if there is none. A new
    /// set plays `best` for certain.
    pub fn enter(&mut self, key: u64, actor: Player, count: usize, best: usize) -> u32 {
        let mut key = key;
        loop {
            match self.by_key.get(&key) {
                None => break,
                Some(&set) => {
                    let info = &self.infos[set as usize];
                    if info.count as usize == count && info.actor == actor {
                        return set;
                    }
                    // Two keys that fell together: never share a strategy.
                    debug_assert!(false, "one set, two lists of actions");
                    key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ count as u64;
                }
            }
        }
        let set = self.infos.len() as u32;
        self.infos.push(Info {
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
        self.by_key.insert(key, set);
        let end = self.regrets.len() + count;
        self.regrets.resize(end, 0.0);
        self.strategy.resize(end, 0.0);
        self.gathered.resize(end, 0.0);
        self.values.resize(end, 0.0);
        self.means.resize(end, 0.0);
        // As if -1 and +1 had been seen once each.
        self.squares.resize(end, 2.0);
        self.visits.resize(end, 0);
        self.strategy[end - count + best] = 1.0;
        assert!(count <= 64 * BLOCKS, "{count} actions in one set");
        self.played.push([0; BLOCKS]);
        self.note_played(set);
        set
    }

    /// A block of the actions that are played at all, a bit each.
    #[inline]
    pub(super) fn played(&self, set: u32, block: usize) -> u64 {
        self.played[set as usize][block]
    }

    /// The strategy of a set was changed.
    fn note_played(&mut self, set: u32) {
        let mut played = [0; BLOCKS];
        for (block, shares) in played.iter_mut().zip(self.strategy(set).chunks(64)) {
            for (i, share) in shares.iter().enumerate() {
                *block |= u64::from(*share > 0.0) << i;
            }
        }
        self.played[set as usize] = played;
    }

    /// Sets the strategy of a set, and whether it may change.
    pub fn fix(&mut self, set: u32, strategy: &[f32], frozen: bool) {
        let range = self.range(set);
        self.strategy[range].copy_from_slice(strategy);
        self.infos[set as usize].frozen = frozen;
        self.note_played(set);
    }

    /// The same, with one action for certain.
    pub fn settle(&mut self, set: u32, action: usize, frozen: bool) {
        let mut only = vec![0.0; self.range(set).len()];
        only[action] = 1.0;
        self.fix(set, &only, frozen);
    }

    /// May the strategy of this set not change?
    pub fn freeze(&mut self, set: u32, frozen: bool) {
        self.infos[set as usize].frozen = frozen;
    }

    /// Takes over the strategy and a share of the regrets of a set elsewhere.
    pub fn inherit(&mut self, set: u32, from: &Sets, old: u32, share: f32) {
        let (here, there) = (self.range(set), from.range(old));
        self.strategy[here.clone()].copy_from_slice(&from.strategy[there.clone()]);
        self.values[here.clone()].copy_from_slice(&from.values[there.clone()]);
        for (regret, known) in self.regrets[here].iter_mut().zip(&from.regrets[there]) {
            *regret = known * share;
        }
        self.infos[set as usize].frozen = from.infos[old as usize].frozen;
        self.played[set as usize] = from.played[old as usize];
    }

    /// A new pass begins.
    pub(super) fn begin(&mut self) {
        self.pass += 1;
        self.touched.clear();
    }

    /// A node of the set is reached in this pass, and its actions are worth so
    /// much to us: gathers what they are worth to the actor, and gives our value
    /// of the node.
    #[inline]
    pub(super) fn gather(&mut self, set: u32, worths: &[f32], reach: f64, sign: f64) -> f64 {
        let reach = reach.max(LEAST_REACH);
        let info = &mut self.infos[set as usize];
        let range = info.first as usize..info.first as usize + info.count as usize;
        let signed = (reach * sign) as f32;
        let gathered = self.gathered[range.clone()].iter_mut().zip(worths);
        if info.stamp == self.pass {
            info.reach += reach;
            gathered.for_each(|(sum, worth)| *sum += signed * worth);
        } else {
            (info.stamp, info.reach) = (self.pass, reach);
            self.touched.push(set);
            gathered.for_each(|(sum, worth)| *sum = signed * worth);
        }
        f64::from(dot(&self.strategy[range], worths))
    }

    /// All sets that the pass touched learn from what it gathered.
    pub(super) fn learn(&mut self) {
        let touched = std::mem::take(&mut self.touched);
        for &set in &touched {
            self.learn_at(set);
        }
        self.touched = touched;
    }

    fn learn_at(&mut self, set: u32) {
        let info = &mut self.infos[set as usize];
        info.samples = info.samples.saturating_add(1);
        let (samples, frozen) = (info.samples as f32, info.frozen);
        let scale = (1.0 / info.reach) as f32;
        let range = self.range(set);
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
            self.note_played(set);
        }
    }

    /// The action with the best value plus bonus for what is uncertain and
    /// rarely tried: PUCT, with the spread of the value over the iterations in
    /// the place of a prior.
    pub(super) fn most_promising(&self, set: u32, constant: f32, variance: bool) -> usize {
        let info = &self.infos[set as usize];
        let root = (info.visits as f32).sqrt();
        let samples = info.samples as f32;
        let mut best = (0, f32::NEG_INFINITY);
        for (i, slot) in self.range(set).enumerate() {
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

    /// A walk takes an action of a set.
    pub(super) fn visit(&mut self, set: u32, action: usize) {
        let slot = self.range(set).start + action;
        self.infos[set as usize].visits += 1;
        self.visits[slot] += 1;
    }
}

impl Sets {
    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        let slots = self.regrets.capacity();
        let infos = self.infos.capacity();
        slots * 28 + infos * (size_of::<Info>() + 8 + 8 * BLOCKS) + self.by_key.capacity() * 17
    }
}
