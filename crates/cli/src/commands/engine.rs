//! `foglight engine`, hidden: becomes an external engine that dies with its
//! runner.

use clap::Args;
use foglight_uci::client::launcher;

use crate::failure::CliError;

/// The name of this command, for the runner.
pub(crate) const NAME: &str = "engine";

/// Executes an engine in the place of this process.
#[derive(Args, Debug)]
pub(crate) struct BecomeEngine {
    /// Process id of the runner
    runner: u32,
    /// The program of the engine
    program: String,
    /// Its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

impl BecomeEngine {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let error = launcher::become_engine(self.runner, &self.program, &self.args);
        Err(CliError::Run(error.into()))
    }
}
