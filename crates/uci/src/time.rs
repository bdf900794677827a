//! The machine's monotonic clock.

use std::{sync::OnceLock, time::Instant};

use foglight_play::TimeSource;

/// Clock of all games outside of tests.
pub const MONOTONIC: TimeSource = TimeSource(|| {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
});
