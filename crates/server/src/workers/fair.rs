//! A fair queue: work waits by payer and game, and the next is that of the
//! payer, and of its games the one, that has used the processor least.
//!
//! Start-time fair queueing (Goyal, Vin & Cheng 1996): who comes back after a
//! pause starts at the use of the one served last, so that nobody saves up.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    time::Duration,
};

use crate::domain::Network;

/// Whose account work is charged to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Payer {
    /// Who asked over the network.
    Network(Network),
    /// The player of a game from before the last start of the server.
    Player(String),
    /// Games between agents from before the last start of the server.
    Server,
}

/// The account of a piece of work: a game of a payer. Work without a game has
/// number 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Share {
    pub payer: Payer,
    pub game: u64,
}

impl Share {
    /// The share of a request that belongs to no game.
    pub fn of_request(network: Network) -> Share {
        Share {
            payer: Payer::Network(network),
            game: 0,
        }
    }
}

/// Waiting items and the use of all payers.
pub(super) struct FairQueue<T> {
    payers: HashMap<Payer, Account<T>>,
    /// Use of the payer served last.
    level: Duration,
}

struct Account<T> {
    used: Duration,
    /// Items taken and not yet finished.
    started: usize,
    /// Use of the game served last.
    level: Duration,
    games: BTreeMap<u64, Line<T>>,
}

struct Line<T> {
    used: Duration,
    waiting: VecDeque<T>,
}

impl<T> Default for FairQueue<T> {
    fn default() -> FairQueue<T> {
        FairQueue {
            payers: HashMap::new(),
            level: Duration::ZERO,
        }
    }
}

impl<T> Account<T> {
    fn waits(&self) -> bool {
        self.games.values().any(|line| !line.waiting.is_empty())
    }
}

impl<T> FairQueue<T> {
    fn account(&mut self, payer: &Payer) -> &mut Account<T> {
        let used = self.level;
        let new = || Account {
            used,
            started: 0,
            level: Duration::ZERO,
            games: BTreeMap::new(),
        };
        self.payers.entry(payer.clone()).or_insert_with(new)
    }

    fn line(&mut self, share: &Share) -> &mut Line<T> {
        let account = self.account(&share.payer);
        let used = account.level;
        account.games.entry(share.game).or_insert(Line {
            used,
            waiting: VecDeque::new(),
        })
    }

    /// Adds an item behind those of its game.
    pub fn push(&mut self, share: &Share, item: T) {
        let level = self.level;
        let account = self.account(&share.payer);
        if account.started == 0 && !account.waits() {
            account.used = account.used.max(level);
        }
        let level = account.level;
        let line = self.line(share);
        if line.waiting.is_empty() {
            line.used = line.used.max(level);
        }
        line.waiting.push_back(item);
    }

    /// Puts back an item that was taken and is not finished.
    pub fn push_front(&mut self, share: &Share, item: T) {
        self.line(share).waiting.push_front(item);
    }

    /// The first waiting item of a share.
    pub fn first(&self, share: &Share) -> Option<&T> {
        let account = self.payers.get(&share.payer)?;
        account.games.get(&share.game)?.waiting.front()
    }

    /// Charges the use of the processor.
    pub fn charge(&mut self, share: &Share, used: Duration) {
        let line = self.line(share);
        line.used += used;
        self.account(&share.payer).used += used;
    }

    /// Notes that an item of the payer was started, or finished.
    pub fn start(&mut self, payer: &Payer) {
        self.account(payer).started += 1;
    }

    pub fn finish(&mut self, payer: &Payer) {
        self.account(payer).started -= 1;
        let idle = |known: &Account<T>| known.started == 0 && !known.waits();
        if self.payers.values().all(idle) {
            self.payers.clear(); // nobody is ahead of anybody
        }
        let level = self.level;
        self.payers
            .retain(|_, known| known.used > level || !idle(known));
    }

    pub fn is_empty(&self) -> bool {
        self.items().next().is_none()
    }

