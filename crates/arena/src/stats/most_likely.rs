//! The most likely distribution of results under a hypothesis.
//!
//! Given the frequencies `f` of results with scores between 0 and 1, the
//! functions return the largest values of `sum f_i ln p_i` over the
//! distributions `p` with a given mean, or with a mean a given number of their
//! own standard deviations above one half: proposition 1.1 and section 4.1 of
//! M. Van den Bergh, *Comments on Normalized Elo*.
//!
//! The second set is not convex, and with five categories it has several local
//! maxima; beyond `sqrt 8` standard deviations it is even disconnected, since a
//! distribution that is nearly certain of *any* result above one half is that
//! many deviations above it. Therefore its curve in the plane of the first two
//! moments is searched from end to end.

/// Pseudo-count of an unobserved category, so that every logarithm exists; the
/// value of fastchess and fishtest.
const UNSEEN: f64 = 1e-3;

/// Points at which a segment of the curve is tested for a change of slope of
/// the likelihood.
const STEPS: u32 = 48;

/// Observed results by category: frequencies and total. Categories are equally
/// spaced from score 0 to score 1.
#[derive(Clone, Copy)]
pub(super) struct Seen<const N: usize> {
    frequency: [f64; N],
    total: f64,
}

impl<const N: usize> Seen<N> {
    /// Results from counts in the order of their scores.
    pub(super) fn new(counts: [u64; N]) -> Self {
        let weight = counts.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let total: f64 = weight.iter().sum();
        Self {
            frequency: weight.map(|w| w / total),
            total,
        }
    }

    /// Frequency of the results in a category.
    pub(super) fn frequency(&self, category: usize) -> f64 {
        self.frequency[category]
    }

    /// Score less one half, by category.
    fn offsets() -> [f64; N] {
        std::array::from_fn(|i| i as f64 / (N - 1) as f64 - 0.5)
    }

    /// Log-likelihood of the results if the expected score is `win / (win +
    /// loss)`, relative to the unconstrained maximum. The two are separate
    /// arguments because scores close to 1 lose digits.
    pub(super) fn given_score(&self, win: f64, loss: f64) -> f64 {
        let gap = Self::offsets().map(|offset| (0.5 + offset) * loss - (0.5 - offset) * win);
        self.total * self.tilt(&gap).map_or(f64::NEG_INFINITY, |tilt| tilt.value)
    }

    /// Log-likelihood of the results if the mean lies `sigmas` standard
    /// deviations above one half, relative to the unconstrained maximum.
    pub(super) fn given_sigmas(&self, sigmas: f64) -> f64 {
        if sigmas < 0.0 {
            let mut mirrored = *self;
            mirrored.frequency.reverse();
            return mirrored.given_sigmas(-sigmas);
        }
        if sigmas == 0.0 {
            return self.given_score(1.0, 1.0);
        }
        let pieces = pieces::<N>(sigmas).into_iter();
        let best = pieces.map(|piece| self.best_on(piece, sigmas));
        self.total * best.fold(f64::NEG_INFINITY, f64::max)
    }

    /// The largest local maximum on a segment of the curve: the likelihood
    /// rises from minus infinity at its lower end and falls to it at its upper.
    fn best_on(&self, (low, high): (f64, f64), sigmas: f64) -> f64 {
        let at = |step: u32| {
            let angle = std::f64::consts::FRAC_PI_2 * f64::from(step) / f64::from(STEPS);
            low * (high / low).powf(angle.sin().powi(2))
        };
        let mut best = f64::NEG_INFINITY;
        let mut before = (low, f64::INFINITY);
        for step in 1..=STEPS {
            let (sigma, rise) = match step {
                STEPS => (high, f64::NEG_INFINITY),
                _ => (at(step), self.rise(at(step), sigmas).0),
            };
            if before.1 > 0.0 && rise <= 0.0 {
                let top = falling_root(before, (sigma, rise), |sigma| self.rise(sigma, sigmas).0);
                best = best.max(self.rise(top, sigmas).1);
            }
            before = (sigma, rise);
        }
        best
    }

    /// At the point of the curve with standard deviation `sigma`: a number with
    /// the sign of the likelihood's slope, and the likelihood itself where the
    /// slope is 0. With `c` for a score less one half, the curve is `E c =
    /// sigmas sigma`, `E c^2 = (1 + sigmas^2) sigma^2`. Along its tangent the
    /// likelihood is concave, so it rises towards its maximum there; if that is
    /// the point itself, the point is stationary on the curve.
    fn rise(&self, sigma: f64, sigmas: f64) -> (f64, f64) {
        let stretch = 1.0 + sigmas * sigmas;
        let offset = Self::offsets();
        let gap = offset.map(|c| c - 0.5 * sigmas * (c * c / (sigma * stretch) + sigma));
        let Some(tilt) = self.tilt(&gap) else {
            return (f64::NAN, f64::NEG_INFINITY);
        };
        let moment: f64 = (0..N)
            .map(|i| self.frequency[i] / tilt.divisor[i] * offset[i].powi(2))
            .sum();
        (moment - stretch * sigma * sigma, tilt.value)
    }

