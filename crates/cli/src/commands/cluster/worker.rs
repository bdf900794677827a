//! `foglight worker`: takes work from a cluster.

use std::{sync::Arc, time::Duration};

use clap::Args;
use foglight_cluster::{ServeOptions, serve};

use super::{cluster_failure, identity, jobs::Opener};
use crate::{
    commands::matches::{
        args::flag::{Flag, flags, short},
        interrupt_flag,
    },
    failure::CliError,
};

/// Takes units of work from a NATS server until Ctrl-C, which gives unfinished
/// units back.
#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct WorkerArgs {
    /// Address of the server
    #[arg(value_name = "URL")]
    url: String,

    /// The flags; see the example
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, num_args = 0..)]
    words: Vec<String>,
}

const EXAMPLE: &str = "\
Example:
  foglight worker nats://127.0.0.1:4222 -concurrency 2

  -concurrency N   units at a time [1]
  -name NAME       letters, digits and '_' [the machine's name]
  -allow PROGRAM   outside engine that cmd= may start, as matches write it; repeat for
                   more; 'stockfish' is also for agents that use it
  -unit-minutes N  the longest time of a unit [60]
  -memory MIB      the most memory of this process

Credentials are read from NATS_USER and NATS_PASSWORD, NATS_TOKEN, NATS_NKEY or
NATS_CREDS (files), certificates from NATS_CA, NATS_CERT and NATS_KEY.";

const FLAGS: &str = "-concurrency -name -allow -unit-minutes -memory";

/// Parsed flags.
#[derive(Debug, PartialEq)]
struct Flags {
    concurrency: usize,
    name: Option<String>,
    allowed: Vec<String>,
    longest: Duration,
    memory: Option<u64>,
}

impl Flags {
    fn parse(words: &[String]) -> Result<Flags, String> {
        let mut read = Flags {
            concurrency: 1,
            name: None,
            allowed: Vec::new(),
            longest: Duration::from_secs(3600),
            memory: None,
        };
        for flag in flags(words, FLAGS)? {
            match flag.name {
                "concurrency" => read.concurrency = within(&flag, 1, 1024)? as usize,
                "name" => read.name = Some(named(&flag)?),
                "allow" => read.allowed.extend(flag.values.iter().cloned()),
                "unit-minutes" => {
                    read.longest = Duration::from_secs(60 * within(&flag, 1, 1440)?);
                }
                "memory" => read.memory = Some(within(&flag, 64, 1 << 24)?),
                other => return Err(format!("-{}: expected one of {FLAGS}", short(other))),
            }
        }
        Ok(read)
    }
}

fn within(flag: &Flag<'_>, least: u64, most: u64) -> Result<u64, String> {
    let expected = format!("a whole number from {least} to {most}");
    let number = flag.number(&expected)?;
    match (least..=most).contains(&number) {
        true => Ok(number),
        false => Err(format!("-{} {number}: expected {expected}", flag.name)),
    }
}

fn named(flag: &Flag<'_>) -> Result<String, String> {
    let name = flag.one()?;
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match (1..=40).contains(&name.len()) && name.chars().all(fits) {
        true => Ok(name.to_owned()),
        false => Err(format!(
            "-name {}: expected up to 40 letters, digits and '_'",
            short(name)
        )),
    }
}

/// The machine's name as far as it fits.
fn machine_name() -> String {
    let name = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let fits = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = name.trim().chars().take(40).map(fits).collect();
    match name.is_empty() {
        true => "worker".to_owned(),
        false => name,
    }
}

impl WorkerArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let flags = Flags::parse(&self.words).map_err(CliError::Input)?;
        if let Some(memory) = flags.memory {
            limit_memory(memory << 20)?;
        }
        let stop = interrupt_flag()?;
        let identity = identity();
        let opener = Opener {
            allowed: flags.allowed,
            speed: identity.speed,
        };
        let options = ServeOptions {
            name: flags.name.unwrap_or_else(machine_name),
            identity,
            slots: flags.concurrency,
            longest: flags.longest,
        };
        let tell = |line: &str| eprintln!("foglight: {line}");
        serve(&self.url, &options, Arc::new(opener), &stop, &tell).map_err(cluster_failure)
    }
}

/// Lets the system refuse more memory: the unit that needs it fails with this
/// process, and callers set it aside.
#[cfg(target_os = "linux")]
fn limit_memory(bytes: u64) -> Result<(), CliError> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limit = Rlimit {
        current: Some(bytes),
        maximum: Some(bytes),
    };
    setrlimit(Resource::Data, limit)
        .map_err(|error| CliError::input(format!("-memory: {error}; expected a lower limit")))
}

#[cfg(not(target_os = "linux"))]
fn limit_memory(_: u64) -> Result<(), CliError> {
    Err(CliError::input("-memory: expected a Linux system"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Flags, String> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        Flags::parse(&words)
    }

    #[test]
    fn flags_are_read() {
        let read = parse("-concurrency 2 -name a_1 -allow /bin/x y -allow z -memory 512");
        let read = read.expect("flags");
        assert_eq!((read.concurrency, read.name.as_deref()), (2, Some("a_1")));
        assert_eq!(read.allowed, ["/bin/x", "y", "z"]);
        assert_eq!(read.memory, Some(512));
        for (text, expected) in [
            ("-concurrency 0", "1 to 1024"),
            ("-concurrency x", "1 to 1024"),
            ("-name a.b", "digits"),
            ("-memory 1", "64"),
            ("-unit-minutes 0", "1 to 1440"),
            ("-speed 3", "expected one of -concurrency"),
            ("here", "expected one of -concurrency"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
