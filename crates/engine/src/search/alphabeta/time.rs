//! When to stop: limits worked out once from a budget.

use std::time::Duration;

use foglight_play::Budget;

/// What a search may spend.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// No new iteration after this.
    pub(super) soft: Option<Duration>,
    /// Stop at once after this.
    pub(super) hard: Option<Duration>,
    /// Stop at once after so many nodes.
    pub(super) nodes: u64,
    pub(super) depth: i32,
}

/// Left on the clock for what lies between the search and the referee.
const OVERHEAD: Duration = Duration::from_millis(25);

impl Limits {
    pub(super) fn new(budget: &Budget, deepest: usize) -> Limits {
        let target = budget.target();
        let (soft, hard) = match (budget.movetime, budget.clock) {
            (None, Some(clock)) => {
                // A twentieth of the clock: steady choices end early and give
                // back about a third of it.
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

    /// Should another iteration begin? `doubt` is 1 when the choice is steady,
    /// more when it has just changed.
    pub(super) fn go_on(&self, budget: &Budget, doubt: f64) -> bool {
        let fixed = self.soft == self.hard;
        self.soft.is_none_or(|soft| {
            let soft = if fixed { soft } else { soft.mul_f64(doubt) };
            budget.elapsed() < soft
        })
    }
}
