//! Growing within limits, subgames with a gadget, and tree reuse.

#[path = "games/leduc.rs"]
mod leduc;

use foglight_solver::{
    GadgetPrior, NodeKind, ReuseSettings, RootGadget, Side, SolveLimits, Solver, SolverSettings,
    StrategyProfile, exploitability, extend_infostate_key, reuse, run,
};
use leduc::{CALL, Hand, Leduc, RAISE, starts};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

fn seeded(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// Leduc poker grown within limits.
fn grown(limits: &SolveLimits, seed: u64) -> Solver<Hand> {
    // Payoffs exceed 1 chip, so the exploration bonus must be larger.
    let settings = SolverSettings {
        explore: 50.0,
        ..SolverSettings::default()
    };
    let mut solver = Solver::whole_game(starts(), settings);
    let mut rng = seeded(seed);
    run(&mut solver, &mut Leduc, &mut rng, limits, || 0.0, |_, _| {});
    solver
}

/// All of Leduc poker, solved for this number of iterations.
fn whole(rounds: u32) -> Solver<Hand> {
    let mut solver = Solver::whole_game(starts(), SolverSettings::default());
    solver.expand_all(&mut Leduc);
    for _ in 0..rounds {
        solver.iterate();
    }
    solver
}

/// Our infostate key with this card after our check and the opponent's raise.
fn raised(card: u64) -> u64 {
    let dealt = extend_infostate_key(0, None, card);
    let checked = extend_infostate_key(dealt, Some(CALL), u64::from(CALL));
    extend_infostate_key(checked, None, u64::from(RAISE))
}

#[test]
fn a_budget_in_nodes_repeats_exactly() {
    let limits = SolveLimits::nodes(1500);
    let (first, again, other) = (grown(&limits, 1), grown(&limits, 1), grown(&limits, 2));
    assert_eq!(first.tree.len(), again.tree.len());
    let profile = StrategyProfile::current(&first);
    assert_eq!(profile, StrategyProfile::current(&again));
    assert_ne!(profile, StrategyProfile::current(&other));
    let leaves = |solver: &Solver<Hand>| {
        let nodes = 0..solver.tree.len() as u32;
        let kinds = nodes.map(|at| solver.tree.kind(at));
        kinds.filter(|kind| *kind == NodeKind::Leaf).count()
    };
    assert!(leaves(&first) > 0, "the tree is not grown to the end");
}

/// A partial tree suffices for a value near that of the game.
#[test]
fn a_grown_tree_is_solved() {
    let solver = grown(&SolveLimits::nodes(60_000), 7);
    let nodes = solver.tree.len();
    assert!((1000..2040).contains(&nodes), "{nodes}");
    let gap = exploitability(&solver, &StrategyProfile::current(&solver));
    assert!(gap < 0.01, "{gap}");
    let value = solver.gadget().value();
    assert!((value + 0.0856).abs() < 0.1, "{value}");
}

/// Iterations without expansions use up the node budget, however many threads
/// wait for leaves.
#[test]
fn a_run_ends_where_nothing_is_left_to_expand() {
    const ENDLESS: f64 = 100_000.0;
    for threads in [1, 2] {
        let mut solver = whole(0);
        let limits = SolveLimits {
            threads,
            ..SolveLimits::nodes(2000)
        };
        let mut rounds = 0.0;
        let time_used = || {
            rounds += 1.0;
            rounds / ENDLESS
        };
        let mut rng = seeded(1);
        run(
            &mut solver,
            &mut Leduc,
            &mut rng,
            &limits,
            time_used,
            |_, _| {},
        );
        assert!(rounds < 0.1 * ENDLESS, "{threads} threads: {rounds}");
    }
}

#[test]
fn two_threads_grow_the_tree() {
    let limits = SolveLimits {
        threads: 2,
        ..SolveLimits::nodes(2000)
    };
    let solver = grown(&limits, 7);
    assert!(solver.tree.len() > 200, "{}", solver.tree.len());
    let pending = |at| solver.tree.kind(at) == NodeKind::Pending;
    let nodes = 0..solver.tree.len() as u32;
    assert_eq!(nodes.filter(|at| pending(*at)).count(), 0);
}

/// More threads than there are leaves to expand at a time: none is lost, none is
/// expanded twice, and the tree is solved.
#[test]
fn many_threads_solve_the_tree() {
    let limits = SolveLimits {
        threads: 16,
        ..SolveLimits::nodes(60_000)
    };
    let solver = grown(&limits, 7);
    let nodes = solver.tree.len();
    assert!((1000..2040).contains(&nodes), "{nodes}");
    let mut children = vec![0; nodes];
    for at in 0..nodes as u32 {
        assert_ne!(solver.tree.kind(at), NodeKind::Pending);
        for child in solver.tree.children(at) {
            children[child as usize] += 1;
        }
    }
    assert!(children.iter().all(|parents| *parents <= 1));
    let gap = exploitability(&solver, &StrategyProfile::current(&solver));
    assert!(gap < 0.05, "{gap}");
}

#[test]
fn the_caller_is_asked_for_its_time_once_a_round() {
    for threads in [1, 2] {
        let mut solver = Solver::whole_game(starts(), SolverSettings::default());
        let limits = SolveLimits {
            threads,
            ..SolveLimits::default()
        };
        let (mut asked, mut told) = (0u32, Vec::new());
        let time_used = || {
            asked += 1;
            f64::from(asked) / 40.0
        };
        let mut rng = seeded(3);
        run(
            &mut solver,
            &mut Leduc,
            &mut rng,
            &limits,
            time_used,
            |_, used| told.push(used),
        );
        assert_eq!(asked, 40);
        assert_eq!(solver.iterations(), 40);
        let expected: Vec<f64> = (1..=40).map(|round| f64::from(round) / 40.0).collect();
        assert_eq!(told, expected);
    }
}

#[test]
fn a_tree_is_not_grown_over_its_largest_size() {
    let limits = SolveLimits {
        max_nodes: 300,
        ..SolveLimits::nodes(2000)
    };
    let solver = grown(&limits, 1);
    // The last expansions may exceed it, by three children each.
    assert!((300..310).contains(&solver.tree.len()));
}

/// Every deal consistent with our information is a root, and so is every deal
/// that the opponent considers possible although we know that it is not.
#[test]
fn what_the_opponent_cannot_tell_apart_is_reused() {
    let old = whole(50);
    let reused = reuse(&old, raised(2), ReuseSettings::default());
    assert_eq!(reused.infosets.len(), 3, "one for each card of theirs");
    let here = |node: &u32| reused.tree.infostate_key(*node, Side::Us) == raised(2);
    assert!(reused.here.iter().all(here));
    let roots = reused.infosets.iter().flat_map(|infoset| &infoset.roots);
    let roots: Vec<u32> = roots.map(|root| root.node).collect();
    assert_eq!(roots.iter().filter(|node| here(node)).count(), 8);
    assert!(
        roots.len() > 8,
        "we may hold something else, as they see it"
    );
    let one = ReuseSettings {
        max_roots: 1,
        ..ReuseSettings::default()
    };
    assert_eq!(reuse(&old, raised(2), one).infosets.len(), 1);
    assert!(reuse(&old, 12345, one).infosets.is_empty(), "nowhere");
}

/// Safe subgame solving: whatever the opponent holds, it gets no more than from
/// the old strategies.
#[test]
fn a_subgame_keeps_the_alternate_values() {
    let old = whole(2000);
    for freeze in [false, true] {
        let settings = ReuseSettings {
            freeze,
            ..ReuseSettings::default()
        };
        let reused = reuse(&old, raised(1), settings);
        let gadget = RootGadget::subgame(reused.infosets, GadgetPrior::Reach);
        let mut solver = Solver::new(reused.tree, gadget, SolverSettings::default());
        for _ in 0..3000 {
            solver.iterate();
        }
        for infoset in solver.gadget().infosets() {
            assert!(infoset.gain() < 0.02, "{freeze}: gains {}", infoset.gain());
        }
    }
}
