//! Which agents may be asked for over the network, and how they are offered.

use std::{sync::Arc, time::Duration};

use foglight_engine::registry::{self, AGENTS};
use foglight_play::{Agent, Entry, InProcess, Providers, Spec, SpecError, Values, spec::COMMON};
use foglight_rules::Game;
use serde::Serialize;

use crate::domain::GameKind;

/// The longest text of a spec.
const MAX_SPEC: usize = 200;

/// The longest that a move of an agent may take, whatever its options say: a
/// node of one agent costs a thousand times that of another.
pub(crate) const MAX_MOVE_TIME: Duration = Duration::from_secs(10);

/// Why an agent cannot be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AgentError {
    /// Not an agent, or not for this game.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An option that would reach outside or take too much.
    #[error("agent '{agent}', option '{option}': expected {expected} here")]
    Option {
        agent: String,
        option: String,
        expected: String,
    },
    #[error("expected an agent of at most {MAX_SPEC} characters")]
    Long,
}

/// Makes an agent of a spec that was checked.
pub(crate) type BuildAgent =
    dyn Fn(&Spec, &Game, &Providers) -> Result<Box<dyn Agent>, SpecError> + Send + Sync;

/// Makes the agents of a server.
#[derive(Clone)]
pub struct AgentFactory {
    providers: Providers,
    build: Arc<BuildAgent>,
}

impl AgentFactory {
    /// Those of the registry.
    pub fn new(providers: Providers) -> AgentFactory {
        AgentFactory::of(providers, |spec, game, providers| {
            Ok(Box::new(registry::build(spec, game, providers)?))
        })
    }

    /// Those that `build` makes.
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

    /// The agent that a visitor asked for, if [`check`] lets it.
    pub fn build(&self, text: &str, game: &Game) -> Result<InProcess, AgentError> {
        self.make(&check(text, game)?, game)
    }

    /// The agent of a stored game. What was allowed when it began may be so no
    /// longer: then it plays on with as much as is allowed now.
    pub(crate) fn rebuild(&self, text: &str, game: &Game) -> Result<InProcess, AgentError> {
        self.make(&within_bounds(text)?, game)
    }

    /// The agent of who runs the server, who may set every option.
    pub(crate) fn build_trusted(&self, text: &str, game: &Game) -> Result<InProcess, AgentError> {
        self.make(&text.parse()?, game)
    }

    fn make(&self, spec: &Spec, game: &Game) -> Result<InProcess, AgentError> {
        Ok(InProcess((self.build)(spec, game, &self.providers)?))
    }
}

/// The spec of an agent that visitors may ask for in this game: its options are
/// set to nothing but what [`OptionInfo::visitors`](foglight_play::OptionInfo::visitors)
/// allows.
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

fn within_bounds(text: &str) -> Result<Spec, SpecError> {
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

/// What visitors may set an option to.
fn visitors(entry: &Entry, key: &str) -> Option<Values> {
    let mut known = entry.options.iter().chain(&COMMON);
    known.find(|info| info.name == key)?.visitors()
}

/// The value, or the nearest that is allowed; `None` for the default.
fn reduced(allowed: Values, value: String) -> Option<String> {
    match allowed {
        Values::Whole(_, most) if value.parse().is_ok_and(|asked: u64| asked > most) => {
            Some(most.to_string())
        }
        _ => allowed.accepts(&value).then_some(value),
    }
}

/// Does the spec bound its own thinking?
pub(crate) fn is_bounded(text: &str) -> bool {
    text.parse().is_ok_and(|spec: Spec| {
        ["ms", "nodes", "level"]
            .iter()
            .any(|key| spec.options.contains_key(*key))
    })
}

/// An opponent for people who do not know the agents.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BotLevel {
    /// From 1, the weakest.
    pub level: u32,
    /// A name for it.
    pub name: &'static str,
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
pub fn levels(game: &Game) -> Vec<BotLevel> {
    let list = LEVELS.iter().find(|(name, _)| *name == game.name());
    let list = list.map_or(&[][..], |(_, list)| list);
    let there = list.iter().filter(|(_, agent)| check(agent, game).is_ok());
    there
        .zip(1..)
        .map(|(&(name, agent), level)| BotLevel { level, name, agent })
        .collect()
}

/// Who advises in practice games: the strongest level.
pub(crate) fn advisor(game: &Game) -> &'static str {
    levels(game).last().map_or("random", |level| level.agent)
}

/// An agent and what may be set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct AgentInfo {
    name: &'static str,
    about: &'static str,
    games: Vec<GameKind>,
    options: Vec<AgentOption>,
}

/// Something that may be set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct AgentOption {
    name: &'static str,
    values: String,
    default: Option<&'static str>,
    about: &'static str,
}

/// The agents with what may be set, for lists.
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

    /// What is allowed can be made, so that no game begins without its player.
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
            ("pbsa:analyser=stockfish", "option 'judge': expected search"),
            ("foglight:preset=paper", "option 'preset': expected own"),
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

    /// What was stored under wider bounds is brought within those of today.
    #[test]
    fn stored_agents_are_reduced_to_what_is_allowed() {
        let spec = "pbsa:nodes-per-board=10000000,eval=/etc/passwd,gone=1,analyser=stockfish,aggregate=single,top=0";
        let spec = within_bounds(spec).expect("an agent");
        assert_eq!(
            spec.to_string(),
            "pbsa:nodes-per-board=10000,aggregate=single"
        );
        assert!(allowed(&spec.to_string()).is_ok());
        assert!(within_bounds("nobody").is_err());
    }
}
