//! The engine under attack.

use std::time::Duration;

use clap::Args;
use foglight_arena::tournament::MatchEntrant;
use foglight_play::{Limits, Spec};
use foglight_rules::Game;

use crate::{
    commands::{
        cluster::{ClusterArgs, Hands, files_of},
        matches::{args::Engine, contestant},
    },
    failure::CliError,
};

/// Options that select the engine under attack.
#[derive(Args, Clone, Debug)]
pub(super) struct EngineOptions {
    /// The agent under attack, as `foglight agents` lists them
    #[arg(long, required_unless_present = "cmd", conflicts_with = "cmd")]
    agent: Option<String>,

    /// An external engine under attack: its program and arguments
    #[arg(long, value_name = "PROGRAM ARGS")]
    cmd: Option<String>,

    /// Nodes a move; repeats exactly with one thread
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Milliseconds a move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    ms: Option<u64>,
}

impl EngineOptions {
    /// The same engine, told that the game is a draw after `plies`: our `foglight`
    /// by its option, if it was told nothing else, and an external one where its
    /// arguments contain `{plies}`.
    pub(super) fn with_horizon(&self, plies: u32) -> EngineOptions {
        let told = |agent: &String| {
            let spec: Option<Spec> = agent.parse().ok();
            match spec {
                Some(mut spec) if spec.name == "foglight" => {
                    let horizon = spec.options.entry("plies".to_owned());
                    horizon.or_insert_with(|| plies.to_string());
                    spec.to_string()
                }
                _ => agent.clone(),
            }
        };
        EngineOptions {
            agent: self.agent.as_ref().map(told),
            cmd: self
                .cmd
                .as_ref()
                .map(|cmd| cmd.replace("{plies}", &plies.to_string())),
            ..self.clone()
        }
    }

    /// The engine, checked as far as it can be without a game.
    pub(super) fn entrant(&self, game: Game) -> Result<MatchEntrant, CliError> {
        let (cmd, args) = match self.cmd.as_deref().map(str::trim) {
            Some(line) => {
                let (cmd, args) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
                (Some(cmd.to_owned()), Some(args.to_owned()))
            }
            None => (None, None),
        };
        let engine = Engine {
            agent: self.agent.clone(),
            cmd,
            args,
            limits: Limits {
                nodes: self.nodes,
                movetime: self.ms.map(Duration::from_millis),
                ..Limits::default()
            },
            ..Engine::default()
        };
        contestant(&engine, engine.shown_name(), game)
    }
}

/// Who plays the games of an attack on this engine.
pub(super) fn hands(
    cluster: &ClusterArgs,
    concurrency: u64,
    engine: &MatchEntrant,
    game: Game,
) -> Result<Hands, CliError> {
    let title = format!("attack on {} in {game}", engine.name);
    let files = || files_of(engine, game);
    Hands::open(cluster, concurrency as usize, title, files)
}
