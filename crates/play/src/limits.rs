//! Time controls and other limits of a match, in fastchess's syntax.

use std::{fmt, str::FromStr, time::Duration};

use crate::budget::{Budget, Clock};

/// A time control: `10+0.1`, `60`, `40/60+1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Moves after which the base time is added again; never if `None`.
    pub moves: Option<u32>,
    /// Time at the start.
    pub base: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

/// Limits on a player's moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Time control for the whole game.
    pub clock: Option<TimeControl>,
    /// Time for each move.
    pub movetime: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth for each move.
    pub depth: Option<u32>,
    /// Tolerance by which a clock may be exceeded.
    pub margin: Duration,
}

/// Error of a text that is not a limit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{key}={value}: expected {expected}")]
pub struct LimitError {
    key: String,
    value: String,
    expected: &'static str,
}

fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    (0.0..=86_400.0)
        .contains(&seconds)
        .then(|| Duration::from_secs_f64(seconds))
}

impl FromStr for TimeControl {
    type Err = ();

    fn from_str(text: &str) -> Result<TimeControl, ()> {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.parse().map_err(|_| ())?), rest),
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        Ok(TimeControl {
            moves,
            base: seconds(base).filter(|base| !base.is_zero()).ok_or(())?,
            increment: seconds(increment).ok_or(())?,
        })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

impl Limits {
    /// Sets one limit by its name. `Ok(false)` if no limit has that name.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, LimitError> {
        let wrong = |expected| LimitError {
            key: key.to_owned(),
            value: value.chars().take(40).collect(),
            expected,
        };
        let whole = || value.parse().ok().filter(|&n: &u64| n > 0);
        match key {
            "tc" => {
                let clock = value.parse();
                self.clock = Some(clock.map_err(|()| wrong("a clock such as 10+0.1 or 40/60"))?);
            }
            "st" => {
                let time = seconds(value).filter(|time| !time.is_zero());
                self.movetime = Some(time.ok_or_else(|| wrong("seconds a move, such as 0.1"))?);
            }
            "nodes" => self.nodes = Some(whole().ok_or_else(|| wrong("a whole number from 1"))?),
            "depth" | "plies" => {
                let depth = whole().and_then(|n| u32::try_from(n).ok());
                self.depth = Some(depth.ok_or_else(|| wrong("a whole number from 1"))?);
            }
            "timemargin" => {
                let margin: u64 = value
                    .parse()
                    .map_err(|_| wrong("milliseconds, a whole number"))?;
                self.margin = Duration::from_millis(margin);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The same limits with all times multiplied, for a machine of another speed.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Limits {
        let times = |time: Duration| time.mul_f64(factor);
        Limits {
            clock: self.clock.map(|clock| TimeControl {
                base: times(clock.base),
                increment: times(clock.increment),
                ..clock
            }),
            movetime: self.movetime.map(times),
            margin: times(self.margin),
            ..self
        }
    }

    /// Whether any of them is a time.
    pub fn are_timed(&self) -> bool {
        self.clock.is_some() || self.movetime.is_some()
    }

    /// The budget of a move with `left` on the clock.
    pub fn budget(&self, left: Option<Duration>) -> Budget {
        let mut budget = Budget::default();
        budget.movetime = self.movetime;
        budget.clock = self.clock.zip(left).map(|(control, left)| Clock {
            left,
            increment: control.increment,
        });
        budget.nodes = self.nodes;
        budget.depth = self.depth;
        budget
    }
}

/// Text form `tc=10+0.1 nodes=1000`, one word per limit, as [`Limits::set`] reads
/// it.
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        words.extend(self.clock.map(|clock| format!("tc={clock}")));
        words.extend(
            self.movetime
                .map(|time| format!("st={}", time.as_secs_f64())),
        );
        words.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        words.extend(self.depth.map(|depth| format!("depth={depth}")));
        if !self.margin.is_zero() {
            words.push(format!("timemargin={}", self.margin.as_millis()));
        }
        f.write_str(&words.join(" "))
    }
}

impl FromStr for Limits {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Limits, LimitError> {
        let mut limits = Limits::default();
        for word in text.split_whitespace() {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            if !limits.set(key, value)? {
                return Err(LimitError {
                    key: key.to_owned(),
                    value: value.to_owned(),
                    expected: "one of tc, st, nodes, depth, timemargin",
                });
            }
        }
        Ok(limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_and_written() {
        for text in [
            "tc=10+0.1",
            "tc=40/60",
            "st=0.5 nodes=1000",
            "nodes=5 depth=3 timemargin=50",
            "",
        ] {
            let limits: Limits = text.parse().expect("limits");
            assert_eq!(limits.to_string(), text);
        }
        for text in [
            "tc=", "tc=-1", "tc=0+1", "st=x", "nodes=0", "nodes=-3", "speed=3", "tc=1e9",
        ] {
            assert!(text.parse::<Limits>().is_err(), "{text}");
        }
    }
}
