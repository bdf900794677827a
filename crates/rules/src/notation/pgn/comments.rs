//! Comments of a PGN, and the commands in them.

use std::time::Duration;

use super::clean_comment;
use crate::Dice;

/// Contents of the comments at one place.
#[derive(Default)]
pub(super) struct Comments {
    pub dice: Vec<Dice>,
    pub next: Vec<Dice>,
    pub clock: Option<Duration>,
    pub text: String,
}

/// Parses `0:01:02` or `0:01:02.5`.
fn parse_clock(text: &str) -> Option<Duration> {
    let digits = |text: &str, most: usize| {
        let valid = (1..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        valid.then(|| text.parse::<u64>().ok()).flatten()
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let mut parts = whole.splitn(3, ':');
    let hours = digits(parts.next()?, 6)?;
    let minutes = digits(parts.next()?, 2)?;
    let seconds = digits(parts.next()?, 2)?;
    digits(fraction, 9)?;
    let millis = format!("{fraction:0<3}")[..3].parse::<u64>().ok()?;
    let seconds = hours * 3600 + minutes * 60 + seconds;
    Some(Duration::from_millis(seconds * 1000 + millis))
}

impl Comments {
    /// Extracts the recognised commands of a comment; the rest is text.
    pub fn add(&mut self, comment: &str) {
        let mut words = String::with_capacity(comment.len());
        let mut rest = comment;
        while let Some(start) = rest.find("[%") {
            let (before, command) = rest.split_at(start);
            words.push_str(before);
            // Commands are short: the limited search keeps this linear.
            let end = command.bytes().take(64).position(|b| b == b']');
            match end.filter(|&end| self.obey(&command[2..end])) {
                Some(end) => {
                    words.push(' ');
                    rest = &command[end + 1..];
                }
                None => {
                    words.push_str("[%");
                    rest = &command[2..];
                }
            }
        }
        words.push_str(rest);
        let text = clean_comment(&words);
        if !self.text.is_empty() && !text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(&text);
    }

    /// Applies `clk 0:01:02`, `dice NRK` or `next NRK`; returns whether it is
    /// one.
    fn obey(&mut self, command: &str) -> bool {
        if command.starts_with(char::is_whitespace) {
            return false; // a name follows `[%` directly, so that sanitised text has no commands
        }
        let mut words = command.split_whitespace();
        let (Some(name), Some(value), None) = (words.next(), words.next(), words.next()) else {
            return false;
        };
        match name {
            "clk" => {
                let clock = parse_clock(value);
                self.clock = clock.or(self.clock);
                clock.is_some()
            }
            "dice" | "next" => {
                let rolls = if name == "dice" {
                    &mut self.dice
                } else {
                    &mut self.next
                };
                let roll = Dice::parse(value);
                rolls.extend(roll);
                roll.is_some()
            }
            _ => false,
        }
    }
}
