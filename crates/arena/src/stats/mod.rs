//! Statistics of matches and rating lists.
//!
//! Pure functions over counts and numbers, without playing, printing or random
//! numbers. Every file names the source of its formulas and is tested on
//! published numbers.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod interval;
pub mod linalg;
mod most_likely;
pub mod normal;
pub mod pentanomial;
pub mod rating;
pub mod running;
pub mod score;
pub mod sprt;
#[cfg(test)]
mod sprt_laws;
#[cfg(test)]
mod sprt_oracle;
#[cfg(test)]
mod testing;

pub use pentanomial::Pentanomial;
pub(crate) use score::Estimate;
pub use score::{GameScore, Wdl};
pub use sprt::{Sprt, SprtVerdict};

use score::Sample;
use serde::Serialize;

/// Everything a match report prints, in fastchess's terms:
///
/// ```text
/// Elo: x +/- y, nElo: x +/- y
/// LOS: x %, DrawRatio: x %, PairsRatio: x
/// Games: n, Wins: n, Losses: n, Draws: n, Points: x (x %)
/// Ptnml(0-2): [LL, LD, WL+DD, WD, WW], WL/DD Ratio: x
/// LLR: x (lower, upper) [elo0, elo1]
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    pub elo: Estimate,
    pub nelo: Estimate,
    /// Likelihood of superiority, 0 to 1.
    pub los: f64,
    /// Level pairs per pair, or drawn games per game without pairs; 0 to 1.
    pub draw_ratio: f64,
    pub wdl: Wdl,
    /// The pairs, unless games are counted singly.
    pub pairs: Option<Pentanomial>,
    /// State of the sequential test, if one runs.
    pub test: Option<SprtState>,
}

/// State of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtState {
    pub llr: f64,
    /// Lower bound, where H0 is accepted.
    pub lower: f64,
    /// Upper bound, where H1 is accepted.
    pub upper: f64,
    pub elo0: f64,
    pub elo1: f64,
    pub verdict: SprtVerdict,
}

impl Summary {
    /// Summary of games in pairs with sides swapped: the pair is the
    /// statistical observation.
    pub(crate) fn of_pairs(pairs: Pentanomial, test: Option<&Sprt>) -> Self {
        Self {
            pairs: Some(pairs),
            ..Self::new(
                pairs.sample(),
                pairs.wdl(),
                pairs.draw_ratio(),
                test.map(|test| SprtState::new(test, test.llr_of_pairs(pairs))),
            )
        }
    }

    /// Summary of games that do not come in pairs.
    pub fn of_games(wdl: Wdl, test: Option<&Sprt>) -> Self {
        Self::new(
            wdl.sample(),
            wdl,
            wdl.draw_ratio(),
            test.map(|test| SprtState::new(test, test.llr_of_games(wdl))),
        )
    }

    pub fn games(&self) -> u64 {
        self.wdl.games()
    }

    pub fn points(&self) -> f64 {
        self.wdl.points()
    }

    /// Points per game; one half without games.
    pub fn score_rate(&self) -> f64 {
        self.wdl.score_rate()
    }

    /// `[LL, LD, WL+DD, WD, WW]`, if games came in pairs.
    pub fn ptnml(&self) -> Option<[u64; 5]> {
        self.pairs.map(Pentanomial::categories)
    }

    /// Pairs won per pair lost; see [`Pentanomial::pairs_ratio`].
    pub fn pairs_ratio(&self) -> Option<f64> {
        self.pairs.and_then(Pentanomial::pairs_ratio)
    }

    /// Win-and-loss pairs per pair of draws; see [`Pentanomial::wl_dd_ratio`].
    pub fn wl_dd_ratio(&self) -> Option<f64> {
        self.pairs.and_then(Pentanomial::wl_dd_ratio)
    }

    fn new(sample: Sample, wdl: Wdl, draw_ratio: f64, test: Option<SprtState>) -> Self {
        Self {
            elo: sample.elo(),
            nelo: sample.nelo(),
            los: sample.los(),
            draw_ratio,
            wdl,
            pairs: None,
            test,
        }
    }
}

impl SprtState {
    fn new(test: &Sprt, llr: f64) -> Self {
        let (lower, upper) = test.bounds();
        let (elo0, elo1) = test.hypotheses();
        Self {
            llr,
            lower,
            upper,
            elo0,
            elo1,
            verdict: test.verdict(llr),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sprt::Model;
    use super::testing::{assert_near, penta};
    use super::*;

    /// Counts and numbers of fastchess's tests `EloPentanomial 1` and
    /// `normalized pentanomial 2`.
    #[test]
    fn a_report_of_pairs() {
        let summary = Summary::of_pairs(penta([34, 54, 31, 32, 64, 75]), None);
        assert_near(summary.elo.value, 55.58, 0.005);
        assert_near(summary.nelo.error, 28.28, 0.005);
        assert_eq!(summary.games(), 2 * 290);
        assert_eq!(summary.ptnml(), Some([34, 54, 63, 64, 75]));
        assert_near(summary.draw_ratio, 63.0 / 290.0, 1e-12);
        assert_near(summary.pairs_ratio().unwrap(), 139.0 / 88.0, 1e-12);
        assert_near(summary.wl_dd_ratio().unwrap(), 31.0 / 32.0, 1e-12);
        assert_eq!(summary.test, None);

        let sprt = Sprt::new(-1.75, 0.25, 0.05, 0.05, Model::Normalized).unwrap();
        let pairs = penta([127, 4883, 10311, 401, 5150, 104]);
        let test = Summary::of_pairs(pairs, Some(&sprt)).test.unwrap();
        assert_near(test.llr, 3.01, 0.01);
        assert_eq!(test.verdict, SprtVerdict::AcceptH1);
    }

    /// Numbers of fastchess's tests `EloWDL 2` and `normalized trinomial 1`.
    #[test]
    fn a_report_of_games() {
        let summary = Summary::of_games(Wdl::new(136, 111, 96), None);
        assert_near(summary.elo.value, 40.70, 0.005);
        assert_near(summary.los, 0.9960, 5e-5);
        assert_near(summary.points(), 191.5, 1e-12);
        assert_eq!(summary.ptnml(), None);

        let sprt = Sprt::new(0.0, 2.0, 0.05, 0.05, Model::Normalized).unwrap();
        let games = Wdl::new(36433, 68692, 36027);
        let test = Summary::of_games(games, Some(&sprt)).test.unwrap();
        assert_near(test.llr, 0.92, 0.01);
        assert_eq!(test.verdict, SprtVerdict::Continue);
    }

    #[test]
    fn an_empty_match_has_a_report() {
        let summary = Summary::of_pairs(Pentanomial::default(), None);
        assert_eq!(
            (summary.elo.value, summary.los, summary.draw_ratio),
            (0.0, 0.5, 0.0)
        );
        assert_eq!(summary.pairs_ratio(), None);
    }
}
