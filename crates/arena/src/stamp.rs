//! Identification of the match, stored on every line of its journal.

use serde::{Deserialize, Serialize};

use crate::schedule::{Format, SchedulePlan};

/// Plan of a match as recorded in its games: enough to list the games and their
/// players, and a digest of the rest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stamp {
    /// Digest of the rules, the agents with their limits, the starting
    /// positions and the move limit.
    pub digest: String,
    /// Seed of the match.
    pub seed: u64,
    /// Names of the contestants, in the order of the plan.
    pub engines: Vec<String>,
    pub format: Format,
    /// Encounters of each two contestants.
    pub rounds: u64,
    /// Games of each encounter.
    pub games: u32,
}

impl Stamp {
    /// The plan as far as the stamp determines it; one start stands for all.
    pub fn plan(&self, start: foglight_rules::Position) -> SchedulePlan {
        SchedulePlan {
            contestants: self.engines.len(),
            format: self.format,
            rounds: self.rounds,
            games: self.games,
            repeat: true,
            starts: vec![start],
            seed: self.seed,
        }
    }

    /// Name of the first difference from another stamp; `None` if they are
    /// equal.
    pub fn differs(&self, other: &Stamp) -> Option<&'static str> {
        let differences = [
            (self.seed != other.seed, "another seed"),
            (self.engines != other.engines, "other players"),
            (self.format != other.format, "another kind of tournament"),
            (self.games != other.games, "other games a pair"),
            (
                self.digest != other.digest,
                "other agents, limits, rules or starts",
            ),
            (self.rounds != other.rounds, "another number of rounds"),
        ];
        differences
            .into_iter()
            .find_map(|(differs, what)| differs.then_some(what))
    }
}
