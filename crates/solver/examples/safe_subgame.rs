//! Safe subgame solving: Leduc poker is solved roughly once; during the game a
//! part of that tree is solved again with a gadget and a time limit.
//! `cargo run -p foglight-solver --example safe_subgame`.

#[path = "../tests/games/leduc.rs"]
mod leduc;

use std::time::{Duration, Instant};

use foglight_solver::{
    GadgetPrior, ReuseSettings, RootGadget, Side, SolveLimits, Solver, SolverSettings,
    extend_infostate_key, reuse, run,
};
use leduc::{CALL, Leduc, RAISE};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

fn main() {
    let settings = SolverSettings::default();
    let mut blueprint = Solver::whole_game(leduc::starts(), settings);
    blueprint.expand_all(&mut Leduc);
    for _ in 0..100 {
        blueprint.iterate();
    }

    // We hold a queen and check; the opponent raises.
    let dealt = extend_infostate_key(0, None, 1);
    let checked = extend_infostate_key(dealt, Some(CALL), u64::from(CALL));
    let key = extend_infostate_key(checked, None, u64::from(RAISE));

    let reused = reuse(&blueprint, key, ReuseSettings::default());
    println!(
        "{} of {} nodes reused; we may be in {} deals",
        reused.tree.len(),
        blueprint.tree.len(),
        reused.here.len(),
    );
    let gadget = RootGadget::subgame(reused.infosets, GadgetPrior::Reach);
    let mut solver = Solver::new(reused.tree, gadget, settings);

    let (began, time) = (Instant::now(), Duration::from_millis(200));
    run(
        &mut solver,
        &mut Leduc,
        &mut Xoshiro256PlusPlus::seed_from_u64(1),
        &SolveLimits::default(),
        || began.elapsed().as_secs_f64() / time.as_secs_f64(),
        |_, _| {},
    );

    println!(
        "{} rounds; what we get, by the opponent's infoset:",
        solver.iterations()
    );
    for infoset in solver.gadget().infosets() {
        println!(
            "  before {:+.3}, now {:+.3}",
            infoset.alternate_value,
            infoset.value(),
        );
    }
    let infoset = solver.tree.infoset_of(Side::Us, key);
    let infoset = infoset.expect("a deal that fits is in the tree");
    let strategy = solver.tree.infosets.strategy(infoset);
    println!(
        "fold {:.2}, call {:.2}, raise {:.2}",
        strategy[0], strategy[1], strategy[2]
    );
}
