//! The protocol as JSON lines: one object a line, its type in the field `t`.
//!
//! Commands and replies are those of [`crate::command`] and [`crate::reply`],
//! field by field, so that both forms express the same.

use serde::{Serialize, de::DeserializeOwned};

use crate::text::ProtocolError;

/// Parses a command or a reply.
pub fn read<T: DeserializeOwned>(line: &str) -> Result<T, ProtocolError> {
    serde_json::from_str(line).map_err(|error| {
        ProtocolError::new(
            error,
            "one JSON object with the field \"t\", such as {\"t\":\"uci\"}",
        )
    })
}

/// Writes a command or a reply, without a line terminator.
pub fn write<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("the protocol's types have keys that are text")
}
