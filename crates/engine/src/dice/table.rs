//! The lock-free transposition table shared by search threads.

use std::sync::atomic::{AtomicU64, Ordering};

use foglight_rules::Move;

/// Relation of a stored value to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueBound {
    Exact,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

/// Search result of a node at a depth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DiceTableEntry {
    /// The value, -1 to 1, or its bound.
    pub value: f32,
    pub bound: ValueBound,
    /// The depth it was searched to.
    pub depth: u8,
    /// The best move found, at decision nodes.
    pub best: Option<Move>,
}

impl DiceTableEntry {
    fn pack(self) -> u64 {
        let bound = match self.bound {
            ValueBound::Exact => 1,
            ValueBound::Lower => 2,
            ValueBound::Upper => 3,
        };
        let best = self.best.map_or(0, Move::raw);
        u64::from(self.value.to_bits())
            | u64::from(best) << 32
            | u64::from(self.depth) << 48
            | bound << 56
    }

    fn unpack(data: u64) -> Option<DiceTableEntry> {
        let bound = match data >> 56 {
            1 => ValueBound::Exact,
            2 => ValueBound::Lower,
            3 => ValueBound::Upper,
            _ => return None,
        };
        let raw = (data >> 32) as u16;
        Some(DiceTableEntry {
            value: f32::from_bits(data as u32),
            bound,
            depth: (data >> 48) as u8,
            best: (raw != 0).then(|| Move::from_raw(raw)),
        })
    }

    /// Lower bound of the value.
    #[inline]
    pub(crate) fn at_least(&self) -> f32 {
        if self.bound == ValueBound::Upper {
            -1.0
        } else {
            self.value
        }
    }

    /// Upper bound of the value.
    #[inline]
    pub(crate) fn at_most(&self) -> f32 {
        if self.bound == ValueBound::Lower {
            1.0
        } else {
            self.value
        }
    }
}

/// Key and data are stored xored, so that an entry torn between two threads is
/// missed instead of being wrong.
#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    #[inline]
    fn read(&self, key: u64) -> Option<DiceTableEntry> {
        let data = self.data.load(Ordering::Relaxed);
        let check = self.check.load(Ordering::Relaxed);
        if check ^ data == key {
            DiceTableEntry::unpack(data)
        } else {
            None
        }
    }

    #[inline]
    fn write(&self, key: u64, known: DiceTableEntry) {
        let data = known.pack();
        self.data.store(data, Ordering::Relaxed);
        self.check.store(key ^ data, Ordering::Relaxed);
    }

    #[inline]
    fn depth(&self) -> u8 {
        (self.data.load(Ordering::Relaxed) >> 48) as u8
    }
}

/// Pairs of slots: one for the deeper search, one for the latest.
pub struct DiceTable {
    slots: Vec<Slot>,
}

impl DiceTable {
    /// A table of about this size, at least one mebibyte.
    pub fn new(mebibytes: usize) -> DiceTable {
        let slots = (mebibytes.max(1) << 20) / size_of::<Slot>();
        let count = slots.next_power_of_two();
        DiceTable {
            slots: (0..count).map(|_| Slot::default()).collect(),
        }
    }

    pub fn clear(&mut self) {
        for slot in &mut self.slots {
            *slot = Slot::default();
        }
    }

    #[inline]
    fn pair(&self, key: u64) -> &[Slot] {
        let at = (key >> 7) as usize & (self.slots.len() - 2);
        &self.slots[at..at + 2]
    }

    /// The entry of a node.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<DiceTableEntry> {
        let pair = self.pair(key);
        pair[0].read(key).or_else(|| pair[1].read(key))
    }

    /// Stores the entry of a node.
    #[inline]
    pub fn store(&self, key: u64, known: DiceTableEntry) {
        let pair = self.pair(key);
        let first = &pair[0];
        let same = first.read(key).is_some();
        if same || known.depth >= first.depth() {
            first.write(key, known);
        } else {
            pair[1].write(key, known);
        }
    }
}

#[cfg(test)]
mod tests {
    use foglight_rules::Square;

    use super::*;

    #[test]
    fn gives_back_what_it_keeps() {
        let table = DiceTable::new(1);
        let m = Move::new(Square::E2, Square::E4, foglight_rules::MoveKind::DoubleStep);
        let known = DiceTableEntry {
            value: 0.625,
            bound: ValueBound::Lower,
            depth: 4,
            best: Some(m),
        };
        table.store(77 << 30, known);
        assert_eq!(table.probe(77 << 30), Some(known));
        assert_eq!(table.probe(78 << 30), None);
        assert_eq!((known.at_least(), known.at_most()), (0.625, 1.0));
    }
}
