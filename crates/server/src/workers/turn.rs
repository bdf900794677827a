//! The turn of a worker thread. A job that reads its clock or calls [`pause`]
//! often lets others run in between.

use std::{
    cell::RefCell,
    sync::Arc,
    time::{Duration, Instant},
};

use foglight_arena::MONOTONIC;
use foglight_play::TimeSource;

use super::{
    fair::Share,
    pool::{Seat, Shared, is_over},
};

/// The turn of the current thread.
pub(super) struct Turn {
    pool: Arc<Shared>,
    share: Share,
    seat: Arc<Seat>,
    began: Instant,
    /// Time that this job has waited between turns.
    waited: Duration,
}

thread_local! {
    static TURN: RefCell<Option<Turn>> = const { RefCell::new(None) };
}

/// The clock of a job: it stands while the job waits for its next turn, and
/// reading it may be such a wait.
pub(crate) const PROCESSOR: TimeSource = TimeSource(|| {
    pause();
    let waited = TURN.with_borrow(|turn| turn.as_ref().map(|turn| turn.waited));
    (MONOTONIC.0)().saturating_sub(waited.unwrap_or_default())
});

impl Turn {
    pub fn new(pool: Arc<Shared>, share: Share) -> Turn {
        Turn {
            pool,
            share,
            seat: Arc::default(),
            began: Instant::now(),
            waited: Duration::ZERO,
        }
    }
}

pub(super) fn begin(turn: Turn) {
    TURN.set(Some(turn));
}

/// The share of the turn that ends, and the time since its last charge.
pub(super) fn end() -> Option<(Share, Duration)> {
    let turn = TURN.take()?;
    Some((turn.share, turn.began.elapsed()))
}

/// Lets another job run if this one has had its time. Outside of a pool it does
/// nothing.
pub(crate) fn pause() {
    TURN.with_borrow_mut(|turn| {
        let Some(turn) = turn.as_mut().filter(|turn| is_over(turn.began)) else {
            return;
        };
        let used = turn.began.elapsed();
        let stopped = Instant::now();
        turn.pool.yield_turn(&turn.share, &turn.seat, used);
        turn.began = Instant::now();
        turn.waited += stopped.elapsed();
    });
}
