//! A set of worlds in order of insertion.

use super::{key::Marked, world::World};

/// Worlds without duplicates: a list, and a table of marks and indices into it.
/// Duplicates are found by their marks, without reading the list.
pub(super) struct WorldSet {
    worlds: Vec<World>,
    /// Marks with the indices of their worlds in the list.
    table: Vec<Marked>,
    /// Largest hash that is retained.
    limit: u64,
    /// Maximum number of worlds.
    cap: usize,
    /// Number of worlds when [`WorldSet::seal`] was called.
    sealed: usize,
}

/// A slot without a world.
const FREE: Marked = Marked {
    hash: 0,
    check: 0,
    number: u32::MAX,
    weight: 0.0,
};

fn is_free(slot: &Marked) -> bool {
    slot.number == u32::MAX
}

/// The lowest bits of a hash choose the set; those above, the slot in it.
const SHIFT: u32 = 9;

impl WorldSet {
    /// An empty set that retains the worlds with the `cap` smallest hashes, or
    /// a few more. About `expected` worlds will be inserted.
    pub(super) fn new(cap: usize, expected: usize) -> WorldSet {
        let room = (2 * expected).clamp(1 << 6, 1 << 20);
        WorldSet {
            worlds: Vec::with_capacity(room / 2),
            table: vec![FREE; room.next_power_of_two()],
            limit: u64::MAX,
            cap,
            sealed: 0,
        }
    }

    /// Whether any world was left out because of the cap.
    pub(super) fn is_cut(&self) -> bool {
        self.limit < u64::MAX
    }

    /// Separates the present worlds from those inserted later.
    pub(super) fn seal(&mut self) {
        self.seal_at(self.worlds.len());
    }

    /// Separates the first worlds from the others.
    pub(super) fn seal_at(&mut self, place: usize) {
        self.sealed = place;
    }

    /// Number of worlds.
    pub(super) fn len(&self) -> usize {
        self.worlds.len()
    }

    /// The worlds in order of first insertion, and the number of those before
    /// the seal.
    pub(super) fn into_worlds(self) -> (Vec<World>, usize) {
        (self.worlds, self.sealed)
    }

    /// The hash and the weight of each world, in order of first insertion.
    pub(super) fn items(&self) -> Vec<(u64, f32)> {
        let mut items = vec![(0, 0.0); self.worlds.len()];
        for slot in self.table.iter().filter(|slot| !is_free(slot)) {
            items[slot.number as usize] = (slot.hash, slot.weight);
        }
        items
    }

    /// Adds the world with this mark, or its weight if the world is present.
    #[inline]
    pub(super) fn insert(&mut self, mark: &Marked, world: impl FnOnce() -> World) {
        if mark.hash > self.limit {
            return;
        }
        let mask = self.table.len() - 1;
        let mut at = (mark.hash >> SHIFT) as usize & mask;
        loop {
            let slot = &mut self.table[at];
            if is_free(slot) {
                break;
            }
            if slot.agrees(mark) {
                slot.weight += mark.weight;
                return;
            }
            at = (at + 1) & mask;
        }
        self.table[at] = Marked {
            number: self.worlds.len() as u32,
            ..*mark
        };
        self.worlds.push(world());
        if self.worlds.len() * 4 > self.table.len() * 3 {
            self.make_room();
        }
    }

    #[cold]
    fn make_room(&mut self) {
        let mut slots = std::mem::take(&mut self.table);
        let mut room = slots.len();
        slots.retain(|slot| !is_free(slot));
        if self.worlds.len() / 2 > self.cap {
            self.cut(&mut slots);
        } else {
            room *= 2;
        }
        self.table = vec![FREE; room];
        for slot in slots {
            let mut at = (slot.hash >> SHIFT) as usize & (room - 1);
            while !is_free(&self.table[at]) {
                at = (at + 1) & (room - 1);
            }
            self.table[at] = slot;
        }
    }

    /// Retains the smallest hashes: a uniform subset, independent of the order
    /// of insertion.
    fn cut(&mut self, slots: &mut Vec<Marked>) {
        let last = self.cap.saturating_sub(1);
        let (_, limit, _) = slots.select_nth_unstable_by_key(last, |slot| slot.hash);
        self.limit = limit.hash;
        slots.retain(|slot| slot.hash <= self.limit);
        slots.sort_unstable_by_key(|slot| slot.number);
        let before = |slot: &Marked| (slot.number as usize) < self.sealed;
        self.sealed = slots.partition_point(before);
        let kept = slots.iter().map(|slot| self.worlds[slot.number as usize]);
        self.worlds = kept.collect();
        for (place, slot) in slots.iter_mut().enumerate() {
            slot.number = place as u32;
        }
    }
}
