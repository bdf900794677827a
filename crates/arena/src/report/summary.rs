//! Summaries of games for a report, grouped by rules and match-up. A hundred
//! thousand records shrink to a few megabytes.

use std::collections::BTreeMap;

use foglight_engine::dice::luck::{Adjusted, Scored};
use foglight_rules::{ByColor, Color, Game, HALFMOVE_LIMIT, Sight, Termination};

use super::{
    ReportOptions, Source, believed, coverage::BeliefCoverage, openings::OpeningStats, text::short,
};
use crate::{
    luck,
    record::{GameRecord, PlayerInfo},
    stats::{GameScore, Pentanomial, Summary, Wdl, rating::Crosstable},
};

/// Telemetry metric with the size of an agent's belief.
pub const BELIEF: &str = "belief";

/// Length up to which a name is shown in full.
const MAX_NAME: usize = 40;

#[derive(Clone, PartialEq, Debug)]
pub struct GameSummary {
    /// Agents, by index in the group.
    pub players: ByColor<usize>,
    /// Score of the game for White.
    pub for_white: GameScore,
    pub reason: Termination,
    pub plies: u32,
    /// File and pair of the game.
    pub pair: (usize, u64),
    /// The last evaluation that each side reported, in centipawns.
    pub last_scores: ByColor<Option<i32>>,
    /// White's luck with the dice.
    pub luck: Option<f64>,
}

impl GameSummary {
    pub fn winner(&self) -> Option<Color> {
        match self.for_white {
            GameScore::Draw => None,
            GameScore::Win => Some(Color::White),
            GameScore::Loss => Some(Color::Black),
        }
    }

    /// The result for an agent; White's if it played itself.
    pub(crate) fn for_agent(&self, agent: usize) -> GameScore {
        match self.players.white == agent {
            true => self.for_white,
            false => self.for_white.flipped(),
        }
    }
}

/// All games under the same rules.
pub struct EntrantGroup {
    /// Rules, for a heading.
    pub title: String,
    /// Whether the game is played with dice.
    pub dice: bool,
    /// Unique names of the agents.
    pub names: Vec<String>,
    /// Agents with their options and limits.
    pub agents: Vec<PlayerInfo>,
    /// Finished games, in the order of the files and their numbers.
    pub games: Vec<GameSummary>,
    /// Games without a result.
    pub unfinished: u64,
    /// Belief sizes by agent and ply.
    pub beliefs: Vec<BTreeMap<u32, Vec<f64>>>,
    /// Coverage of the beliefs, by agent.
    pub checks: Vec<BeliefCoverage>,
    /// First moves, and means of the agents' metrics.
    pub habits: OpeningStats,
}

/// The games of two agents, or of one with itself.
pub struct Matchup<'a> {
    /// Agents, by index in the group.
    pub agents: (usize, usize),
    pub names: (&'a str, &'a str),
    pub games: Vec<&'a GameSummary>,
}