    pub fn items(&self) -> impl Iterator<Item = &T> {
        let lines = self
            .payers
            .values()
            .flat_map(|account| account.games.values());
        lines.flat_map(|line| &line.waiting)
    }

    /// Takes the next item of those that `may` accepts, given the number of
    /// started items of its payer.
    pub fn pop(&mut self, may: impl Fn(&T, usize) -> bool) -> Option<(Share, T)> {
        let next = self.payers.iter().filter_map(|(payer, account)| {
            let lines = account.games.iter();
            let ready = lines.filter(|(_, line)| {
                let first = line.waiting.front();
                first.is_some_and(|item| may(item, account.started))
            });
            let (game, line) = ready.min_by_key(|(game, line)| (line.used, **game))?;
            Some((account.used, line.used, payer, *game))
        });
        let (used, line_used, payer, game) = next.min_by_key(|(used, ..)| *used)?;
        let payer = payer.clone();
        self.level = self.level.max(used);
        let account = self.payers.get_mut(&payer)?;
        account.level = account.level.max(line_used);
        let line = account.games.get_mut(&game)?;
        let item = line.waiting.pop_front()?;
        let level = account.level;
        account
            .games
            .retain(|known, line| *known == game || !line.waiting.is_empty() || line.used > level);
        Some((Share { payer, game }, item))
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn share(last: u8, game: u64) -> Share {
        let network = Network::from(IpAddr::from([127, 0, 0, last]));
        let payer = Payer::Network(network);
        Share { payer, game }
    }

    const MS: Duration = Duration::from_millis(1);

    fn serve(queue: &mut FairQueue<&'static str>, cost: u32) -> &'static str {
        let (share, item) = queue.pop(|_, _| true).expect("something waits");
        queue.charge(&share, cost * MS);
        item
    }

    #[test]
    fn a_newcomer_waits_for_no_queue() {
        let mut queue = FairQueue::default();
        for _ in 0..100 {
            queue.push(&share(1, 1), "crowd");
        }
        assert_eq!(serve(&mut queue, 10), "crowd");
        queue.push(&share(2, 1), "newcomer");
        assert_eq!(serve(&mut queue, 10), "newcomer");
    }

    #[test]
    fn payers_get_equal_parts_and_so_do_their_games() {
        let mut queue = FairQueue::default();
        for game in 1..=4 {
            for _ in 0..100 {
                queue.push(&share(1, game), ["", "a", "b", "c", "d"][game as usize]);
                queue.push(&share(2, 1), "e");
            }
        }
        let served: Vec<&str> = (0..160).map(|_| serve(&mut queue, 5)).collect();
        let count = |name| served.iter().filter(|item| **item == name).count();
        assert_eq!(count("e"), 80, "half of it for the other network");
        for name in ["a", "b", "c", "d"] {
            assert_eq!(count(name), 20, "{name}");
        }
    }

    #[test]
    fn who_rests_saves_nothing_up() {
        let mut queue = FairQueue::default();
        for _ in 0..100 {
            queue.push(&share(1, 1), "busy");
        }
        for _ in 0..50 {
            serve(&mut queue, 10);
        }
        for _ in 0..100 {
            queue.push(&share(2, 1), "rested");
        }
        let served: Vec<&str> = (0..20).map(|_| serve(&mut queue, 10)).collect();
        let rested = served.iter().filter(|item| **item == "rested").count();
        assert!((9..=11).contains(&rested), "{rested} of 20");
    }

    #[test]
    fn nobody_is_remembered_for_ever() {
        let mut queue = FairQueue::default();
        for last in 0..200 {
            queue.push(&share(last, 1), "x");
            let (taken, _) = queue.pop(|_, _| true).expect("an item");
            queue.start(&taken.payer);
            queue.charge(&taken, MS);
            queue.finish(&taken.payer);
        }
        assert!(queue.payers.len() < 3, "{}", queue.payers.len());
    }
}
