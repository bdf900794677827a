//! Schedule of a match: players, starting position and seed of every game. It
//! is fixed before the first game, so that a match repeats on any number of
//! threads and can be resumed.

use std::{fmt, str::FromStr};

use foglight_play::rng;
use foglight_rules::{ByColor, Position};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    #[default]
    RoundRobin,
    /// The first contestant meets every other.
    Gauntlet,
    /// The first contestant meets every other and always has Black.
    FirstBlack,
}

/// Parameters of a schedule.
#[derive(Clone, Debug)]
pub struct SchedulePlan {
    pub contestants: usize,
    pub format: Format,
    /// Encounters of each two contestants.
    pub rounds: u64,
    /// Games of each encounter: 2 is a pair with colours swapped.
    pub games: u32,
    /// Whether the games of an encounter share their starting position.
    pub repeat: bool,
    /// Starting positions in the order of use, repeated cyclically.
    pub starts: Vec<Position>,
    /// Seed of all random choices.
    pub seed: u64,
}

/// One game of a schedule.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScheduledGame {
    /// Number in the match, from 1.
    pub number: u64,
    /// Number of the pair, from 1.
    pub pair: u64,
    /// Game of the pair, from 0.
    pub leg: u32,
    /// Indices of the contestants.
    pub players: ByColor<usize>,
    /// Seed shared by the pair.
    pub seed: u64,
    pub start: Position,
}

impl SchedulePlan {
    /// The encounters of one round.
    fn meetings(&self) -> Vec<(usize, usize)> {
        let all = 0..self.contestants;
        match self.format {
            Format::Gauntlet | Format::FirstBlack => all.skip(1).map(|other| (0, other)).collect(),
            Format::RoundRobin => all
                .clone()
                .flat_map(|one| (one + 1..self.contestants).map(move |other| (one, other)))
                .collect(),
        }
    }

    /// Total number of games.
    pub fn len(&self) -> u64 {
        self.meetings().len() as u64 * self.rounds * u64::from(self.games)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of the pair of the game at `index`.
    pub(crate) fn pair_of(&self, index: u64) -> u64 {
        index / u64::from(self.games) + 1
    }

    /// The game at `index`, from 0. Computed from the plan alone, so that a
    /// million games cost no memory.
    pub fn fixture(&self, index: u64) -> ScheduledGame {
        let games = u64::from(self.games);
        let meetings = self.meetings();
        let (pair, leg) = (index / games, index % games);
        let (one, other) = meetings[(pair % meetings.len() as u64) as usize];
        // Unpaired games alternate colours from round to round.
        let turned = if self.format == Format::FirstBlack {
            1
        } else if games > 1 {
            leg
        } else {
            pair / meetings.len() as u64
        };
        let players = match turned % 2 {
            0 => ByColor {
                white: one,
                black: other,
            },
            _ => ByColor {
                white: other,
                black: one,
            },
        };
        let start = if self.repeat || games == 1 {
            pair
        } else {
            index
        };
        ScheduledGame {
            number: index + 1,
            pair: pair + 1,
            leg: leg as u32,
            players,
            seed: rng::derive(self.seed, pair),
            start: self.starts[(start % self.starts.len() as u64) as usize],
        }
    }
}

/// Part of a plan: every `of`-th pair, so that parts have the same pairs when a
/// match is extended. Pairs are never split, and games keep their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    part: u64,
    of: u64,
}

/// A text is not a [`Shard`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected K/N with K from 1 to N, such as 1/4")]
pub struct ShardError;

impl Shard {
    pub const WHOLE: Shard = Shard { part: 1, of: 1 };

    /// Whether the shard contains this pair, numbered from 1.
    pub fn holds(self, pair: u64) -> bool {
        pair % self.of == self.part % self.of
    }

    /// Number of games of a plan in this shard.
    pub fn games(self, plan: &SchedulePlan) -> u64 {
        let pairs = plan.len() / u64::from(plan.games.max(1));
        (pairs + self.of - self.part) / self.of * u64::from(plan.games)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let (part, of) = text.split_once('/').ok_or(ShardError)?;
        let read = |text: &str| text.parse::<u32>().map(u64::from).map_err(|_| ShardError);
        let (part, of) = (read(part)?, read(of)?);
        match (1..=of).contains(&part) {
            true => Ok(Shard { part, of }),
            false => Err(ShardError),
        }
    }
}

#[cfg(test)]
mod tests {
    use foglight_rules::Game;

    use super::*;

    fn plan(contestants: usize, format: Format) -> SchedulePlan {
        SchedulePlan {
            contestants,
            format,
            rounds: 3,
            games: 2,
            repeat: true,
            starts: vec![Game::fog().start()],
            seed: 7,
        }
    }

    #[test]
    fn everybody_meets_everybody_with_both_colours() {
        let plan = plan(4, Format::RoundRobin);
        assert_eq!(plan.len(), 6 * 3 * 2);
        for white in 0..4 {
            for black in (0..4).filter(|&black| black != white) {
                let met = (0..plan.len())
                    .map(|i| plan.fixture(i))
                    .filter(|f| f.players == ByColor { white, black });
                assert_eq!(met.count(), 3);
            }
        }
    }

    #[test]
    fn one_sided_matches_are_one_sided() {
        let plan = SchedulePlan {
            games: 1,
            ..plan(3, Format::FirstBlack)
        };
        assert_eq!(plan.len(), 2 * 3);
        let seeds: Vec<u64> = (0..plan.len())
            .map(|i| {
                let fixture = plan.fixture(i);
                assert_eq!(fixture.players.black, 0);
                fixture.seed
            })
            .collect();
        assert!(seeds.windows(2).all(|two| two[0] != two[1]));
    }

    #[test]
    fn a_pair_shares_start_and_seed_and_swaps_colours() {
        let plan = plan(3, Format::Gauntlet);
        assert_eq!(plan.len(), 2 * 3 * 2);
        for pair in 0..plan.len() / 2 {
            let (a, b) = (plan.fixture(2 * pair), plan.fixture(2 * pair + 1));
            assert_eq!((a.pair, a.seed, a.start), (b.pair, b.seed, b.start));
            assert_eq!(a.players.into_swapped(), b.players);
            assert_ne!(a.leg, b.leg);
            assert!(a.players.white == 0 || a.players.black == 0);
        }
    }
    #[test]
    fn shards_share_the_pairs_out() {
        for plan in [plan(2, Format::RoundRobin), plan(4, Format::Gauntlet)] {
            for of in 1..=12 {
                let shards: Vec<Shard> = (1..=of)
                    .map(|part| format!("{part}/{of}").parse().expect("a shard"))
                    .collect();
                let mut all = 0;
                for shard in &shards {
                    let fixtures = (0..plan.len()).map(|i| plan.fixture(i));
                    let held = fixtures.filter(|fixture| shard.holds(fixture.pair));
                    assert_eq!(held.count() as u64, shard.games(&plan));
                    all += shard.games(&plan);
                }
                assert_eq!(all, plan.len());
                assert!(shards[0].games(&plan) - shards[of - 1].games(&plan) <= 2);
            }
        }
        assert_eq!(Shard::WHOLE, "1/1".parse().expect("a shard"));
        for text in [
            "",
            "1",
            "0/2",
            "3/2",
            "1/0",
            "a/2",
            "-1/2",
            "1/2/3",
            "1/99999999999",
        ] {
            assert_eq!(text.parse::<Shard>(), Err(ShardError), "{text}");
        }
    }
}
