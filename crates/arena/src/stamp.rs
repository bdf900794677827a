//! What tells on every line of a journal which match it is of.

use foglight_rules::{Color, Sight};
use serde::{Deserialize, Serialize};

use crate::{
    digest::Digest,
    schedule::{Format, SchedulePlan},
    tournament::Tournament,
};

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
    /// How they meet.
    pub format: Format,
    /// Times that each two meet.
    pub rounds: u64,
    /// Games of each meeting.
    pub games: u32,
}

impl Stamp {
    /// The stamp of a match; its shards have the same.
    pub fn of(tournament: &Tournament) -> Stamp {
        let (game, plan) = (&tournament.game, &tournament.plan);
        let mut digest = Digest::default();
        digest.text(game.name());
        digest.text(game.rules_name().unwrap_or_default());
        for side in Color::ALL {
            digest.byte(u8::from(game.sight(side) == Sight::Full));
        }
        digest.number(game.halfmove_limit().map_or(0, u64::from));
        digest.number(tournament.max_moves.map_or(0, u64::from));
        for contestant in &tournament.contestants {
            digest.text(&contestant.agent);
            digest.text(&contestant.limits.to_string());
        }
        digest.byte(u8::from(plan.repeat));
        for start in &plan.starts {
            digest.text(&game.fen(start));
        }
        let engines = tournament.contestants.iter().map(|one| one.name.clone());
        Stamp {
            digest: format!("{:016x}", digest.value()),
            seed: plan.seed,
            engines: engines.collect(),
            format: plan.format,
            rounds: plan.rounds,
            games: plan.games,
        }
    }

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
