//! Values of the flags `-engine` and `-each`.

use std::path::PathBuf;

use foglight_play::Limits;

use super::flag::{Flag, short};

/// A contestant: an agent or an external command.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Engine {
    /// Name in the match; by default the agent's or the command's.
    pub(crate) name: Option<String>,
    /// Agent from the registry.
    pub(crate) agent: Option<String>,
    /// External program to start.
    pub(crate) cmd: Option<String>,
    pub(crate) args: Option<String>,
    /// Working directory of the program.
    pub(crate) dir: Option<PathBuf>,
    /// Its protocol: `uci` or `jsonl`.
    pub(crate) proto: Option<String>,
    /// Options to set, `option.NAME=VALUE`.
    pub(crate) options: Vec<(String, String)>,
    pub(crate) limits: Limits,
}

/// The limits of an engine, with its own before those of `-each`.
pub(super) fn over(own: Limits, all: Limits) -> Limits {
    let timed = own.clock.is_some() || own.movetime.is_some() || own.nodes.is_some();
    Limits {
        clock: if timed { own.clock } else { all.clock },
        movetime: if timed { own.movetime } else { all.movetime },
        nodes: if timed { own.nodes } else { all.nodes },
        depth: own.depth.or(all.depth),
        margin: if own.margin.is_zero() {
            all.margin
        } else {
            own.margin
        },
    }
}

impl Engine {
    pub(super) fn set(&mut self, key: &str, value: &str, flag: &str) -> Result<(), String> {
        let text = Some(value.to_owned());
        match key {
            "name" if flag == "engine" => self.name = text,
            "agent" if flag == "engine" => self.agent = text,
            "cmd" if flag == "engine" => self.cmd = text,
            "args" => self.args = text,
            "dir" => self.dir = Some(value.into()),
            "proto" if ["uci", "jsonl"].contains(&value) => self.proto = text,
            "proto" => return Err(format!("proto={}: expected uci or jsonl", short(value))),
            _ => match key.strip_prefix("option.") {
                Some(option) => self.options.push((option.to_owned(), value.to_owned())),
                None => {
                    let known = self
                        .limits
                        .set(key, value)
                        .map_err(|e| format!("-{flag} {e}"))?;
                    if !known {
                        return Err(format!(
                            "-{flag}: no key '{}'; expected one of agent, name, cmd, args, dir, \
                             proto, option.NAME, tc, st, nodes, depth, timemargin",
                            short(key)
                        ));
                    }
                }
            },
        }
        Ok(())
    }

    pub(crate) fn shown_name(&self) -> String {
        let named = self
            .name
            .as_ref()
            .or(self.agent.as_ref())
            .or(self.cmd.as_ref());
        named.cloned().unwrap_or_default()
    }
}

pub(super) fn engine(flag: &Flag<'_>) -> Result<Engine, String> {
    let mut engine = Engine::default();
    for (key, value) in flag.pairs()? {
        engine.set(key, value, "engine")?;
    }
    match (&engine.agent, &engine.cmd) {
        (Some(_), None) | (None, Some(_)) => Ok(engine),
        _ => Err("-engine: expected either agent=AGENT or cmd=PROGRAM".to_owned()),
    }
}
