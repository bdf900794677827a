//! The solver on games with known values.

mod games {
    pub mod kuhn;
    pub mod leduc;
    pub mod rps;
}

use foglight_solver::{
    AverageStrategy, ExtensiveGame, RootState, Solver, SolverSettings, StrategyProfile,
    exploitability,
};
use games::{kuhn, leduc, rps};

/// Solves a whole game; returns value and exploitability of the average, and the
/// exploitability of the last strategies.
fn solve<G: ExtensiveGame>(
    mut game: G,
    starts: Vec<RootState<G::State>>,
    rounds: u32,
) -> (Solver<G::State>, f64, f64, f64) {
    let mut solver = Solver::whole_game(starts, SolverSettings::default());
    solver.expand_all(&mut game);
    let mut average = AverageStrategy::default();
    for _ in 0..rounds {
        solver.iterate();
        average.add(&solver);
    }
    let profile = average.profile(&solver);
    let value = profile.value(&solver);
    let error = exploitability(&solver, &profile);
    let last = exploitability(&solver, &StrategyProfile::current(&solver));
    (solver, value, error, last)
}

#[test]
fn rock_paper_scissors_is_solved() {
    let (solver, value, error, last) = solve(rps::Rps, rps::starts(), 5000);
    println!("value {value:.5} error {error:.6} last {last:.6}");
    assert!(value.abs() < 1e-3 && error < 1e-3, "{value} {error}");
    let root = solver.gadget().infosets()[0].roots[0].node;
    assert_eq!(solver.tree.children(root).len(), 3);
}

#[test]
fn kuhn_poker_is_solved() {
    let (solver, value, error, last) = solve(kuhn::Kuhn, kuhn::starts(), 5000);
    println!("value {value:.5} error {error:.6} last {last:.6}");
    assert_eq!(solver.tree.infosets.len(), 12);
    assert!((value + 1.0 / 18.0).abs() < 1e-3, "{value}");
    assert!(error < 1e-3, "{error}");
}

#[test]
fn leduc_poker_is_solved() {
    let (solver, value, error, last) = solve(leduc::Leduc, leduc::starts(), 5000);
    println!("value {value:.5} error {error:.6} last {last:.6}");
    assert_eq!(
        solver.tree.infosets.len(),
        288,
        "as counted in the literature"
    );
    assert!((value + 0.0856).abs() < 2e-3, "{value}");
    assert!(error < 1e-3, "{error}");
    assert!(last < 0.1, "{last}");
}
