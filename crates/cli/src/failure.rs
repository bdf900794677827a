//! Errors of commands, with their exit codes.

use std::{
    fmt::{self, Display},
    io::{self, Write},
    process::ExitCode,
};

/// Reason for which a command failed.
#[derive(Debug)]
pub(crate) enum CliError {
    /// Invalid input of the user: exit code 2.
    Input(String),
    /// Valid input, but the work failed: exit code 1.
    Run(anyhow::Error),
    /// The reader of the output has closed it: neither a message nor an error.
    ReaderGone,
}

impl CliError {
    /// Invalid input, with a message that says what was expected.
    pub(crate) fn input(message: impl Display) -> CliError {
        CliError::Input(message.to_string())
    }

    /// Writes the error to standard error and returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        let code = match self {
            CliError::Input(_) => 2,
            CliError::Run(_) => 1,
            CliError::ReaderGone => return ExitCode::SUCCESS,
        };
        // If standard error is closed too, the exit code must suffice.
        let _ = writeln!(io::stderr(), "foglight: {self}");
        ExitCode::from(code)
    }
}

impl Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CliError::Input(message) => f.write_str(message),
            CliError::Run(error) => write!(f, "{error:#}"),
            CliError::ReaderGone => f.write_str("the output is closed"),
        }
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
