//! The standard normal distribution.

use statrs::function::erf::{erfc, erfc_inv};
use std::f64::consts::SQRT_2;

/// Probability that a standard normal variable is at most `z`, exact to
/// relative precision in the lower tail. Infinities give 0 and 1.
pub fn cdf(z: f64) -> f64 {
    if z == f64::INFINITY {
        return 1.0;
    }
    if z == f64::NEG_INFINITY {
        return 0.0;
    }
    erfc(-z / SQRT_2) / 2.0
}

/// Inverse of [`cdf`]; probabilities at or beyond 0 and 1 give infinities.
pub fn quantile(p: f64) -> f64 {
    if p <= 0.0 {
        f64::NEG_INFINITY
    } else if p >= 1.0 {
        f64::INFINITY
    } else if p > 0.5 {
        -quantile(1.0 - p)
    } else {
        -SQRT_2 * erfc_inv(2.0 * p)
    }
}

/// Half-width, in standard errors, of a two-sided interval of this level:
/// 1.96 for 0.95, 3.29 for the 0.999 of Mellemseter (2017), chapter 6.
pub fn critical(level: f64) -> f64 {
    -quantile((1.0 - level) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_the_printed_tables() {
        // Values from tables of the normal distribution.
        for (level, z) in [
            (0.90, 1.644854),
            (0.95, 1.959964),
            (0.99, 2.575829),
            (0.999, 3.290527),
        ] {
            assert!((critical(level) - z).abs() < 1e-6, "{level}");
            assert!((cdf(z) - (0.5 + level / 2.0)).abs() < 1e-7);
        }
        assert_eq!(quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(cdf(f64::INFINITY), 1.0);
    }
}
