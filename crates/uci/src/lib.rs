//! The engine protocol: text and JSON lines to typed commands and back.
//!
//! UCI for plain chess, and our dialect of it for fog and dice, described in
//! `docs/protocol.md`. [`engine`] serves the protocol as an engine, [`client`]
//! runs an external engine as a player. In fog an engine receives its own
//! observations only: the commands contain observations, never the opponent's
//! moves.

pub mod client;
pub mod command;
pub mod engine;
pub mod jsonl;
mod lines;
pub mod reply;
mod text;
mod time;
pub mod variant;

use serde::{Deserialize, Serialize};

pub use command::UciCommand;
pub use reply::Reply;
pub(crate) use text::ProtocolError;
pub use time::MONOTONIC;

/// Encoding of commands and replies, one a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    #[default]
    Uci,
    Jsonl,
}

impl Protocol {
    /// The protocol with this name: `uci` or `jsonl`.
    pub fn from_name(name: &str) -> Option<Protocol> {
        match name {
            "uci" => Some(Protocol::Uci),
            "jsonl" => Some(Protocol::Jsonl),
            _ => None,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Jsonl => "jsonl",
        }
    }

    pub fn read_command(self, line: &str) -> Result<UciCommand, ProtocolError> {
        match self {
            Protocol::Uci => line.parse(),
            Protocol::Jsonl => jsonl::read(line),
        }
    }

    pub fn read_reply(self, line: &str) -> Result<Reply, ProtocolError> {
        match self {
            Protocol::Uci => line.parse(),
            Protocol::Jsonl => jsonl::read(line),
        }
    }

    /// Writes a command, without a line terminator.
    pub fn write_command(self, command: &UciCommand) -> String {
        match self {
            Protocol::Uci => command.to_string(),
            Protocol::Jsonl => jsonl::write(command),
        }
    }

    /// Writes a reply, without a line terminator.
    pub fn write_reply(self, reply: &Reply) -> String {
        match self {
            Protocol::Uci => reply.to_string(),
            Protocol::Jsonl => jsonl::write(reply),
        }
    }
}
