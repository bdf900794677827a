//! Sets of item numbers, stored as ranges.

use std::{collections::BTreeMap, ops::Range};

/// A set of items; a million consecutive ones cost as much as one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ItemSet {
    /// Ranges that do not touch: first item to the one after the last.
    ranges: BTreeMap<u64, u64>,
    len: u64,
}

impl ItemSet {
    pub fn len(&self) -> u64 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The range that contains an item.
    fn around(&self, item: u64) -> Option<Range<u64>> {
        let (&first, &end) = self.ranges.range(..=item).next_back()?;
        (item < end).then_some(first..end)
    }

    pub fn contains(&self, item: u64) -> bool {
        self.around(item).is_some()
    }

    /// Adds an item; `false` if it was there.
    pub fn insert(&mut self, item: u64) -> bool {
        if self.contains(item) {
            return false;
        }
        let before = item.checked_sub(1).and_then(|item| self.around(item));
        let first = before.map_or(item, |range| range.start);
        let end = self.ranges.remove(&(item + 1)).unwrap_or(item + 1);
        self.ranges.insert(first, end);
        self.len += 1;
        true
    }

    /// Removes an item; `false` if it was not there.
    pub fn remove(&mut self, item: u64) -> bool {
        let Some(range) = self.around(item) else {
            return false;
        };
        self.ranges.remove(&range.start);
        if range.start < item {
            self.ranges.insert(range.start, item);
        }
        if item + 1 < range.end {
            self.ranges.insert(item + 1, range.end);
        }
        self.len -= 1;
        true
    }

    /// Removes the first items, at least `least` if there are as many, and to the
    /// end of their group of `group`.
    pub fn take(&mut self, least: u64, group: u64) -> ItemSet {
        let mut taken = ItemSet::default();
        while taken.len < least {
            let Some((first, end)) = self.ranges.pop_first() else {
                break;
            };
            let wanted = first.saturating_add(least - taken.len);
            let cut = wanted.div_ceil(group).saturating_mul(group).min(end);
            taken.ranges.insert(first, cut);
            taken.len += cut - first;
            self.len -= cut - first;
            if cut < end {
                self.ranges.insert(cut, end);
            }
        }
        taken
    }

    pub fn iter(&self) -> impl Iterator<Item = u64> {
        self.ranges.iter().flat_map(|(&first, &end)| first..end)
    }

    /// The ranges: first item, and the one after the last.
    pub fn ranges(&self) -> Vec<(u64, u64)> {
        self.ranges
            .iter()
            .map(|(&first, &end)| (first, end))
            .collect()
    }
}

impl FromIterator<u64> for ItemSet {
    fn from_iter<I: IntoIterator<Item = u64>>(items: I) -> ItemSet {
        let mut set = ItemSet::default();
        items.into_iter().for_each(|item| {
            set.insert(item);
        });
        set
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use foglight_play::seeded;
    use rand::Rng as _;

    use super::*;

    #[test]
    fn it_is_a_set() {
        let mut rng = seeded(1);
        let (mut set, mut model) = (ItemSet::default(), BTreeSet::new());
        for _ in 0..20_000 {
            let item = rng.random_range(0..60);
            match rng.random_range(0..9) {
                0..5 => assert_eq!(set.insert(item), model.insert(item)),
                5..8 => assert_eq!(set.remove(item), model.remove(&item)),
                _ => {
                    let taken = set.take(rng.random_range(1..5), rng.random_range(1..4));
                    for (one, other) in taken.iter().zip(model.clone()) {
                        assert_eq!(one, other, "the first ones are taken");
                        model.remove(&one);
                    }
                }
            }
            assert!(set.iter().eq(model.iter().copied()));
            assert_eq!(set.len(), model.len() as u64);
            assert_eq!(set.contains(item), model.contains(&item));
        }
    }

    #[test]
    fn groups_stay_together() {
        let mut set: ItemSet = (3..20).collect();
        assert!(
            set.take(2, 2).iter().eq(3..6),
            "half a pair, then a whole one"
        );
        assert!(set.take(4, 2).iter().eq(6..10));
        assert!(set.take(100, 2).iter().eq(10..20));
        assert!(set.take(1, 2).is_empty());
        assert_eq!(set.len(), 0);
    }
}
