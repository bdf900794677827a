//! Actions as text: parsed once on input and formatted once on output.

use std::sync::Arc;

use foglight_rules::{Action, Move, MoveError, notation::uci};
use serde::{Serialize, Serializer};

/// The text of an action, shared by storage and all recipients.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ActionText(Arc<str>);

impl ActionText {
    pub fn new(action: Action) -> ActionText {
        #[cfg(test)]
        count::add(&count::WRITTEN);
        ActionText(action.to_string().into())
    }

    /// Text loaded from storage.
    pub fn stored(text: String) -> ActionText {
        ActionText(text.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<Move> for ActionText {
    fn from(m: Move) -> ActionText {
        ActionText::new(Action::Move(m))
    }
}

impl Serialize for ActionText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// Parses a move and finds it among the legal ones.
pub fn read(text: &str, legal: &[Move]) -> Result<Move, MoveError> {
    #[cfg(test)]
    count::add(&count::READ);
    uci::find(text, legal)
}

/// Counts of parsed and formatted moves in this thread.
#[cfg(test)]
pub mod count {
    use std::{cell::Cell, thread::LocalKey};

    thread_local! {
        pub(crate) static READ: Cell<usize> = const { Cell::new(0) };
        pub(crate) static WRITTEN: Cell<usize> = const { Cell::new(0) };
    }

    pub fn add(counter: &'static LocalKey<Cell<usize>>) {
        counter.set(counter.get() + 1);
    }
}
