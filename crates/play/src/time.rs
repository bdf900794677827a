//! Time as a value: who measures it decides where it comes from.

use std::{fmt, time::Duration};

/// Reads a monotonic clock: the time since some fixed point.
#[derive(Clone, Copy)]
pub struct TimeSource(pub fn() -> Duration);

impl TimeSource {
    /// A clock that stands still, for games that are limited by nodes.
    pub const STILL: TimeSource = TimeSource(|| Duration::ZERO);

    /// Starts to measure.
    pub fn start(self) -> Stopwatch {
        Stopwatch {
            source: self,
            started: (self.0)(),
        }
    }
}

impl Default for TimeSource {
    fn default() -> TimeSource {
        TimeSource::STILL
    }
}

impl fmt::Debug for TimeSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TimeSource")
    }
}

/// The time since a moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stopwatch {
    source: TimeSource,
    started: Duration,
}

impl Stopwatch {
    /// Time since it was started.
    pub fn elapsed(&self) -> Duration {
        (self.source.0)().saturating_sub(self.started)
    }

    /// Where its time comes from.
    pub fn source(&self) -> TimeSource {
        self.source
    }
}
