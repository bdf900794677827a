//! The agents available over the network, and the limits of their options.

use std::{sync::Arc, time::Duration};

use foglight_engine::registry::{self, AGENTS};
use foglight_play::{Agent, Entry, InProcess, Providers, Spec, SpecError, Values, spec::COMMON};
use foglight_rules::Game;
use serde::Serialize;

use super::{memory::MAX_TREE, turn::PROCESSOR};
use crate::domain::GameKind;

/// Maximum length of a spec.
const MAX_SPEC: usize = 200;

/// Maximum time of an agent's move, whatever its options: nodes of one agent
/// cost a thousand times those of another.
pub(crate) const MAX_MOVE_TIME: Duration = Duration::from_secs(10);

/// Reasons why an agent cannot be built.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AgentError {
    /// Unknown agent, or it does not play this game.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An option that is closed to visitors or exceeds its limit.
    #[error("agent '{agent}', option '{option}': expected {expected} here")]
    Option {
        agent: String,
        option: String,
        expected: String,
    },
    #[error("expected an agent of at most {MAX_SPEC} characters")]
    Long,
}

/// Builds an agent from a checked spec.
pub(crate) type BuildAgent =
    dyn Fn(&Spec, &Game, &Providers) -> Result<Box<dyn Agent>, SpecError> + Send + Sync;

/// Builds the agents of a server.
#[derive(Clone)]
pub struct AgentFactory {
    providers: Providers,
    build: Arc<BuildAgent>,
}

impl AgentFactory {
    /// Builds agents from the registry.
    pub fn new(providers: Providers) -> AgentFactory {
        let providers = Providers {
            time: PROCESSOR,
            tree: Some(MAX_TREE),
            ..providers
        };
        AgentFactory::of(providers, |spec, game, providers| {
            Ok(Box::new(registry::build(spec, game, providers)?))
        })
    }

    /// Builds agents with `build`.
    pub fn of(
        providers: Providers,
        build: impl Fn(&Spec, &Game, &Providers) -> Result<Box<dyn Agent>, SpecError>
        + Send
        + Sync
        + 'static,
    ) -> AgentFactory {
        AgentFactory {
            providers,
            build: Arc::new(build),
        }
    }

    /// The agent requested by a visitor, if [`check`] accepts it. It gets one
    /// thread, so that it uses no processor but the one whose turn it has.
    pub fn build(&self, text: &str, game: &Game) -> Result<InProcess, AgentError> {
        self.make(&on_one_thread(check(text, game)?), game)
    }

    /// The agent of a stored game. Options beyond the current limits are
    /// reduced to them.
    pub(crate) fn rebuild(&self, text: &str, game: &Game) -> Result<InProcess, AgentError> {
        self.make(&on_one_thread(within_bounds(text)?), game)
    }

    /// The agent of the server's operator, who may set every option.
    pub(crate) fn build_trusted(&self, text: &str, game: &Game) -> Result<InProcess, AgentError> {
        self.make(&text.parse()?, game)
    }

    fn make(&self, spec: &Spec, game: &Game) -> Result<InProcess, AgentError> {
        Ok(InProcess((self.build)(spec, game, &self.providers)?))
    }
}

/// Parses a visitor's spec for this game. Options may take only the values that
/// [`OptionInfo::visitors`](foglight_play::OptionInfo::visitors) allows.
pub fn check(text: &str, game: &Game) -> Result<Spec, AgentError> {
    let spec = allowed(text)?;
    let entry = registry::find(&spec.name)?;
    if !(entry.plays)(game) {
        return Err(AgentError::Spec(SpecError::Game {
            agent: spec.name,
            game: game.to_string(),
            plays: entry.games().join(", "),
        }));
    }
    Ok(spec)
}

fn on_one_thread(mut spec: Spec) -> Spec {
    spec.options.remove("threads");
    spec
}

pub(super) fn within_bounds(text: &str) -> Result<Spec, SpecError> {
    let mut spec: Spec = text.parse()?;
    let entry = registry::find(&spec.name)?;
    let options = std::mem::take(&mut spec.options).into_iter();
    let kept = options.filter_map(|(key, value)| {
        let value = reduced(visitors(entry, &key)?, value)?;
        Some((key, value))
    });
    spec.options = kept.collect();
    Ok(spec)
}

