//! The memory of agents, games and requests: one budget for the server, and a
//! part of it for each payer.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
};

use foglight_engine::{memory, registry};
use foglight_play::Options;

use super::{agents::within_bounds, fair::Payer};

/// Memory of the budget in mebibytes.
const BUDGET: u64 = 720;
/// The part of it for one payer.
const OF_ONE: u64 = BUDGET * 3 / 8;
/// The part that those may fill that need more than [`SMALL`] kibibytes, so that
/// there is always room for games and bots that hardly need any.
const FOR_LARGE: u64 = BUDGET - 40;
const SMALL: u64 = 2048;
/// Maximum size of a search tree in bytes.
pub(crate) const MAX_TREE: usize = 64 << 20;

/// Reasons why there is no memory for an agent, a game or a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MemoryFull {
    #[error(
        "your games and requests have the {OF_ONE} MiB that one address may use; \
         expected you to end one, or a smaller 'hash' or 'max-positions'"
    )]
    Yours,
    #[error(
        "the {BUDGET} MiB of this server for games and requests are in use; \
         expected you to try again in a moment, or a smaller 'hash' or 'max-positions'"
    )]
    Full,
}

/// The memory of a server's agents, games and requests.
#[derive(Clone, Default)]
pub(crate) struct MemoryBudget(Arc<Mutex<HashMap<Payer, u64>>>);

/// Reserved memory, returned when it is dropped.
pub(crate) struct Reservation {
    budget: MemoryBudget,
    payer: Payer,
    kibibytes: u64,
}

impl MemoryBudget {
    fn used(&self) -> MutexGuard<'_, HashMap<Payer, u64>> {
        self.0.lock().expect("no panic holds it")
    }

    /// Reserves the memory that the agent of a checked spec needs at most.
    pub fn reserve_agent(&self, payer: &Payer, spec: &str) -> Result<Reservation, MemoryFull> {
        self.reserve(payer, memory_of(spec))
    }

    /// Reserves memory.
    pub fn reserve(&self, payer: &Payer, kibibytes: u64) -> Result<Reservation, MemoryFull> {
        let mut used = self.used();
        let own = used.get(payer).copied().unwrap_or(0);
        if *payer != Payer::Server && own + kibibytes > OF_ONE << 10 {
            return Err(MemoryFull::Yours);
        }
        let most = if kibibytes > SMALL { FOR_LARGE } else { BUDGET };
        if used.values().sum::<u64>() + kibibytes > most << 10 {
            return Err(MemoryFull::Full);
        }
        *used.entry(payer.clone()).or_default() += kibibytes;
        Ok(self.reservation(payer, kibibytes))
    }

    /// Takes memory without a refusal: a game that runs goes on, and others are
    /// refused instead.
    pub fn hold(&self, payer: &Payer, kibibytes: u64) -> Reservation {
        let mut held = self.reservation(payer, 0);
        held.grow_to(kibibytes);
        held
    }

    fn reservation(&self, payer: &Payer, kibibytes: u64) -> Reservation {
        Reservation {
            budget: self.clone(),
            payer: payer.clone(),
            kibibytes,
        }
    }
}

impl Reservation {
    /// Grows to this size, as [`MemoryBudget::hold`] does.
    pub fn grow_to(&mut self, kibibytes: u64) {
        let more = kibibytes.saturating_sub(self.kibibytes);
        *self.budget.used().entry(self.payer.clone()).or_default() += more;
        self.kibibytes += more;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut used = self.budget.used();
        if let Some(own) = used.get_mut(&self.payer) {
            *own -= self.kibibytes;
            if *own == 0 {
                used.remove(&self.payer);
            }
        }
    }
}

/// Kibibytes that the agent of a visitor's spec uses at most.
pub(crate) fn memory_of(text: &str) -> u64 {
    let spec = within_bounds(text).ok();
    let options = spec.as_ref().and_then(|spec| {
        let entry = registry::find(&spec.name).ok()?;
        Options::check(spec, entry.options).ok()
    });
    let (Some(spec), Some(options)) = (spec, options) else {
        return 0; // it cannot be built
    };
    memory::most(&spec.name, &options, MAX_TREE).div_ceil(1 << 10)
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;
    use crate::domain::Network;

    fn payer(last: u8) -> Payer {
        Payer::Network(Network::from(IpAddr::from([127, 0, 0, last])))
    }

    #[test]
    fn memory_is_refused_to_one_and_then_to_all_and_comes_back() {
        let budget = MemoryBudget::default();
        let spec = "dice:hash=64";
        let take = |last: u8| {
            let mut held = Vec::new();
            loop {
                match budget.reserve_agent(&payer(last), spec) {
                    Ok(memory) => held.push(memory),
                    Err(full) => return (held, full),
                }
            }
        };
        let (mine, refused) = take(1);
        assert_eq!(refused, MemoryFull::Yours);
        assert!((2..20).contains(&mine.len()), "{}", mine.len());
        let others: Vec<_> = (2..20).map(take).collect();
        assert!(others.iter().any(|(_, full)| *full == MemoryFull::Full));
        assert!(budget.reserve_agent(&payer(99), "random").is_ok());
        assert!(budget.used().values().sum::<u64>() <= BUDGET << 10);
        drop((mine, others));
        assert!(budget.used().is_empty());
    }

    #[test]
    fn what_runs_grows_and_others_are_refused() {
        let budget = MemoryBudget::default();
        let mut game = budget.reserve(&payer(1), 64).expect("room");
        game.grow_to(BUDGET << 10);
        game.grow_to(1);
        assert_eq!(budget.used().values().sum::<u64>(), BUDGET << 10);
        let refused = budget.reserve(&payer(2), 64).err();
        assert_eq!(refused, Some(MemoryFull::Full));
        drop(game);
        assert!(budget.used().is_empty());
    }

    #[test]
    fn every_level_fits_twice_into_the_part_of_one() {
        for game in foglight_rules::Game::ALL {
            for level in crate::workers::levels(&game) {
                let budget = MemoryBudget::default();
                let both = [(); 2].map(|()| budget.reserve_agent(&payer(1), level.agent));
                assert!(both.iter().all(Result::is_ok), "{}", level.agent);
            }
        }
    }
}
