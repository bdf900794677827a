//! `foglight agents`: the agents and their options.

use std::io::{self, Write};

use clap::Args;
use foglight_engine::registry::AGENTS;
use foglight_play::{Entry, OptionInfo, spec::COMMON};
use foglight_rules::Game;
use serde_json::{Value, json};

use crate::{failure::CliError, options::GameName};

/// Lists the agents with their options, defaults and games.
#[derive(Args)]
#[command(after_help = "Example:\n  foglight agents --game fog")]
pub(crate) struct Agents {
    /// Only agents that play this game
    #[arg(long, value_enum)]
    game: Option<GameName>,

    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Agents {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let entries: Vec<&Entry> = AGENTS.iter().filter(|entry| self.wants(entry)).collect();
        let mut out = io::stdout().lock();
        if self.json {
            let list: Vec<Value> = entries.iter().map(|entry| object(entry)).collect();
            writeln!(out, "{}", Value::from(list))?;
            return Ok(());
        }
        for entry in entries {
            writeln!(out, "{}  ({})", entry.name, games(entry).join(", "))?;
            writeln!(out, "    {}", entry.about)?;
            for option in entry.options {
                write_option(&mut out, option)?;
            }
        }
        writeln!(out, "every agent")?;
        for option in &COMMON {
            write_option(&mut out, option)?;
        }
        Ok(())
    }

    fn wants(&self, entry: &Entry) -> bool {
        let name = self.game.map(GameName::name);
        name.is_none_or(|name| games(entry).contains(&name))
    }
}

/// Names of the games that an agent plays.
fn games(entry: &Entry) -> Vec<&'static str> {
    let mut names: Vec<&str> = Game::ALL
        .iter()
        .filter(|game| (entry.plays)(game))
        .map(Game::name)
        .collect();
    names.dedup();
    names
}

fn write_option(out: &mut impl Write, option: &OptionInfo) -> io::Result<()> {
    let default = if option.default.is_empty() {
        "none"
    } else {
        option.default
    };
    writeln!(
        out,
        "    {}={} [{default}]  {}",
        option.name, option.values, option.about
    )
}

fn option_object(option: &OptionInfo) -> Value {
    json!({
        "name": option.name,
        "values": option.values.to_string(),
        "default": (!option.default.is_empty()).then_some(option.default),
        "about": option.about,
    })
}

fn object(entry: &Entry) -> Value {
    let options: Vec<Value> = entry
        .options
        .iter()
        .chain(&COMMON)
        .map(option_object)
        .collect();
    json!({
        "name": entry.name,
        "about": entry.about,
        "games": games(entry),
        "options": options,
    })
}