fn allowed(text: &str) -> Result<Spec, AgentError> {
    if text.len() > MAX_SPEC {
        return Err(AgentError::Long);
    }
    let spec: Spec = text.parse()?;
    registry::check(&spec)?;
    let entry = registry::find(&spec.name)?;
    for (key, value) in &spec.options {
        let allowed = visitors(entry, key);
        if allowed.is_some_and(|values| values.accepts(value)) {
            continue;
        }
        return Err(AgentError::Option {
            agent: spec.name.clone(),
            option: key.clone(),
            expected: match allowed {
                None => "not to be set".to_owned(),
                Some(Values::Whole(_, most)) => format!("at most {most}"),
                Some(values) => values.to_string(),
            },
        });
    }
    Ok(spec)
}

/// Values that visitors may give an option.
fn visitors(entry: &Entry, key: &str) -> Option<Values> {
    let mut known = entry.options.iter().chain(&COMMON);
    known.find(|info| info.name == key)?.visitors()
}

/// The value, or the nearest allowed one; `None` for the default.
fn reduced(allowed: Values, value: String) -> Option<String> {
    match allowed {
        Values::Whole(_, most) if value.parse().is_ok_and(|asked: u64| asked > most) => {
            Some(most.to_string())
        }
        _ => allowed.accepts(&value).then_some(value),
    }
}

/// Whether this is the agent of a level with the level's settings: a rated
/// opponent.
pub(crate) fn is_listed(text: &str, game: &Game) -> bool {
    levels(game).iter().any(|level| level.agent == text)
}

/// Whether the spec limits its own search.
pub(crate) fn is_bounded(text: &str) -> bool {
    text.parse().is_ok_and(|spec: Spec| {
        ["ms", "nodes", "level"]
            .iter()
            .any(|key| spec.options.contains_key(*key))
    })
}

/// A preset opponent for people who do not know the agents.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BotLevel {
    /// From 1, the weakest.
    pub level: u32,
    /// Name shown to players.
    pub name: &'static str,
    pub agent: &'static str,
}

/// Agents of the levels, weakest first. Those missing from this build are
/// skipped.
const LEVELS: [(&str, &[(&str, &str)]); 4] = [
    (
        "fog",
        &[
            ("Beginner", "random"),
            ("Grabber", "greedy"),
            ("Spark", "foglight:level=1"),
            ("Match", "foglight:level=2"),
            ("Candle", "foglight:level=3"),
            ("Lantern", "foglight:level=4"),
            ("Torch", "foglight:level=5"),
            ("Lamp", "foglight:level=6"),
            ("Beacon", "foglight:level=7"),
            ("Searchlight", "foglight:level=8"),
            ("Lighthouse", "foglight:level=9"),
            ("Foglight", "foglight:level=10"),
        ],
    ),
    (
        "dice1",
        &[
            ("Beginner", "random"),
            ("Grabber", "greedy"),
            ("Counter", "expectiminimax:depth=2"),
            ("Sampler", "mcts:ms=300"),
            ("Gambler", "dice:ms=300"),
            ("Gambler, thinking", "dice:ms=1500"),
        ],
    ),
    (
        "dice3",
        &[
            ("Beginner", "random"),
            ("Grabber", "greedy"),
            ("Sampler", "mcts:ms=300"),
            ("Gambler", "dice:ms=300"),
            ("Gambler, thinking", "dice:ms=1500"),
        ],
    ),
    (
        "chess",
        &[
            ("Beginner", "random"),
            ("Grabber", "greedy"),
            ("Glancer", "classic:nodes=100"),
            ("Club", "classic:nodes=2000"),
            ("Expert", "classic:ms=300"),
            ("Master", "classic:ms=1500"),
        ],
    ),
];

