//! One question, one answer: what to think of all that a side has seen.

use foglight_rules::{Game, Observation};

use crate::registry;
use foglight_play::{Agent, Budget, Providers, Report, Spec};

/// What the agent thinks after these observations of one side, in their order,
/// the last with that side to move: value, mix over moves, belief.
pub fn analyse(game: &Game, observations: &[Observation], budget: &Budget) -> Option<Report> {
    let last = observations
        .last()
        .filter(|last| !last.moves().is_empty())?;
    let spec: Spec = "foglight".parse().ok()?;
    let mut agent = registry::build(&spec, game, &Providers::default()).ok()?;
    agent.start(game, last.side(), 0);
    for observation in observations {
        agent.see(observation);
    }
    agent.act(last, budget);
    agent.report()
}
