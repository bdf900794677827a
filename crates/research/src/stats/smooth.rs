//! Smoothed curves with confidence bands, for rating graphs.
//!
//! The three methods of Mellemseter (2017), section 6.1.2: moving average
//! (here), Nadaraya-Watson regression ([`super::kernel`]) and a generalised
//! additive model ([`super::spline`]). The bands assume independent
//! observations; successive Elo ratings are not independent, so over ratings
//! the bands are too narrow.

use serde::Serialize;
use thiserror::Error;

use foglight_arena::stats::normal;

/// Reasons for which there is no curve.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub(crate) enum SmoothError {
    /// x and y differ in length.
    #[error("expected as many y as x values, got {x} x and {y} y")]
    Lengths { x: usize, y: usize },
    #[error("expected at least {least} observations, got {got}")]
    TooFew {
        /// Minimum number of observations.
        least: usize,
        /// Number of observations given.
        got: usize,
    },
    /// A value is NaN or infinite.
    #[error("expected finite values, got one that is not")]
    NotFinite,
    /// All x are equal.
    #[error("expected x values that differ, got all equal")]
    ConstantX,
    /// Window, bandwidth, penalty or number of segments out of range.
    #[error("expected a positive {what}, got {got}")]
    NotPositive { what: &'static str, got: f64 },
    /// A spline is undefined outside the data.
    #[error("expected a point between {low} and {high}, got {got}")]
    OutsideData {
        /// Smallest x of the data.
        low: f64,
        /// Largest x of the data.
        high: f64,
        got: f64,
    },
    /// The smoother uses up all degrees of freedom.
    #[error("expected a smoother curve: no degrees of freedom are left for the error")]
    NoFreedom,
}

/// A smoothed value with its pointwise confidence band.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct CurvePoint {
    pub x: f64,
    pub fit: f64,
    /// Lower edge of the band.
    pub low: f64,
    /// Upper edge of the band.
    pub high: f64,
}

impl CurvePoint {
    pub(super) fn new(x: f64, fit: f64, reach: f64) -> Self {
        Self {
            x,
            fit,
            low: fit - reach,
            high: fit + reach,
        }
    }
}

/// Curve of a linear smoother.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Curve {
    /// One point for each requested x.
    pub points: Vec<CurvePoint>,
    /// Estimated standard deviation of an observation about the curve.
    pub sigma: f64,
    /// Effective degrees of freedom: the trace of the smoother matrix.
    pub freedom: f64,
}

/// Centred moving average over `window` equally spaced observations: x is the
/// index. Near the ends the window shrinks to the observations within `window /
/// 2` on both sides, so that the mean stays centred; an even window acts as the
/// next odd one. The band is `z s / sqrt(m)` with the standard deviation `s` of
/// the `m` values in the window, and has zero width for one value.
pub(crate) fn moving_average(
    values: &[f64],
    window: usize,
    level: f64,
) -> Result<Vec<CurvePoint>, SmoothError> {
    if window == 0 {
        return Err(SmoothError::NotPositive {
            what: "window",
            got: 0.0,
        });
    }
    if values.iter().any(|y| !y.is_finite()) {
        return Err(SmoothError::NotFinite);
    }
    let z = normal::critical(level);
    let point = |i: usize| {
        let reach = (window / 2).min(i).min(values.len() - 1 - i);
        let (mean, error) = mean_and_error(&values[i - reach..=i + reach]);
        CurvePoint::new(i as f64, mean, z * error)
    };
    Ok((0..values.len()).map(point).collect())
}

fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let size = values.len() as f64;
    let mean = values.iter().sum::<f64>() / size;
    if values.len() < 2 {
        return (mean, 0.0);
    }
    let squares: f64 = values.iter().map(|y| (y - mean).powi(2)).sum();
    (mean, (squares / (size - 1.0) / size).sqrt())
}

/// Checks the preconditions of every regression.
pub(super) fn check(x: &[f64], y: &[f64], least: usize) -> Result<(), SmoothError> {
    if x.len() != y.len() {
        return Err(SmoothError::Lengths {
            x: x.len(),
            y: y.len(),
        });
    }
    if x.len() < least {
        return Err(SmoothError::TooFew {
            least,
            got: x.len(),
        });
    }
    if x.iter().chain(y).any(|v| !v.is_finite()) {
        return Err(SmoothError::NotFinite);
    }
    if x.iter().all(|&v| v == x[0]) {
        return Err(SmoothError::ConstantX);
    }
    Ok(())
}

/// Accepts a parameter that must be positive and finite.
pub(super) fn positive(what: &'static str, got: f64) -> Result<f64, SmoothError> {
    if got.is_finite() && got > 0.0 {
        Ok(got)
    } else {
        Err(SmoothError::NotPositive { what, got })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::{MPG, assert_near};

    /// pandas' `rolling(5, center=True)`, the third to sixth `mean()`; the standard
    /// deviation of the third window is 1.4737706741552437.
    #[test]
    fn running_means() {
        let curve = moving_average(&MPG, 5, 0.95).unwrap();
        for (i, mean) in [(2, 20.98), (3, 20.40), (4, 19.06), (5, 19.38)] {
            assert_near(curve[i].fit, mean, 1e-9);
        }
        let reach = 1.959_963_984_540_054 * 1.473_770_674_155_243_7 / 5f64.sqrt();
        assert_near(curve[2].high - curve[2].fit, reach, 1e-9);
    }

    #[test]
    fn ends_stay_centred() {
        let line: Vec<f64> = (0..9).map(f64::from).collect();
        let curve = moving_average(&line, 5, 0.999).unwrap();
        for (point, y) in curve.iter().zip(&line) {
            assert_near(point.fit, *y, 1e-12);
        }
        assert_eq!(curve[0].low, curve[0].high);
        assert!(moving_average(&[], 3, 0.95).unwrap().is_empty());
        assert!(moving_average(&line, 0, 0.95).is_err());
    }
}
