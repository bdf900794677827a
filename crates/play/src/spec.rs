//! Agent specs: `name` or `name:key=value,key=value`.

use std::{collections::BTreeMap, fmt, str::FromStr};

use crate::aliases;

/// Set of values that an option accepts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Values {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A switch: `on` or `off`.
    Switch,
    /// A whole number in a range, both ends included.
    Whole(u64, u64),
    /// A number in a range, both ends included.
    Number(f64, f64),
    /// Any text: a file, a command.
    Text,
}

impl Values {
    /// Whether the value is accepted.
    pub fn accepts(self, value: &str) -> bool {
        match self {
            Values::Choice(words) => words.contains(&value),
            Values::Switch => matches!(value, "on" | "off"),
            Values::Whole(low, high) => value.parse().is_ok_and(|n: u64| (low..=high).contains(&n)),
            Values::Number(low, high) => {
                value.parse().is_ok_and(|n: f64| (low..=high).contains(&n))
            }
            Values::Text => true,
        }
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::Choice(words) => f.write_str(&words.join("|")),
            Values::Switch => f.write_str("on|off"),
            Values::Whole(low, u64::MAX) => write!(f, "whole number from {low}"),
            Values::Whole(low, high) => write!(f, "whole number {low} to {high}"),
            Values::Number(low, high) => write!(f, "number {low} to {high}"),
            Values::Text => f.write_str("text"),
        }
    }
}

/// Declaration of an agent's option.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OptionInfo {
    /// The key in specs.
    pub name: &'static str,
    /// The values that it accepts.
    pub values: Values,
    /// Value when the option is not set; empty for "none".
    pub default: &'static str,
    /// One line of description.
    pub about: &'static str,
    visitors: Option<Values>,
}

impl OptionInfo {
    /// Declares an option that visitors may not set. [`open`], [`up_to`] and
    /// [`choices`] open it to them, which must neither reach outside of this
    /// program nor cost much, even with all options of an agent at their bounds.
    ///
    /// [`open`]: OptionInfo::open
    /// [`up_to`]: OptionInfo::up_to
    /// [`choices`]: OptionInfo::choices
    pub const fn new(
        name: &'static str,
        values: Values,
        default: &'static str,
        about: &'static str,
    ) -> OptionInfo {
        OptionInfo {
            name,
            values,
            default,
            about,
            visitors: None,
        }
    }

    /// Lets visitors set it to any value that it accepts.
    ///
    /// # Panics
    /// For text, which may name a file or a program, and for whole numbers,
    /// which need a bound.
    pub const fn open(mut self) -> OptionInfo {
        assert!(
            !matches!(self.values, Values::Text | Values::Whole(..)),
            "expected words or a number"
        );
        self.visitors = Some(self.values);
        self
    }

    /// Lets visitors set it to whole numbers up to `most`.
    ///
    /// # Panics
    /// If the option is not a whole number.
    pub const fn up_to(mut self, most: u64) -> OptionInfo {
        let Values::Whole(low, high) = self.values else {
            panic!("expected an option that takes whole numbers");
        };
        assert!(low <= most && most <= high, "expected a bound in the range");
        self.visitors = Some(Values::Whole(low, most));
        self
    }

    /// Lets visitors set it to some of its words.
    ///
    /// # Panics
    /// If the option is not a choice of words.
    pub const fn choices(mut self, words: &'static [&'static str]) -> OptionInfo {
        assert!(
            matches!(self.values, Values::Choice(_)),
            "expected an option that takes words"
        );
        self.visitors = Some(Values::Choice(words));
        self
    }

    /// The values that visitors of a server may set; `None` if they may not.
    pub const fn visitors(&self) -> Option<Values> {
        self.visitors
    }
}

/// Options that every agent has.
pub const COMMON: [OptionInfo; 4] = [
    OptionInfo::new(
        "ms",
        Values::Whole(1, 3_600_000),
        "",
        "milliseconds per move",
    )
    .up_to(10_000),
    OptionInfo::new(
        "nodes",
        Values::Whole(1, u64::MAX),
        "",
        "nodes per move; reproducible",
    )
    .up_to(5_000_000),
    OptionInfo::new(
        "threads",
        Values::Whole(1, 256),
        "1",
        "number of search threads",
    )
    .up_to(2),
    OptionInfo::new(
        "seed",
        Values::Whole(0, u64::MAX),
        "",
        "seed of the agent's random generator, instead of the game's",
    )
    .up_to(u64::MAX),
];

/// An agent's name and the options that were set.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Spec {
    /// The name in the registry.
    pub name: String,
    /// The options as written, after translation of aliases.
    pub options: BTreeMap<String, String>,
}

