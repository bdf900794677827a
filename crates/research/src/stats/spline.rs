//! Penalised cubic B-spline.
//!
//! P. H. C. Eilers & B. D. Marx, *Flexible smoothing with B-splines and
//! penalties*, Statistical Science 11 (1996): cubic B-splines on equal
//! segments, the second differences of their coefficients penalised, the
//! penalty chosen by generalised cross-validation (their section 5). With one
//! variable this is the generalised additive model of Mellemseter (2017),
//! section 5.1. The band is the Bayesian one R's `mgcv` gives (S. N. Wood,
//! *Generalized Additive Models*, 2006, section 4.8), with the variance
//! `RSS / (n - edf)`.

use super::smooth::{Curve, CurvePoint, SmoothError, check, positive};
use foglight_arena::stats::linalg::Matrix;
use foglight_arena::stats::normal;

/// Weight of the roughness penalty.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Penalty {
    /// The one with the least generalised cross-validation score.
    #[default]
    CrossValidated,
    /// A fixed penalty, for comparison with known fits.
    #[cfg(test)]
    Given(f64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SplineOptions {
    /// Equal segments between the smallest and the largest x.
    pub(crate) segments: usize,
    pub(crate) penalty: Penalty,
    /// Level of the confidence band.
    pub level: f64,
}

impl Default for SplineOptions {
    /// 20 segments, cross-validated, 95 %.
    fn default() -> Self {
        Self {
            segments: 20,
            penalty: Penalty::CrossValidated,
            level: 0.95,
        }
    }
}

/// A fitted spline, evaluated at the requested points.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SplineFit {
    pub curve: Curve,
    pub(crate) penalty: f64,
    /// Generalised cross-validation score `n RSS / (n - edf)²`.
    pub score: f64,
}

/// Fits `y` on `x` and evaluates the curve at the points `at`, all of which
/// must lie within the data.
pub(crate) fn p_spline(
    x: &[f64],
    y: &[f64],
    at: &[f64],
    options: SplineOptions,
) -> Result<SplineFit, SmoothError> {
    check(x, y, 4)?;
    positive("number of segments", options.segments as f64)?;
    let basis = Basis::over(x, options.segments);
    basis.check(at)?;
    let system = System::new(&basis, x, y);
    let solution = match options.penalty {
        #[cfg(test)]
        Penalty::Given(penalty) => system.solve(positive("penalty", penalty)?),
        Penalty::CrossValidated => system.cross_validated(),
    }
    .ok_or(SmoothError::NoFreedom)?;

    let sigma = solution.sigma;
    let z = normal::critical(options.level);
    let point = |&place: &f64| {
        let row = basis.at(place);
        let spread = row.quadratic(&solution.inverse).max(0.0).sqrt();
        CurvePoint::new(place, row.dot(&solution.coefficients), z * sigma * spread)
    };
    Ok(SplineFit {
        curve: Curve {
            points: at.iter().map(point).collect(),
            sigma,
            freedom: solution.freedom,
        },
        penalty: solution.penalty,
        score: solution.score,
    })
}

/// Cubic B-splines on equal segments.
struct Basis {
    low: f64,
    high: f64,
    segments: usize,
}

/// The four splines that are non-zero at one x.
struct BasisRow {
    first: usize,
    values: [f64; 4],
}

impl Basis {
    fn over(x: &[f64], segments: usize) -> Self {
        Self {
            low: x.iter().copied().fold(f64::INFINITY, f64::min),
            high: x.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            segments,
        }
    }

    fn size(&self) -> usize {
        self.segments + 3
    }

    fn check(&self, at: &[f64]) -> Result<(), SmoothError> {
        match at.iter().find(|&v| !(self.low..=self.high).contains(v)) {
            None => Ok(()),
            Some(&got) => Err(SmoothError::OutsideData {
                low: self.low,
                high: self.high,
                got,
            }),
        }
    }

    /// Values of the uniform cubic B-splines in closed form.
    fn at(&self, place: f64) -> BasisRow {
        let scaled = (place - self.low) / (self.high - self.low) * self.segments as f64;
        let first = (scaled.floor() as usize).min(self.segments - 1);
        let t = scaled - first as f64;
        let s = 1.0 - t;
        BasisRow {
            first,
            values: [
                s.powi(3) / 6.0,
                (3.0 * t.powi(3) - 6.0 * t.powi(2) + 4.0) / 6.0,
                (3.0 * s.powi(3) - 6.0 * s.powi(2) + 4.0) / 6.0,
                t.powi(3) / 6.0,
            ],
        }
    }
}

impl BasisRow {
    fn entries(&self) -> impl Iterator<Item = (usize, f64)> {
        self.values
            .iter()
            .enumerate()
            .map(|(k, &value)| (self.first + k, value))
    }

    fn dot(&self, coefficients: &[f64]) -> f64 {
        self.entries().map(|(i, b)| b * coefficients[i]).sum()
    }

