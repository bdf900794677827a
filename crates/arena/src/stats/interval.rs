//! Confidence intervals for a proportion.

use serde::Serialize;

use super::normal;

/// An interval with both ends included; an end may be infinite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    /// The interval of a proportion without observations.
    const UNIT: Self = Self {
        low: 0.0,
        high: 1.0,
    };

    /// Whether the value lies within.
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    fn around(centre: f64, reach: f64) -> Self {
        Self {
            low: (centre - reach).max(0.0),
            high: (centre + reach).min(1.0),
        }
    }
}

/// Score interval (Wilson 1927) of this level, in `(0, 1)`, for the proportion
/// behind `successes` out of `trials`; `[0, 1]` without trials.
///
/// # Panics
/// When there are more successes than trials.
pub(crate) fn proportion_interval(successes: u64, trials: u64, level: f64) -> Interval {
    assert!(
        successes <= trials,
        "expected at most {trials} successes, got {successes}"
    );
    match trials {
        0 => Interval::UNIT,
        _ => wilson(successes as f64, trials as f64, level),
    }
}

/// The same for a mean of scores in `[0, 1]`. Draws count as half a win and half
/// a loss, so that with draws the interval is wider than it need be.
pub(crate) fn score_interval(points: f64, games: u64, level: f64) -> Interval {
    match games {
        0 => Interval::UNIT,
        _ => wilson(points, games as f64, level),
    }
}

fn wilson(successes: f64, trials: f64, level: f64) -> Interval {
    let (p, z) = (successes / trials, normal::critical(level));
    let shrink = 1.0 + z * z / trials;
    let centre = (p + z * z / (2.0 * trials)) / shrink;
    let spread = p * (1.0 - p) / trials + z * z / (4.0 * trials * trials);
    let mut interval = Interval::around(centre, z * spread.sqrt() / shrink);
    if successes == 0.0 {
        interval.low = 0.0;
    }
    if successes == trials {
        interval.high = 1.0;
    }
    interval
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::assert_near;
    use proptest::prelude::*;

    /// R. G. Newcombe, *Two-sided confidence intervals for the single
    /// proportion*, Statistics in Medicine 17 (1998), table I, method 3
    /// at 95 %.
    #[test]
    fn newcombes_table() {
        for (x, n, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let got = proportion_interval(x, n, 0.95);
            assert_near(got.low, low, 5.1e-5);
            assert_near(got.high, high, 5.1e-5);
        }
    }

    /// `scipy.stats.binomtest(k, n).proportion_ci(0.999, ...)`, scipy 1.17.
    #[test]
    fn scipy_at_the_level_of_the_thesis() {
        for (k, n, low, high) in [
            (480, 1000, 0.428_506_807_657_8, 0.531_921_655_772_9),
            (1000, 1000, 0.989_288_414_233_0, 1.0),
        ] {
            let got = proportion_interval(k, n, 0.999);
            assert_near(got.low, low, 1e-9);
            assert_near(got.high, high, 1e-9);
        }
    }

    proptest! {
        #[test]
        fn failures_mirror_successes(
            (n, k) in (1u64..400).prop_flat_map(|n| (Just(n), 0..=n)),
            level in 0.5..0.9999f64,
        ) {
            let ours = proportion_interval(k, n, level);
            let theirs = proportion_interval(n - k, n, level);
            prop_assert!(ours.contains(k as f64 / n as f64));
            prop_assert!((ours.low + theirs.high - 1.0).abs() < 1e-9);
            prop_assert!((ours.high + theirs.low - 1.0).abs() < 1e-9);
        }
    }
}
