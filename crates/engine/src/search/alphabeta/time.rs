//! Stopping rules: limits computed once from a budget.

use std::time::Duration;

use foglight_play::Budget;

/// Limits of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// No new iteration starts after this time.
    pub(super) soft: Option<Duration>,
    /// The search stops at once after this time.
    pub(super) hard: Option<Duration>,
    /// The search stops at once after this number of nodes.
    pub(super) nodes: u64,
    pub(super) depth: i32,
}

/// Reserve on the clock for the delay between search and referee.
const OVERHEAD: Duration = Duration::from_millis(25);

impl Limits {
    pub(super) fn new(budget: &Budget, deepest: usize) -> Limits {
        let target = budget.target();
        let (soft, hard) = match (budget.movetime, budget.clock) {
            (None, Some(clock)) => {
                // A twentieth of the clock: stable choices end early and save
                // about a third of it.
                let left = clock.left.saturating_sub(OVERHEAD);
                let share = left / 20 + clock.increment * 9 / 10;
                let most = left * 2 / 5;
                (Some(share.min(most)), Some((share * 3).min(most)))
            }
            _ => (target, target),
        };
        Limits {
            soft,
            hard,
            nodes: budget.nodes.unwrap_or(u64::MAX),
            depth: budget
                .depth
                .map_or(deepest, |d| (d as usize).clamp(1, deepest)) as i32,
        }
    }

    /// Whether another iteration should begin. `doubt` is 1 when the choice is
    /// stable, more when it has just changed.
    pub(super) fn go_on(&self, budget: &Budget, doubt: f64) -> bool {
        let fixed = self.soft == self.hard;
        self.soft.is_none_or(|soft| {
            let soft = if fixed { soft } else { soft.mul_f64(doubt) };
            budget.elapsed() < soft
        })
    }
}
