//! The one list of agents, and how a name becomes an agent.

use foglight_play::{ConfiguredAgent, Entry, Options, Providers, Spec, SpecError};
use foglight_rules::Game;

use crate::agents;

/// Every agent. To add one: a file in `agents/` and a line here.
pub const AGENTS: &[Entry] = &[
    agents::random::ENTRY,
    agents::greedy::ENTRY,
    agents::ensemble::ENTRY,
    agents::classic::ENTRY,
    agents::goal::ENTRY,
    agents::expectiminimax::ENTRY,
    agents::mcts::ENTRY,
    agents::dice::ENTRY,
    agents::ubsa::ENTRY,
    agents::pbsa::ENTRY,
    agents::thesis::ENTRY,
    agents::qmdp::ENTRY,
    agents::pomcp::ENTRY,
    agents::despot::ENTRY,
    agents::metaposition::ENTRY,
    agents::foglight::ENTRY,
];

/// The entry with a name, or an error that lists the valid ones.
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

/// Checks that a spec names an agent and only options that it has, whatever
/// the game.
pub fn check(spec: &Spec) -> Result<(), SpecError> {
    Options::check(spec, find(&spec.name)?.options).map(drop)
}

/// Builds the agent that a spec names, for a game.
pub fn build(
    spec: &Spec,
    game: &Game,
    providers: &Providers,
) -> Result<ConfiguredAgent, SpecError> {
    let entry = find(&spec.name)?;
    let options = Options::check(spec, entry.options)?;
    entry.configure(&options, game, providers)
}
