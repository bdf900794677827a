//! What the work of a list may use of a machine.

use std::{
    collections::BTreeMap,
    io,
    path::Path,
    sync::{Arc, Mutex},
};

use foglight_arena::{
    journal, record::GameRecord, remote::RemoteEntrant, tournament::MatchEntrant,
};
use foglight_cluster::FullTask;
use foglight_engine::registry;
use foglight_play::{Limits, Player, Providers, Spec};
use foglight_rules::Game;
use foglight_uci::client::UciEngine;

use crate::{commands::matches::maker, failure::CliError, files, providers};

/// Bounds of the factor by which times are scaled.
const SCALES: (f64, f64) = (0.1, 10.0);
/// Speeds that differ less are the same machine measured twice.
const SAME_SPEED: f64 = 0.1;
/// The name by which agents' own Stockfish is allowed.
const STOCKFISH: &str = "stockfish";

type Files = BTreeMap<String, Vec<u8>>;

/// What the work of a list may use: everything for a caller, and for a worker
/// what its owner allows and what came with the task.
pub(in crate::commands) struct Host {
    providers: Providers,
    /// External programs that may be started; all if `None`.
    allowed: Option<Vec<String>>,
    /// Factor of all time limits.
    scale: f64,
    /// What was read, if it is noted.
    read: Arc<Mutex<Files>>,
}

impl Host {
    /// This machine; with `notes`, what is read is noted.
    pub(in crate::commands) fn here(notes: bool) -> Host {
        let read: Arc<Mutex<Files>> = Arc::default();
        let all = providers::all();
        let open = all.read.clone().expect("this program reads files");
        let list = read.clone();
        let noting = move |path: &str| {
            let content = open(path)?;
            if notes {
                let mut list = list.lock().expect("inserting does not panic");
                list.insert(path.to_owned(), content.clone());
            }
            Ok(content)
        };
        Host {
            providers: Providers {
                read: Some(Arc::new(noting)),
                ..all
            },
            allowed: None,
            scale: 1.0,
            read,
        }
    }

    /// A worker of this speed: the files of the task and none of this machine.
    pub(super) fn of_task(full: &FullTask, allowed: &[String], speed: f64) -> Host {
        let files = full.files.clone();
        let all = providers::all();
        let mut host = Host {
            providers: Providers {
                read: Some(Arc::new(move |path: &str| {
                    let missing = || io::Error::other("not a file of the task");
                    files.get(path).cloned().ok_or_else(missing)
                })),
                tables: None,
                ..all
            },
            allowed: Some(allowed.to_owned()),
            scale: scale(full.speed, speed),
            read: Arc::default(),
        };
        if host.allow(STOCKFISH).is_err() {
            host.providers.stockfish = None;
        }
        host
    }

    pub(super) fn scale(&self) -> f64 {
        self.scale
    }

    pub(in crate::commands) fn providers(&self) -> &Providers {
        &self.providers
    }

    /// The files that were noted.
    pub(in crate::commands) fn files(&self) -> Files {
        let mut read = self.read.lock().expect("inserting does not panic");
        std::mem::take(&mut *read)
    }

    fn bytes(&self, path: &Path) -> Result<Vec<u8>, CliError> {
        let read = self.providers.read.as_ref().expect("a host reads files");
        let shown = path.to_string_lossy();
        read(&shown).map_err(|error| CliError::input(format!("{shown}: {error}")))
    }

    /// The text of a file, decompressed if its name ends with `.gz`.
    pub(in crate::commands) fn text(&self, path: &Path) -> Result<String, CliError> {
        files::text_of(path, self.bytes(path)?.as_slice())
    }

    /// The games of a journal.
    pub(in crate::commands) fn games(&self, path: &Path) -> Result<Vec<GameRecord>, CliError> {
        journal::read_bytes(path, self.bytes(path)?).map_err(CliError::input)
    }

    /// The spec of an agent that can be built here, for this machine's speed.
    pub(in crate::commands) fn spec(&self, agent: &str, game: &Game) -> Result<Spec, CliError> {
        let mut spec: Spec = agent.parse().map_err(CliError::input)?;
        scale_time(&mut spec, self.scale);
        registry::build(&spec, game, &self.providers).map_err(CliError::input)?;
        Ok(spec)
    }