/// Groups the games of all files.
pub fn gather(sources: &[Source<'_>], options: &ReportOptions<'_>) -> Vec<EntrantGroup> {
    let mut groups: Vec<(String, EntrantGroup)> = Vec::new();
    for (file, source) in sources.iter().enumerate() {
        let mut records: Vec<&GameRecord> = source.records.iter().collect();
        records.sort_by_key(|record| record.number);
        let mut index = BTreeMap::new();
        for record in records {
            let title = title(&record.record.game);
            let at = *index
                .entry(title)
                .or_insert_with_key(|title| group_index(&mut groups, title, &record.record.game));
            groups[at].1.add(file, record, options);
        }
    }
    let mut groups: Vec<EntrantGroup> = groups.into_iter().map(|(_, group)| group).collect();
    groups.iter_mut().for_each(EntrantGroup::tell_apart);
    groups
}

fn group_index(groups: &mut Vec<(String, EntrantGroup)>, title: &str, game: &Game) -> usize {
    let known = groups.iter().position(|(known, _)| known == title);
    known.unwrap_or_else(|| {
        groups.push((title.to_owned(), EntrantGroup::new(title.to_owned(), game)));
        groups.len() - 1
    })
}

/// Text of the rules: results are comparable only if it is equal.
fn title(game: &Game) -> String {
    let mut title = game.to_string();
    for side in Color::ALL {
        if game.sight(side) == Sight::Full {
            title.push_str(side.fold_wb(", White sees all", ", Black sees all"));
        }
    }
    match game.halfmove_limit() {
        Some(HALFMOVE_LIMIT) => {}
        Some(plies) => title.push_str(&format!(", draw after {plies} quiet moves")),
        None => title.push_str(", no draw by quiet moves"),
    }
    title
}

impl EntrantGroup {
    fn new(title: String, game: &Game) -> EntrantGroup {
        EntrantGroup {
            title,
            dice: game.has_dice(),
            names: Vec::new(),
            agents: Vec::new(),
            games: Vec::new(),
            unfinished: 0,
            beliefs: Vec::new(),
            checks: Vec::new(),
            habits: OpeningStats::default(),
        }
    }

    fn agent(&mut self, named: &PlayerInfo) -> usize {
        let known = self.agents.iter().position(|known| known == named);
        known.unwrap_or_else(|| {
            self.agents.push(named.clone());
            self.beliefs.push(BTreeMap::new());
            self.checks.push(BeliefCoverage::default());
            self.agents.len() - 1
        })
    }

    fn add(&mut self, file: usize, record: &GameRecord, options: &ReportOptions<'_>) {
        let Some(outcome) = record.record.outcome else {
            self.unfinished += 1;
            return;
        };
        let players = ByColor {
            white: self.agent(&record.players.white),
            black: self.agent(&record.players.black),
        };
        let movers = match record.telemetry.is_empty() {
            true => Vec::new(),
            false => record.movers(),
        };
        for row in &record.telemetry {
            let Some(&side) = movers.get(row.ply as usize) else {
                continue;
            };
            self.checks[*players.get(side)].add(&row.metrics);
            let told = row.metrics.get(BELIEF).filter(|size| size.is_finite());
            if let (Some(&size), None) = (told, options.beliefs) {
                let sizes = &mut self.beliefs[*players.get(side)];
                sizes.entry(row.ply).or_default().push(size);
            }
        }
        if let Some(cap) = options.beliefs {
            for (ply, side, size) in believed::sizes(&record.record, cap) {
                let sizes = &mut self.beliefs[*players.get(side)];
                sizes.entry(ply).or_default().push(size as f64);
            }
        }
        self.habits.add(record, players, &movers);
        self.games.push(GameSummary {
            players,
            for_white: match outcome.winner {
                None => GameScore::Draw,
                Some(Color::White) => GameScore::Win,
                Some(Color::Black) => GameScore::Loss,
            },
            reason: outcome.reason,
            plies: record.plies() as u32,
            pair: (file, record.pair),
            last_scores: record.last_scores(&movers),
            luck: options.luck.and_then(|luck| luck(record)),
        });
    }

    /// Makes the agents' names unique: agents with equal names are
    /// distinguished by their options, and if these are equal too, by a number.
    fn tell_apart(&mut self) {
        let mut names: Vec<String> = Vec::with_capacity(self.agents.len());
        for agent in &self.agents {
            let alone = self
                .agents
                .iter()
                .filter(|other| other.name == agent.name)
                .count()
                == 1;
            let full = match alone {
                true => agent.name.clone(),
                false => {
                    let how = format!("{} {}", agent.agent, agent.limits);
                    format!("{} ({})", agent.name, how.trim())
                }
            };
            let full = short(full.trim(), MAX_NAME);
            let mut name = if full.is_empty() {
                "nameless".to_owned()
            } else {
                full.clone()
            };
            let mut number = 2;
            while names.contains(&name) {
                name = format!("{full} #{number}");
                number += 1;
            }
            names.push(name);
        }
        self.names = names;
    }

    /// Match-ups in the order of their first game.
    pub fn matchups(&self) -> Vec<Matchup<'_>> {
        let mut order: Vec<Matchup> = Vec::new();
        let mut index: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for game in &self.games {
            let (white, black) = (game.players.white, game.players.black);
            let key = (white.min(black), white.max(black));
            let at = *index.entry(key).or_insert_with(|| {
                order.push(Matchup {
                    agents: key,
                    names: (&self.names[key.0], &self.names[key.1]),
                    games: Vec::new(),
                });
                order.len() - 1
            });
            order[at].games.push(game);
        }
        order
    }

    /// Results of every agent against every other.
    pub(crate) fn crosstable(&self) -> Crosstable {
        let mut table = Crosstable::new(self.names.len());
        for game in &self.games {
            let (white, black) = (game.players.white, game.players.black);
            if white != black {
                table.record(white, black, game.for_white);
            }
        }
        table
    }
}

/// White's wins, draws and losses.
pub fn white<'a>(games: impl IntoIterator<Item = &'a GameSummary>) -> Wdl {
    let mut wdl = Wdl::default();
    games
        .into_iter()
        .for_each(|game| wdl.record(game.for_white));
    wdl
}

impl Matchup<'_> {
    /// Whether one agent plays itself. Then only colours can be compared.
    pub fn is_self(&self) -> bool {
        self.agents.0 == self.agents.1
    }

    /// Results of the first agent, in order.
    pub fn outcomes(&self) -> impl Iterator<Item = GameScore> {
        self.games.iter().map(|game| game.for_agent(self.agents.0))
    }

    /// Wins, draws and losses of the first agent.
    pub fn wdl(&self) -> Wdl {
        let mut wdl = Wdl::default();
        self.outcomes().for_each(|outcome| wdl.record(outcome));
        wdl
    }

    /// White's wins, draws and losses.
    pub fn white(&self) -> Wdl {
        white(self.games.iter().copied())
    }

    /// Pairs of games with colours swapped, from the first agent's side.
    pub fn pairs(&self) -> Pentanomial {
        let mut by_pair: BTreeMap<(usize, u64), Vec<&GameSummary>> = BTreeMap::new();
        for game in &self.games {
            by_pair.entry(game.pair).or_default().push(game);
        }
        let mut pairs = Pentanomial::default();
        for games in by_pair.values() {
            if let [one, two] = games[..]
                && one.players.white == two.players.black
                && one.players.black == two.players.white
            {
                pairs.record(one.for_agent(self.agents.0), two.for_agent(self.agents.0));
            }
        }
        pairs
    }

    /// The summary that a match prints: by pairs if at least nine tenths of the
    /// games are paired.
    pub fn summary(&self) -> Summary {
        let pairs = self.pairs();
        let games = self.games.len() as u64;
        match pairs.pairs() > 0 && (games - 2 * pairs.pairs()) * 10 <= games {
            true => Summary::of_pairs(pairs, None),
            false => Summary::of_games(self.wdl(), None),
        }
    }

    /// The raw and luck-adjusted score of the first agent, if the luck of every
    /// game is known.
    pub fn adjusted(&self) -> Option<Adjusted> {
        let scored = |game: &&GameSummary| {
            let first = game.players.white == self.agents.0;
            let luck = game.luck?;
            let scored = Scored {
                score: game.for_agent(self.agents.0).points(),
                luck: if first { luck } else { -luck },
            };
            Some((game.pair, scored))
        };
        let games: Option<Vec<_>> = self.games.iter().map(scored).collect();
        luck::adjusted(games?.into_iter())
    }
}