    fn quadratic(&self, matrix: &Matrix) -> f64 {
        self.entries()
            .map(|(i, a)| {
                a * self
                    .entries()
                    .map(|(j, b)| b * matrix.at(i, j))
                    .sum::<f64>()
            })
            .sum()
    }
}

/// The normal equations, for any penalty.
struct System<'a> {
    rows: Vec<BasisRow>,
    y: &'a [f64],
    gram: Matrix,
    moments: Vec<f64>,
    roughness: Matrix,
}

struct Solution {
    coefficients: Vec<f64>,
    inverse: Matrix,
    penalty: f64,
    freedom: f64,
    sigma: f64,
    score: f64,
}

impl<'a> System<'a> {
    fn new(basis: &Basis, x: &[f64], y: &'a [f64]) -> Self {
        let size = basis.size();
        let rows: Vec<BasisRow> = x.iter().map(|&v| basis.at(v)).collect();
        let (mut gram, mut moments) = (Matrix::zero(size), vec![0.0; size]);
        for (row, &value) in rows.iter().zip(y) {
            for (i, a) in row.entries() {
                moments[i] += a * value;
                for (j, b) in row.entries() {
                    gram.add(i, j, a * b);
                }
            }
        }
        Self {
            rows,
            y,
            gram,
            moments,
            roughness: squared_second_differences(size),
        }
    }

    /// Solves for a penalty; `None` if the equations are singular or no degree
    /// of freedom is left for the error.
    fn solve(&self, penalty: f64) -> Option<Solution> {
        let factor = self.gram.plus(penalty, &self.roughness).cholesky()?;
        let coefficients = factor.solve(&self.moments);
        let inverse = factor.inverse();
        let freedom = inverse.trace_of_product(&self.gram);
        let residual: f64 = self
            .rows
            .iter()
            .zip(self.y)
            .map(|(row, y)| (y - row.dot(&coefficients)).powi(2))
            .sum();
        let observations = self.y.len() as f64;
        let left = observations - freedom;
        (left > 1e-6).then(|| Solution {
            coefficients,
            inverse,
            penalty,
            freedom,
            sigma: (residual / left).sqrt(),
            score: observations * residual / (left * left),
        })
    }

    /// The best penalty of a grid over twelve decades, refined by golden
    /// section.
    fn cross_validated(&self) -> Option<Solution> {
        const STEPS: i32 = 60;
        const PER_DECADE: f64 = 5.0;
        let scale = self.gram.trace() / self.roughness.trace();
        let penalty = |exponent: f64| scale * 10f64.powf(exponent);
        let score = |exponent: f64| {
            self.solve(penalty(exponent))
                .map_or(f64::INFINITY, |solution| solution.score)
        };
        let exponent = |step: i32| f64::from(step - STEPS / 2) / PER_DECADE;
        let best = (0..=STEPS)
            .map(|step| (score(exponent(step)), step))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map_or(STEPS, |(_, step)| step);
        let refined = golden_section(score, exponent(best - 1), exponent(best + 1));
        let within = refined.clamp(exponent(0), exponent(STEPS));
        self.solve(penalty(within))
            .or_else(|| self.solve(penalty(exponent(best))))
    }
}

/// `DᵀD` for the matrix `D` of second differences.
fn squared_second_differences(size: usize) -> Matrix {
    let mut square = Matrix::zero(size);
    for first in 0..size - 2 {
        let difference = [(first, 1.0), (first + 1, -2.0), (first + 2, 1.0)];
        for (i, a) in difference {
            for (j, b) in difference {
                square.add(i, j, a * b);
            }
        }
    }
    square
}

