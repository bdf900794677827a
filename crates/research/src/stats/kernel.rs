//! Nadaraya-Watson kernel regression.
//!
//! Nadaraya (1964), Watson (1964): the local mean under a Gaussian kernel, the
//! nonparametric regression of Mellemseter (2017), section 5.1. As a linear
//! smoother with matrix `L` its band is `z sigma ||l(x)||`, and
//! `sigma² = RSS / (n - 2 tr L + tr LᵀL)` (L. Wasserman, *All of Nonparametric
//! Statistics*, 2006, section 5.6; Hastie & Tibshirani 1990, section 3.5). The
//! band is that of the smoothed curve: it leaves out the smoothing bias.

use super::smooth::{Curve, CurvePoint, SmoothError, check, positive};
use foglight_arena::stats::normal;

/// Standard deviation of the Gaussian kernel, in units of x.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Bandwidth {
    /// Silverman's rule of thumb over the x values, see [`silverman`].
    #[default]
    Silverman,
    Given(f64),
}

/// `0.9 min(s, IQR / 1.34) n^(-1/5)` (B. W. Silverman, *Density Estimation*,
/// 1986, equation 3.31), the default of R's `density`; the quartiles are R's
/// type 7. Falls back on `s` if the quartiles coincide. The rule is made for
/// densities: as a bandwidth for regression it is a start, not an optimum.
pub(crate) fn silverman(values: &[f64]) -> f64 {
    let size = values.len() as f64;
    let mean = values.iter().sum::<f64>() / size;
    let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
    let sigma = (squares / (size - 1.0)).sqrt();
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let spread = (quartile(&sorted, 0.75) - quartile(&sorted, 0.25)) / 1.34;
    let scale = if spread > 0.0 {
        sigma.min(spread)
    } else {
        sigma
    };
    0.9 * scale * size.powf(-0.2)
}