/// The levels of a game.
pub fn levels(game: &Game) -> Vec<BotLevel> {
    let list = LEVELS.iter().find(|(name, _)| *name == game.name());
    let list = list.map_or(&[][..], |(_, list)| list);
    let there = list.iter().filter(|(_, agent)| check(agent, game).is_ok());
    there
        .zip(1..)
        .map(|(&(name, agent), level)| BotLevel { level, name, agent })
        .collect()
}

/// The adviser in practice games: the agent of the strongest level.
pub(crate) fn advisor(game: &Game) -> &'static str {
    levels(game).last().map_or("random", |level| level.agent)
}

/// An agent and its options.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct AgentInfo {
    name: &'static str,
    about: &'static str,
    games: Vec<GameKind>,
    options: Vec<AgentOption>,
}

/// An option of an agent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct AgentOption {
    name: &'static str,
    values: String,
    default: Option<&'static str>,
    about: &'static str,
}

/// All agents with the options open to visitors.
pub fn describe() -> Vec<AgentInfo> {
    let entries = AGENTS.iter().map(|entry| {
        let options = entry.options.iter().chain(&COMMON);
        let options = options.filter_map(|option| {
            Some(AgentOption {
                name: option.name,
                values: option.visitors()?.to_string(),
                default: (!option.default.is_empty()).then_some(option.default),
                about: option.about,
            })
        });
        let games = Game::ALL.iter().filter(|game| (entry.plays)(game));
        let mut games: Vec<GameKind> = games.map(GameKind::from).collect();
        games.dedup();
        AgentInfo {
            name: entry.name,
            about: entry.about,
            games,
            options: options.collect(),
        }
    });
    entries.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_levels() {
        for game in Game::ALL {
            let levels = levels(&game);
            assert!(levels.len() >= 4, "{game}: {levels:?}");
        }
    }

    /// Every accepted spec can be built, so that no game starts without its
    /// player.
    #[test]
    fn whatever_visitors_may_ask_for_can_be_built() {
        let agents = AgentFactory::new(Providers::default());
        let words = |values: Values| match values {
            Values::Choice(words) => words.to_vec(),
            Values::Switch => vec!["on", "off"],
            _ => Vec::new(),
        };
        for (game, entry) in Game::ALL
            .iter()
            .flat_map(|g| AGENTS.iter().map(move |e| (g, e)))
        {
            let mut specs = vec![entry.name.to_owned()];
            for option in entry.options {
                let words = option.visitors().map_or(Vec::new(), words);
                let set = words
                    .iter()
                    .map(|word| format!("{}:{}={word}", entry.name, option.name));
                specs.extend(set);
            }
            for spec in specs.iter().filter(|spec| check(spec, game).is_ok()) {
                let built = agents.build(spec, game);
                assert!(built.is_ok(), "{game}: {spec}: {:?}", built.err());
            }
        }
    }

    #[test]
    fn refusals_name_the_option_and_its_bound() {
        let refused = |text: &str| allowed(text).expect_err("refused").to_string();
        for (text, expected) in [
            ("classic:ms=10001", "option 'ms': expected at most 10000"),
            ("random:threads=200", "option 'threads': expected at most 2"),
            (
                "pbsa:analyser=stockfish",
                "option 'analyser': expected search",
            ),
            ("foglight:preset=paper", "option 'preset': expected default"),
            (
                "foglight:ponder=off",
                "option 'ponder': expected not to be set",
            ),
            ("classic:syzygy=", "option 'syzygy': expected not to be set"),
        ] {
            assert!(refused(text).contains(expected), "{}", refused(text));
        }
        assert!(refused(&"x".repeat(201)).contains("200"));
    }

    /// Stored options beyond the current limits are reduced.
    #[test]
    fn stored_agents_are_reduced_to_what_is_allowed() {
        let spec = "pbsa:nodes-per-board=10000000,eval=/etc/passwd,gone=1,analyser=stockfish,aggregate=single,top=0";
        let spec = within_bounds(spec).expect("an agent");
        assert_eq!(
            spec.to_string(),
            "pbsa:aggregate=single,nodes-per-board=10000"
        );
        assert!(allowed(&spec.to_string()).is_ok());
        assert!(within_bounds("nobody").is_err());
    }
}
