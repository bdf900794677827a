//! The work that a worker knows how to do, within what its owner allows.

use std::{io, sync::Arc};

use foglight_arena::{
    queue::RemoteJob,
    remote::{MATCH, RemoteEntrant},
    tournament::{MatchEntrant, Tournament},
};
use foglight_cluster::{FullTask, OpenJob};
use foglight_play::{Limits, Player, Providers, Spec};
use foglight_rules::Game;
use foglight_uci::client::UciEngine;

use crate::{commands::matches::maker, providers};

/// Bounds of the factor by which times are scaled.
const SCALES: (f64, f64) = (0.1, 10.0);
/// Speeds that differ less are the same machine measured twice.
const SAME_SPEED: f64 = 0.1;
/// The name by which agents' own Stockfish is allowed.
const STOCKFISH: &str = "stockfish";

/// Opens the tasks of this program.
pub(super) struct Opener {
    /// External programs that may be started.
    pub(super) allowed: Vec<String>,
    /// Speed of this machine.
    pub(super) speed: f64,
}

impl OpenJob for Opener {
    fn open(&self, full: &FullTask) -> Result<Arc<dyn RemoteJob>, String> {
        match full.task.kind.as_str() {
            MATCH => Ok(Arc::new(self.tournament(full)?)),
            other => Err(format!("work of the kind '{other}'; expected {MATCH}")),
        }
    }
}

impl Opener {
    fn tournament(&self, full: &FullTask) -> Result<Tournament, String> {
        let scale = self.scale(full.speed);
        let entrant = |one: &RemoteEntrant, game| self.entrant(one, game, full, scale);
        let tournament = Tournament::from_task(&full.task.text, entrant)?;
        Ok(Tournament {
            time_scale: scale,
            ..tournament
        })
    }

    /// How much longer this machine takes than that of the caller.
    fn scale(&self, theirs: f64) -> f64 {
        let scale = theirs / self.speed;
        match (scale - 1.0).abs() < SAME_SPEED || !scale.is_finite() {
            true => 1.0,
            false => scale.clamp(SCALES.0, SCALES.1),
        }
    }

    fn entrant(
        &self,
        one: &RemoteEntrant,
        game: Game,
        full: &FullTask,
        scale: f64,
    ) -> Result<MatchEntrant, String> {
        let limits: Limits = one
            .limits
            .parse()
            .map_err(|e| format!("{}: {e}", one.name))?;
        let (name, agent) = (one.name.clone(), one.agent.clone());
        let Some(engine) = &one.engine else {
            let mut spec: Spec = agent.parse().map_err(|e| format!("{e}"))?;
            scale_time(&mut spec, scale);
            let make = maker(spec, game, self.providers(full)).map_err(|e| e.to_string())?;
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
        match self.allowed.iter().any(|allowed| allowed == command) {
            true => Ok(()),
            false => Err(format!(
                "cmd={command} is not allowed here; expected a program of its -allow"
            )),
        }
    }

    /// What agents get: the files of the task and none of this machine.
    fn providers(&self, full: &FullTask) -> Providers {
        let files = full.files.clone();
        let all = providers::all();
        Providers {
            read: Some(Arc::new(move |path: &str| {
                let missing = || io::Error::other("not a file of the task");
                files.get(path).cloned().ok_or_else(missing)
            })),
            stockfish: all.stockfish.filter(|_| self.allow(STOCKFISH).is_ok()),
            tables: None,
            tree: all.tree,
            time: all.time,
        }
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
        let opener = Opener {
            allowed: Vec::new(),
            speed: 100.0,
        };
        for (theirs, scale) in [(100.0, 1.0), (108.0, 1.0), (250.0, 2.5), (5.0, 0.1)] {
            assert_eq!(opener.scale(theirs), scale);
        }
        let mut spec: Spec = "foglight:ms=100".parse().expect("a spec");
        scale_time(&mut spec, 2.5);
        assert_eq!(spec.to_string(), "foglight:ms=250");
    }

    #[test]
    fn only_allowed_programs_are_started() {
        let opener = Opener {
            allowed: vec!["/usr/games/stockfish".to_owned()],
            speed: 1.0,
        };
        assert!(opener.allow("/usr/games/stockfish").is_ok());
        for command in ["stockfish", "/usr/games/../games/stockfish", "sh", ""] {
            let why = opener.allow(command).expect_err(command);
            assert!(why.contains("-allow"), "{why}");
        }
    }
}
