//! Merges the journals of the shards of one match into one journal.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::{Path, PathBuf},
    sync::Arc,
};

use foglight_rules::{ByColor, Color, Game};

use crate::{
    journal::{self, JournalError},
    luck,
    record::{GameRecord, PlayerInfo},
    schedule::SchedulePlan,
    stamp::Stamp,
    stats::Sprt,
    tally::Standing,
};

/// Reasons for which journals do not belong to one match.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// No journal contains a finished game.
    #[error("no finished game in these journals; expected at least one")]
    Empty,
    /// A game does not name the plan of its match.
    #[error(
        "{path}: game {number} does not tell the plan of its match; expected a journal of foglight match -jsonout"
    )]
    NoPlan { path: PathBuf, number: u64 },
    /// The journals contain games of two matches.
    #[error("{path}: is of another match than {first} ({what}); expected journals of one plan")]
    OtherPlan {
        path: PathBuf,
        /// File that `path` is compared with.
        first: PathBuf,
        what: &'static str,
    },
    /// A game is not part of its own plan.
    #[error("{path}: game {number} is not the one of its plan ({what})")]
    Unplanned {
        path: PathBuf,
        number: u64,
        what: &'static str,
    },
    /// Two journals contain different moves for the same game.
    #[error(
        "game {number} was played in {first} and otherwise in {path}; expected one course of each game"
    )]
    Differs {
        number: u64,
        first: PathBuf,
        path: PathBuf,
    },
}

/// A game as read from a journal.
struct Played {
    line: String,
    record: GameRecord,
    /// Index of the first file that contains the game.
    file: usize,
}

/// Games of one match, from one or several journals.
pub struct Merged {
    stamp: Arc<Stamp>,
    plan: SchedulePlan,
    games: BTreeMap<u64, Played>,
}

/// Reads journals and orders their games by number. A game that several
/// journals contain with the same moves counts once: thinking times may differ.
pub fn merge(paths: &[PathBuf]) -> Result<Merged, MergeError> {
    let mut stamp: Option<(Arc<Stamp>, &Path)> = None;
    let mut games = BTreeMap::new();
    for (file, path) in paths.iter().enumerate() {
        let lines = journal::read_lines(path)?;
        let Some(own) = stamp_of(path, &lines)? else {
            continue;
        };
        let (first, known) = stamp.get_or_insert((own.clone(), path));
        if let Some(what) = first.differs(&own) {
            return Err(MergeError::OtherPlan {
                path: path.clone(),
                first: known.to_owned(),
                what,
            });
        }
        for (line, record) in lines {
            let played = Played { line, record, file };
            add(&mut games, played, paths)?;
        }
    }
    let start = games
        .values()
        .next()
        .map(|played| played.record.record.start);
    let (Some((stamp, _)), Some(start)) = (stamp, start) else {
        return Err(MergeError::Empty);
    };
    let plan = stamp.plan(start);
    let merged = Merged { stamp, plan, games };
    merged.check(paths)?;
    Ok(merged)
}

/// The plan of a journal. An extended match has games under both plans; the
/// longer plan covers all of them.
fn stamp_of(path: &Path, lines: &[(String, GameRecord)]) -> Result<Option<Arc<Stamp>>, MergeError> {
    let mut longest: Option<Arc<Stamp>> = None;
    for (_, record) in lines {
        let Some(stamp) = &record.plan else {
            return Err(MergeError::NoPlan {
                path: path.to_owned(),
                number: record.number,
            });
        };
        let known = longest.get_or_insert(stamp.clone());
        let as_long = Stamp {
            rounds: known.rounds,
            ..(**stamp).clone()
        };
        if let Some(what) = known.differs(&as_long) {
            return Err(MergeError::OtherPlan {
                path: path.to_owned(),
                first: path.to_owned(),
                what,
            });
        }
        if stamp.rounds > known.rounds {
            longest = Some(stamp.clone());
        }
    }
    Ok(longest)
}

fn add(
    games: &mut BTreeMap<u64, Played>,
    played: Played,
    paths: &[PathBuf],
) -> Result<(), MergeError> {
    match games.entry(played.record.number) {
        Entry::Vacant(place) => {
            place.insert(played);
            Ok(())
        }
        Entry::Occupied(place) => {
            let (ours, theirs) = (&place.get().record, &played.record);
            if (&ours.record, &ours.players) == (&theirs.record, &theirs.players) {
                return Ok(());
            }
            Err(MergeError::Differs {
                number: played.record.number,
                first: paths[place.get().file].clone(),
                path: paths[played.file].clone(),
            })
        }
    }
}

impl Merged {
    /// Checks that every game is part of the plan.
    fn check(&self, paths: &[PathBuf]) -> Result<(), MergeError> {
        for (&number, played) in &self.games {
            let wrong = |what| MergeError::Unplanned {
                path: paths[played.file].clone(),
                number,
                what,
            };
            if number == 0 || number > self.plan.len() {
                return Err(wrong("no such number"));
            }
            let (record, fixture) = (&played.record, self.plan.fixture(number - 1));
            let names = fixture.players.map(|one| self.stamp.engines[one].as_str());
            if names != record.players.as_ref().map(|named| named.name.as_str()) {
                return Err(wrong("other players"));
            }
            if (record.pair, record.leg, record.seed) != (fixture.pair, fixture.leg, fixture.seed) {
                return Err(wrong("another pair or seed"));
            }
        }
        Ok(())
    }

    pub fn game(&self) -> Game {
        let first = self.games.values().next();
        first.expect("there is a game").record.record.game
    }

    /// The plan that all games share.
    pub fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    /// The contestants in the order of the plan. For a contestant without a
    /// game only the name is known.
    pub fn players(&self) -> Vec<PlayerInfo> {
        let named = |name: &String| {
            let sides = self
                .games
                .values()
                .flat_map(|played| Color::ALL.map(|side| played.record.players.get(side)));
            let mut found = sides.filter(|named| named.name == *name);
            found.next().cloned().unwrap_or_else(|| PlayerInfo {
                name: name.clone(),
                agent: String::new(),
                limits: String::new(),
            })
        };
        self.stamp.engines.iter().map(named).collect()
    }

    /// Number of games in the plan.
    pub fn planned(&self) -> u64 {
        self.plan.len()
    }

    /// Numbers of the games that no journal contains, as inclusive ranges.
    pub fn missing(&self) -> Vec<(u64, u64)> {
        let mut ranges = Vec::new();
        let mut next = 1;
        for number in self.games.keys().copied().chain([self.plan.len() + 1]) {
            if number > next {
                ranges.push((next, number - 1));
            }
            next = number + 1;
        }
        ranges
    }

    /// Counts the results as the match itself would. The sequential test sees
    /// the pairs in the order of the plan and ends at the same pair.
    pub fn tally(&self, sprt: Option<&Sprt>) -> Standing {
        let mut tally = Standing::new(self.stamp.games);
        for (&number, played) in &self.games {
            let players: ByColor<usize> = self.plan.fixture(number - 1).players;
            let luck = luck::of_white(&played.record.record);
            tally.add(number, players, &played.record, luck);
        }
        if let Some(sprt) = sprt {
            tally.test(sprt);
        }
        tally
    }

    /// The merged journal, in the order of the plan.
    pub fn journal(&self) -> String {
        let lines = self.games.values().flat_map(|played| [&played.line, "\n"]);
        lines.collect()
    }
}
