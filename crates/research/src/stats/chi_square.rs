//! Pearson's chi-square test of independence.
//!
//! Mellemseter (2017), section 5.1, tests with it whether results depend on
//! colour, or on the agent. His result file has two rows a game, so each game
//! enters the table twice and the p-values are smaller than those of the games
//! themselves; [`ContingencyTable::mirrored`] builds that same table.

use serde::Serialize;
use statrs::function::gamma::gamma_ur;
use thiserror::Error;

use foglight_arena::stats::score::Wdl;

/// Reasons for which a table cannot be tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TableError {
    /// The rows differ in length.
    #[error("expected {expected} counts in every row, got {got} in row {row}")]
    Ragged {
        /// Length of the first row.
        expected: usize,
        /// Length of the offending row.
        got: usize,
        /// Index of the offending row.
        row: usize,
    },
    #[error("expected two rows and two columns that are not all zero, got {rows} and {columns}")]
    TooSmall {
        /// Rows with any count.
        rows: usize,
        /// Columns with any count.
        columns: usize,
    },
}

/// Counts by two classifications, each with at least two non-empty classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContingencyTable {
    rows: Vec<Vec<u64>>,
}

/// Outcome of the test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct ChiSquare {
    /// Sum of `(observed - expected)² / expected`, without Yates's correction.
    pub statistic: f64,
    /// `(rows - 1) (columns - 1)`.
    pub freedom: u32,
    /// Probability of a statistic this large if the two are independent.
    pub p_value: f64,
}

impl ContingencyTable {
    /// Table of these counts. Empty classes (rows or columns of zeros, such as
    /// draws in a match without draws) carry no information and are left out.
    pub fn new(rows: &[Vec<u64>]) -> Result<Self, TableError> {
        let width = rows.first().map_or(0, Vec::len);
        if let Some((row, found)) = rows.iter().enumerate().find(|(_, r)| r.len() != width) {
            return Err(TableError::Ragged {
                expected: width,
                got: found.len(),
                row,
            });
        }
        let seen: Vec<usize> = (0..width)
            .filter(|&column| rows.iter().any(|row| row[column] > 0))
            .collect();
        let kept: Vec<Vec<u64>> = rows
            .iter()
            .filter(|row| row.iter().any(|&count| count > 0))
            .map(|row| seen.iter().map(|&column| row[column]).collect())
            .collect();
        if kept.len() < 2 || seen.len() < 2 {
            return Err(TableError::TooSmall {
                rows: kept.len(),
                columns: seen.len(),
            });
        }
        Ok(Self { rows: kept })
    }

    /// The thesis's table of results by agent (or by colour, with White's
    /// counts): one row for each side of the same games. Its statistic is
    /// `2 (W - L)² / (W + L)`.
    pub fn mirrored(wdl: Wdl) -> Result<Self, TableError> {
        let row = |wdl: Wdl| vec![wdl.wins, wdl.draws, wdl.losses];
        Self::new(&[row(wdl), row(wdl.flipped())])
    }

    /// Tests whether rows and columns are independent.
    pub(crate) fn independence(&self) -> ChiSquare {
        let columns = self.rows[0].len();
        let sums: Vec<f64> = (0..columns)
            .map(|column| self.rows.iter().map(|row| row[column] as f64).sum())
            .collect();
        let total: f64 = sums.iter().sum();
        let mut statistic = 0.0;
        for row in &self.rows {
            let row_sum: f64 = row.iter().map(|&count| count as f64).sum();
            for (&count, sum) in row.iter().zip(&sums) {
                let expected = row_sum * sum / total;
                statistic += (count as f64 - expected).powi(2) / expected;
            }
        }
        let freedom = (self.rows.len() - 1) * (columns - 1);
        ChiSquare {
            statistic,
            freedom: freedom as u32,
            p_value: upper_tail(statistic, freedom as f64),
        }
    }
}

