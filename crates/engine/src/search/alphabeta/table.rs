//! The transposition table: results of positions searched before.

use foglight_rules::Move;
use prefetch_index::prefetch_index;

use super::value::DECIDED;

/// Relation of a stored score to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    None,
    /// The true score is at most this.
    Upper,
    /// The true score is at least this.
    Lower,
    /// The score is exact.
    Exact,
}

impl Bound {
    const fn from_bits(bits: u64) -> Bound {
        match bits & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => Bound::None,
        }
    }
}

/// Search result of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct TtEntry {
    pub(super) best: Option<Move>,
    pub(super) score: i32,
    pub(super) eval: i32,
    pub(super) depth: i32,
    pub(super) bound: Bound,
}

impl TtEntry {
    /// An entry for a static score of at least beta.
    pub(super) const fn stood_pat(eval: i32, score: i32) -> TtEntry {
        TtEntry::quiet(None, score, eval, true)
    }

    /// Result of a quiescence search; `cut` if it reached beta.
    pub(super) const fn quiet(best: Option<Move>, score: i32, eval: i32, cut: bool) -> TtEntry {
        TtEntry {
            best,
            score,
            eval,
            depth: 0,
            bound: if cut { Bound::Lower } else { Bound::Upper },
        }
    }
}

/// Sixteen bytes: the key, then from the top: age 6 bits, bound 2, depth 8,
/// evaluation 16, score 16, move 16.
#[derive(Clone, Copy, Default)]
struct TtSlot {
    key: u64,
    data: u64,
}

impl TtSlot {
    const fn age(self) -> u64 {
        self.data >> 58
    }

    const fn depth(self) -> i32 {
        ((self.data >> 48) & 0xff) as i32
    }
}

const WAYS: usize = 4;

/// Entries of one index: a cache line.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Bucket([TtSlot; WAYS]);

pub(super) struct TranspositionTable {
    buckets: Vec<Bucket>,
    age: u64,
}

impl TranspositionTable {
    /// A table of this size, at least one megabyte.
    pub(super) fn new(megabytes: usize) -> TranspositionTable {
        let bytes = megabytes.max(1) << 20;
        let buckets = bytes / std::mem::size_of::<Bucket>();
        TranspositionTable {
            buckets: vec![Bucket::default(); buckets],
            age: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.buckets.fill(Bucket::default());
        self.age = 0;
    }

    /// Starts a new search: entries of older ones are replaced first.
    pub(super) fn grow_older(&mut self) {
        self.age = (self.age + 1) & 63;
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    /// Prefetches a position's bucket; waiting for it took a quarter of the
    /// time of a search.
    #[inline]
    pub(super) fn touch(&self, key: u64) {
        prefetch_index(&self.buckets, self.place(key));
    }

    /// The entry of a position `ply` plies from the root.
    #[inline]
    pub(super) fn get(&self, key: u64, ply: usize) -> Option<TtEntry> {
        let Bucket(bucket) = &self.buckets[self.place(key)];
        let entry = bucket.iter().find(|entry| entry.key == key)?;
        let raw = entry.data as u16;
        Some(TtEntry {
            best: (raw != 0).then(|| Move::from_raw(raw)),
            score: from_stored(i32::from((entry.data >> 16) as i16), ply),
            eval: i32::from((entry.data >> 32) as i16),
            depth: entry.depth(),
            bound: Bound::from_bits(entry.data >> 56),
        })
    }

    /// Stores the result of a position `ply` plies from the root.
    #[inline]
    pub(super) fn put(&mut self, key: u64, ply: usize, known: TtEntry) {
        let age = self.age;
        let place = self.place(key);
        let Bucket(bucket) = &mut self.buckets[place];
        let worth =
            |entry: &TtSlot| entry.depth() - 4 * (age.wrapping_sub(entry.age()) & 63) as i32;
        let slot = match bucket.iter().position(|entry| entry.key == key) {
            Some(slot) => slot,
            None => (0..WAYS)
                .min_by_key(|&i| worth(&bucket[i]))
                .expect("a bucket has entries"),
        };
        let entry = &mut bucket[slot];
        let same = entry.key == key;
        let keeps = same
            && known.bound != Bound::Exact
            && entry.age() == age
            && known.depth + 4 < entry.depth();
        if keeps {
            return;
        }
        let old = if same { entry.data as u16 } else { 0 };
        let best = known.best.map_or(old, Move::raw);
        entry.key = key;
        entry.data = u64::from(best)
            | u64::from(to_stored(known.score, ply) as u16) << 16
            | u64::from(known.eval as i16 as u16) << 32
            | (known.depth.clamp(0, 255) as u64) << 48
            | (known.bound as u64) << 56
            | age << 58;
    }
}

/// Converts distances to the end from the root to the position.
const fn to_stored(score: i32, ply: usize) -> i16 {
    (match score {
        s if s >= DECIDED => s + ply as i32,
        s if s <= -DECIDED => s - ply as i32,
        s => s,
    }) as i16
}

const fn from_stored(score: i32, ply: usize) -> i32 {
    match score {
        s if s >= DECIDED => s - ply as i32,
        s if s <= -DECIDED => s + ply as i32,
        s => s,
    }
}

#[cfg(test)]
mod tests {
    use foglight_rules::{MoveKind, Square};

    use super::*;

    #[test]
    fn what_is_put_is_found() {
        let mut table = TranspositionTable::new(1);
        let best = Some(Move::new(Square::E2, Square::E4, MoveKind::DoubleStep));
        for (score, depth, bound) in [
            (-31_990, 3, Bound::Exact),
            (31_998, 7, Bound::Lower),
            (-57, 0, Bound::Upper),
        ] {
            let key = 0x1234_5678_9abc_def0 ^ (score as u64) << 7;
            let known = TtEntry {
                best,
                score,
                eval: -score / 100,
                depth,
                bound,
            };
            table.put(key, 5, known);
            let found = table.get(key, 5).expect("an entry");
            assert_eq!((found.best, found.score, found.depth), (best, score, depth));
            assert_eq!((found.eval, found.bound), (-score / 100, bound));
        }
        table.clear();
        assert!(table.get(0x1234_5678_9abc_def0, 0).is_none());
    }
}
