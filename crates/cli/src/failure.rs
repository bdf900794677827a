//! What can go wrong in a command, and the exit code that says so.

use std::{
    fmt::Display,
    io::{self, Write},
    process::ExitCode,
};

/// Why a command did not end well.
#[derive(Debug)]
pub(crate) enum CliError {
    /// The user's input was wrong: exit code 2.
    Input(String),
    /// The input was fine but the work failed: exit code 1.
    Run(anyhow::Error),
    /// Whoever read the output has gone: nothing to say, and no fault of ours.
    ReaderGone,
}

impl CliError {
    /// Wrong input, with a message that says what was expected.
    pub(crate) fn input(message: impl Display) -> CliError {
        CliError::Input(message.to_string())
    }

    /// Says on standard error what went wrong and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        let (message, code) = match self {
            CliError::Input(message) => (message.clone(), 2),
            CliError::Run(error) => (format!("{error:#}"), 1),
            CliError::ReaderGone => return ExitCode::SUCCESS,
        };
        // If even standard error is closed, the exit code must be enough.
        let _ = writeln!(io::stderr(), "foglight: {message}");
        ExitCode::from(code)
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> CliError {
        match error.kind() {
            io::ErrorKind::BrokenPipe => CliError::ReaderGone,
            _ => CliError::Run(error.into()),
        }
    }
}

impl From<anyhow::Error> for CliError {
    fn from(error: anyhow::Error) -> CliError {
        CliError::Run(error)
    }
}
