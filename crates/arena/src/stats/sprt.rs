//! Sequential probability ratio test of two Elo hypotheses.
//!
//! The log-likelihood ratio is the generalised one of M. Van den Bergh,
//! *Comments on Normalized Elo*: under each hypothesis the distribution of
//! results is the most likely one that satisfies it (proposition 1.1 for a
//! fixed expected score, section 4.1 for a fixed normalised Elo).

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::pentanomial::Pentanomial;
use super::score::{NELO_PER_SIGMA, Wdl, score_of_elo};

/// What `elo0` and `elo1` are measured in, as fastchess's `model=`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalised Elo; the default of fastchess.
    #[default]
    Normalized,
    /// Elo of the logistic curve.
    Logistic,
    /// BayesElo, with the draw rate of the games. Knows games only: pairs are
    /// counted as their games.
    Bayesian,
}

/// A name that is no [`Model`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected normalized, logistic or bayesian, got {0:?}")]
pub struct UnknownModel(String);

impl FromStr for Model {
    type Err = UnknownModel;

    fn from_str(name: &str) -> Result<Self, UnknownModel> {
        match name {
            "normalized" => Ok(Self::Normalized),
            "logistic" => Ok(Self::Logistic),
            "bayesian" => Ok(Self::Bayesian),
            _ => Err(UnknownModel(name.to_owned())),
        }
    }
}

/// What the test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// Play on.
    Continue,
    /// The lower bound was reached: `elo0` stands.
    AcceptH0,
    /// The upper bound was reached: `elo1` stands.
    AcceptH1,
}

/// Why a test cannot be set up.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SprtError {
    /// The hypotheses are not in order.
    #[error("expected elo0 < elo1, both finite, got elo0 = {elo0} and elo1 = {elo1}")]
    Hypotheses {
        /// The rejected lower hypothesis.
        elo0: f64,
        /// The rejected upper hypothesis.
        elo1: f64,
    },
    /// The error rates leave no room between the bounds.
    #[error("expected alpha > 0, beta > 0 and alpha + beta < 1, got {alpha} and {beta}")]
    ErrorRates {
        /// The rejected rate of false acceptance.
        alpha: f64,
        /// The rejected rate of false rejection.
        beta: f64,
    },
}

/// A valid test: hypotheses, error rates and model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

impl Sprt {
    /// A test of `elo0` against `elo1` that accepts the wrong one with
    /// probability `alpha` (H1 though H0 holds) or `beta` (H0 though H1 holds).
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: Model,
    ) -> Result<Self, SprtError> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(SprtError::Hypotheses { elo0, elo1 });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::ErrorRates { alpha, beta });
        }
        Ok(Self {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        })
    }

    /// The two hypotheses, `(elo0, elo1)`.
    pub fn hypotheses(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// What the hypotheses are measured in.
    pub fn model(&self) -> Model {
        self.model
    }

    /// Wald's bounds: `ln(beta / (1 - alpha))` and `ln((1 - beta) / alpha)`.
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// What a log-likelihood ratio means.
    pub fn verdict(&self, llr: f64) -> Verdict {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Verdict::AcceptH1
        } else if llr <= lower {
            Verdict::AcceptH0
        } else {
            Verdict::Continue
        }
    }

    /// Log-likelihood ratio over games; 0 when there are none.
    pub fn llr_of_games(&self, wdl: Wdl) -> f64 {
        if wdl.games() == 0 {
            return 0.0;
        }
        let seen = Seen::new([(0.0, wdl.losses), (0.5, wdl.draws), (1.0, wdl.wins)]);
        match self.model {
            Model::Normalized => seen.llr_normalized(self.sigmas(1)),
            Model::Logistic => seen.llr_of_scores(self.scores()),
            Model::Bayesian if wdl.wins == 0 || wdl.losses == 0 => 0.0,
            Model::Bayesian => {
                let [loss, _, win] = seen.frequency;
                seen.llr_of_scores(self.scores_at_drawelo(drawelo(win, loss)))
            }
        }
    }

    /// Log-likelihood ratio over pairs; 0 when there are none. The Bayesian
    /// model has no pair form and looks at the games of the pairs.
    pub fn llr_of_pairs(&self, pairs: Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let [ll, ld, even, wd, ww] = pairs.categories();
        let seen = Seen::new([(0.0, ll), (0.25, ld), (0.5, even), (0.75, wd), (1.0, ww)]);
        match self.model {
            Model::Normalized => seen.llr_normalized(self.sigmas(2)),
            Model::Logistic => seen.llr_of_scores(self.scores()),
            Model::Bayesian => self.llr_of_games(pairs.wdl()),
        }
    }

    /// The hypotheses in standard deviations of one observation.
    fn sigmas(&self, games_each: u32) -> [f64; 2] {
        let scale = f64::from(games_each).sqrt() / NELO_PER_SIGMA;
        [self.elo0 * scale, self.elo1 * scale]
    }

    fn scores(&self) -> [f64; 2] {
        [score_of_elo(self.elo0), score_of_elo(self.elo1)]
    }

    fn scores_at_drawelo(&self, drawelo: f64) -> [f64; 2] {
        [self.elo0, self.elo1].map(|elo| {
            let win = score_of_elo(elo - drawelo);
            let loss = score_of_elo(-elo - drawelo);
            0.5 + (win - loss) / 2.0
        })
    }
}

