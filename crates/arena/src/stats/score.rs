//! Wins, draws and losses, and the estimates of strength from them.
//!
//! The formulas are those of fastchess: Elo by the logistic curve, its error
//! from a normal interval of the score, and normalised Elo (M. Van den Bergh,
//! *Normalized Elo*, 2020), which measures in standard deviations of one game
//! and so does not depend on the draw rate of the openings.

use std::f64::consts::LN_10;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::interval::Interval;
use super::normal;

/// Normalised Elo of one standard deviation: `800 / ln 10`.
pub(crate) const NELO_PER_SIGMA: f64 = 800.0 / LN_10;

/// Default confidence level of error bars.
pub const LEVEL: f64 = 0.95;

/// Result of one game for the agent whose strength is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GameScore {
    Win,
    Draw,
    Loss,
}

impl GameScore {
    /// Points of the result: 1, 0.5 or 0.
    pub fn points(self) -> f64 {
        match self {
            Self::Win => 1.0,
            Self::Draw => 0.5,
            Self::Loss => 0.0,
        }
    }

    /// The same game from the opponent's side.
    pub fn flipped(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }
}

/// A value with the half-width of its 95 % interval. Either may be infinite,
/// neither is ever NaN.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    pub value: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

/// Counts of wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Wdl {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Wdl {
    /// Counts given as wins, draws, losses.
    pub fn new(wins: u64, draws: u64, losses: u64) -> Self {
        Self {
            wins,
            draws,
            losses,
        }
    }

    pub fn record(&mut self, outcome: GameScore) {
        match outcome {
            GameScore::Win => self.wins += 1,
            GameScore::Draw => self.draws += 1,
            GameScore::Loss => self.losses += 1,
        }
    }

    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points scored, half a point for a draw.
    pub fn points(self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// Points per game; one half without games.
    pub fn score_rate(self) -> f64 {
        self.sample().mean
    }

    /// Drawn games per game; 0 without games.
    pub fn draw_ratio(self) -> f64 {
        self.draws as f64 / self.games().max(1) as f64
    }

    /// The same games from the opponent's side.
    pub fn flipped(self) -> Self {
        Self::new(self.losses, self.draws, self.wins)
    }

    /// The games as independent observations of the score.
    pub fn sample(self) -> Sample {
        Sample::from_counts(
            &[(0.0, self.losses), (0.5, self.draws), (1.0, self.wins)],
            1,
        )
    }

    /// Likelihood of superiority by the short formula of Mellemseter (2017),
    /// equation 3.3, which ignores draws: `(1 + erf((W - L) / sqrt(2 (W + L))))
    /// / 2`. One half without decisive games. [`Sample::los`] is the value that
    /// fastchess prints.
    pub fn los_of_decisive(self) -> f64 {
        let decisive = self.wins as f64 + self.losses as f64;
        if decisive == 0.0 {
            return 0.5;
        }
        normal::cdf((self.wins as f64 - self.losses as f64) / decisive.sqrt())
    }
}

impl AddAssign for Wdl {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Mean and variance of independent observations of the score, each of one game
/// or of one pair of games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sample {
    /// Mean score in `[0, 1]`; one half without observations.
    pub mean: f64,
    /// Variance of one observation (population formula, as fastchess).
    pub variance: f64,
    pub observations: u64,
    /// Games in one observation: 1 or 2.
    pub(crate) games_each: u32,
}

impl Sample {
    /// Sample from score values and their counts.
    pub(crate) fn from_counts(counts: &[(f64, u64)], games_each: u32) -> Self {
        let observations: u64 = counts.iter().map(|&(_, count)| count).sum();
        let weighted = |f: &dyn Fn(f64) -> f64| -> f64 {
            let sum: f64 = counts.iter().map(|&(x, count)| f(x) * count as f64).sum();
            sum / observations.max(1) as f64
        };
        let mean = if observations == 0 {
            0.5
        } else {
            weighted(&|x| x)
        };
        Self {
            mean,
            variance: weighted(&|x| (x - mean).powi(2)),
            observations,
            games_each,
        }
    }

    /// Standard error of the mean; infinite without observations.
    pub(crate) fn standard_error(self) -> f64 {
        if self.observations == 0 {
            return f64::INFINITY;
        }
        (self.variance / self.observations as f64).sqrt()
    }

    /// Logistic Elo difference with its 95 % error.
    ///
    /// The error is half the width of the interval [`Self::elo_interval`], and
    /// infinite if either end is. No games give `0 ± ∞`, a perfect score `±∞ ±
    /// ∞`.
    pub fn elo(self) -> Estimate {
        let interval = self.elo_interval(LEVEL);
        let finite = interval.low.is_finite() && interval.high.is_finite();
        let error = if finite {
            (interval.high - interval.low) / 2.0
        } else {
            f64::INFINITY
        };
        Estimate {
            value: elo_of_score(self.mean),
            error,
        }
    }

    /// The ends of the normal interval of the score, turned into Elo.
    pub fn elo_interval(self, level: f64) -> Interval {
        let reach = normal::critical(level) * self.standard_error();
        Interval {
            low: elo_of_score(self.mean - reach),
            high: elo_of_score(self.mean + reach),
        }
    }