    /// A contestant of a task.
    pub(super) fn entrant(&self, one: &RemoteEntrant, game: Game) -> Result<MatchEntrant, String> {
        let limits: Limits = one
            .limits
            .parse()
            .map_err(|e| format!("{}: {e}", one.name))?;
        let (name, agent) = (one.name.clone(), one.agent.clone());
        let Some(engine) = &one.engine else {
            let mut spec: Spec = agent.parse().map_err(|e| format!("{e}"))?;
            scale_time(&mut spec, self.scale);
            let make = maker(spec, game, self.providers.clone()).map_err(|e| e.to_string())?;
            return Ok(MatchEntrant {
                name,
                agent,
                limits,
                engine: None,
                make,
                reusable: false,
            });
        };
        self.allow(&engine.command)?;
        let launch = engine.config();
        UciEngine::launch(&launch).map_err(|fault| format!("{name} {fault}"))?;
        Ok(MatchEntrant {
            name,
            agent,
            limits,
            engine: Some(launch.clone()),
            make: Box::new(move || Ok(Box::new(UciEngine::launch(&launch)?) as Box<dyn Player>)),
            reusable: true,
        })
    }

    fn allow(&self, command: &str) -> Result<(), String> {
        let listed = |allowed: &Vec<String>| allowed.iter().any(|allowed| allowed == command);
        match self.allowed.as_ref().is_none_or(listed) {
            true => Ok(()),
            false => Err(format!(
                "cmd={command} is not allowed here; expected a program of its -allow"
            )),
        }
    }
}

/// How much longer this machine takes than that of the caller.
fn scale(theirs: f64, ours: f64) -> f64 {
    let scale = theirs / ours;
    match (scale - 1.0).abs() < SAME_SPEED || !scale.is_finite() {
        true => 1.0,
        false => scale.clamp(SCALES.0, SCALES.1),
    }
}

/// Scales the time that a spec gives to a move.
fn scale_time(spec: &mut Spec, scale: f64) {
    if let Some(ms) = spec.options.get_mut("ms")
        && let Ok(time) = ms.parse::<u64>()
    {
        *ms = ((time as f64 * scale).round() as u64).max(1).to_string();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_scaled_by_the_speed() {
        for (theirs, expected) in [(100.0, 1.0), (108.0, 1.0), (250.0, 2.5), (5.0, 0.1)] {
            assert_eq!(scale(theirs, 100.0), expected);
        }
        let mut spec: Spec = "foglight:ms=100".parse().expect("a spec");
        scale_time(&mut spec, 2.5);
        assert_eq!(spec.to_string(), "foglight:ms=250");
    }

    #[test]
    fn only_allowed_programs_are_started() {
        let host = Host {
            allowed: Some(vec!["/usr/games/stockfish".to_owned()]),
            ..Host::here(false)
        };
        assert!(host.allow("/usr/games/stockfish").is_ok());
        for command in ["stockfish", "/usr/games/../games/stockfish", "sh", ""] {
            let why = host.allow(command).expect_err(command);
            assert!(why.contains("-allow"), "{why}");
        }
    }

    #[test]
    fn a_worker_reads_the_files_of_the_task_and_no_others() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let caller = Host::here(true);
        let text = caller.text(Path::new(path)).expect("a file");
        let full = FullTask {
            task: foglight_arena::queue::Task {
                kind: String::new(),
                text: String::new(),
            },
            files: caller.files(),
            speed: 1.0,
        };
        let worker = Host::of_task(&full, &[], 1.0);
        assert_eq!(worker.text(Path::new(path)).expect("a file"), text);
        let other = concat!(env!("CARGO_MANIFEST_DIR"), "/src/main.rs");
        let error = worker.text(Path::new(other)).expect_err("refused");
        assert!(format!("{error:?}").contains("not a file of the task"));
        assert!(worker.providers().stockfish.is_none());
    }
}
