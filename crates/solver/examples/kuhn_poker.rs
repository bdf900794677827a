//! The equilibrium of Kuhn poker: `cargo run -p foglight-solver --example kuhn_poker`.

#[path = "../tests/games/kuhn.rs"]
mod kuhn;

use foglight_solver::{
    AverageStrategy, Side, Solver, SolverSettings, exploitability, extend_infostate_key,
};

fn main() {
    let mut solver = Solver::whole_game(kuhn::starts(), SolverSettings::default());
    solver.expand_all(&mut kuhn::Kuhn);
    let mut average = AverageStrategy::default();
    for round in 1..=10_000 {
        solver.iterate();
        average.add(&solver);
        if [10, 100, 1000, 10_000].contains(&round) {
            let profile = average.profile(&solver);
            println!(
                "round {round:>5}: value {:+.5} (exact {:+.5}), exploitability {:.6}",
                profile.value(&solver),
                -1.0 / 18.0,
                exploitability(&solver, &profile),
            );
        }
    }
    let profile = average.profile(&solver);
    for (card, name) in [(0, "jack"), (1, "queen"), (2, "king")] {
        let key = extend_infostate_key(0, None, card);
        let infoset = solver.tree.infoset_of(Side::Us, key);
        let infoset = infoset.expect("the tree is expanded");
        let strategy = profile.strategy(&solver.tree.infosets, infoset);
        println!("with a {name} the first player bets {:.3}", strategy[1]);
    }
}
