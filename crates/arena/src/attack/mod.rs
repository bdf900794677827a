//! Attacks on a fixed agent: plans that a side plays without looking, and what
//! they score against it.

mod attacker;
mod boards;
mod count;
mod error;
mod plan;
mod remote;
mod respondent;
mod search;
mod traps;
mod variants;

pub use attacker::Attacker;
pub use boards::{BestResponse, SmallBoard};
pub use count::{AttackCount, AttackEnd, AttackRow, Played, SparePlayers};
pub use error::AttackError;
pub use plan::{AttackPlan, PlanError, PlanStep, read_plans};
pub use remote::{ATTACK, ATTACK_SEARCH, MakeEntrant};
pub use search::{FoundPlans, PlanSearch, PlanSearches};
pub use traps::{TrapCount, TrapReply, traps};
pub use variants::VariantSearch;
