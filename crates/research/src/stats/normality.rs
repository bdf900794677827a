//! Tests of normality.
//!
//! The two tests of Mellemseter (2017), section 5.1, and the quantiles of its
//! QQ plots (figures 5 to 7).

use serde::Serialize;
use std::f64::consts::{FRAC_PI_3, PI};
use thiserror::Error;

use foglight_arena::stats::normal;

/// Reasons for which a sample cannot be tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum NormalityError {
    /// The approximation of the p-value does not cover this size.
    #[error("expected from {least} to {most} values, got {got}")]
    Size {
        /// Minimum size of the sample.
        least: usize,
        /// Maximum size of the sample.
        most: usize,
        got: usize,
    },
    /// A value is NaN or infinite.
    #[error("expected finite values, got one that is not")]
    NotFinite,
    /// All values are equal.
    #[error("expected values that differ, got all equal")]
    Constant,
}

/// Result of a test of normality.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Normality {
    /// W of Shapiro-Wilk or A² of Anderson-Darling.
    pub statistic: f64,
    /// Probability of a statistic this extreme if the values are normal.
    pub p_value: f64,
}

/// Joint conclusion of two tests, the last column of the thesis's table 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Agreement {
    Reject,
    FailToReject,
    Contradiction,
}

/// Compares two p-values with one significance level (0.05 in the thesis).
pub fn agreement(first: f64, second: f64, significance: f64) -> Agreement {
    match (first < significance, second < significance) {
        (true, true) => Agreement::Reject,
        (false, false) => Agreement::FailToReject,
        _ => Agreement::Contradiction,
    }
}

/// Shapiro-Wilk test for 3 to 5000 values: P. Royston, *Remark AS R94*,
/// Applied Statistics 44 (1995), the algorithm of R's `shapiro.test`.
pub(crate) fn shapiro_wilk(values: &[f64]) -> Result<Normality, NormalityError> {
    let sorted = checked(values, 3, 5000)?;
    let n = sorted.len();
    let weights = shapiro_weights(n);
    let (_, squares) = moments(&sorted);
    let slope: f64 = weights
        .iter()
        .enumerate()
        .map(|(i, a)| a * (sorted[n - 1 - i] - sorted[i]))
        .sum();
    let statistic = (slope * slope / squares).min(1.0);
    Ok(Normality {
        statistic,
        p_value: shapiro_p_value(statistic, n),
    })
}

/// Weights of the upper half of the order statistics, largest first.
fn shapiro_weights(n: usize) -> Vec<f64> {
    if n == 3 {
        return vec![0.5f64.sqrt()];
    }
    let scores: Vec<f64> = (0..n / 2)
        .map(|i| -normal::quantile((i as f64 + 0.625) / (n as f64 + 0.25)))
        .collect();
    let squares = 2.0 * scores.iter().map(|m| m * m).sum::<f64>();
    let root = 1.0 / (n as f64).sqrt();
    let corrected = |i: usize, c: &[f64]| scores[i] / squares.sqrt() + polynomial(c, root);

    let mut fixed = vec![corrected(
        0,
        &[0.0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056],
    )];
    if n > 5 {
        let second = [0.0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633];
        fixed.push(corrected(1, &second));
    }
    let fixed_scores: f64 = scores[..fixed.len()].iter().map(|m| m * m).sum();
    let fixed_weights: f64 = fixed.iter().map(|a| a * a).sum();
    let scale = ((squares - 2.0 * fixed_scores) / (1.0 - 2.0 * fixed_weights)).sqrt();
    let rest = scores[fixed.len()..].iter().map(|m| m / scale);
    fixed.iter().copied().chain(rest).collect()
}

