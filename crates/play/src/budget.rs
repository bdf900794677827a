//! What an agent may spend on a move.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use crate::{Report, Stopwatch, TimeSource};

/// What is left on a player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left for the rest of the game.
    pub left: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

/// Limits on one move. A budget in nodes repeats exactly, one in time need not.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The clock, where the game has one.
    pub clock: Option<Clock>,
    /// Nodes for this move.
    pub nodes: Option<u64>,
    /// Depth of search for this move.
    pub depth: Option<u32>,
    /// Threads to use.
    pub threads: usize,
    /// Think until told to stop, where nothing else limits the move.
    pub infinite: bool,
    /// The longest that the move may take, whatever the agent's own limits say.
    pub longest: Option<Duration>,
    timer: Option<Stopwatch>,
    stop: Option<Arc<AtomicBool>>,
    listener: Option<InfoCallback>,
}

/// Hears what a search has found so far.
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
    /// So many nodes, on one thread.
    pub fn nodes(nodes: u64) -> Budget {
        Budget {
            nodes: Some(nodes),
            ..Budget::default()
        }
    }

    /// A time for the move, on one thread, counted from now.
    pub fn time(movetime: Duration, time: TimeSource) -> Budget {
        Budget {
            movetime: Some(movetime),
            ..Budget::default()
        }
        .timed(time)
    }

    /// The same budget, its time counted from now. A budget that limits time
    /// must be timed.
    #[must_use]
    pub fn timed(mut self, time: TimeSource) -> Budget {
        self.timer = Some(time.start());
        self
    }

    /// The same budget, ended early when the flag is raised.
    #[must_use]
    pub fn with_stop(mut self, stop: Arc<AtomicBool>) -> Budget {
        self.stop = Some(stop);
        self
    }

    /// The same budget, with somebody who hears what is found on the way.
    #[must_use]
    pub fn with_listener(mut self, hear: impl Fn(Report) + Send + Sync + 'static) -> Budget {
        self.listener = Some(InfoCallback(Arc::new(hear)));
        self
    }

    /// Tells the listener, if there is one, what is found so far.
    pub fn on_info(&self, report: impl FnOnce() -> Report) {
        if let Some(InfoCallback(hear)) = &self.listener {
            hear(report());
        }
    }

    /// Was the search told to stop, or has it taken the longest it may?
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
    /// If the budget limits time and has no timer: it would never end.
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

    /// Where its time comes from.
    pub fn time_source(&self) -> TimeSource {
        self.timer.unwrap_or_default().source()
    }

    /// The time that this move should take: the time given, or a share of the
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

    /// Is the time of the move used up, or was it told to stop?
    pub fn out_of_time(&self) -> bool {
        self.stopped() || self.target().is_some_and(|target| self.elapsed() >= target)
    }

    /// May a search that has spent `nodes` go on?
    pub fn allows(&self, nodes: u64) -> bool {
        self.nodes.is_none_or(|limit| nodes < limit)
    }
}
