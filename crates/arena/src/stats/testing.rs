//! Helpers shared by the tests of the statistics.

use super::pentanomial::Pentanomial;

/// Fails unless the two numbers are within `tolerance`.
#[track_caller]
pub fn assert_near(got: f64, expected: f64, tolerance: f64) {
    assert!(
        (got - expected).abs() <= tolerance,
        "expected {expected} within {tolerance}, got {got}"
    );
}

/// Pair counts in fastchess's order of arguments: LL, LD, WL, DD, WD, WW.
pub(crate) fn penta([ll, ld, wl, dd, wd, ww]: [u64; 6]) -> Pentanomial {
    Pentanomial {
        ll,
        ld,
        wl,
        dd,
        wd,
        ww,
    }
}
