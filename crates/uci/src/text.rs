//! Tokens, numbers and errors of the protocol's text.

use std::{fmt, str::SplitWhitespace};

/// Reason for which a line is not a command or a reply.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{found}; expected {expected}")]
pub struct ProtocolError {
    found: String,
    expected: String,
}

impl ProtocolError {
    pub(crate) fn new(found: impl fmt::Display, expected: impl Into<String>) -> ProtocolError {
        ProtocolError {
            found: one_line(&found.to_string()),
            expected: expected.into(),
        }
    }
}

/// Part of the input for a message: quoted, printable, and short.
pub fn quoted(text: &str) -> String {
    const MOST: usize = 60;
    let shown: String = text.chars().take(MOST).collect();
    let dots = if text.chars().nth(MOST).is_some() {
        "..."
    } else {
        ""
    };
    format!("'{}{dots}'", one_line(&shown))
}

/// The text with every control character replaced by a space, so that foreign
/// text cannot begin a new line.
pub(crate) fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// Iterator over the tokens of a line.
pub(crate) struct Tokens<'a> {
    words: std::iter::Peekable<SplitWhitespace<'a>>,
}

impl<'a> Tokens<'a> {
    pub fn new(line: &'a str) -> Tokens<'a> {
        Tokens {
            words: line.split_whitespace().peekable(),
        }
    }

    pub fn next(&mut self) -> Option<&'a str> {
        self.words.next()
    }

    /// The token after `key`.
    pub fn value(&mut self, key: &str, expected: &str) -> Result<&'a str, ProtocolError> {
        self.next().ok_or_else(|| {
            ProtocolError::new(format_args!("nothing after {}", quoted(key)), expected)
        })
    }

    /// The tokens up to one of `keys`, joined by single spaces.
    pub fn until(&mut self, keys: &[&str]) -> String {
        let mut words = Vec::new();
        while let Some(word) = self.words.next_if(|word| !keys.contains(word)) {
            words.push(word);
        }
        words.join(" ")
    }

    /// Consumes all remaining tokens.
    pub fn rest(&mut self) -> Vec<String> {
        self.words.by_ref().map(str::to_owned).collect()
    }

    /// A whole number after `key`; too large values become the largest and
    /// negative ones 0, as GUIs send for expired clocks.
    pub fn whole(&mut self, key: &str) -> Result<u64, ProtocolError> {
        let word = self.value(key, "a whole number")?;
        nearest_whole(word).ok_or_else(|| {
            let found = format_args!("{} after {}", quoted(word), quoted(key)).to_string();
            ProtocolError::new(found, "a whole number")
        })
    }

    /// Consumes the next token if it is such a number.
    pub fn number(&mut self) -> Option<u64> {
        let number = nearest_whole(self.words.peek()?)?;
        self.next();
        Some(number)
    }

    /// A parsed value after `key`.
    pub fn parsed<T: std::str::FromStr>(
        &mut self,
        key: &str,
        expected: &str,
    ) -> Result<T, ProtocolError> {
        let word = self.value(key, expected)?;
        word.parse().map_err(|_| {
            let found = format_args!("{} after {}", quoted(word), quoted(key)).to_string();
            ProtocolError::new(found, expected)
        })
    }
}

fn nearest_whole(word: &str) -> Option<u64> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    let valid = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    valid.then(|| match word.starts_with('-') {
        true => 0,
        false => digits.parse().unwrap_or(u64::MAX),
    })
}

/// For serde: (de)serialises a field as its text.
pub mod as_text {
    use std::{fmt::Display, str::FromStr};

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<T: Display, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => serializer.collect_str(value),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| {
            text.parse().map_err(|_| {
                D::Error::custom(format!("{} is not valid here", super::quoted(&text)))
            })
        })
        .transpose()
    }
}
