//! Oracle for the log-likelihoods of `most_likely`, by another method.
//!
//! The oracle fixes both moments of the distribution, maximises the likelihood
//! over the remaining free probabilities, and finds the best moments by grid
//! and golden section. It shares no equation with `most_likely`, which solves
//! for multipliers and stationary points.

/// Grid points at which the feasibility of a standard deviation is tested.
const COARSE: usize = 4000;

/// Grid points of each range at which the likelihood is computed.
const FINE: usize = 40;

/// Scores less one half.
pub fn offsets<const N: usize>() -> [f64; N] {
    std::array::from_fn(|i| i as f64 / (N - 1) as f64 - 0.5)
}

/// `sum f_i ln (p_i / f_i)`; minus infinity if a probability is not positive.
fn likelihood<const N: usize>(f: &[f64; N], p: &[f64; N]) -> f64 {
    let terms = (0..N).map(|i| match p[i] > 0.0 {
        true => f[i] * (p[i] / f[i]).ln(),
        false => f64::NEG_INFINITY,
    });
    terms.sum()
}

/// The probabilities with these moments of the offsets, as far as the moments
/// determine them: completely for losses, draws and wins; for pairs up to the
/// two odd results, on which the others depend by the coefficients.
fn with_moments<const N: usize>([mean, second]: [f64; 2]) -> ([f64; N], Vec<[f64; N]>) {
    let even = [2.0 * second - mean, 1.0 - 4.0 * second, 2.0 * second + mean];
    let free = [
        [-3.0 / 8.0, 1.0, -3.0 / 4.0, 0.0, 1.0 / 8.0],
        [1.0 / 8.0, 0.0, -3.0 / 4.0, 1.0, -3.0 / 8.0],
    ];
    let fixed = std::array::from_fn(|i| match (N, i % 2) {
        (3, _) => even[i],
        (_, 0) => even[i / 2],
        _ => 0.0,
    });
    let free = free[..(N - 3)].iter();
    let free = free.map(|column| std::array::from_fn(|i| column[i]));
    (fixed, free.collect())
}

/// The largest likelihood with these moments: Newton's method on the two free
/// probabilities.
fn given_moments<const N: usize>(f: &[f64; N], moments: [f64; 2]) -> f64 {
    let (fixed, free) = with_moments::<N>(moments);
    let [u, v] = match free[..] {
        [u, v] => [u, v],
        _ => return likelihood(f, &fixed),
    };
    let at = |x: [f64; 2]| std::array::from_fn(|i| fixed[i] + x[0] * u[i] + x[1] * v[i]);
    let mut x = middle(&fixed, [&u, &v]);
    let mut p: [f64; N] = at(x);
    let mut value = likelihood(f, &p);
    for _ in 0..500 {
        let sum = |a: &dyn Fn(usize) -> f64| (0..N).map(a).sum::<f64>();
        let slope = [u, v].map(|w| sum(&|i| f[i] * w[i] / p[i]));
        let curve = |a: &[f64; N], b: &[f64; N]| sum(&|i| f[i] * a[i] * b[i] / (p[i] * p[i]));
        let (uu, uv, vv) = (curve(&u, &u), curve(&u, &v), curve(&v, &v));
        let det = uu * vv - uv * uv;
        let step = [
            (vv * slope[0] - uv * slope[1]) / det,
            (uu * slope[1] - uv * slope[0]) / det,
        ];
        let gain = step[0] * slope[0] + step[1] * slope[1];
        if gain.is_nan() || gain < 1e-15 {
            break;
        }
        let mut tries = (0..40).map(|halvings| {
            let scale = 0.5f64.powi(halvings);
            let next = [x[0] + scale * step[0], x[1] + scale * step[1]];
            (next, likelihood(f, &at(next)), value + 0.25 * scale * gain)
        });
        match tries.find(|&(_, reached, wanted)| reached >= wanted) {
            Some((next, reached, _)) => (x, p, value) = (next, at(next), reached),
            _ => break,
        }
    }
    value
}

/// An interior point of the polygon of non-negative probabilities: the mean of
/// its corners, at each of which two probabilities are 0.
fn middle<const N: usize>(fixed: &[f64; N], [u, v]: [&[f64; N]; 2]) -> [f64; 2] {
    let (mut sum, mut corners) = ([0.0; 2], 0.0);
    for i in 0..N {
        for j in i + 1..N {
            let det = u[i] * v[j] - u[j] * v[i];
            let x = (v[i] * fixed[j] - v[j] * fixed[i]) / det;
            let y = (u[j] * fixed[i] - u[i] * fixed[j]) / det;
            let others = (0..N).filter(|&k| k != i && k != j);
            if det != 0.0
                && others
                    .into_iter()
                    .all(|k| fixed[k] + x * u[k] + y * v[k] >= 0.0)
            {
                sum = [sum[0] + x, sum[1] + y];
                corners += 1.0;
            }
        }
    }
    sum.map(|x| x / corners)
}

