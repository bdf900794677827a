//! Helpers for tests of time limits.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
        mpsc::{RecvTimeoutError, channel},
    },
    thread,
    time::{Duration, Instant},
};

use foglight_play::{Budget, TimeSource};

pub const CLOCK: TimeSource = TimeSource(|| {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
});

/// Longer than any limit of these tests, even on a loaded machine.
const AGES: Duration = Duration::from_secs(60);

/// Runs a search that must end by its budget. A search that exceeds [`AGES`] is
/// stopped, and the test fails.
pub fn ends_by_itself<T>(budget: Budget, search: impl FnOnce(&Budget) -> T) -> T {
    let stop = Arc::new(AtomicBool::new(false));
    let budget = budget.with_stop(Arc::clone(&stop));
    let (running, over) = channel::<()>();
    let guard = thread::spawn(move || {
        if over.recv_timeout(AGES) == Err(RecvTimeoutError::Timeout) {
            stop.store(true, Ordering::Relaxed);
        }
    });
    let found = search(&budget);
    drop(running);
    guard.join().expect("the guard only waits");
    assert!(!budget.stopped(), "the search went on for {AGES:?}");
    found
}
