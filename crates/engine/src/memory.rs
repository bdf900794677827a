//! Upper bounds on the memory of agents, so that a server can refuse one before
//! it is built.

use foglight_play::Options;

use crate::agents::foglight::{
    NODE_BYTES,
    levels::{LEVELS, StrengthLevel},
};

const MIB: u64 = 1 << 20;
/// Bytes for a position in a belief, with the set of its successors.
const POSITION: u64 = 64;

/// Bytes that an agent with these options uses at most. `tree` bounds its
/// search tree, see [`Providers::tree`](foglight_play::Providers::tree).
pub fn most(agent: &str, options: &Options, tree: usize) -> u64 {
    let tree = tree as u64;
    let table = || options.whole("hash").unwrap_or(0) * MIB;
    let belief = || options.whole("max-positions").unwrap_or(0) * POSITION;
    match agent {
        "random" | "greedy" | "goal" => MIB / 16,
        "metaposition" | "thesis" | "expectiminimax" => 2 * MIB,
        "classic" | "dice" => 8 * MIB + table(),
        "mcts" => MIB + tree,
        "pomcp" => 12 * MIB + belief() + tree,
        "foglight" => 12 * MIB + foglight(options, tree),
        "ubsa" => 16 * MIB,
        "pbsa" | "despot" => 16 * MIB + belief(),
        _ => 48 * MIB,
    }
}

fn foglight(options: &Options, tree: u64) -> u64 {
    let level = options.whole("level");
    let level = level.and_then(|level| LEVELS.get(level as usize - 1));
    let set = |name: &str, of_level: fn(&StrengthLevel) -> u64| {
        let given = options.given(name).and_then(|text| text.parse().ok());
        given.or(level.map(of_level))
    };
    let nodes = set("nodes", |level| level.nodes);
    let nodes = nodes.map_or(tree, |nodes| {
        nodes.saturating_mul(NODE_BYTES as u64 * 3 / 2)
    });
    let positions = set("max-positions", |level| level.max_positions as u64);
    nodes.min(tree) + positions.unwrap_or(400_000) * POSITION
}

#[cfg(test)]
mod tests {
    use foglight_play::Spec;

    use super::*;
    use crate::registry::AGENTS;

    #[test]
    fn every_agent_has_a_bound() {
        for entry in AGENTS {
            let spec: Spec = entry.name.parse().expect("a spec");
            let options = Options::check(&spec, entry.options).expect("no options");
            let most = most(entry.name, &options, 64 << 20);
            assert!(
                (MIB / 16..256 * MIB).contains(&most),
                "{}: {most}",
                entry.name
            );
        }
    }
}
