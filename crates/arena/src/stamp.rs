//! What tells on every line of a journal which match it is of.

use serde::{Deserialize, Serialize};

use crate::schedule::{Format, SchedulePlan};

/// The plan of a match, for those who have only its games: enough to say which
/// games there are and between whom, and a digest of the rest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stamp {
    /// Digest of the rules, the agents with their limits, the starts and the
    /// limit of moves.
    pub digest: String,
    /// The seed of the match.
    pub seed: u64,
    /// The names of the contestants, in the order of the plan.
    pub engines: Vec<String>,
    pub format: Format,
    /// Times that each two meet.
    pub rounds: u64,
    /// Games of each meeting.
    pub games: u32,
}

impl Stamp {
    /// The plan as far as it can be told: of the starts one stands for all.
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

    /// What sets it apart from another one, in a word; nothing if they are equal.
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
