//! Confidence intervals for a proportion.

use serde::Serialize;
use statrs::function::beta::beta_reg;

use super::normal;

/// An interval with both ends included; an end may be infinite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// Everything a proportion can be: what no observation leaves possible.
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

/// How to build an interval for a proportion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Method {
    /// `p ± z sqrt(p (1 - p) / n)`, cut to `[0, 1]`. Too short near 0 and 1.
    Wald,
    /// Score interval (Wilson 1927): the proportions a score test keeps.
    Wilson,
    /// Exact interval (Clopper & Pearson 1934): covers at least the level.
    ClopperPearson,
}

/// Interval of this level, in `(0, 1)`, for the proportion behind `successes`
/// out of `trials`; `[0, 1]` without trials.
///
/// # Panics
/// When there are more successes than trials.
pub fn proportion_interval(method: Method, successes: u64, trials: u64, level: f64) -> Interval {
    assert!(
        successes <= trials,
        "expected at most {trials} successes, got {successes}"
    );
    if trials == 0 {
        return Interval::UNIT;
    }
    match method {
        Method::Wald => wald(successes as f64, trials as f64, level),
        Method::Wilson => wilson(successes as f64, trials as f64, level),
        Method::ClopperPearson => clopper_pearson(successes as f64, trials as f64, level),
    }
}

fn wald(successes: f64, trials: f64, level: f64) -> Interval {
    let p = successes / trials;
    let reach = normal::critical(level) * (p * (1.0 - p) / trials).sqrt();
    Interval::around(p, reach)
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

fn clopper_pearson(successes: f64, trials: f64, level: f64) -> Interval {
    let tail = (1.0 - level) / 2.0;
    let failures = trials - successes;
    let low = if successes == 0.0 {
        0.0
    } else {
        beta_quantile(successes, failures + 1.0, tail)
    };
    let high = if failures == 0.0 {
        1.0
    } else {
        1.0 - beta_quantile(failures, successes + 1.0, tail)
    };
    Interval { low, high }
}

/// Lower quantile of the beta distribution by bisection, which unlike a
/// Newton iteration cannot leave `[0, 1]`.
fn beta_quantile(a: f64, b: f64, probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return middle;
        }
        if beta_reg(a, b, middle) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::assert_near;
    use proptest::prelude::*;

    /// R. G. Newcombe, *Two-sided confidence intervals for the single
    /// proportion*, Statistics in Medicine 17 (1998), table I, methods 1, 3
    /// and 5 at 95 %. He prints Wald's lower end for 1/29 as below zero.
    #[test]
    fn newcombes_table() {
        use Method::{ClopperPearson, Wald, Wilson};
        for (x, n, method, low, high) in [
            (81, 263, Wald, 0.2522, 0.3638),
            (15, 148, Wald, 0.0527, 0.1500),
            (0, 20, Wald, 0.0, 0.0),
            (1, 29, Wald, 0.0, 0.1009),
            (81, 263, Wilson, 0.2553, 0.3662),
            (15, 148, Wilson, 0.0624, 0.1605),
            (0, 20, Wilson, 0.0, 0.1611),
            (1, 29, Wilson, 0.0061, 0.1718),
            (81, 263, ClopperPearson, 0.2527, 0.3676),
            (15, 148, ClopperPearson, 0.0578, 0.1617),
            (0, 20, ClopperPearson, 0.0, 0.1684),
            (1, 29, ClopperPearson, 0.0009, 0.1776),
        ] {
            let got = proportion_interval(method, x, n, 0.95);
            assert_near(got.low, low, 5.1e-5);
            assert_near(got.high, high, 5.1e-5);
        }
    }

    /// `scipy.stats.binomtest(k, n).proportion_ci(0.999, ...)`, scipy 1.17.
    #[test]
    fn scipy_at_the_level_of_the_thesis() {
        for (k, n, method, low, high) in [
            (
                480,
                1000,
                Method::Wilson,
                0.428_506_807_657_8,
                0.531_921_655_772_9,
            ),
            (
                480,
                1000,
                Method::ClopperPearson,
                0.427_823_354_971_2,
                0.532_481_719_919_6,
            ),
            (1000, 1000, Method::Wilson, 0.989_288_414_233_0, 1.0),
            (1000, 1000, Method::ClopperPearson, 0.992_427_911_349_8, 1.0),
        ] {
            let got = proportion_interval(method, k, n, 0.999);
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
            for method in [Method::Wald, Method::Wilson, Method::ClopperPearson] {
                let ours = proportion_interval(method, k, n, level);
                let theirs = proportion_interval(method, n - k, n, level);
                prop_assert!(ours.contains(k as f64 / n as f64));
                prop_assert!((ours.low + theirs.high - 1.0).abs() < 1e-9);
                prop_assert!((ours.high + theirs.low - 1.0).abs() < 1e-9);
            }
        }
    }
}
