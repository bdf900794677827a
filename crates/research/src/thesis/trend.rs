//! Ratings over the games: the thesis's figures 21 to 23.

use foglight_arena::{
    report::Matchup,
    stats::running::{KFactor, START},
};

use super::LEVEL;
use crate::stats::{
    kernel::{Bandwidth, nadaraya_watson},
    smooth::{CurvePoint, moving_average},
    spline::{SplineOptions, p_spline},
};

/// Maximum number of points of a regression; a longer series is first reduced
/// to means of equal blocks, as the time is quadratic.
const MAX_POINTS: usize = 600;

/// Points drawn of each curve.
const DRAWN: usize = 120;

/// Rating of one agent after each game, and three curves through it. A curve is
/// empty if there are too few games for it.
pub(crate) struct Trend {
    /// Game number and rating, reduced to block means.
    pub ratings: Vec<(f64, f64)>,
    /// Centred moving average over a tenth of the games.
    pub average: Vec<CurvePoint>,
    pub kernel: Vec<CurvePoint>,
    /// Penalised spline, the thesis's GAM.
    pub spline: Vec<CurvePoint>,
}

/// Rating of the first agent after each game, both starting from 500.
pub fn ratings(matchup: &Matchup<'_>, k: KFactor) -> Vec<f64> {
    let steps = k.series((START, START), matchup.outcomes());
    steps.iter().map(|(first, _)| first.rating).collect()
}

/// Rating change of each game.
pub fn changes(ratings: &[f64]) -> Vec<f64> {
    let before = std::iter::once(START).chain(ratings.iter().copied());
    ratings
        .iter()
        .zip(before)
        .map(|(after, before)| after - before)
        .collect()
}

impl Trend {
    /// Fits the curves through a series of ratings.
    pub fn new(ratings: &[f64]) -> Trend {
        let points = thinned(ratings);
        let (x, y): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
        let at = places(&x);
        let curve = |curve: Result<Vec<CurvePoint>, _>| curve.unwrap_or_default();
        let window = (y.len() / 10).max(3);
        let average = curve(moving_average(&y, window, LEVEL));
        let average = average.into_iter().zip(&x);
        let average = average.map(|(point, &x)| CurvePoint { x, ..point });
        let options = SplineOptions {
            segments: (y.len() / 4).clamp(1, 20),
            level: LEVEL,
            ..SplineOptions::default()
        };
        Trend {
            average: average.collect(),
            kernel: curve(
                nadaraya_watson(&x, &y, &at, Bandwidth::Given(bandwidth(&x)), LEVEL)
                    .map(|curve| curve.points),
            ),
            spline: curve(p_spline(&x, &y, &at, options).map(|fit| fit.curve.points)),
            ratings: points,
        }
    }

    /// The same for the opponent, whose rating changes are the negatives.
    pub fn mirrored(&self) -> Trend {
        let sum = 2.0 * START;
        let curve = |points: &[CurvePoint]| {
            let turned = points.iter().map(|point| CurvePoint {
                x: point.x,
                fit: sum - point.fit,
                low: sum - point.high,
                high: sum - point.low,
            });
            turned.collect()
        };
        Trend {
            ratings: self.ratings.iter().map(|&(x, y)| (x, sum - y)).collect(),
            average: curve(&self.average),
            kernel: curve(&self.kernel),
            spline: curve(&self.spline),
        }
    }
}

/// A twenty-fifth of the range: wide enough to smooth over single games.
fn bandwidth(x: &[f64]) -> f64 {
    match (x.first(), x.last()) {
        (Some(first), Some(last)) if last > first => ((last - first) / 25.0).max(1.0),
        _ => 1.0,
    }
}

/// Means of at most [`MAX_POINTS`] blocks, each at the middle of its games;
/// games are numbered from 1.
fn thinned(values: &[f64]) -> Vec<(f64, f64)> {
    let size = values.len().div_ceil(MAX_POINTS).max(1);
    let blocks = values.chunks(size).enumerate();
    blocks
        .map(|(i, block)| {
            let middle = (i * size) as f64 + (block.len() as f64 + 1.0) / 2.0;
            (middle, block.iter().sum::<f64>() / block.len() as f64)
        })
        .collect()
}

/// Equally spaced points within the range of the data.
fn places(x: &[f64]) -> Vec<f64> {
    let (Some(&first), Some(&last)) = (x.first(), x.last()) else {
        return Vec::new();
    };
    let step = (last - first) / (DRAWN - 1) as f64;
    let place = |i| (first + i as f64 * step).clamp(first, last);
    (0..DRAWN).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_series_are_thinned_to_means() {
        let values: Vec<f64> = (1..=100_000).map(f64::from).collect();
        let points = thinned(&values);
        assert!(points.len() <= MAX_POINTS);
        assert!(
            points.iter().all(|(x, y)| (x - y).abs() < 1e-9),
            "a line stays a line"
        );
        assert_eq!(thinned(&[5.0]), [(1.0, 5.0)]);
    }

    #[test]
    fn curves_follow_a_line_and_mirror() {
        let values: Vec<f64> = (0..200).map(|i| 500.0 + f64::from(i)).collect();
        let trend = Trend::new(&values);
        for curve in [&trend.average, &trend.spline] {
            let off = curve
                .iter()
                .map(|p| (p.fit - (499.0 + p.x)).abs())
                .fold(0.0, f64::max);
            assert!(off < 0.5, "{off}");
        }
        let middle = &trend.kernel[60];
        assert!((middle.fit - (499.0 + middle.x)).abs() < 0.5);
        let turned = trend.mirrored();
        assert_eq!(turned.kernel[60].fit, 1000.0 - middle.fit);
        assert_eq!(turned.kernel[60].low, 1000.0 - middle.high);
    }

    #[test]
    fn few_games_have_fewer_curves() {
        for n in 0..8 {
            let trend = Trend::new(&vec![500.0; n]);
            assert_eq!(trend.ratings.len(), n);
            let all = trend
                .average
                .iter()
                .chain(&trend.kernel)
                .chain(&trend.spline);
            assert!(all.clone().all(|p| p.fit.is_finite()), "{n}");
        }
    }
}
