//! The list of all agents, and construction of an agent from its spec.

use foglight_play::{ConfiguredAgent, Entry, Options, Providers, Spec, SpecError};
use foglight_rules::{Color, Game, Variant};

use crate::agents::{self, papers};

/// Every agent. A new agent needs a file in `agents/` and a line here.
pub const AGENTS: &[Entry] = &[
    agents::random::ENTRY,
    agents::greedy::ENTRY,
    papers::ensemble::ENTRY,
    agents::classic::ENTRY,
    papers::goal::ENTRY,
    papers::expectiminimax::ENTRY,
    papers::mcts::ENTRY,
    agents::dice::ENTRY,
    papers::ubsa::ENTRY,
    papers::pbsa::ENTRY,
    papers::thesis::ENTRY,
    papers::qmdp::ENTRY,
    papers::pomcp::ENTRY,
    papers::despot::ENTRY,
    papers::metaposition::ENTRY,
    agents::foglight::ENTRY,
];

/// Returns the entry of that name, or an error that lists the valid names.
pub fn find(name: &str) -> Result<&'static Entry, SpecError> {
    AGENTS
        .iter()
        .find(|entry| entry.name == name)
        .ok_or_else(|| {
            let names: Vec<&str> = AGENTS.iter().map(|entry| entry.name).collect();
            SpecError::Agent {
                name: name.to_owned(),
                valid: names.join(", "),
            }
        })
}

/// The strongest agent for a game, according to the matches in docs/chess.md,
/// docs/dice.md and docs/strength.md.
pub fn strongest(game: &Game) -> Spec {
    let text = match game.variant() {
        Variant::Dice1 | Variant::Dice3 => "dice",
        Variant::Fog(_) if !Color::ALL.into_iter().all(|side| game.has_full_view(side)) => {
            "foglight"
        }
        Variant::Chess | Variant::Fog(_) => "classic:eval=network",
    };
    text.parse().expect("an agent")
}

/// Checks that a spec names a known agent and only options of that agent,
/// independent of the game.
pub fn check(spec: &Spec) -> Result<(), SpecError> {
    Options::check(spec, find(&spec.name)?.options).map(drop)
}

/// Builds the agent named by a spec; fails if it does not play the game.
pub fn build(
    spec: &Spec,
    game: &Game,
    providers: &Providers,
) -> Result<ConfiguredAgent, SpecError> {
    let entry = find(&spec.name)?;
    let options = Options::check(spec, entry.options)?;
    entry.configure(&options, game, providers)
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicU64, Ordering},
        time::Duration,
    };

    use foglight_play::{Agent as _, Budget, TimeSource, Values, spec::COMMON};
    use foglight_rules::{Action, State, Turn};

    use super::*;

    #[test]
    fn every_game_has_a_strongest_agent() {
        for game in Game::ALL {
            assert!(build(&strongest(&game), &game, &Providers::default()).is_ok());
        }
        assert_eq!(
            strongest(&Game::chess()).to_string(),
            "classic:eval=network"
        );
        assert_eq!(strongest(&Game::fog()).to_string(), "foglight");
        assert_eq!(strongest(&Game::dice1()).to_string(), "dice");
        assert_eq!(strongest(&Game::dice3()).to_string(), "dice");
    }

    /// A clock that advances by one millisecond at each reading.
    const TICKING: TimeSource = TimeSource(|| {
        static TICKS: AtomicU64 = AtomicU64::new(0);
        Duration::from_millis(TICKS.fetch_add(1, Ordering::Relaxed))
    });

    /// A node limit worth minutes of search stops after a few clock readings.
    #[test]
    fn no_agent_takes_longer_than_the_longest() {
        for entry in AGENTS {
            let mut games = Game::ALL.into_iter();
            let game = games.find(|game| (entry.plays)(game)).expect("a game");
            let mut state = State::start(game);
            if state.turn() == Turn::Chance {
                let (roll, _) = game.chance_outcomes(state.position())[0];
                state.play(Action::Roll(roll)).expect("a roll");
            }
            let spec = format!("{}:nodes=1000000000", entry.name);
            let spec = spec.parse().expect("a spec");
            let mut agent = build(&spec, &game, &Providers::default()).expect("an agent");
            agent.start(&game, Color::White, 1);
            let mut budget = Budget::default().timed(TICKING);
            budget.longest = Some(Duration::from_millis(20));
            agent.act(&state.observe(Color::White), &budget);
        }
    }

    /// Values open to visitors are a subset of all values and include every
    /// default. They exclude free text, other programs and pondering.
    #[test]
    fn visitors_get_a_part_of_what_there_is() {
        let mut closed = 0;
        let own = AGENTS.iter();
        let own = own.flat_map(|entry| entry.options.iter().map(|option| (entry.name, option)));
        for (agent, option) in own.chain(COMMON.iter().map(|option| ("all", option))) {
            let Some(open) = option.visitors() else {
                closed += 1;
                continue;
            };
            let part = match (open, option.values) {
                (Values::Choice(some), Values::Choice(all)) => {
                    let outside =
                        |word: &str| word == "stockfish" || (agent, word) == ("foglight", "paper");
                    let mut words = some.iter();
                    words.all(|word| all.contains(word) && !outside(word))
                }
                (Values::Whole(low, most), Values::Whole(least, high)) => {
                    low == least && most <= high
                }
                (open, all) => open == all && all != Values::Text,
            };
            assert!(part, "{}", option.name);
            assert_ne!(option.name, "ponder");
            let default = option.default;
            assert!(
                default.is_empty() || open.accepts(default),
                "{}",
                option.name
            );
        }
        assert!(closed > 0, "some options name files");
    }

    /// Every alias leads to an option and a value that its agent has now.
    #[test]
    fn aliases_lead_to_present_options() {
        for alias in foglight_play::aliases::ALIASES {
            let entry = find(alias.agent).expect("an agent");
            let option = entry
                .options
                .iter()
                .find(|info| info.name == alias.option[1]);
            let option = option.unwrap_or_else(|| panic!("{alias:?}"));
            if let Some([old, new]) = alias.value {
                assert!(option.values.accepts(new), "{alias:?}");
                let text = option.values == Values::Text;
                assert!(text || !option.values.accepts(old), "{alias:?}");
            }
        }
    }
}