/// BayesElo's draw parameter from the frequencies of wins and losses.
fn drawelo(win: f64, loss: f64) -> f64 {
    200.0 * ((1.0 - loss) / loss * (1.0 - win) / win).log10()
}

/// Stands for a category never seen, so that every logarithm exists; the
/// value fastchess and fishtest use.
const UNSEEN: f64 = 1e-3;

/// Results by category: their score, how often, and how many in all.
struct Seen<const N: usize> {
    score: [f64; N],
    frequency: [f64; N],
    total: f64,
}

impl<const N: usize> Seen<N> {
    fn new(counts: [(f64, u64); N]) -> Self {
        let weight = counts.map(|(_, count)| if count == 0 { UNSEEN } else { count as f64 });
        let total: f64 = weight.iter().sum();
        Self {
            score: counts.map(|(score, _)| score),
            frequency: weight.map(|w| w / total),
            total,
        }
    }

    fn llr_of_scores(&self, hypotheses: [f64; 2]) -> f64 {
        self.llr(hypotheses.map(|expected| {
            let gap = self.score.map(|score| score - expected);
            self.tilted(&gap).unwrap_or(self.frequency)
        }))
    }

    fn llr_normalized(&self, hypotheses: [f64; 2]) -> f64 {
        self.llr(hypotheses.map(|sigmas| self.most_likely_at(sigmas)))
    }

    fn llr(&self, [null, alternative]: [[f64; N]; 2]) -> f64 {
        let mean: f64 = (0..N)
            .map(|i| self.frequency[i] * (alternative[i] / null[i]).ln())
            .sum();
        self.total * mean
    }

    /// The most likely distribution under which `gap` has mean zero:
    /// `f_i / (1 + theta gap_i)` with theta the root of
    /// `sum f_i gap_i / (1 + theta gap_i)`, equations 1.2 and 1.3. `None` when
    /// the gaps have one sign and no distribution will do.
    fn tilted(&self, gap: &[f64; N]) -> Option<[f64; N]> {
        let least = gap.iter().copied().fold(f64::INFINITY, f64::min);
        let most = gap.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if !(least < 0.0 && most > 0.0) {
            return None;
        }
        let slope = |theta: f64| -> f64 {
            (0..N)
                .map(|i| self.frequency[i] * gap[i] / (1.0 + theta * gap[i]))
                .sum()
        };
        let theta = falling_root(slope, -1.0 / most, -1.0 / least);
        let mut likely = [0.0; N];
        for i in 0..N {
            likely[i] = self.frequency[i] / (1.0 + theta * gap[i]);
        }
        Some(likely)
    }

    /// The most likely distribution whose mean lies `sigmas` of its standard
    /// deviations above one half, by the fixed point of section 4.1.
    fn most_likely_at(&self, sigmas: f64) -> [f64; N] {
        const ROUNDS: usize = 200;
        const CLOSE: f64 = 1e-12;
        let mut likely = [1.0 / N as f64; N];
        for _ in 0..ROUNDS {
            let (mean, sigma) = self.mean_and_sigma(&likely);
            let gap = self.score.map(|score| {
                let z = (score - mean) / sigma;
                score - 0.5 - 0.5 * sigmas * sigma * (1.0 + z * z)
            });
            let Some(next) = self.tilted(&gap) else {
                break;
            };
            let moved = (0..N)
                .map(|i| (next[i] - likely[i]).abs())
                .fold(0.0, f64::max);
            likely = next;
            if moved < CLOSE {
                break;
            }
        }
        likely
    }

    fn mean_and_sigma(&self, likely: &[f64; N]) -> (f64, f64) {
        let mean: f64 = (0..N).map(|i| likely[i] * self.score[i]).sum();
        let variance: f64 = (0..N)
            .map(|i| likely[i] * (self.score[i] - mean).powi(2))
            .sum();
        (mean, variance.sqrt())
    }
}

