//! Predictive regret matching+ (Farina, Kroer & Sandholm 2021).

/// One step: learns from the values of all actions under the current strategy.
///
/// Regrets are floored at nought; the next strategy follows the regrets as
/// they would be if this step came again. If nothing is regretted the strategy
/// stays: falling back to uniform would make values jump.
pub fn step(regrets: &mut [f32], strategy: &mut [f32], values: &[f64]) {
    let expected: f64 = strategy
        .iter()
        .zip(values)
        .map(|(share, value)| f64::from(*share) * value)
        .sum();
    let mut total = 0.0;
    for (regret, value) in regrets.iter_mut().zip(values) {
        let instant = value - expected;
        let sum = (f64::from(*regret) + instant).max(0.0);
        *regret = sum as f32;
        total += (sum + instant).max(0.0);
    }
    if total <= f64::MIN_POSITIVE {
        return;
    }
    for ((share, regret), value) in strategy.iter_mut().zip(&*regrets).zip(values) {
        let hoped = f64::from(*regret) + (value - expected);
        *share = (hoped.max(0.0) / total) as f32;
    }
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
