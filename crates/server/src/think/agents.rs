//! Which agents may be asked for over the network, and how they are offered.

use foglight_engine::{
    Player, Providers, Spec, SpecError,
    registry::{self, AGENTS},
    spec::{COMMON, OptionInfo, Values},
};
use foglight_rules::Game;
use serde::Serialize;

use crate::wire::GameName;

/// The longest text of a spec.
const MAX_SPEC: usize = 200;
/// The most that a visitor may ask for.
const MOST: [(&str, u64); 8] = [
    ("ms", 10_000),
    ("nodes", 5_000_000),
    ("threads", 2),
    ("depth", 4),
    ("hash", 64),
    ("cap", 200_000),
    ("samples", 500),
    ("particles", 5_000),
];

/// Why an agent cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// Not an agent, or not for this game.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An option that would reach outside or take too much.
    #[error("agent '{agent}', option '{option}': expected {expected} here")]
    Option {
        /// Which agent.
        agent: String,
        /// Which option.
        option: String,
        /// What is allowed.
        expected: String,
    },
    /// Too long.
    #[error("expected an agent of at most {MAX_SPEC} characters")]
    Long,
}

/// Builds the agent that a visitor asked for. Options that name files or
/// programs, or that take more than a visitor may have, are refused.
pub fn build(text: &str, game: &Game, providers: &Providers) -> Result<Player, AgentError> {
    let spec = check(text)?;
    Ok(registry::build(&spec, game, providers)?)
}

fn check(text: &str) -> Result<Spec, AgentError> {
    if text.len() > MAX_SPEC {
        return Err(AgentError::Long);
    }
    let spec: Spec = text.parse()?;
    registry::check(&spec)?;
    let entry = registry::find(&spec.name)?;
    for (key, value) in &spec.options {
        let refuse = |expected: String| AgentError::Option {
            agent: spec.name.clone(),
            option: key.clone(),
            expected,
        };
        let known = entry.options.iter().chain(&COMMON);
        let mut reaches_out = known.filter(|info| info.name == key).map(is_outside);
        if reaches_out.next() == Some(true) {
            return Err(refuse("no file or program".into()));
        }
        let most = MOST.iter().find(|(name, _)| name == key);
        if let Some((_, most)) = most
            && value.parse().is_ok_and(|asked: u64| asked > *most)
        {
            return Err(refuse(format!("at most {most}")));
        }
    }
    Ok(spec)
}

fn is_outside(option: &OptionInfo) -> bool {
    matches!(option.values, Values::Text)
}

/// Does the spec bound its own thinking?
pub fn is_bounded(text: &str) -> bool {
    text.parse().is_ok_and(|spec: Spec| {
        ["ms", "nodes", "level"]
            .iter()
            .any(|key| spec.options.contains_key(*key))
    })
}

/// An opponent for people who do not know the agents.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Level {
    /// From 1, the weakest.
    pub level: u32,
    /// A name for it.
    pub name: &'static str,
    /// What plays.
    pub agent: &'static str,
}

/// Who plays at which level, the weakest first. Those that this build has not
/// are left out.
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
pub fn levels(game: &Game) -> Vec<Level> {
    let list = LEVELS.iter().find(|(name, _)| *name == game.name());
    let list = list.map_or(&[][..], |(_, list)| list);
    let there = list.iter().filter(|(_, agent)| {
        let plays = |spec: Spec| (registry::find(&spec.name).ok()?.plays)(game).then_some(());
        check(agent).ok().and_then(plays).is_some()
    });
    there
        .zip(1..)
        .map(|(&(name, agent), level)| Level { level, name, agent })
        .collect()
}

/// Who advises in practice games: the strongest level.
pub fn advisor(game: &Game) -> &'static str {
    levels(game).last().map_or("random", |level| level.agent)
}

/// An agent and what may be set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AgentInfo {
    name: &'static str,
    about: &'static str,
    games: Vec<GameName>,
    options: Vec<AgentOption>,
}

/// Something that may be set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AgentOption {
    name: &'static str,
    values: String,
    default: Option<&'static str>,
    about: &'static str,
}

/// The agents with what may be set, for lists.
pub fn describe() -> Vec<AgentInfo> {
    let entries = AGENTS.iter().map(|entry| {
        let options = entry.options.iter().chain(&COMMON);
        let options = options.filter(|option| !is_outside(option));
        let options = options.map(|option| AgentOption {
            name: option.name,
            values: option.values.to_string(),
            default: (!option.default.is_empty()).then_some(option.default),
            about: option.about,
        });
        let games = Game::ALL.iter().filter(|game| (entry.plays)(game));
        let mut games: Vec<GameName> = games.map(GameName::from).collect();
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
    fn every_game_has_levels_that_can_be_built() {
        for game in Game::ALL {
            let levels = levels(&game);
            assert!(levels.len() >= 4, "{game}: {levels:?}");
            for level in levels {
                let built = build(level.agent, &game, &Providers::default());
                assert!(built.is_ok(), "{game}: {}", level.agent);
            }
        }
    }

    #[test]
    fn nothing_reaches_outside_or_takes_too_much() {
        let refused = |text: &str| check(text).expect_err("refused").to_string();
        assert!(refused("classic:ms=10001").contains("at most 10000"));
        assert!(refused("random:threads=200").contains("at most 2"));
        let mut tried = 0;
        for entry in AGENTS {
            for option in entry.options.iter().filter(|option| is_outside(option)) {
                let text = format!("{}:{}=/etc/passwd", entry.name, option.name);
                assert!(refused(&text).contains("no file or program"), "{text}");
                tried += 1;
            }
        }
        assert!(tried > 0, "some agent reads files");
        assert!(refused(&"x".repeat(201)).contains("200"));
    }
}