fn shapiro_p_value(statistic: f64, n: usize) -> f64 {
    if n == 3 {
        let p = 6.0 / PI * (statistic.sqrt().asin() - FRAC_PI_3);
        return p.clamp(0.0, 1.0);
    }
    let (size, log_size) = (n as f64, (n as f64).ln());
    let gap = (1.0 - statistic).ln();
    let (value, mean, log_sigma) = if n <= 11 {
        let limit = polynomial(&[-2.273, 0.459], size);
        if gap >= limit {
            return 0.0;
        }
        (
            -(limit - gap).ln(),
            polynomial(&[0.544, -0.39978, 0.025054, -6.714e-4], size),
            polynomial(&[1.3822, -0.77857, 0.062767, -0.0020322], size),
        )
    } else {
        (
            gap,
            polynomial(&[-1.5861, -0.31082, -0.083751, 0.0038915], log_size),
            polynomial(&[-0.4803, -0.082676, 0.0030302], log_size),
        )
    };
    normal::cdf((mean - value) / log_sigma.exp())
}

/// Anderson-Darling test for 8 values or more, mean and variance estimated,
/// with the p-value of R. B. D'Agostino & M. A. Stephens, *Goodness-of-Fit
/// Techniques* (1986), table 4.9, as R's `nortest::ad.test`. Beyond an
/// adjusted A² of 10 the p-value is 3.7e-24, where the approximation ends.
pub(crate) fn anderson_darling(values: &[f64]) -> Result<Normality, NormalityError> {
    let sorted = checked(values, 8, usize::MAX)?;
    let n = sorted.len();
    let size = n as f64;
    let (mean, squares) = moments(&sorted);
    let sigma = (squares / (size - 1.0)).sqrt();
    let z: Vec<f64> = sorted.iter().map(|x| (x - mean) / sigma).collect();
    let log_cdf = |z: f64| normal::cdf(z).max(f64::MIN_POSITIVE).ln();
    let sum: f64 = (0..n)
        .map(|i| (2 * i + 1) as f64 * (log_cdf(z[i]) + log_cdf(-z[n - 1 - i])))
        .sum();
    let statistic = -size - sum / size;
    let adjusted = statistic * (1.0 + 0.75 / size + 2.25 / (size * size));
    Ok(Normality {
        statistic,
        p_value: anderson_p_value(adjusted),
    })
}

fn anderson_p_value(adjusted: f64) -> f64 {
    let exponential = |c: &[f64]| polynomial(c, adjusted).exp();
    if adjusted < 0.2 {
        1.0 - exponential(&[-13.436, 101.14, -223.73])
    } else if adjusted < 0.34 {
        1.0 - exponential(&[-8.318, 42.796, -59.938])
    } else if adjusted < 0.6 {
        exponential(&[0.9177, -4.279, -1.38])
    } else if adjusted < 10.0 {
        exponential(&[1.2937, -5.709, 0.0186])
    } else {
        3.7e-24
    }
}

/// One point of a QQ plot.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct QqPoint {
    pub(crate) theoretical: f64,
    /// Sample value at that quantile.
    pub sample: f64,
}

/// Points of a normal QQ plot in rising order, as R's `qqnorm`: plotting
/// positions `(i - a) / (n + 1 - 2a)` with `a` = 3/8 up to ten values, else
/// 1/2. Values are ordered totally, NaN last.
pub(crate) fn qq_points(values: &[f64]) -> Vec<QqPoint> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let size = sorted.len() as f64;
    let a = if sorted.len() <= 10 { 0.375 } else { 0.5 };
    let position = |i: usize| (i as f64 + 1.0 - a) / (size + 1.0 - 2.0 * a);
    sorted
        .iter()
        .enumerate()
        .map(|(i, &sample)| QqPoint {
            theoretical: normal::quantile(position(i)),
            sample,
        })
        .collect()
}

fn checked(values: &[f64], least: usize, most: usize) -> Result<Vec<f64>, NormalityError> {
    let got = values.len();
    if !(least..=most).contains(&got) {
        return Err(NormalityError::Size { least, most, got });
    }
    if values.iter().any(|x| !x.is_finite()) {
        return Err(NormalityError::NotFinite);
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    if sorted[0] == sorted[got - 1] || moments(&sorted).1 == 0.0 {
        return Err(NormalityError::Constant);
    }
    Ok(sorted)
}

/// Mean and sum of squared deviations.
fn moments(values: &[f64]) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares = values.iter().map(|x| (x - mean).powi(2)).sum();
    (mean, squares)
}

