//! Settings survive a round trip through JSON.
#![cfg(feature = "serde")]

use foglight_solver::{GadgetPrior, ReuseSettings, SolveLimits, SolverSettings};

#[test]
fn settings_survive_a_round_trip() {
    let all = (
        SolverSettings::default(),
        SolveLimits::nodes(1000),
        ReuseSettings::default(),
        GadgetPrior::Uniform,
    );
    let text = serde_json::to_string(&all).expect("text");
    let back: (SolverSettings, SolveLimits, ReuseSettings, GadgetPrior) =
        serde_json::from_str(&text).expect("the same settings");
    assert_eq!(back, all);
}
