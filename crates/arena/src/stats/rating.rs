//! Rating list of several agents by maximum likelihood.
//!
//! Bradley-Terry with a draw counted as half a win and half a loss: the
//! expected score follows the logistic curve of Elo, as in Ordo. The error bars
//! come from the Fisher information of that model, which treats every point as
//! a coin flip; with many draws the true errors are smaller.
//!
//! The likelihood alone has no maximum if an agent won or lost every game, or
//! if two groups never met. Therefore every agent is given a few virtual draws,
//! spread evenly over all others, as in BayesElo.

use serde::Serialize;
use std::f64::consts::LN_10;
use thiserror::Error;

use super::linalg::Matrix;
use super::normal;
use super::score::{GameScore, LEVEL, Wdl};

/// Elo points of one unit of log odds.
const ELO_PER_LOGIT: f64 = 400.0 / LN_10;

/// Results of every agent against every other; agents are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crosstable {
    agents: usize,
    cells: Vec<Wdl>,
}

impl Crosstable {
    /// An empty table for this number of agents.
    pub fn new(agents: usize) -> Self {
        Self {
            agents,
            cells: vec![Wdl::default(); agents * agents],
        }
    }

    pub fn agents(&self) -> usize {
        self.agents
    }

    /// Counts one game of two different agents; the outcome is that of `first`.
    pub fn record(&mut self, first: usize, second: usize, outcome: GameScore) {
        let mut wdl = Wdl::default();
        wdl.record(outcome);
        self.add(first, second, wdl);
    }

    /// Counts several games of two different agents, with the results of
    /// `first`.
    ///
    /// # Panics
    /// When an agent is not in the table, or plays itself.
    pub fn add(&mut self, first: usize, second: usize, wdl: Wdl) {
        assert!(
            first < self.agents && second < self.agents && first != second,
            "expected two different agents below {}, got {first} and {second}",
            self.agents
        );
        self.cells[first * self.agents + second] += wdl;
        self.cells[second * self.agents + first] += wdl.flipped();
    }

    /// Games of two agents, with the results of `first`.
    pub fn between(&self, first: usize, second: usize) -> Wdl {
        self.cells[first * self.agents + second]
    }

    /// All games of one agent.
    pub fn total(&self, agent: usize) -> Wdl {
        let mut total = Wdl::default();
        for other in 0..self.agents {
            total += self.between(agent, other);
        }
        total
    }
}

/// Options of a rating list.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RatingOptions {
    /// Virtual draws of each agent, spread evenly over all others. Must be
    /// above 0; negligible if small against the number of games.
    pub(crate) prior_draws: f64,
    /// Mean rating of the list.
    pub mean: f64,
    /// Confidence level of the error bars.
    pub level: f64,
}

impl Default for RatingOptions {
    /// Two virtual draws (BayesElo's default), mean 0, level 95 %.
    fn default() -> Self {
        Self {
            prior_draws: 2.0,
            mean: 0.0,
            level: LEVEL,
        }
    }
}

/// Reasons for which there is no list.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum RatingError {
    /// The list has fewer than two agents.
    #[error("expected at least two agents, got {0}")]
    TooFewAgents(usize),
    /// Without a positive prior the ratings may be infinite.
    #[error("expected a finite number of virtual draws above 0, got {0}")]
    Prior(f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rated {
    /// Index of the agent in the crosstable.
    pub agent: usize,
    /// Elo; the mean of the list is [`RatingOptions::mean`].
    pub rating: f64,
    /// Half-width of the interval about the rating relative to the mean.
    pub error: f64,
    /// All games of the agent.
    pub wdl: Wdl,
    /// Likelihood that this agent is stronger than the next on the list;
    /// `None` for the last.
    pub(crate) los_over_next: Option<f64>,
}

/// Ratings in descending order, and their covariance.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingList {
    /// Best first; equal ratings in the order of the crosstable.
    pub rows: Vec<Rated>,
    ratings: Vec<f64>,
    covariance: Matrix,
}

