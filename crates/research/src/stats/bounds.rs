//! Confidence bounds on the difference of two agents' score rates.
//!
//! Chakrian et al., *Using Adversarial Search and Machine Learning to create a
//! Dice Chess Playing Agent*, "Overview of the Results", equations 6 to 9.
//! Adding the two standard errors instead of taking the root of their squares
//! makes the bounds wider than a test of two proportions would: they are
//! conservative.

use serde::Serialize;

use foglight_arena::stats::interval::Interval;

/// The paper's critical constant of the 95 % level.
pub const Z_95: f64 = 1.96;

/// A score rate and its standard error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScoreRate {
    /// `w = x / n`, equation 6.
    pub rate: f64,
    /// `s(w) = sqrt(w (1 - w)) / sqrt(n)`, equation 7.
    pub error: f64,
}

impl ScoreRate {
    /// Score rate of `points` in `games` games; `None` without games or unless
    /// the points lie between 0 and 1 per game.
    pub fn new(points: f64, games: u64) -> Option<Self> {
        let rate = points / games as f64;
        (0.0..=1.0).contains(&rate).then(|| Self {
            rate,
            error: (rate * (1.0 - rate) / games as f64).sqrt(),
        })
    }

    /// Bounds of `self.rate - other.rate`, equations 8 and 9, within `[-1, 1]`.
    /// A positive lower bound means that `self` is stronger.
    ///
    /// Equation 9 is printed with `max(..., 1)`, which would make every upper
    /// bound at least 1; the paper's own table III was computed with `min`, as
    /// here.
    pub fn bounds_over(self, other: Self, z: f64) -> Interval {
        let difference = self.rate - other.rate;
        let reach = z * (self.error + other.error);
        Interval {
            low: (difference - reach).max(-1.0),
            high: (difference + reach).min(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::assert_near;
    use proptest::prelude::*;

    fn of_100(wins: u32) -> ScoreRate {
        ScoreRate::new(f64::from(wins), 100).unwrap()
    }

    /// Table II; its standard errors imply 100 games a row.
    #[test]
    fn table_2() {
        for (wins, error) in [
            (51, 0.04999),
            (56, 0.04964),
            (38, 0.04854),
            (33, 0.04702),
            (12, 0.03250),
        ] {
            assert_near(of_100(wins).error, error, 5.1e-6);
        }
    }

    /// Table III, to the digits left after the paper's rounding of `s(w)`. Two
    /// lower bounds are printed without a decimal place: -0.02452748 must be
    /// -0.2452748 and 0.00405464 must be 0.0405464, as the symmetry of the
    /// bounds about `w1 - w2` shows.
    #[test]
    fn table_3() {
        let [normal5, hybrid5, normal2, hybrid2] = [51, 56, 38, 33].map(of_100);
        for (first, second, low, high) in [
            (normal5, hybrid5, -0.245_274_8, 0.145_274_8),
            (normal5, normal2, -0.063_118_8, 0.323_118_8),
            (normal2, hybrid2, -0.137_297_6, 0.237_297_6),
            (hybrid5, hybrid2, 0.040_546_4, 0.419_453_6),
        ] {
            let bounds = first.bounds_over(second, Z_95);
            assert_near(bounds.low, low, 2e-5);
            assert_near(bounds.high, high, 2e-5);
        }
    }

    /// The two entries as printed do not follow from equation 8.
    #[test]
    fn misprints_of_table_3() {
        let [normal5, hybrid5, hybrid2] = [51, 56, 33].map(of_100);
        let first = normal5.bounds_over(hybrid5, Z_95).low;
        assert!((first - -0.024_527_48).abs() > 0.2);
        let last = hybrid5.bounds_over(hybrid2, Z_95).low;
        assert!((last - 0.004_054_64).abs() > 0.03);
    }

    #[test]
    fn impossible_rates_are_refused() {
        assert_eq!(ScoreRate::new(0.0, 0), None);
        assert_eq!(ScoreRate::new(11.0, 10), None);
    }

    proptest! {
        #[test]
        fn swapping_agents_mirrors(a in 0u32..=100, b in 0u32..=100) {
            let ours = of_100(a).bounds_over(of_100(b), Z_95);
            let theirs = of_100(b).bounds_over(of_100(a), Z_95);
            prop_assert!((ours.low + theirs.high).abs() < 1e-12);
            prop_assert!(-1.0 <= ours.low && ours.low <= ours.high && ours.high <= 1.0);
        }
    }
}
