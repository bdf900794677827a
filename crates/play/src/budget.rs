//! Limits on the effort of an agent for a move.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use crate::{Report, Stopwatch, TimeSource};

/// State of a player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left for the rest of the game.
    pub left: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

/// Limits on one move. Search with a node budget is reproducible, with a time
/// budget it need not be.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Maximum time for this move.
    pub movetime: Option<Duration>,
    /// The clock, if the game has one.
    pub clock: Option<Clock>,
    /// Maximum nodes for this move.
    pub nodes: Option<u64>,
    /// Maximum search depth for this move.
    pub depth: Option<u32>,
    /// Number of threads to use.
    pub threads: usize,
    /// Searches until stopped, if there is no other limit.
    pub infinite: bool,
    /// Hard upper bound on the time of the move, whatever the agent's own limits.
    pub longest: Option<Duration>,
    timer: Option<Stopwatch>,
    stop: Option<Arc<AtomicBool>>,
    listener: Option<InfoCallback>,
}

/// Callback for interim search results.
#[derive(Clone)]
struct InfoCallback(Arc<dyn Fn(Report) + Send + Sync>);

impl fmt::Debug for InfoCallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            movetime: None,
            clock: None,
            nodes: None,
            depth: None,
            threads: 1,
            infinite: false,
            longest: None,
            timer: None,
            stop: None,
            listener: None,
        }
    }
}

impl Budget {
    /// A budget of `nodes` on one thread.
    pub fn nodes(nodes: u64) -> Budget {
        Budget {
            nodes: Some(nodes),
            ..Budget::default()
        }
    }

    /// A budget of time on one thread, counted from now.
    pub fn time(movetime: Duration, time: TimeSource) -> Budget {
        Budget {
            movetime: Some(movetime),
            ..Budget::default()
        }
        .timed(time)
    }

    /// The same budget, with its time counted from now. A budget that limits time
    /// needs this.
    #[must_use]
    pub fn timed(mut self, time: TimeSource) -> Budget {
        self.timer = Some(time.start());
        self
    }

    /// The same budget, ended early when the flag is set.
    #[must_use]
    pub fn with_stop(mut self, stop: Arc<AtomicBool>) -> Budget {
        self.stop = Some(stop);
        self
    }

    /// The same budget, with a callback for interim results.
    #[must_use]
    pub fn with_listener(mut self, hear: impl Fn(Report) + Send + Sync + 'static) -> Budget {
        self.listener = Some(InfoCallback(Arc::new(hear)));
        self
    }

    /// Calls the callback, if there is one, with the interim result.
    pub fn on_info(&self, report: impl FnOnce() -> Report) {
        if let Some(InfoCallback(hear)) = &self.listener {
            hear(report());
        }
    }

    /// Whether the search was told to stop or has reached its hard time bound.
    pub fn stopped(&self) -> bool {
        let told = self.stop.as_ref();
        told.is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self
                .longest
                .is_some_and(|longest| self.elapsed() >= longest)
    }

    /// Time since the budget was handed out.
    ///
    /// # Panics
    /// If the budget limits time and has no timer: the search would never end.
    pub fn elapsed(&self) -> Duration {
        match self.timer {
            Some(timer) => timer.elapsed(),
            None => {
                let limited = self.movetime.is_some() || self.clock.is_some();
                assert!(!limited, "a budget that limits time has a timer");
                Duration::ZERO
            }
        }
    }

    /// The source of its time.
    pub fn time_source(&self) -> TimeSource {
        self.timer.unwrap_or_default().source()
    }

    /// The time that this move should use: the given time, or a share of the
    /// clock that leaves enough for a long game.
    pub fn target(&self) -> Option<Duration> {
        const MOVES_TO_GO: u32 = 30;
        const OVERHEAD: Duration = Duration::from_millis(10);
        let share = self.clock.map(|clock| {
            let planned = clock.left / MOVES_TO_GO + clock.increment * 3 / 4;
            planned.min(clock.left.saturating_sub(OVERHEAD) / 2)
        });
        match (self.movetime, share) {
            (Some(time), Some(share)) => Some(time.min(share.max(time / 8))),
            (time, share) => time.or(share),
        }
    }

    /// Whether the time of the move is used up or the search was told to stop.
    pub fn out_of_time(&self) -> bool {
        self.stopped() || self.target().is_some_and(|target| self.elapsed() >= target)
    }

    /// Whether a search that has spent `nodes` may continue.
    pub fn allows(&self, nodes: u64) -> bool {
        self.nodes.is_none_or(|limit| nodes < limit)
    }
}
