//! Time as a value: the caller decides where it comes from.

use std::{fmt, time::Duration};

/// Reads a monotonic clock: the time since a fixed point.
#[derive(Clone, Copy)]
pub struct TimeSource(pub fn() -> Duration);

impl TimeSource {
    /// A clock that always returns zero, for games limited by nodes.
    pub const STILL: TimeSource = TimeSource(|| Duration::ZERO);

    /// Starts a stopwatch on this clock.
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

/// Measures the time since its start.
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

    /// The clock that it reads.
    pub fn source(&self) -> TimeSource {
        self.source
    }
}