/// Root of a function that falls from +∞ to -∞ between two poles.
fn falling_root(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return middle;
        }
        if f(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::{assert_near, penta};
    use proptest::prelude::*;

    fn sprt(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    /// `tests/sprt_test.cpp` of fastchess, the trinomial cases; its tolerance
    /// is one per cent, ours the last printed digit, or a fiftieth of a per
    /// cent for the clean sheets, where fastchess stops iterating earlier. (Its
    /// versions from before it solved for the most likely distribution had
    /// other numbers there.)
    #[test]
    fn fastchess_numbers_of_games() {
        use Model::{Bayesian, Logistic, Normalized};
        for (w, l, d, elo0, elo1, model, llr) in [
            (36433, 36027, 68692, 0.0, 2.0, Normalized, 0.92),
            (10871, 10650, 20431, -1.75, 0.25, Normalized, 2.30),
            (4250, 0, 0, 0.0, 10.0, Normalized, 120.56),
            (21404, 21184, 40708, 0.5, 2.5, Logistic, -1.57),
            (57433, 57030, 106593, 0.0, 2.0, Logistic, -2.59),
            (68965, 68526, 128429, 0.0, 2.0, Bayesian, -1.26),
            (21629, 21484, 41111, 0.5, 2.5, Bayesian, -1.13),
        ] {
            let got = sprt(elo0, elo1, model).llr_of_games(Wdl::new(w, d, l));
            assert_near(got, llr, 0.0101_f64.max(2.1e-4 * llr));
        }
    }

    /// The pentanomial cases of the same file.
    #[test]
    fn fastchess_numbers_of_pairs() {
        use Model::{Logistic, Normalized};
        for (counts, elo0, elo1, model, llr) in [
            (
                [365, 16618, 36029, 200, 16974, 390],
                0.0,
                2.0,
                Normalized,
                2.25,
            ),
            (
                [127, 4883, 10311, 401, 5150, 104],
                -1.75,
                0.25,
                Normalized,
                3.01,
            ),
            ([0, 0, 0, 0, 0, 5550], 0.0, 5.0, Normalized, 111.82),
            (
                [223, 9863, 20279, 1000, 10037, 246],
                0.5,
                2.5,
                Logistic,
                -3.07,
            ),
            (
                [871, 26175, 55003, 980, 26678, 821],
                0.0,
                2.0,
                Logistic,
                -4.98,
            ),
        ] {
            let got = sprt(elo0, elo1, model).llr_of_pairs(penta(counts));
            assert_near(got, llr, 0.0101_f64.max(2.1e-4 * llr));
        }
    }

    /// The bounds fishtest prints for 5 % and 5 %: -2.94 and 2.94.
    #[test]
    fn bounds_and_verdicts() {
        let test = sprt(0.0, 2.0, Model::Normalized);
        let (lower, upper) = test.bounds();
        assert_near(lower, -2.94, 0.005);
        assert_near(upper, 2.94, 0.005);
        assert_eq!(test.verdict(0.0), Verdict::Continue);
        assert_eq!(test.verdict(2.95), Verdict::AcceptH1);
        assert_eq!(test.verdict(-2.95), Verdict::AcceptH0);
        assert_eq!(test.llr_of_games(Wdl::default()), 0.0);
        assert_eq!(test.llr_of_pairs(Pentanomial::default()), 0.0);
    }

    #[test]
    fn invalid_tests_are_refused() {
        assert_eq!("logistic".parse(), Ok(Model::Logistic));
        assert!("trinomial".parse::<Model>().is_err());
        assert!(Sprt::new(2.0, 2.0, 0.05, 0.05, Model::Logistic).is_err());
        assert!(Sprt::new(0.0, f64::NAN, 0.05, 0.05, Model::Logistic).is_err());
        assert!(Sprt::new(0.0, 2.0, 0.0, 0.05, Model::Logistic).is_err());
        assert!(Sprt::new(0.0, 2.0, 0.6, 0.4, Model::Logistic).is_err());
    }

    proptest! {
        /// Swapping the sides and mirroring the hypotheses negates the ratio.
        #[test]
        fn mirrored_tests_agree(
            counts in prop::array::uniform6(0u64..200),
            elo0 in -60.0..0.0f64,
            width in 1.0..60.0f64,
        ) {
            let pairs = penta(counts);
            for model in [Model::Normalized, Model::Logistic, Model::Bayesian] {
                let ours = sprt(elo0, elo0 + width, model);
                let theirs = sprt(-elo0 - width, -elo0, model);
                let (a, b) = (ours.llr_of_pairs(pairs), theirs.llr_of_pairs(pairs.flipped()));
                prop_assert!((a + b).abs() < 1e-6 * (1.0 + a.abs()), "{model:?}: {a} {b}");
            }
        }
    }
}
