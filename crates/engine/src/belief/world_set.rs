//! A set of worlds that keeps the order in which they came.

use super::world::World;

/// Worlds without duplicates: a list, and a table of positions in it tagged
/// with part of the hash, so that a miss rarely touches the list.
pub(super) struct WorldSet {
    worlds: Vec<World>,
    table: Vec<u64>,
    key: u64,
    /// Only hashes up to here are kept.
    limit: u64,
    /// The most worlds to hold.
    cap: usize,
}

const EMPTY: u64 = u64::MAX;
const TAG: u64 = 0xffff_ffff_0000_0000;

impl WorldSet {
    /// An empty set that hashes by `key` and keeps the worlds with the `cap`
    /// smallest hashes, or a few more.
    pub(super) fn new(key: u64, cap: usize) -> WorldSet {
        WorldSet {
            worlds: Vec::new(),
            table: vec![EMPTY; 1 << 8],
            key,
            limit: u64::MAX,
            cap,
        }
    }

    /// Has anything been left out for want of room?
    pub(super) fn is_cut(&self) -> bool {
        self.limit < u64::MAX
    }

    /// The largest hash that is kept.
    pub(super) fn limit(&self) -> u64 {
        self.limit
    }

    /// The worlds, in the order in which they came first.
    pub(super) fn into_worlds(self) -> Vec<World> {
        self.worlds
    }

    /// Adds a world unless it is there.
    #[inline]
    pub(super) fn insert(&mut self, world: World, hash: u64) {
        if hash > self.limit {
            return;
        }
        let mask = self.table.len() - 1;
        let mut at = (hash as usize >> 4) & mask;
        loop {
            let entry = self.table[at];
            if entry == EMPTY {
                break;
            }
            if (entry ^ hash) & TAG == 0 && self.worlds[entry as u32 as usize] == world {
                return;
            }
            at = (at + 1) & mask;
        }
        self.table[at] = hash & TAG | self.worlds.len() as u64;
        self.worlds.push(world);
        if self.worlds.len() * 3 > self.table.len() * 2 {
            self.make_room();
        }
    }

    fn make_room(&mut self) {
        if self.worlds.len() / 2 > self.cap {
            self.cut();
        } else {
            self.table = vec![EMPTY; self.table.len() * 2];
        }
        self.rehash();
    }

    /// Keeps the smallest hashes: a uniform subset, and the same whatever the
    /// order of arrival.
    fn cut(&mut self) {
        let key = self.key;
        let mut hashes: Vec<u64> = self.worlds.iter().map(|world| world.hash(key)).collect();
        let (_, limit, _) = hashes.select_nth_unstable(self.cap.saturating_sub(1));
        self.limit = *limit;
        let limit = self.limit;
        self.worlds.retain(|world| world.hash(key) <= limit);
        self.table.fill(EMPTY);
    }

    fn rehash(&mut self) {
        let mask = self.table.len() - 1;
        for (i, world) in self.worlds.iter().enumerate() {
            let hash = world.hash(self.key);
            let mut at = (hash as usize >> 4) & mask;
            while self.table[at] != EMPTY {
                at = (at + 1) & mask;
            }
            self.table[at] = hash & TAG | i as u64;
        }
    }
}