fn quartile(sorted: &[f64], probability: f64) -> f64 {
    let place = probability * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

/// The regression of `y` on `x` at the points `at`, with a confidence band of
/// this level. Far from all data it follows the nearest observation.
pub(crate) fn nadaraya_watson(
    x: &[f64],
    y: &[f64],
    at: &[f64],
    bandwidth: Bandwidth,
    level: f64,
) -> Result<Curve, SmoothError> {
    check(x, y, 3)?;
    if at.iter().any(|v| !v.is_finite()) {
        return Err(SmoothError::NotFinite);
    }
    let width = positive(
        "bandwidth",
        match bandwidth {
            Bandwidth::Silverman => silverman(x),
            Bandwidth::Given(width) => width,
        },
    )?;
    let (sigma, freedom) = spread(x, y, width)?;
    let z = normal::critical(level);
    let point = |&place: &f64| {
        let weights = weights(x, place, width);
        let norm = weights.iter().map(|w| w * w).sum::<f64>().sqrt();
        CurvePoint::new(place, dot(&weights, y), z * sigma * norm)
    };
    Ok(Curve {
        points: at.iter().map(point).collect(),
        sigma,
        freedom,
    })
}

/// Standard deviation about the curve, and the trace of the smoother.
fn spread(x: &[f64], y: &[f64], width: f64) -> Result<(f64, f64), SmoothError> {
    let (mut residual, mut trace, mut squares) = (0.0, 0.0, 0.0);
    for (i, &place) in x.iter().enumerate() {
        let weights = weights(x, place, width);
        residual += (y[i] - dot(&weights, y)).powi(2);
        trace += weights[i];
        squares += weights.iter().map(|w| w * w).sum::<f64>();
    }
    let left = x.len() as f64 - 2.0 * trace + squares;
    if left <= 1e-9 {
        return Err(SmoothError::NoFreedom);
    }
    Ok(((residual / left).sqrt(), trace))
}

/// Kernel weights of all observations at `place`; they sum to one.
fn weights(x: &[f64], place: f64, width: f64) -> Vec<f64> {
    let exponent = |v: &f64| -0.5 * ((v - place) / width).powi(2);
    let most = x.iter().map(exponent).fold(f64::NEG_INFINITY, f64::max);
    let raw: Vec<f64> = x.iter().map(|v| (exponent(v) - most).exp()).collect();
    let sum: f64 = raw.iter().sum();
    raw.iter().map(|w| w / sum).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::{DIST, MPG, SPEED, assert_near};
    use proptest::prelude::*;

    const AT: [f64; 5] = [4.0, 10.0, 15.5, 21.0, 25.0];

    /// R: `density(mtcars$mpg)` prints `bw = 2.477`.
    #[test]
    fn rule_of_thumb() {
        assert_near(silverman(&MPG), 2.477, 5e-4);
    }

    /// `statsmodels.nonparametric.kernel_regression.KernelReg(dist, speed,
    /// 'c', 'lc', bw)`, statsmodels 0.15, on R's `cars`.
    #[test]
    fn statsmodels_local_constant() {
        let narrow = [
            6.078_562_127_575_535,
            22.837_765_091_645_277,
            38.994_106_361_921_88,
            53.289_713_547_180_035,
            89.708_483_982_668_51,
        ];
        let wide = [
            12.050_301_326_938_467,
            26.806_910_433_890_216,
            41.873_677_854_061_47,
            58.826_096_440_239_475,
            76.288_441_378_560_46,
        ];
        for (width, fits) in [(1.0, narrow), (3.0, wide)] {
            let given = Bandwidth::Given(width);
            let curve = nadaraya_watson(&SPEED, &DIST, &AT, given, 0.95).unwrap();
            for (point, fit) in curve.points.iter().zip(fits) {
                assert_near(point.fit, fit, 1e-9);
            }
        }
    }

    /// Half-widths, sigma and trace with the full smoother matrix in numpy.
    #[test]
    fn band_of_the_full_matrix() {
        let given = Bandwidth::Given(3.0);
        let curve = nadaraya_watson(&SPEED, &DIST, &AT, given, 0.95).unwrap();
        assert_near(curve.sigma, 16.114_641_525_674_777, 1e-9);
        assert_near(curve.freedom, 3.221_374_260_367_721, 1e-9);
        let reaches = [
            11.987_012_149_790_804,
            6.534_236_957_055_83,
            5.528_864_808_377_582,
            6.478_569_842_244_338_5,
            9.376_949_854_959_207,
        ];
        for (point, reach) in curve.points.iter().zip(reaches) {
            assert_near(point.high - point.fit, reach, 1e-9);
            assert_near(point.fit - point.low, reach, 1e-9);
        }
    }

    #[test]
    fn far_away_and_impossible() {
        let given = Bandwidth::Given(0.1);
        let far = nadaraya_watson(&SPEED, &DIST, &[1e4], given, 0.95).unwrap();
        assert_near(far.points[0].fit, 85.0, 1e-9);
        let distinct: Vec<f64> = (0..9).map(f64::from).collect();
        let exact = nadaraya_watson(&distinct, &distinct, &[1.0], Bandwidth::Given(1e-3), 0.95);
        assert_eq!(exact, Err(SmoothError::NoFreedom));
        let zero = nadaraya_watson(&SPEED, &DIST, &AT, Bandwidth::Given(0.0), 0.95);
        assert!(matches!(zero, Err(SmoothError::NotPositive { .. })));
    }

    proptest! {
        /// A local mean lies within the data and moves with it.
        #[test]
        fn stays_within_the_data(y in prop::collection::vec(-9.0..9.0f64, 20), at in -5.0..25.0f64) {
            let x: Vec<f64> = (0..20).map(f64::from).collect();
            let raised: Vec<f64> = y.iter().map(|v| v + 7.0).collect();
            let fit = |y: &[f64]| {
                nadaraya_watson(&x, y, &[at], Bandwidth::Silverman, 0.95).unwrap().points[0].fit
            };
            let low = y.iter().copied().fold(f64::INFINITY, f64::min);
            let high = y.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            prop_assert!((low - 1e-9..=high + 1e-9).contains(&fit(&y)));
            prop_assert!((fit(&raised) - fit(&y) - 7.0).abs() < 1e-9);
        }
    }
}
