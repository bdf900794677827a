//! Shares of the time and nodes of a move.

use std::time::Duration;

use foglight_play::{Budget, Stopwatch};
use foglight_solver::SolveLimits;

/// The limits with a share of their nodes.
pub(super) fn part(limits: SolveLimits, share: f64) -> SolveLimits {
    let nodes = limits.nodes.map(|nodes| (nodes as f64 * share) as u64);
    SolveLimits { nodes, ..limits }
}

/// Time for the search: the whole move time, as in the paper. Under a clock the
/// time spent on the belief is subtracted.
pub(super) fn search_time(budget: &Budget, believing: Duration) -> Option<Duration> {
    let target = budget.target()?;
    if budget.clock.is_none() {
        return Some(target);
    }
    let left = target.saturating_sub(believing + budget.elapsed());
    Some(left.max(target / 8))
}

/// Fraction of the allowed time that has elapsed; 1 if the search was stopped.
pub(super) fn time_used(timer: &Stopwatch, allowed: Option<Duration>, stopped: bool) -> f64 {
    if stopped {
        return 1.0;
    }
    allowed.map_or(0.0, |allowed| {
        timer.elapsed().as_secs_f64() / allowed.as_secs_f64().max(1e-9)
    })
}

/// The used share of what is left of a limit, of which `before` was used.
pub(super) fn rest_used(used: f64, before: f64) -> f64 {
    (used - before) / (1.0 - before)
}