impl RatingList {
    /// Computes the most likely ratings of a crosstable.
    pub fn new(table: &Crosstable, options: RatingOptions) -> Result<Self, RatingError> {
        if table.agents < 2 {
            return Err(RatingError::TooFewAgents(table.agents));
        }
        let prior = options.prior_draws;
        if !(prior.is_finite() && prior > 0.0) {
            return Err(RatingError::Prior(prior));
        }
        let likelihood = Likelihood::new(table, prior);
        let strength = likelihood.maximum();
        let list = Self {
            rows: Vec::new(),
            ratings: strength
                .iter()
                .map(|s| options.mean + ELO_PER_LOGIT * s)
                .collect(),
            covariance: likelihood.covariance(&strength),
        };
        Ok(list.ranked(table, normal::critical(options.level)))
    }

    /// Rating of an agent by its index in the crosstable.
    pub fn rating(&self, agent: usize) -> f64 {
        self.ratings[agent]
    }

    /// Standard error, in Elo, of the difference of two agents' ratings.
    pub(crate) fn standard_error(&self, first: usize, second: usize) -> f64 {
        let c = |i, j| self.covariance.at(i, j);
        let variance = c(first, first) + c(second, second) - 2.0 * c(first, second);
        ELO_PER_LOGIT * variance.max(0.0).sqrt()
    }

    /// Likelihood that the first agent is stronger than the second.
    pub fn los(&self, first: usize, second: usize) -> f64 {
        if first == second {
            return 0.5;
        }
        let lead = self.ratings[first] - self.ratings[second];
        normal::cdf(lead / self.standard_error(first, second))
    }

    fn ranked(mut self, table: &Crosstable, z: f64) -> Self {
        let mut order: Vec<usize> = (0..table.agents).collect();
        order.sort_by(|&a, &b| self.ratings[b].total_cmp(&self.ratings[a]));
        let row = |place: usize| {
            let agent = order[place];
            Rated {
                agent,
                rating: self.ratings[agent],
                error: z * ELO_PER_LOGIT * self.covariance.at(agent, agent).max(0.0).sqrt(),
                wdl: table.total(agent),
                los_over_next: order.get(place + 1).map(|&next| self.los(agent, next)),
            }
        };
        self.rows = (0..order.len()).map(row).collect();
        self
    }
}

/// Games and points of each pair of agents, including the virtual draws, on the
/// scale of log odds.
struct Likelihood {
    agents: usize,
    games: Vec<f64>,
    points: Vec<f64>,
}

