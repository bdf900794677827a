//! The memory of the server's agents: one budget for all, and a part of it for
//! each payer.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
};

use foglight_engine::{memory, registry};
use foglight_play::Options;

use super::{agents::within_bounds, fair::Payer};

/// Memory for agents in mebibytes.
const BUDGET: u64 = 720;
/// The part of it for one payer.
const OF_ONE: u64 = BUDGET * 3 / 8;
/// The part that agents may fill that need more than [`SMALL`] kibibytes, so
/// that there is always room for bots that hardly need any.
const FOR_LARGE: u64 = BUDGET - 40;
const SMALL: u64 = 2048;
/// Maximum size of a search tree in bytes.
pub(crate) const MAX_TREE: usize = 64 << 20;

/// Reasons why there is no memory for an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MemoryFull {
    #[error(
        "your games have the {OF_ONE} MiB that one address may use for agents; \
         expected you to end one, or a smaller 'hash' or 'max-positions'"
    )]
    Yours,
    #[error(
        "the {BUDGET} MiB of this server for agents are in use; \
         expected you to try again in a moment, or a smaller 'hash' or 'max-positions'"
    )]
    Full,
}

/// The memory of the agents of a server.
#[derive(Clone, Default)]
pub(crate) struct MemoryBudget(Arc<Mutex<HashMap<Payer, u64>>>);

/// Memory of an agent, returned when it is dropped.
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
    pub fn reserve(&self, payer: &Payer, spec: &str) -> Result<Reservation, MemoryFull> {
        let kibibytes = need(spec);
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
        Ok(Reservation {
            budget: self.clone(),
            payer: payer.clone(),
            kibibytes,
        })
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
fn need(text: &str) -> u64 {
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
                match budget.reserve(&payer(last), spec) {
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
        assert!(budget.reserve(&payer(99), "random").is_ok());
        assert!(budget.used().values().sum::<u64>() <= BUDGET << 10);
        drop((mine, others));
        assert!(budget.used().is_empty());
    }

    #[test]
    fn every_level_fits_twice_into_the_part_of_one() {
        for game in foglight_rules::Game::ALL {
            for level in crate::workers::levels(&game) {
                let budget = MemoryBudget::default();
                let both = [(); 2].map(|()| budget.reserve(&payer(1), level.agent));
                assert!(both.iter().all(Result::is_ok), "{}", level.agent);
            }
        }
    }
}
