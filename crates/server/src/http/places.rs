//! Places for connections: a limit for all, a limit for each network, and room
//! for newcomers while one network holds most of them.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio::sync::Notify;

use crate::domain::Network;

/// Maximum number of connections, whatever the file limit.
const MAX_PLACES: usize = 4096;
/// Files that are not connections: storage, exports, libraries.
const OTHER_FILES: usize = 100;

/// The places of a server.
pub(crate) struct Places {
    most: usize,
    of_one: usize,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    count: usize,
    number: u64,
    /// The connections of each network, oldest first.
    networks: HashMap<Network, BTreeMap<u64, Arc<Sitter>>>,
}

/// The part of a place that the server keeps.
#[derive(Default)]
struct Sitter {
    called_up: Notify,
    playing: AtomicBool,
}

/// A place held by a connection, until it is dropped.
pub(crate) struct Place {
    places: Arc<Places>,
    network: Network,
    number: u64,
    sitter: Arc<Sitter>,
}

impl Places {
    /// Places for a process that may open `files` files. A quarter of them is
    /// for one network.
    pub fn new(files: usize) -> Arc<Places> {
        let most = files.saturating_sub(OTHER_FILES).clamp(16, MAX_PLACES);
        Arc::new(Places {
            most,
            of_one: (most / 4).max(16),
            held: Mutex::default(),
        })
    }

    /// Maximum number of connections: in all, and of one network.
    pub fn limits(&self) -> (usize, usize) {
        (self.most, self.of_one)
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().expect("no panic holds it")
    }

    /// A place for a connection, unless its network has its share. If no place
    /// is free, the network with the most connections loses one, its oldest
    /// that plays no game if there is one.
    pub fn take(self: &Arc<Places>, network: Network) -> Option<Place> {
        self.take_of(network, self.of_one)
    }

    /// The same for a proxy, whose clients have no share in common.
    pub(crate) fn take_for_proxy(self: &Arc<Places>, network: Network) -> Option<Place> {
        self.take_of(network, usize::MAX)
    }

    fn take_of(self: &Arc<Places>, network: Network, share: usize) -> Option<Place> {
        let mut held = self.held();
        let own = held.networks.get(&network).map_or(0, BTreeMap::len);
        if own >= share {
            return None;
        }
        if held.count >= self.most {
            held.call_up(own)?;
        }
        held.number += 1;
        held.count += 1;
        let (number, sitter) = (held.number, Arc::<Sitter>::default());
        let of_network = held.networks.entry(network).or_default();
        of_network.insert(number, Arc::clone(&sitter));
        Some(Place {
            places: Arc::clone(self),
            network,
            number,
            sitter,
        })
    }
}

impl Held {
    /// Takes a place from the network with the most, if that has more than
    /// `own`.
    fn call_up(&mut self, own: usize) -> Option<()> {
        let networks = self.networks.iter();
        let (network, most) = networks.max_by_key(|(_, places)| places.len())?;
        let idle = |(_, sitter): &(&u64, &Arc<Sitter>)| !sitter.playing.load(Ordering::Relaxed);
        let victim = most.iter().find(idle).or_else(|| most.iter().next());
        let (network, number) = (*network, *victim.filter(|_| most.len() > own + 1)?.0);
        let sitter = self.remove(network, number)?;
        sitter.called_up.notify_one();
        Some(())
    }

    fn remove(&mut self, network: Network, number: u64) -> Option<Arc<Sitter>> {
        let places = self.networks.get_mut(&network)?;
        let sitter = places.remove(&number)?;
        if places.is_empty() {
            self.networks.remove(&network);
        }
        self.count -= 1;
        Some(sitter)
    }
}

impl Place {
    /// Completes when the place is needed for somebody else.
    pub async fn called_up(&self) {
        self.sitter.called_up.notified().await;
    }

    /// Marks the connection as one that plays a game.
    pub fn play(&self) {
        self.sitter.playing.store(true, Ordering::Relaxed);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.held().remove(self.network, self.number);
    }
}

/// Raises the number of files that this process may open as far as it is
/// allowed to. Returns the number.
#[cfg(target_os = "linux")]
pub(crate) fn raise_file_limit() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limits = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limits.maximum,
        maximum: limits.maximum,
    };
    let current = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limits.maximum,
        Err(_) => limits.current,
    };
    current.map_or(usize::MAX, |files| files as usize)
}

/// The number of files is not known.
#[cfg(not(target_os = "linux"))]
pub(crate) fn raise_file_limit() -> usize {
    1024
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use futures_util::FutureExt as _;

    use super::*;

    fn network(last: u8) -> Network {
        Network::from(IpAddr::from([127, 0, 0, last]))
    }

    #[test]
    fn a_network_gets_its_share_and_no_more() {
        let places = Places::new(OTHER_FILES + 64);
        let mine: Vec<Place> = std::iter::from_fn(|| places.take(network(1))).collect();
        assert_eq!((places.limits(), mine.len()), ((64, 16), 16));
        assert!(places.take(network(2)).is_some());
        drop(mine);
        assert!(places.take(network(1)).is_some());
        assert_eq!(places.held().count, 0, "dropped places are free");
    }

    #[test]
    fn a_newcomer_gets_the_oldest_place_of_the_largest_network() {
        let places = Places::new(OTHER_FILES + 64);
        let mut crowd: Vec<Place> = Vec::new();
        for last in 1..=4 {
            crowd.extend((0..16).map_while(|_| places.take(network(last))));
        }
        assert_eq!(crowd.len(), 64);
        crowd.iter().take(32).for_each(Place::play);
        let newcomer = places.take(network(9)).expect("a place");
        let called = |place: &Place| place.called_up().now_or_never().is_some();
        let up: Vec<usize> = (0..64).filter(|&i| called(&crowd[i])).collect();
        assert_eq!(up.len(), 1);
        assert!(
            up[0].is_multiple_of(16),
            "the oldest of its network: {up:?}"
        );
        drop(crowd.remove(up[0]));
        assert_eq!(places.held().count, 64, "it was counted once");
        drop((crowd, newcomer));
        assert_eq!(places.held().count, 0);
    }

    #[test]
    fn without_a_larger_network_a_newcomer_is_refused() {
        let places = Places::new(0);
        let all: Vec<Place> = (1..=16)
            .map_while(|last| places.take(network(last)))
            .collect();
        assert_eq!(all.len(), 16);
        assert!(places.take(network(99)).is_none());
    }
}
