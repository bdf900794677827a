//! The work that a worker knows how to do, within what its owner allows.

use std::sync::Arc;

use foglight_arena::{
    attack::{ATTACK, ATTACK_SEARCH, AttackCount, PlanSearches},
    queue::{JsonWork, RemoteJob},
    remote::{MATCH, RemoteEntrant},
    tournament::Tournament,
};
use foglight_cluster::{FullTask, OpenJob};
use foglight_research::dmu::DmuGames;
use serde::de::DeserializeOwned;

use super::host::Host;
use crate::{
    commands::{train, verify},
    failure::CliError,
};

/// A list of a command that workers can do: it follows from its options.
pub(in crate::commands) trait Listed:
    JsonWork<Options: DeserializeOwned> + Send + Sized + 'static
{
    fn open(options: Self::Options, host: Host) -> Result<Self, CliError>;
}

/// Opens the tasks of this program.
pub(super) struct Opener {
    /// External programs that may be started.
    pub(super) allowed: Vec<String>,
    /// Speed of this machine.
    pub(super) speed: f64,
}

impl OpenJob for Opener {
    fn open(&self, full: &FullTask) -> Result<Arc<dyn RemoteJob>, String> {
        let host = Host::of_task(full, &self.allowed, self.speed);
        let text = full.task.text.as_str();
        let entrant = |one: &RemoteEntrant, game| host.entrant(one, game);
        match full.task.kind.as_str() {
            MATCH => Ok(Arc::new(Tournament {
                time_scale: host.scale(),
                ..Tournament::from_task(text, entrant)?
            })),
            ATTACK => {
                let attack = AttackCount::from_task(text, &entrant)?;
                match attack.engine.limits.are_timed() && host.scale() != 1.0 {
                    true => {
                        Err("limits in time; expected a machine as fast as the caller's".into())
                    }
                    false => Ok(Arc::new(attack)),
                }
            }
            ATTACK_SEARCH => Ok(Arc::new(PlanSearches::from_task(text, &entrant)?)),
            verify::BeliefGames::KIND => listed::<verify::BeliefGames>(text, host),
            verify::RetentionGames::KIND => listed::<verify::RetentionGames>(text, host),
            verify::ReviewGames::KIND => listed::<verify::ReviewGames>(text, host),
            DmuGames::KIND => listed::<DmuGames>(text, host),
            train::DataGames::KIND => listed::<train::DataGames>(text, host),
            other => Err(format!(
                "this build does not know work of the kind '{other}'"
            )),
        }
    }
}

fn listed<L: Listed>(text: &str, host: Host) -> Result<Arc<dyn RemoteJob>, String> {
    let options = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let list = L::open(options, host).map_err(|error| error.to_string())?;
    Ok(Arc::new(list))
}
