//! Predictive regret matching+ (Farina, Kroer & Sandholm 2021).

use crate::lanes::{Lanes, dot};

/// One update from the values of all actions under the current strategy.
///
/// Regrets are floored at zero; the next strategy is proportional to the regrets
/// predicted for a repetition of this step. If no regret is positive the strategy
/// is unchanged and `false` is returned: falling back to uniform would make
/// values jump.
pub(crate) fn step(regrets: &mut [f32], strategy: &mut [f32], values: &[f32]) -> bool {
    let expected = dot(strategy, values);
    let mut hoped = Lanes::default();
    hoped.each(regrets, values, |regret, value| {
        let instant = value - expected;
        *regret = (*regret + instant).max(0.0);
        (*regret + instant).max(0.0)
    });
    let total = hoped.total();
    if total <= f32::MIN_POSITIVE {
        return false;
    }
    let shares = strategy.iter_mut().zip(&*regrets).zip(values);
    for ((share, regret), value) in shares {
        *share = (regret + (value - expected)).max(0.0) / total;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strategy_stays_when_nothing_is_regretted() {
        let mut regrets = [0.0; 3];
        let mut strategy = [0.0, 1.0, 0.0];
        step(&mut regrets, &mut strategy, &[-1.0, 2.0, 0.5]);
        assert_eq!(strategy, [0.0, 1.0, 0.0]);
        assert_eq!(regrets, [0.0; 3]);
    }

    #[test]
    fn a_better_action_takes_over_at_once() {
        let mut regrets = [0.0; 2];
        let mut strategy = [1.0, 0.0];
        step(&mut regrets, &mut strategy, &[0.0, 1.0]);
        assert_eq!(strategy, [0.0, 1.0]);
    }
}
