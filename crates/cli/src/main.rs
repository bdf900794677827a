//! The foglight program: parses the command line, runs one command, and turns
//! errors into a message and an exit code.

mod commands;
mod draw;
mod failure;
mod files;
mod options;
mod providers;

use std::process::ExitCode;

use clap::Parser;

use commands::{Command, ENGINE, Serve};
use foglight_uci::client::launcher;

/// Play, study and build engines for chess under uncertainty.
#[derive(Parser)]
#[command(name = "foglight", version, after_help = WELCOME)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

/// First steps for new users.
const WELCOME: &str = "\
Without a command it serves the web app and prints its address.

Try:
  foglight moves --game chess
  foglight observe --game fog --side white
  foglight draw --game fog --side black --out board.svg
  foglight perft --game fog --depth 5
Every command explains itself: foglight COMMAND --help";

fn main() -> ExitCode {
    // Without its own path, engines outlive a program that is killed.
    if let Ok(program) = std::env::current_exe() {
        launcher::install(program, &[ENGINE]);
    }
    let result = match Cli::parse().command {
        Some(command) => command.run(),
        None => Serve::default().run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