    /// The most likely distribution under which `gap` has mean zero is `f_i /
    /// (1 + theta gap_i)`, with theta the root of `sum f_i gap_i / (1 + theta
    /// gap_i)` between the poles -1 / max gap and -1 / min gap (equations 1.2
    /// and 1.3). `None` if the gaps have one sign and no such distribution
    /// exists. The unknown is the relative position between the poles, so that
    /// no divisor is a difference.
    fn tilt(&self, gap: &[f64; N]) -> Option<Tilt<N>> {
        let least = gap.iter().copied().fold(f64::INFINITY, f64::min);
        let most = gap.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if !(least < 0.0 && most > 0.0) {
            return None;
        }
        let lower = gap.map(|g| 1.0 - g / most);
        let upper = gap.map(|g| 1.0 - g / least);
        let slope = |place: f64| -> f64 {
            let rest = 1.0 - place;
            (0..N)
                .map(|i| {
                    let divisor = rest * lower[i] + place * upper[i];
                    self.frequency[i] * gap[i] * (place * rest / divisor)
                })
                .sum()
        };
        // Multiplied by the distances to both poles, the sum is finite there.
        let end = |at: f64, other: &[f64; N]| -> f64 {
            let poles = (0..N).filter(|&i| gap[i] == at);
            poles.map(|i| self.frequency[i] * at / other[i]).sum()
        };
        let place = falling_root((0.0, end(most, &upper)), (1.0, end(least, &lower)), slope);
        let divisor: [f64; N] =
            std::array::from_fn(|i| (1.0 - place) * lower[i] + place * upper[i]);
        let value = -(0..N)
            .map(|i| self.frequency[i] * divisor[i].ln())
            .sum::<f64>();
        Some(Tilt { divisor, value })
    }
}

/// Divisors of the frequencies that satisfy a hypothesis, and the resulting
/// mean log-likelihood, at most 0.
struct Tilt<const N: usize> {
    divisor: [f64; N],
    value: f64,
}

/// The standard deviations for which some distribution over `N` categories has
/// its mean `sigmas > 0` of them above one half. Between two neighbouring
/// scores the second moment is least if only these two occur, which excludes
/// the range between the roots of a quadratic; it is at most a quarter.
fn pieces<const N: usize>(sigmas: f64) -> Vec<(f64, f64)> {
    let stretch = 1.0 + sigmas * sigmas;
    let width = 1.0 / (N - 1) as f64;
    let mut low = sigmas * width / stretch;
    let mut pieces = Vec::new();
    for k in 1..N / 2 {
        let (a, b) = (k as f64 * width, (k + 1) as f64 * width);
        let square = (sigmas * width).powi(2) - 4.0 * a * b;
        if square > 0.0 {
            let (middle, half) = (sigmas * (a + b), square.sqrt());
            pieces.push((low, (middle - half) / (2.0 * stretch)));
            low = (middle + half) / (2.0 * stretch);
        }
    }
    pieces.push((low, 0.5 / stretch.sqrt()));
    pieces
}

/// The root of a function between a point where it is positive and one where it
/// is negative: false position, with the weight of an unchanged end halved (the
/// Illinois rule), and bisection if that stalls.
fn falling_root(
    (mut low, mut above): (f64, f64),
    (mut high, mut below): (f64, f64),
    f: impl Fn(f64) -> f64,
) -> f64 {
    const ROUNDS: usize = 200;
    const CLOSE: f64 = 4.0 * f64::EPSILON;
    let mut stayed = 0;
    for _ in 0..ROUNDS {
        let mut middle = low + (high - low) * (above / (above - below));
        if !(middle > low && middle < high) {
            middle = low + (high - low) / 2.0;
        }
        if high - low <= CLOSE * high || !(middle > low && middle < high) {
            return middle;
        }
        let value = f(middle);
        if value > 0.0 {
            (low, above) = (middle, value);
            below *= if stayed > 0 { 0.5 } else { 1.0 };
            stayed = 1;
        } else {
            (high, below) = (middle, value);
            above *= if stayed < 0 { 0.5 } else { 1.0 };
            stayed = -1;
        }
    }
    low + (high - low) / 2.0
}
