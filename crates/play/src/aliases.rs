//! Option names and values of earlier versions.
//!
//! Stored games and journals name agents with the options of their time, so
//! [`Spec`](crate::Spec) translates them during parsing. An alias belongs to an
//! agent and an option: the same word had different meanings for different
//! agents.

use std::collections::BTreeMap;

/// A renamed option, or a renamed value of an option.
#[derive(Clone, Copy, Debug)]
pub struct Alias {
    /// The agent that it belongs to.
    pub agent: &'static str,
    /// Old and new name of the option.
    pub option: [&'static str; 2],
    /// Old and new value, if a value was renamed.
    pub value: Option<[&'static str; 2]>,
}

const fn option(agent: &'static str, old: &'static str, new: &'static str) -> Alias {
    Alias {
        agent,
        option: [old, new],
        value: None,
    }
}

const fn value(
    agent: &'static str,
    option: &'static str,
    old: &'static str,
    new: &'static str,
) -> Alias {
    Alias {
        agent,
        option: [option, option],
        value: Some([old, new]),
    }
}

/// Every alias. Entries are permanent, since stored specs are.
pub const ALIASES: [Alias; 42] = [
    option("foglight", "carry", "reuse-tree"),
    option("foglight", "support", "max-support"),
    option("foglight", "sober", "assume-king-capture"),
    option("foglight", "cap", "max-positions"),
    option("foglight", "regrets", "regret-discount"),
    option("foglight", "grow", "expand-fraction"),
    option("foglight", "room", "max-reused"),
    option("foglight", "fresh", "resample-interval"),
    option("foglight", "floor", "reused-floor"),
    option("foglight", "trust", "min-weight"),
    option("ubsa", "samples", "worlds"),
    option("ubsa", "pick", "aggregate"),
    option("ubsa", "each", "nodes-per-board"),
    option("ubsa", "judge", "analyser"),
    option("pbsa", "samples", "worlds"),
    option("pbsa", "pick", "aggregate"),
    option("pbsa", "each", "nodes-per-board"),
    option("pbsa", "judge", "analyser"),
    option("pbsa", "cap", "max-positions"),
    option("pbsa", "greedy", "capture-prob"),
    option("qmdp", "regenerate", "reinvigorate"),
    option("qmdp", "restless", "repetition-penalty"),
    option("pomcp", "each", "nodes-per-leaf"),
    option("pomcp", "greedy", "capture-prob"),
    option("pomcp", "cap", "max-positions"),
    option("despot", "each", "nodes-per-leaf"),
    option("despot", "greedy", "capture-prob"),
    option("despot", "cap", "max-positions"),
    option("metaposition", "caution", "risk-weight"),
    option("metaposition", "curiosity", "exploration-weight"),
    option("metaposition", "hunt", "king-hunt-weight"),
    value("foglight", "preset", "own", "default"),
    value("greedy", "preset", "seed", "paper"),
    value("ubsa", "preset", "seed", "paper"),
    value("pbsa", "preset", "seed", "paper"),
    value("thesis", "preset", "seed", "paper"),
    value("qmdp", "preset", "seed", "paper"),
    value("ensemble", "preset", "learnt", "tuned"),
    value("ensemble", "preset", "seed", "paper"),
    value("ensemble", "book", "seed", "paper"),
    value("classic", "book", "seed", "paper"),
    value("pbsa", "belief", "weighed", "weighted"),
];

/// Translates the options of an agent to their current names and values. Returns
/// `false` if an option is set twice, by its old and its new name.
pub(crate) fn translate(agent: &str, options: &mut BTreeMap<String, String>) -> bool {
    for alias in ALIASES.iter().filter(|alias| alias.agent == agent) {
        let [old, new] = alias.option;
        match alias.value {
            Some([old, new]) => {
                if let Some(value) = options
                    .get_mut(alias.option[0])
                    .filter(|value| *value == old)
                {
                    *value = new.to_owned();
                }
            }
            None => {
                if let Some(value) = options.remove(old)
                    && options.insert(new.to_owned(), value).is_some()
                {
                    return false;
                }
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Spec;

    #[test]
    fn a_stored_spec_reads_as_the_present_one() {
        for alias in ALIASES {
            let [old, new] = alias.option;
            let [before, after] = alias.value.unwrap_or(["1", "1"]);
            let stored: Spec = format!("{}:{old}={before},seed=7", alias.agent)
                .parse()
                .expect("a spec");
            let present: Spec = format!("{}:{new}={after},seed=7", alias.agent)
                .parse()
                .expect("a spec");
            assert_eq!(stored, present, "{alias:?}");
            assert_eq!(stored.to_string(), present.to_string());
        }
    }

    #[test]
    fn an_alias_belongs_to_its_agent() {
        let thesis: Spec = "thesis:carry=on".parse().expect("a spec");
        assert_eq!(thesis.to_string(), "thesis:carry=on");
        let foglight: Spec = "foglight:carry=on".parse().expect("a spec");
        assert_eq!(foglight.to_string(), "foglight:reuse-tree=on");
    }

    #[test]
    fn old_and_new_name_together_are_refused() {
        assert!("foglight:carry=on,reuse-tree=off".parse::<Spec>().is_err());
    }
}