impl Likelihood {
    fn new(table: &Crosstable, prior_draws: f64) -> Self {
        let agents = table.agents;
        let virtual_draws = prior_draws / (agents as f64 - 1.0);
        let mut games = vec![0.0; agents * agents];
        let mut points = vec![0.0; agents];
        for first in 0..agents {
            for second in (0..agents).filter(|&second| second != first) {
                let wdl = table.between(first, second);
                games[first * agents + second] = wdl.games() as f64 + virtual_draws;
                points[first] += wdl.points() + virtual_draws / 2.0;
            }
        }
        Self {
            agents,
            games,
            points,
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let n = self.agents;
        (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j, self.games[i * n + j])))
    }

    /// Points scored less points expected; its sum is zero.
    fn gradient(&self, strength: &[f64]) -> Vec<f64> {
        let mut gradient = self.points.clone();
        for (i, j, games) in self.pairs() {
            let expected = games * logistic(strength[i] - strength[j]);
            gradient[i] -= expected;
            gradient[j] -= games - expected;
        }
        gradient
    }

    /// Fisher information. Adding a constant to all strengths changes nothing,
    /// so the matrix is singular along it; `ridge` on every cell fills that
    /// direction and no other.
    fn information(&self, strength: &[f64], ridge: f64) -> Matrix {
        let mut information = Matrix::zero(self.agents);
        for i in 0..self.agents {
            for j in 0..self.agents {
                information.add(i, j, ridge);
            }
        }
        for (i, j, games) in self.pairs() {
            let gap = strength[i] - strength[j];
            let weight = games * logistic(gap) * logistic(-gap);
            information.add(i, i, weight);
            information.add(j, j, weight);
            information.add(i, j, -weight);
            information.add(j, i, -weight);
        }
        information
    }

    fn log_likelihood(&self, strength: &[f64]) -> f64 {
        let won: f64 = self.points.iter().zip(strength).map(|(p, s)| p * s).sum();
        let normaliser: f64 = self
            .pairs()
            .map(|(i, j, games)| games * log_sum_exp(strength[i], strength[j]))
            .sum();
        won - normaliser
    }

    /// Newton's method with the step halved until the likelihood no longer
    /// falls beyond rounding; it converges because the function is concave.
    fn maximum(&self) -> Vec<f64> {
        const ROUNDS: usize = 200;
        const CLOSE: f64 = 1e-12;
        let mut strength = vec![0.0; self.agents];
        let mut height = self.log_likelihood(&strength);
        for _ in 0..ROUNDS {
            let Some(factor) = self.information(&strength, 1.0).cholesky() else {
                break;
            };
            let step = factor.solve(&self.gradient(&strength));
            let slack = CLOSE * height.abs();
            let mut scale = 1.0;
            let (next, next_height) = loop {
                let tried: Vec<f64> = strength
                    .iter()
                    .zip(&step)
                    .map(|(s, d)| s + scale * d)
                    .collect();
                let tried_height = self.log_likelihood(&tried);
                if tried_height >= height - slack || scale < CLOSE {
                    break (tried, tried_height);
                }
                scale /= 2.0;
            };
            strength = next;
            height = next_height;
            if step.iter().all(|d| d.abs() * scale < CLOSE) {
                break;
            }
        }
        let mean = strength.iter().sum::<f64>() / self.agents as f64;
        strength.iter().map(|s| s - mean).collect()
    }

    /// Covariance of the strengths relative to their mean: the inverse of the
    /// information less the component along the constant, which the ridge
    /// added.
    fn covariance(&self, strength: &[f64]) -> Matrix {
        let size = self.agents as f64;
        let inverse = self
            .information(strength, 1.0)
            .cholesky()
            .expect("virtual draws connect all agents, so the information is positive definite")
            .inverse();
        let mut centred = inverse;
        for i in 0..self.agents {
            for j in 0..self.agents {
                centred.add(i, j, -1.0 / (size * size));
            }
        }
        centred
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn log_sum_exp(a: f64, b: f64) -> f64 {
    a.max(b) + (-(a - b).abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::score::elo_of_score;
    use crate::stats::testing::assert_near;
    use proptest::prelude::*;

    /// Negligible prior, for comparison with plain maximum likelihood.
    const PLAIN: RatingOptions = RatingOptions {
        prior_draws: 1e-7,
        mean: 0.0,
        level: LEVEL,
    };

    fn table(wins: &[&[u64]]) -> Crosstable {
        let mut table = Crosstable::new(wins.len());
        for (i, row) in wins.iter().enumerate() {
            for (j, &won) in row.iter().enumerate().skip(i + 1) {
                table.add(i, j, Wdl::new(won, 0, wins[j][i]));
            }
        }
        table
    }

    /// Baseball's American League East of 1987: A. Agresti, *Categorical Data
    /// Analysis* (2002), p. 438; abilities in log odds over Baltimore and
    /// their standard errors as printed by R's BradleyTerry2 (Turner & Firth,
    /// J. Stat. Software 48, 2012, `baseballModel1`).
    #[test]
    fn agrestis_baseball() {
        let table = table(&[
            &[0, 7, 9, 7, 7, 9, 11],
            &[6, 0, 7, 5, 11, 9, 9],
            &[4, 6, 0, 7, 7, 8, 12],
            &[6, 8, 6, 0, 6, 7, 10],
            &[6, 2, 6, 7, 0, 7, 12],
            &[4, 4, 5, 6, 6, 0, 6],
            &[2, 4, 1, 3, 1, 7, 0],
        ]);
        let list = RatingList::new(&table, PLAIN).unwrap();
        let published = [
            (1.5814, 0.3433), // Milwaukee
            (1.4364, 0.3396), // Detroit
            (1.2945, 0.3367), // Toronto
            (1.2476, 0.3359), // New York
            (1.1077, 0.3339), // Boston
            (0.6839, 0.3319), // Cleveland
        ];
        for (team, (ability, error)) in published.into_iter().enumerate() {
            let lead = list.rating(team) - list.rating(6);
            assert_near(lead / ELO_PER_LOGIT, ability, 1e-4);
            assert_near(list.standard_error(team, 6) / ELO_PER_LOGIT, error, 1e-4);
        }
        let order: Vec<usize> = list.rows.iter().map(|row| row.agent).collect();
        assert_eq!(order, [0, 1, 2, 3, 4, 5, 6]);
        // z of Milwaukee over Baltimore, 1.5814 / 0.3433.
        assert_near(list.los(0, 6), normal::cdf(1.5814 / 0.3433), 1e-6);
    }

    /// With two agents the difference is that of the score, here fastchess's
    /// 40.70 for 136 wins, 111 draws, 96 losses (`EloWDL 2`).
    #[test]
    fn two_agents_are_a_match() {
        let mut table = Crosstable::new(2);
        table.add(0, 1, Wdl::new(136, 111, 96));
        let list = RatingList::new(&table, PLAIN).unwrap();
        assert_near(list.rating(0) - list.rating(1), 40.70, 0.005);
        assert_near(list.rating(0) + list.rating(1), 0.0, 1e-9);
    }

    #[test]
    fn clean_sheets_and_strangers_are_rated() {
        let mut table = Crosstable::new(4);
        table.add(0, 1, Wdl::new(100, 0, 0));
        table.add(2, 3, Wdl::new(0, 0, 5));
        let list = RatingList::new(&table, RatingOptions::default()).unwrap();
        assert!(
            list.rows
                .iter()
                .all(|row| row.rating.is_finite() && row.error.is_finite())
        );
        assert_eq!(list.rows[0].agent, 0);
        assert_eq!(list.rows[3].agent, 1);
        assert!(list.rows[0].los_over_next.unwrap() > 0.5);
        assert_eq!(list.rows[3].los_over_next, None);
    }

    /// Two virtual draws turn 10 wins of 10 into 11 of 12.
    #[test]
    fn the_prior_is_what_it_says() {
        let mut table = Crosstable::new(2);
        table.add(0, 1, Wdl::new(10, 0, 0));
        let list = RatingList::new(&table, RatingOptions::default()).unwrap();
        let expected = elo_of_score(11.0 / 12.0);
        assert_near(list.rating(0) - list.rating(1), expected, 1e-6);
    }

    #[test]
    fn impossible_lists_are_refused() {
        let one = RatingList::new(&Crosstable::new(1), RatingOptions::default());
        assert_eq!(one, Err(RatingError::TooFewAgents(1)));
        let without = RatingOptions {
            prior_draws: 0.0,
            ..RatingOptions::default()
        };
        let refused = RatingList::new(&Crosstable::new(3), without);
        assert_eq!(refused, Err(RatingError::Prior(0.0)));
    }

    proptest! {
        /// Reversing every result reverses the list, and each agent's points
        /// equal the expectation of its rating.
        #[test]
        fn reversed_results_negate(
            counts in prop::collection::vec((0u64..40, 0u64..40, 0u64..40), 10),
        ) {
            let (mut table, mut reversed) = (Crosstable::new(5), Crosstable::new(5));
            let pairs = (0..5).flat_map(|i| (i + 1..5).map(move |j| (i, j)));
            for ((i, j), (w, d, l)) in pairs.zip(counts) {
                table.add(i, j, Wdl::new(w, d, l));
                reversed.add(i, j, Wdl::new(l, d, w));
            }
            let options = RatingOptions::default();
            let ours = RatingList::new(&table, options).unwrap();
            let theirs = RatingList::new(&reversed, options).unwrap();
            for agent in 0..5 {
                prop_assert!((ours.rating(agent) + theirs.rating(agent)).abs() < 1e-6);
            }
            let likelihood = Likelihood::new(&table, options.prior_draws);
            let strength: Vec<f64> =
                (0..5).map(|agent| ours.rating(agent) / ELO_PER_LOGIT).collect();
            prop_assert!(likelihood.gradient(&strength).iter().all(|g| g.abs() < 1e-6));
        }
    }
}