/// Value of the polynomial with these coefficients, constant first.
fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::{DIST, MPG, assert_close, assert_near};
    use proptest::prelude::*;

    /// R: `shapiro.test(mtcars$mpg)` W = 0.94756, p-value = 0.1229;
    /// `shapiro.test(cars$dist)` W = 0.95144, p-value = 0.0391. More digits
    /// from `scipy.stats.shapiro`, scipy 1.17.
    #[test]
    fn shapiro_of_known_data() {
        let mpg = shapiro_wilk(&MPG).unwrap();
        assert_near(mpg.statistic, 0.947_564_726_597_118_2, 1e-7);
        assert_near(mpg.p_value, 0.122_881_359_486_360_8, 1e-6);
        let dist = shapiro_wilk(&DIST).unwrap();
        assert_near(dist.statistic, 0.951_438_478_498_216_3, 1e-7);
        assert_near(dist.p_value, 0.039_099_683_709_58, 1e-6);
    }

    fn ramp(n: usize, f: fn(f64) -> f64) -> Vec<f64> {
        (1..=n).map(|i| f(i as f64)).collect()
    }

    /// `scipy.stats.shapiro` on sqrt(1..n) and sin(1..n), every branch of the
    /// algorithm and both ends of its range.
    #[test]
    fn shapiro_at_every_size() {
        let root: fn(f64) -> f64 = f64::sqrt;
        let sine: fn(f64) -> f64 = f64::sin;
        for (n, f, w, p) in [
            (3, root, 0.994_255_727_265_848_9, 0.855_110_949_490_945_9),
            (4, root, 0.985_494_670_828_963_2, 0.933_402_657_464_538_1),
            (5, root, 0.978_806_252_038_098_9, 0.928_133_646_722_879_8),
            (6, root, 0.973_785_088_100_196_4, 0.916_826_904_806_537_1),
            (11, root, 0.960_651_210_869_977_1, 0.779_790_152_504_390_7),
            (12, root, 0.959_237_712_841_503_5, 0.772_893_845_718_439_4),
            (
                100,
                root,
                0.947_094_499_128_438_6,
                0.000_536_588_173_044_774_8,
            ),
            (3, sine, 0.815_659_998_024_965_4, 0.152_459_612_183_080_5),
            (7, sine, 0.902_478_854_018_285_1, 0.346_256_961_565_230_3),
            (20, sine, 0.892_879_806_356_542_6, 0.030_389_106_550_900_26),
            (1000, sine, 0.899_274_392_132_577, 4.302_867_259_437_318e-25),
            (
                5000,
                root,
                0.946_931_501_858_360_4,
                3.802_753_500_169_344e-39,
            ),
        ] {
            let got = shapiro_wilk(&ramp(n, f)).unwrap();
            assert_near(got.statistic, w, 1e-6);
            assert_close(got.p_value, p, 1e-4);
        }
    }

    /// `statsmodels.stats.diagnostic.normal_ad`, statsmodels 0.15, which
    /// implements the same approximation as R's nortest.
    #[test]
    fn anderson_of_known_data() {
        let root = |n| ramp(n, f64::sqrt);
        let sine = |n| ramp(n, f64::sin);
        for (values, a, p) in [
            (
                MPG.to_vec(),
                0.579_680_713_977_765_5,
                0.120_737_061_441_898_1,
            ),
            (
                DIST.to_vec(),
                0.740_669_429_497_330_6,
                0.050_212_876_737_931_8,
            ),
            (root(8), 0.161_538_609_599_013_2, 0.912_161_086_329_353_2),
            (root(12), 0.194_196_543_005_546_1, 0.862_655_684_183_322_6),
            (root(20), 0.288_263_669_088_753, 0.580_587_186_408_647_1),
            (sine(20), 0.707_345_071_957_583_1, 0.054_554_472_979_485_97),
            (sine(100), 3.094_863_427_506_482, 8.086_798_734_086_145e-8),
        ] {
            let got = anderson_darling(&values).unwrap();
            assert_near(got.statistic, a, 1e-9);
            assert_close(got.p_value, p, 1e-8);
        }
    }

    /// Far beyond the table R's nortest gives 3.7e-24 (statsmodels 0).
    #[test]
    fn anderson_beyond_the_approximation() {
        let far = anderson_darling(&ramp(1000, f64::sqrt)).unwrap();
        assert_near(far.statistic, 14.367_942_334_650_479, 1e-6);
        assert_eq!(far.p_value, 3.7e-24);
    }

    /// Table 5 of the thesis: its conclusions follow from the printed p-values.
    /// The p-values themselves need the rating files, which are not published.
    #[test]
    fn verdicts_of_table_5() {
        use Agreement::{Contradiction, FailToReject, Reject};
        for (shapiro, anderson, verdict) in [
            (0.02715, 0.1355, Contradiction),
            (0.0006014, 0.001721, Reject),
            (4.8e-5, 0.0003627, Reject),
            (0.08866, 0.3862, FailToReject),
            (0.06964, 0.2416, FailToReject),
            (0.001735, 0.04311, Reject),
            (2.2e-16, 4.7e-12, Reject),
            (0.002038, 0.002055, Reject),
            (1.4e-12, 7.4e-11, Reject),
            (0.01021, 0.11714, Contradiction),
        ] {
            assert_eq!(agreement(shapiro, anderson, 0.05), verdict);
        }
    }

    /// `scipy.stats.norm.ppf`, scipy 1.17, at R's `ppoints(5)` = 0.1190476,
    /// 0.3095238, 0.5, ... and at `ppoints(12)[1]` = 1/24.
    #[test]
    fn quantiles_of_qqnorm() {
        let points = qq_points(&[3.0, 1.0, 2.0, 5.0, 4.0]);
        let expected = [-1.179_761_1, -0.497_200_6, 0.0, 0.497_200_6, 1.179_761_1];
        for (i, (point, x)) in points.iter().zip(expected).enumerate() {
            assert_near(point.theoretical, x, 5e-7);
            assert_eq!(point.sample, i as f64 + 1.0);
        }
        assert_near(qq_points(&MPG[..12])[0].theoretical, -1.731_664_4, 5e-7);
    }

    #[test]
    fn samples_that_cannot_be_tested() {
        assert!(matches!(
            shapiro_wilk(&[1.0, 2.0]),
            Err(NormalityError::Size { .. })
        ));
        assert!(matches!(
            anderson_darling(&[1.0; 7]),
            Err(NormalityError::Size { .. })
        ));
        assert_eq!(shapiro_wilk(&[1.0; 9]), Err(NormalityError::Constant));
        assert_eq!(
            shapiro_wilk(&[1.0, f64::NAN, 2.0]),
            Err(NormalityError::NotFinite)
        );
    }

    proptest! {
        /// Neither test depends on location, scale or orientation.
        #[test]
        fn moving_and_scaling_change_nothing(
            values in prop::collection::vec(-10.0..10.0f64, 8..60),
            scale in prop_oneof![-5.0..-0.2f64, 0.2..5.0f64],
            shift in -50.0..50.0f64,
        ) {
            let moved: Vec<f64> = values.iter().map(|x| shift + scale * x).collect();
            for test in [shapiro_wilk, anderson_darling] {
                let (a, b) = (test(&values).unwrap(), test(&moved).unwrap());
                prop_assert!((a.statistic - b.statistic).abs() < 1e-6);
                prop_assert!((0.0..=1.0).contains(&a.p_value));
            }
        }
    }
}