    /// Normalised Elo with its 95 % error: `(mean - 1/2) / sigma` of one game
    /// in units of [`NELO_PER_SIGMA`]. Its error depends on the number of games
    /// only. With zero variance it is 0 or infinite, by the sign of `mean -
    /// 1/2`.
    pub fn nelo(self) -> Estimate {
        let games = self.observations as f64 * f64::from(self.games_each);
        Estimate {
            value: NELO_PER_SIGMA * self.edge_in_sigmas(self.sigma_of_game()),
            error: NELO_PER_SIGMA * normal::critical(LEVEL) / games.sqrt(),
        }
    }

    /// Likelihood of superiority: the probability, by the normal
    /// approximation, that the true score lies above one half.
    pub fn los(self) -> f64 {
        if self.observations == 0 {
            return 0.5;
        }
        normal::cdf(self.edge_in_sigmas(self.standard_error()))
    }

    /// Standard deviation of one game if the games of a pair were independent.
    fn sigma_of_game(self) -> f64 {
        (self.variance * f64::from(self.games_each)).sqrt()
    }

    fn edge_in_sigmas(self, sigma: f64) -> f64 {
        let edge = self.mean - 0.5;
        if edge == 0.0 { 0.0 } else { edge / sigma }
    }
}

/// Elo difference at which this score is expected: `-400 log10(1/s - 1)`.
/// Scores at or beyond 0 and 1 give infinities.
pub(crate) fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// Score expected at this Elo difference; inverse of [`elo_of_score`].
pub(crate) fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::assert_near;
    use proptest::prelude::*;

    /// `tests/elo_test.cpp` of fastchess, cases `EloWDL 1` to `3`.
    #[test]
    fn fastchess_numbers() {
        let first = Wdl::new(76, 123, 89).sample();
        assert_near(first.nelo().value, -20.76, 0.005);
        assert_near(first.nelo().error, 40.13, 0.005);
        assert_near(first.los(), 0.1553, 5e-5);

        let second = Wdl::new(136, 111, 96).sample();
        assert_near(second.nelo().value, 49.77, 0.005);
        assert_near(second.nelo().error, 36.77, 0.005);
        assert_near(second.elo().value, 40.70, 0.005);
        assert_near(second.elo().error, 30.43, 0.005);
        assert_near(second.los(), 0.9960, 5e-5);

        let third = Wdl::new(34, 0, 356).sample();
        assert_near(third.nelo().value, -508.44, 0.005);
        assert_near(third.nelo().error, 34.48, 0.005);
    }

    /// Equation 3.3 against scipy 1.17: `norm.cdf((76 - 89) / sqrt(76 + 89))`
    /// and `norm.cdf((136 - 96) / sqrt(136 + 96))`.
    #[test]
    fn short_formula_of_superiority() {
        assert_near(
            Wdl::new(76, 123, 89).los_of_decisive(),
            0.155_757_401_778_854_9,
            1e-9,
        );
        assert_near(
            Wdl::new(136, 111, 96).los_of_decisive(),
            0.995_681_891_619_840_2,
            1e-9,
        );
        assert_eq!(Wdl::new(0, 9, 0).los_of_decisive(), 0.5);
    }

    /// Known points of the Elo curve: 200 points are worth an expected score of
    /// 0.76, 400 points odds of 10 to 1.
    #[test]
    fn expected_scores() {
        assert_near(score_of_elo(200.0), 0.7597, 5e-5);
        assert_near(score_of_elo(400.0), 10.0 / 11.0, 1e-12);
    }

    #[test]
    fn degenerate_ends_are_defined() {
        let none = Wdl::default().sample();
        assert_eq!(none.elo().value, 0.0);
        assert_eq!(none.elo().error, f64::INFINITY);
        assert_eq!(none.nelo().value, 0.0);
        assert_eq!(none.nelo().error, f64::INFINITY);
        assert_eq!(none.los(), 0.5);

        let clean = Wdl::new(10, 0, 0).sample();
        assert_eq!(clean.elo().value, f64::INFINITY);
        assert_eq!(clean.elo().error, f64::INFINITY);
        assert_eq!(clean.nelo().value, f64::INFINITY);
        assert_eq!(clean.los(), 1.0);

        let drawn = Wdl::new(0, 10, 0).sample();
        assert_eq!(drawn.elo().value, 0.0);
        assert_eq!(drawn.elo().error, 0.0);
        assert_eq!(drawn.nelo().value, 0.0);
        assert_eq!(drawn.los(), 0.5);
    }

    proptest! {
        #[test]
        fn swapping_sides_negates(w in 0u64..500, d in 0u64..500, l in 0u64..500) {
            let ours = Wdl::new(w, d, l);
            let (a, b) = (ours.sample(), ours.flipped().sample());
            for (x, y) in [(a.elo(), b.elo()), (a.nelo(), b.nelo())] {
                prop_assert!(!x.value.is_nan() && !x.error.is_nan());
                if x.value.is_finite() {
                    prop_assert!((x.value + y.value).abs() < 1e-6);
                } else {
                    prop_assert_eq!(x.value, -y.value);
                }
                prop_assert!(x.error == y.error || (x.error - y.error).abs() < 1e-6);
            }
            prop_assert!((a.los() + b.los() - 1.0).abs() < 1e-9);
            let short = ours.los_of_decisive() + ours.flipped().los_of_decisive();
            prop_assert!((short - 1.0).abs() < 1e-12);
        }

        #[test]
        fn elo_and_score_are_inverse(elo in -1500.0..1500.0f64) {
            prop_assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-6);
        }
    }
}
