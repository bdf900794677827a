//! A number of things at a time: so many in all, and so many of one payer.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use super::fair::Payer;

pub(crate) struct Quota {
    most: usize,
    of_one: usize,
    held: Mutex<HashMap<Payer, usize>>,
}

/// A part of a quota, returned when it is dropped.
pub(crate) struct Held {
    quota: Arc<Quota>,
    payer: Payer,
}

impl Quota {
    pub fn new(most: usize, of_one: usize) -> Arc<Quota> {
        Arc::new(Quota {
            most,
            of_one,
            held: Mutex::default(),
        })
    }

    /// One more for a payer, unless it or all together have as many as allowed.
    pub fn take(self: &Arc<Quota>, payer: &Payer) -> Option<Held> {
        let mut held = self.held.lock().expect("no panic holds it");
        let own = held.get(payer).copied().unwrap_or(0);
        if own >= self.of_one || held.values().sum::<usize>() >= self.most {
            return None;
        }
        held.insert(payer.clone(), own + 1);
        Some(Held {
            quota: Arc::clone(self),
            payer: payer.clone(),
        })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut held = self.quota.held.lock().expect("no panic holds it");
        if let Some(own) = held.get_mut(&self.payer) {
            *own -= 1;
            if *own == 0 {
                held.remove(&self.payer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_gets_its_part_and_all_get_the_whole() {
        let quota = Quota::new(5, 2);
        let payer = |name: &str| Payer::Player(name.to_owned());
        let take = |name: &str| quota.take(&payer(name));
        let mine = [take("a"), take("a")];
        assert!(mine.iter().all(Option::is_some) && take("a").is_none());
        let others: Vec<_> = ["b", "b", "c"].map(take).into_iter().collect();
        assert!(others.iter().all(Option::is_some) && take("d").is_none());
        drop(mine);
        assert!(take("d").is_some());
        drop(others);
        assert!(quota.held.lock().expect("a lock").is_empty());
    }
}
