//! `foglight uci`: the engine protocol on standard input and output.

use std::io::{self, BufReader};

use clap::Args;
use foglight_engine::registry;
use foglight_play::Spec;
use foglight_uci::{
    Protocol,
    engine::{self, ServerSetup},
};

use crate::{failure::CliError, providers};

/// Speaks UCI, and its dialect for fog and dice (docs/protocol.md).
#[derive(Args)]
#[command(
    after_help = "Example:\n  printf 'position startpos moves e2e4\\ngo movetime 100\\n' | foglight uci --agent greedy"
)]
pub(crate) struct Uci {
    /// The agent, until the option Agent is set [default: the strongest of the
    /// game]
    #[arg(long, value_name = "NAME:KEY=VALUE,...")]
    agent: Option<String>,

    /// JSON lines instead of UCI text
    #[arg(long)]
    jsonl: bool,
}

impl Uci {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let agent: Option<Spec> = match &self.agent {
            Some(text) => Some(text.parse().map_err(CliError::input)?),
            None => None,
        };
        if let Some(spec) = &agent {
            registry::check(spec).map_err(CliError::input)?;
        }
        let setup = ServerSetup {
            protocol: match self.jsonl {
                true => Protocol::Jsonl,
                false => Protocol::Uci,
            },
            agent,
            providers: providers::all(),
            build: None,
        };
        engine::run(BufReader::new(io::stdin()), io::stdout(), setup)?;
        Ok(())
    }
}
