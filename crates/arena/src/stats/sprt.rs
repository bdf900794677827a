//! Sequential probability ratio test of two Elo hypotheses.
//!
//! The log-likelihood ratio is the generalised one of M. Van den Bergh,
//! *Comments on Normalized Elo*: under each hypothesis the distribution of
//! results is the most likely one that satisfies it (proposition 1.1 for a
//! fixed expected score, section 4.1 for a fixed normalised Elo).

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::most_likely::Seen;
use super::pentanomial::Pentanomial;
use super::score::{NELO_PER_SIGMA, Wdl, score_of_elo as chance};

/// Unit of `elo0` and `elo1`, as fastchess's `model=`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalised Elo; the default of fastchess.
    #[default]
    Normalized,
    /// Elo of the logistic curve.
    Logistic,
    /// BayesElo, with the draw rate of the games. Defined for games only: pairs
    /// are counted as their games. Where fastchess returns 0, without a win or
    /// without a loss, the draw rate follows from the pseudo-count of
    /// unobserved results.
    Bayesian,
}

/// A name that is not a [`Model`].
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

/// State of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SprtVerdict {
    Continue,
    /// The lower bound is reached: `elo0` is accepted.
    AcceptH0,
    /// The upper bound is reached: `elo1` is accepted.
    AcceptH1,
}

/// Reasons for which a test is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SprtError {
    /// The hypotheses are not in order, or too far from 0.
    #[error(
        "expected elo0 < elo1, both from -{MAX_ELO} to {MAX_ELO}, got elo0 = {elo0} and elo1 = {elo1}"
    )]
    Hypotheses { elo0: f64, elo1: f64 },
    /// The error rates leave no interval between the bounds.
    #[error("expected alpha > 0, beta > 0 and alpha + beta < 1, got {alpha} and {beta}")]
    ErrorRates { alpha: f64, beta: f64 },
}

/// The largest hypothesis, in any model. Every Elo is possible, also every
/// normalised one (nearly certain results have an arbitrarily small deviation),
/// but beyond this bound a single lost game would be better than `elo0`,
/// because of the pseudo-counts of unobserved wins and draws.
pub(crate) const MAX_ELO: f64 = 2500.0;

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
        if !(-MAX_ELO <= elo0 && elo0 < elo1 && elo1 <= MAX_ELO) {
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

    /// Unit of the hypotheses.
    pub fn model(&self) -> Model {
        self.model
    }

    /// Wald's bounds: `ln(beta / (1 - alpha))` and `ln((1 - beta) / alpha)`.
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// State of the test at a log-likelihood ratio.
    pub fn verdict(&self, llr: f64) -> SprtVerdict {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            SprtVerdict::AcceptH1
        } else if llr <= lower {
            SprtVerdict::AcceptH0
        } else {
            SprtVerdict::Continue
        }
    }

    /// Log-likelihood ratio over games; 0 without games.
    pub(crate) fn llr_of_games(&self, wdl: Wdl) -> f64 {
        if wdl.games() == 0 {
            return 0.0;
        }
        let seen = Seen::new([wdl.losses, wdl.draws, wdl.wins]);
        match self.model {
            Model::Normalized => self.llr(|elo| seen.given_sigmas(sigmas(elo, 1))),
            Model::Logistic => self.llr(|elo| seen.given_score(chance(elo), chance(-elo))),
            Model::Bayesian => {
                let drawelo = drawelo(seen.frequency(2), seen.frequency(0));
                let score = |elo: f64| (chance(elo - drawelo) + chance(elo + drawelo)) / 2.0;
                self.llr(|elo| seen.given_score(score(elo), score(-elo)))
            }
        }
    }

    /// Log-likelihood ratio over pairs; 0 without pairs. The Bayesian model has
    /// no pair form and uses the games of the pairs.
    pub(crate) fn llr_of_pairs(&self, pairs: Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let seen = Seen::new(pairs.categories());
        match self.model {
            Model::Normalized => self.llr(|elo| seen.given_sigmas(sigmas(elo, 2))),
            Model::Logistic => self.llr(|elo| seen.given_score(chance(elo), chance(-elo))),
            Model::Bayesian => self.llr_of_games(pairs.wdl()),
        }
    }

    fn llr(&self, likelihood: impl Fn(f64) -> f64) -> f64 {
        likelihood(self.elo1) - likelihood(self.elo0)
    }
}

/// Normalised Elo in standard deviations of one observation.
fn sigmas(nelo: f64, games_each: u32) -> f64 {
    nelo * f64::from(games_each).sqrt() / NELO_PER_SIGMA
}

/// BayesElo's draw parameter from the frequencies of wins and losses.
fn drawelo(win: f64, loss: f64) -> f64 {
    200.0 * ((1.0 - loss) / loss * (1.0 - win) / win).log10()
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
    /// cent for one-sided results, where fastchess stops iterating earlier.
    /// (Versions of fastchess that did not yet solve for the most likely
    /// distribution had other numbers there.)
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
        assert_eq!(test.verdict(0.0), SprtVerdict::Continue);
        assert_eq!(test.verdict(2.95), SprtVerdict::AcceptH1);
        assert_eq!(test.verdict(-2.95), SprtVerdict::AcceptH0);
        assert_eq!(test.llr_of_games(Wdl::default()), 0.0);
        assert_eq!(test.llr_of_pairs(Pentanomial::default()), 0.0);
    }

    #[test]
    fn invalid_tests_are_refused() {
        assert_eq!("logistic".parse(), Ok(Model::Logistic));
        assert!("trinomial".parse::<Model>().is_err());
        assert!(Sprt::new(2.0, 2.0, 0.05, 0.05, Model::Logistic).is_err());
        assert!(Sprt::new(0.0, f64::NAN, 0.05, 0.05, Model::Logistic).is_err());
        assert!(Sprt::new(-MAX_ELO, MAX_ELO, 0.05, 0.05, Model::Normalized).is_ok());
        assert!(Sprt::new(-MAX_ELO - 1.0, 0.0, 0.05, 0.05, Model::Normalized).is_err());
        assert!(Sprt::new(0.0, f64::INFINITY, 0.05, 0.05, Model::Bayesian).is_err());
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