/// The largest likelihood with this expected score: the least `-sum f_i ln (1 +
/// x gap_i)` over all `x` for which it exists.
pub(crate) fn given_score<const N: usize>(f: &[f64; N], expected: f64) -> f64 {
    let gap = offsets::<N>().map(|c| c + 0.5 - expected);
    let cost = |x: f64| likelihood(f, &std::array::from_fn(|i| f[i] * (1.0 + x * gap[i])));
    -golden(cost, [-1.0 / gap[N - 1], -1.0 / gap[0]])
}

pub fn dot<const K: usize>(a: &[f64; K], b: &[f64; K]) -> f64 {
    (0..K).map(|k| a[k] * b[k]).sum()
}

/// Whether some distribution over the categories has these moments of the
/// offsets.
fn possible<const N: usize>([mean, second]: [f64; 2]) -> bool {
    let c = offsets::<N>();
    let place = (mean + 0.5) * (N - 1) as f64;
    let k = (place as usize).min(N - 2);
    let share = place - k as f64;
    let least = (1.0 - share) * c[k] * c[k] + share * c[k + 1] * c[k + 1];
    mean < 0.5 && second > least && second < 0.25
}

pub(crate) fn given_sigmas<const N: usize>(f: &[f64; N], sigmas: f64) -> f64 {
    if sigmas < 0.0 {
        let mut mirrored = *f;
        mirrored.reverse();
        return given_sigmas(&mirrored, -sigmas);
    }
    if sigmas == 0.0 {
        return given_score(f, 0.5);
    }
    let moments = |sigma: f64| [sigmas * sigma, (1.0 + sigmas * sigmas) * sigma * sigma];
    let ranges = ranges(|sigma| possible::<N>(moments(sigma)), sigmas);
    let tops = ranges
        .into_iter()
        .map(|range| top(|sigma| given_moments(f, moments(sigma)), range));
    tops.fold(f64::NEG_INFINITY, f64::max)
}

/// The ranges between almost 0 and one half in which `inside` is true.
fn ranges(inside: impl Fn(f64) -> bool, sigmas: f64) -> Vec<[f64; 2]> {
    let low: f64 = 0.01 * sigmas / (1.0 + sigmas * sigmas);
    let places = (0..=COARSE).map(|k| low * (0.501 / low).powf(k as f64 / COARSE as f64));
    let places: Vec<f64> = places.collect();
    let ends = places
        .windows(2)
        .filter(|two| inside(two[0]) != inside(two[1]));
    let ends: Vec<f64> = ends
        .map(|two| {
            let (mut a, mut b) = (two[0], two[1]);
            for _ in 0..60 {
                let half = 0.5 * (a + b);
                *(if inside(half) == inside(a) {
                    &mut a
                } else {
                    &mut b
                }) = half;
            }
            if inside(a) { a } else { b }
        })
        .collect();
    ends.chunks_exact(2).map(|two| [two[0], two[1]]).collect()
}

/// The maximum over an open range: every grid point above its neighbours,
/// refined by golden section.
fn top(at: impl Fn(f64) -> f64, [low, high]: [f64; 2]) -> f64 {
    let place = |k: usize| {
        let angle = std::f64::consts::FRAC_PI_2 * k as f64 / FINE as f64;
        low * (high / low).powf(angle.sin().powi(2))
    };
    let mut values: Vec<f64> = (1..FINE).map(|k| at(place(k))).collect();
    values.insert(0, f64::NEG_INFINITY);
    values.push(f64::NEG_INFINITY);
    // Close to the ends lies a narrow maximum that no grid point shows.
    let shown = (1..FINE).filter(|&k| values[k] >= values[k - 1].max(values[k + 1]));
    let cells = shown.map(|k| [place(k - 1), place(k + 1)]);
    let outer = [[low, place(1)], [place(FINE - 1), high]];
    cells
        .chain(outer)
        .map(|cell| golden(&at, cell))
        .fold(f64::NEG_INFINITY, f64::max)
}

/// The maximum of a function that rises and then falls.
fn golden(at: impl Fn(f64) -> f64, [mut low, mut high]: [f64; 2]) -> f64 {
    let share = 0.5 * (5f64.sqrt() - 1.0);
    let (mut a, mut b) = (high - share * (high - low), low + share * (high - low));
    let (mut at_a, mut at_b) = (at(a), at(b));
    for _ in 0..60 {
        if at_a < at_b {
            (low, a, at_a) = (a, b, at_b);
            b = low + share * (high - low);
            at_b = at(b);
        } else {
            (high, b, at_b) = (b, a, at_a);
            a = high - share * (high - low);
            at_a = at(a);
        }
    }
    at_a.max(at_b)
}