/// Upper tail of the chi-square distribution.
fn upper_tail(statistic: f64, freedom: f64) -> f64 {
    if statistic <= 0.0 {
        return 1.0;
    }
    gamma_ur(freedom / 2.0, statistic / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::{assert_close, assert_near};
    use proptest::prelude::*;

    /// A. Agresti, *An Introduction to Categorical Data Analysis* (2007),
    /// p. 39, as in R's `?chisq.test`: X-squared = 30.07, df = 2,
    /// p-value = 2.954e-07.
    #[test]
    fn agrestis_parties() {
        let table = ContingencyTable::new(&[vec![762, 327, 468], vec![484, 239, 477]]).unwrap();
        let test = table.independence();
        assert_near(test.statistic, 30.07, 0.005);
        assert_eq!(test.freedom, 2);
        assert_near(test.p_value, 2.954e-7, 5e-11);
    }

    /// `scipy.stats.chi2.sf`, scipy 1.17, far into the tail.
    #[test]
    fn tails() {
        assert_close(upper_tail(100.0, 2.0), 1.928_749_847_963_918e-22, 1e-10);
        assert_close(upper_tail(300.0, 5.0), 1.001_530_230_595_782e-62, 1e-10);
        assert_close(upper_tail(45.2, 1.0), 1.779_050_864_794_729e-11, 1e-10);
        assert_close(upper_tail(0.5, 3.0), 0.918_891_411_654_675_8, 1e-12);
    }

    /// Whether some 1000 games give a LOS (equation 3.3) and a p-value of
    /// results by agent that both round to the published ones.
    fn some_match_gives(los: (f64, f64), p_value: (f64, f64)) -> bool {
        let within =
            |value: f64, (printed, half_digit): (f64, f64)| (value - printed).abs() <= half_digit;
        (1..=1000u64)
            .flat_map(|decisive| (0..=decisive).map(move |wins| (wins, decisive - wins)))
            .map(|(wins, losses)| Wdl::new(wins, 1000 - wins - losses, losses))
            .filter(|wdl| within(wdl.los_of_decisive(), los))
            .filter_map(|wdl| ContingencyTable::mirrored(wdl).ok())
            .any(|table| within(table.independence().p_value, p_value))
    }

    /// Chapter 6 prints p-values and LOS but not the counts behind them. In
    /// the table of results by agent the statistic is twice the square of
    /// LOS's z, with two degrees of freedom, so `p = exp(-z²)`: each published
    /// pair can be checked on its own. These fit.
    #[test]
    fn published_pairs_of_los_and_p_value() {
        // Figure 8, no features: 0.39 and 0.92.
        assert!(some_match_gives((0.39, 0.005), (0.92, 0.005)));
        // Figure 10, move ordering: 0.15 and 0.33.
        assert!(some_match_gives((0.15, 0.005), (0.33, 0.005)));
        // Figure 11, both features: 0.80 and 0.48.
        assert!(some_match_gives((0.80, 0.005), (0.48, 0.005)));
        // Figure 18, severity 0.5: 1.5e-10 with the LOS of 1.0e-6.
        assert!(some_match_gives((1.0e-6, 0.05e-6), (1.5e-10, 0.05e-10)));
    }

    /// Published values that are inconsistent as printed. The severity tests
    /// give the LOS values in the order 0.0 and 1.0e-6, but the first test's
    /// p-value of 1.5e-10 belongs to 1.0e-6: the two are swapped. Figure 17
    /// pairs 1.5e-5 with 3.0e-8 and figure 20 pairs 0.99 with 1.8e-8; both LOS
    /// values are truncated, not rounded (1.58e-5 and 0.99999). And every
    /// p-value printed as 2.2e-16 is not a value but the smallest that R prints
    /// (`p-value < 2.2e-16`).
    #[test]
    fn published_figures_that_do_not_fit() {
        assert!(!some_match_gives((0.0, 0.5e-7), (1.5e-10, 0.05e-10)));
        assert!(!some_match_gives((1.5e-5, 0.05e-5), (3.0e-8, 0.05e-8)));
        assert!(some_match_gives((1.55e-5, 0.05e-5), (3.0e-8, 0.05e-8)));
        assert!(!some_match_gives((0.99, 0.005), (1.8e-8, 0.05e-8)));
        assert!(some_match_gives((0.999_99, 0.5e-5), (1.8e-8, 0.05e-8)));
    }

    #[test]
    fn tables_that_say_nothing_are_refused() {
        let ragged = ContingencyTable::new(&[vec![1, 2], vec![3]]);
        assert!(matches!(ragged, Err(TableError::Ragged { row: 1, .. })));
        assert!(ContingencyTable::new(&[]).is_err());
        assert!(ContingencyTable::new(&[vec![1, 2], vec![0, 0]]).is_err());
        assert!(ContingencyTable::mirrored(Wdl::new(0, 7, 0)).is_err());
        let drawless = ContingencyTable::mirrored(Wdl::new(6, 0, 4)).unwrap();
        assert_eq!(drawless.independence().freedom, 1);
    }

    proptest! {
        #[test]
        fn transposing_changes_nothing(counts in prop::collection::vec(1u64..90, 12)) {
            let rows: Vec<Vec<u64>> = counts.chunks(4).map(<[u64]>::to_vec).collect();
            let columns: Vec<Vec<u64>> =
                (0..4).map(|c| rows.iter().map(|row| row[c]).collect()).collect();
            let a = ContingencyTable::new(&rows).unwrap().independence();
            let b = ContingencyTable::new(&columns).unwrap().independence();
            prop_assert!((a.statistic - b.statistic).abs() < 1e-9);
            prop_assert_eq!(a.freedom, 6);
            prop_assert!((a.p_value - b.p_value).abs() < 1e-9);
            prop_assert!((0.0..=1.0).contains(&a.p_value));
        }
    }
}