/// The minimum of a unimodal function.
fn golden_section(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    const ROUNDS: usize = 40;
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut a, mut b) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_a, mut at_b) = (f(a), f(b));
    for _ in 0..ROUNDS {
        if at_a <= at_b {
            (high, b, at_b) = (b, a, at_a);
            a = high - ratio * (high - low);
            at_a = f(a);
        } else {
            (low, a, at_a) = (a, b, at_b);
            b = low + ratio * (high - low);
            at_b = f(b);
        }
    }
    low + (high - low) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::{DIST, SPEED, assert_close, assert_near};
    use proptest::prelude::*;

    const AT: [f64; 5] = [4.0, 10.0, 15.5, 21.0, 25.0];

    fn options(segments: usize, penalty: Penalty, level: f64) -> SplineOptions {
        SplineOptions {
            segments,
            penalty,
            level,
        }
    }

    fn assert_points(fit: &SplineFit, expected: &[(f64, f64)], tolerance: f64) {
        for (point, &(value, reach)) in fit.curve.points.iter().zip(expected) {
            assert_near(point.fit, value, tolerance);
            assert_near(point.high - point.fit, reach, tolerance);
        }
    }

    /// R: `lm(dist ~ speed, cars)` has intercept -17.5791, slope 3.9324 and
    /// residual standard error 15.38. A stiff spline is that line.
    #[test]
    fn a_stiff_spline_is_the_regression_line() {
        let stiff = options(10, Penalty::Given(1e9), 0.95);
        let fit = p_spline(&SPEED, &DIST, &AT, stiff).unwrap();
        for point in &fit.curve.points {
            assert_near(point.fit, -17.5791 + 3.9324 * point.x, 1e-3);
        }
        assert_near(fit.curve.freedom, 2.0, 1e-4);
        assert_near(fit.curve.sigma, 15.38, 5e-3);
    }

    /// `scipy.interpolate.BSpline.design_matrix` and dense numpy algebra on
    /// R's `cars`, ten segments.
    #[test]
    fn scipy_basis_with_given_penalty() {
        let given = options(10, Penalty::Given(1.0), 0.95);
        let fit = p_spline(&SPEED, &DIST, &AT, given).unwrap();
        assert_near(fit.curve.freedom, 5.633_237_303_534_123, 1e-8);
        assert_near(fit.score, 257.614_025_572_747_15, 1e-7);
        assert_near(fit.curve.sigma, 15.119_193_324_954_454, 1e-8);
        let points = [
            (5.792_918_279_480_826, 19.588_113_429_163_65),
            (20.985_469_738_913_56, 9.589_248_501_973_797),
            (42.911_902_085_214_635, 8.119_965_550_976_405),
            (60.209_075_728_650_31, 10.320_293_635_126_095),
            (94.867_546_983_741_43, 17.279_987_752_028_41),
        ];
        assert_points(&fit, &points, 1e-8);
    }

    /// The same, the penalty chosen by a search over the dense equations.
    #[test]
    fn scipy_basis_with_cross_validation() {
        let chosen = options(10, Penalty::CrossValidated, 0.95);
        let fit = p_spline(&SPEED, &DIST, &AT, chosen).unwrap();
        assert_close(fit.penalty, 109.162_685_800_319_6, 1e-4);
        assert_near(fit.score, 244.086_586_912_430_05, 1e-6);
        let points = [
            (1.681_802_991_091_661, 13.309_831_600_923_424),
            (21.946_944_770_173_193, 6.334_587_360_777_572),
            (42.106_730_481_364_5, 5.080_132_061_029_889),
            (65.201_391_463_253_43, 6.420_539_715_432_029),
            (84.088_833_975_802_34, 10.925_051_134_413_174),
        ];
        assert_points(&fit, &points, 1e-4);
    }

    /// A noisy sine: dense reference as above, and `make_smoothing_spline` of
    /// scipy 1.17, another spline with another penalty but the same criterion,
    /// within a fifth of sigma.
    #[test]
    fn a_noisy_sine() {
        let x: Vec<f64> = (0..100).map(f64::from).collect();
        let y: Vec<f64> = x
            .iter()
            .map(|x| (x / 10.0).sin() + 0.3 * (x * 7.3).sin())
            .collect();
        let at = [0.0, 12.5, 50.0, 99.0];
        let fit = p_spline(&x, &y, &at, options(20, Penalty::CrossValidated, 0.999)).unwrap();
        assert_close(fit.penalty, 2.893_637_158_948_226, 1e-4);
        let points = [
            (0.166_345_377_750_009_3, 0.378_885_113_394_191_7),
            (0.904_786_993_088_334_4, 0.202_347_538_532_527_9),
            (-0.925_180_685_608_416_2, 0.199_359_369_001_829_1),
            (-0.498_846_452_720_874, 0.378_885_113_394_191_7),
        ];
        assert_points(&fit, &points, 1e-5);
        let other = [0.131_831_43, 0.932_431_49, -0.947_914_8, -0.542_801_85];
        for (point, value) in fit.curve.points.iter().zip(other) {
            assert_near(point.fit, value, 0.2 * fit.curve.sigma);
        }
    }

    #[test]
    fn impossible_splines_are_refused() {
        let outside = p_spline(&SPEED, &DIST, &[26.0], SplineOptions::default());
        assert!(matches!(outside, Err(SmoothError::OutsideData { .. })));
        let none = options(0, Penalty::CrossValidated, 0.95);
        assert!(p_spline(&SPEED, &DIST, &AT, none).is_err());
        let constant = p_spline(&[1.0; 5], &[1.0; 5], &[1.0], SplineOptions::default());
        assert_eq!(constant, Err(SmoothError::ConstantX));
    }

    proptest! {
        /// The penalty ignores straight lines: adding one to the data adds it
        /// to the fit.
        #[test]
        fn lines_pass_through(
            y in prop::collection::vec(-9.0..9.0f64, 30),
            slope in -3.0..3.0f64,
            at in 0.0..29.0f64,
        ) {
            let x: Vec<f64> = (0..30).map(f64::from).collect();
            let tilted: Vec<f64> = x.iter().zip(&y).map(|(x, y)| y + slope * x).collect();
            let given = options(8, Penalty::Given(2.0), 0.95);
            let read = |y: &[f64]| p_spline(&x, y, &[at], given).unwrap().curve.points[0].fit;
            prop_assert!((read(&tilted) - read(&y) - slope * at).abs() < 1e-8);
        }
    }
}