/// Error of a text that does not name an agent.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// Not of the form `name:key=value,...`.
    #[error("agent '{0}': expected name or name:key=value,key=value")]
    Form(String),
    /// An agent that is not in the registry.
    #[error("no agent '{name}'; expected one of {valid}")]
    Agent {
        /// The name that was not found.
        name: String,
        /// The names that exist.
        valid: String,
    },
    /// An option that the agent does not have.
    #[error("agent '{agent}' has no option '{option}'; expected one of {valid}")]
    Option {
        /// Name of the agent.
        agent: String,
        /// The option that was not found.
        option: String,
        /// The options that it has.
        valid: String,
    },
    /// An option with a value that it does not accept.
    #[error("agent '{agent}', option '{option}': '{value}'; expected {valid}")]
    Value {
        /// Name of the agent.
        agent: String,
        /// Name of the option.
        option: String,
        /// The value that was set.
        value: String,
        /// The values that it accepts.
        valid: String,
    },
    /// The agent does not play the game.
    #[error("agent '{agent}' does not play {game}; it plays {plays}")]
    Game {
        /// Name of the agent.
        agent: String,
        /// The game that was requested.
        game: String,
        /// The games that it plays.
        plays: String,
    },
    /// A resource that the agent needs is unavailable.
    #[error("agent '{agent}': {reason}")]
    Missing {
        /// Name of the agent.
        agent: String,
        /// The missing resource, and how to get it.
        reason: String,
    },
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let wrong = || SpecError::Form(text.chars().take(80).collect());
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            return Err(wrong());
        }
        let mut options = BTreeMap::new();
        for pair in rest.split(',').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').ok_or_else(wrong)?;
            if options.insert(key.to_owned(), value.to_owned()).is_some() {
                return Err(wrong());
            }
        }
        if !aliases::translate(name, &mut options) {
            return Err(wrong());
        }
        Ok(Spec {
            name: name.to_owned(),
            options,
        })
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.options.iter().enumerate() {
            let mark = if i == 0 { ':' } else { ',' };
            write!(f, "{mark}{key}={value}")?;
        }
        Ok(())
    }
}

/// The checked options of one agent, with their defaults.
#[derive(Clone, Debug)]
pub struct Options {
    known: Vec<OptionInfo>,
    set: BTreeMap<String, String>,
}

impl Options {
    /// Checks the options of a spec against the declared ones.
    pub fn check(spec: &Spec, own: &[OptionInfo]) -> Result<Options, SpecError> {
        let known: Vec<OptionInfo> = own.iter().chain(&COMMON).copied().collect();
        for (key, value) in &spec.options {
            let Some(info) = known.iter().find(|info| info.name == key) else {
                let names: Vec<&str> = known.iter().map(|info| info.name).collect();
                return Err(SpecError::Option {
                    agent: spec.name.clone(),
                    option: key.clone(),
                    valid: names.join(", "),
                });
            };
            if !info.values.accepts(value) {
                return Err(SpecError::Value {
                    agent: spec.name.clone(),
                    option: key.clone(),
                    value: value.clone(),
                    valid: info.values.to_string(),
                });
            }
        }
        Ok(Options {
            known,
            set: spec.options.clone(),
        })
    }

    /// The text of an option that was set; `None` if it has its default.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.set.get(name).map(String::as_str)
    }

    /// The text of an option, set or default.
    ///
    /// # Panics
    /// If the agent has not declared the option.
    pub fn text(&self, name: &str) -> &str {
        let info = self.known.iter().find(|info| info.name == name);
        let default = info.expect("the agent declares its options").default;
        self.given(name).unwrap_or(default)
    }

    /// Whether a switch is on.
    pub fn on(&self, name: &str) -> bool {
        self.text(name) == "on"
    }

    /// The value of a whole-number option; `None` if neither set nor defaulted.
    pub fn whole(&self, name: &str) -> Option<u64> {
        self.text(name).parse().ok()
    }

    /// The value of a number option.
    ///
    /// # Panics
    /// If the option has no default and was not set.
    pub fn number(&self, name: &str) -> f64 {
        self.text(name)
            .parse()
            .expect("a number option has a default")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: OptionInfo = OptionInfo::new("new", Values::Switch, "off", "nothing said");

    #[test]
    fn what_says_nothing_is_closed_to_visitors() {
        assert_eq!(PLAIN.visitors(), None);
        assert_eq!(PLAIN.open().visitors(), Some(Values::Switch));
    }

    #[test]
    #[should_panic(expected = "expected words or a number")]
    fn text_cannot_be_opened() {
        let _ = OptionInfo::new("file", Values::Text, "", "a file").open();
    }

    #[test]
    #[should_panic(expected = "expected words or a number")]
    fn counts_cannot_be_opened_without_a_bound() {
        let _ = OptionInfo::new("count", Values::Whole(1, 9), "", "a count").open();
    }
}
