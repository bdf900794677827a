//! The machine's monotonic clock.

use std::{sync::OnceLock, time::Instant};

use foglight_play::TimeSource;

/// The clock that games outside of tests are timed by.
pub const MONOTONIC: TimeSource = TimeSource(|| {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
});
