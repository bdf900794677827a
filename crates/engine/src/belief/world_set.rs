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
    sealed: Option<usize>,
}

/// A slot without a world.
const FREE: Marked = Marked {
    hash: 0,
    check: 0,
    number: u32::MAX,
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
            sealed: None,
        }
    }

    /// Whether any world was left out because of the cap.
    pub(super) fn is_cut(&self) -> bool {
        self.limit < u64::MAX
    }

    /// Largest hash that is retained.
    pub(super) fn limit(&self) -> u64 {
        self.limit
    }

    /// Separates the present worlds from those inserted later.
    pub(super) fn seal(&mut self) {
        self.sealed = Some(self.worlds.len());
    }

    /// The worlds in order of first insertion: those before the seal and those
    /// after it.
    pub(super) fn into_worlds(mut self) -> (Vec<World>, Vec<World>) {
        let late = self
            .sealed
            .map_or(Vec::new(), |sealed| self.worlds.split_off(sealed));
        (self.worlds, late)
    }

    /// Adds the world with this mark unless it is present.
    #[inline]
    pub(super) fn insert(&mut self, mark: &Marked, world: impl FnOnce() -> World) {
        if mark.hash > self.limit {
            return;
        }
        let mask = self.table.len() - 1;
        let mut at = (mark.hash >> SHIFT) as usize & mask;
        loop {
            let slot = &self.table[at];
            if is_free(slot) {
                break;
            }
            if slot.agrees(mark) {
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
        let before = |sealed| slots.partition_point(|slot| (slot.number as usize) < sealed);
        self.sealed = self.sealed.map(before);
        let kept = slots.iter().map(|slot| self.worlds[slot.number as usize]);
        self.worlds = kept.collect();
        for (place, slot) in slots.iter_mut().enumerate() {
            slot.number = place as u32;
        }
    }
}
