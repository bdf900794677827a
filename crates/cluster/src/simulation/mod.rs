//! A simulated cluster: the real state machines of a caller and its workers on a
//! simulated network, stream and clock. Everything follows from the seed.

mod stream;
mod world;

use world::{Plan, World};

/// Runs a cluster to its end and checks that every item is in the journal once,
/// as it should be; a pair whose first item kills its workers is set aside instead.
fn check(plan: &Plan) -> World {
    let mut world = World::new(plan.clone());
    world.run();
    let seed = plan.seed;
    let missing = (0..plan.items).filter(|item| !world.journal.contains_key(item));
    let missing: Vec<u64> = missing.collect();
    // The other item of the pair comes after the one that kills.
    let expected: Vec<u64> = plan.poison.iter().flat_map(|&i| [i, i + 1]).collect();
    assert_eq!(missing, expected, "seed {seed}: items that are missing");
    for (item, text) in &world.journal {
        assert_eq!(*text, world::result(*item), "seed {seed}: an altered item");
    }
    world
}

fn faulty(seed: u64, workers: usize, items: u64) -> Plan {
    Plan {
        seed,
        workers,
        items,
        faults: 12,
        caller_dies: true,
        ..Plan::default()
    }
}

/// Kills, pauses, cuts, duplicates, reordering, lost streams, hung consumers and
/// skewed clocks. `FOGLIGHT_SEED=n` repeats one seed.
#[test]
fn no_item_is_lost_doubled_or_altered_by_any_fault() {
    let seeds = match std::env::var("FOGLIGHT_SEED") {
        Ok(seed) => {
            let seed = seed.parse().expect("FOGLIGHT_SEED is a number");
            seed..seed + 1
        }
        Err(_) => 0..1000,
    };
    let mut faults = 0;
    for seed in seeds.clone() {
        let workers = 2 + (seed % 49) as usize;
        faults += check(&faulty(seed, workers, 40 + 3 * workers as u64)).faults_done;
    }
    let runs = seeds.end - seeds.start;
    assert!(faults >= 5 * runs, "only {faults} faults in {runs} runs");
}

#[test]
fn a_thousand_workers_take_the_same_faults() {
    for seed in 0..20 {
        check(&faulty(seed, 1000, 4000));
    }
}

/// Without faults nothing is done twice, and the messages are few. The figures
/// of `docs/cluster.md` are these: `cargo test -p foglight-cluster --lib
/// a_thousand_workers_cost -- --nocapture`.
#[test]
fn a_thousand_workers_cost_few_messages() {
    let plan = Plan {
        seed: 1,
        workers: 1000,
        items: 200_000,
        faults: 0,
        seconds: 2.0,
        unit_seconds: 30.0,
        ..Plan::default()
    };
    let world = check(&plan);
    let cost = world.cost;
    println!(
        "{} items of {} s by {} workers in {:.0} s: {cost:?}, most tickets on the stream {}",
        plan.items,
        plan.seconds,
        plan.workers,
        world.seconds(),
        world.most_tickets,
    );
    assert_eq!(world.done_items, plan.items, "no item was done twice");
    assert!(world.seconds() < 1.5 * plan.seconds * plan.items as f64 / 1000.0);
    let per_item = |messages: u64| messages as f64 / plan.items as f64;
    assert!(per_item(cost.to_caller) < 2.5, "{cost:?}");
    assert!(world.most_tickets <= 2000);
}

#[test]
fn items_that_kill_three_workers_are_set_aside_and_told() {
    for seed in 0..50 {
        let plan = Plan {
            seed,
            workers: 3 + (seed % 4) as usize,
            items: 300,
            poison: [16, 130].into(),
            // Also so slowly that for a time nobody is there.
            restart: if seed % 2 == 0 { 5_000 } else { 60_000 },
            ..Plan::default()
        };
        let world = check(&plan);
        let told: String = world.notices.join("\n");
        assert!(
            told.contains("set aside: items 17, 18;"),
            "seed {seed}: {told}"
        );
        assert!(
            told.contains("set aside: items 131, 132;"),
            "seed {seed}: {told}"
        );
        assert_eq!(told.matches("set aside").count(), 2, "seed {seed}: {told}");
    }
}

#[test]
fn a_forging_worker_is_named_and_its_items_done_again() {
    for seed in 0..50 {
        let plan = Plan {
            seed,
            workers: 4,
            items: 300,
            forger: true,
            ..Plan::default()
        };
        let world = check(&plan);
        let told: String = world.notices.join("\n");
        assert!(told.contains("worker w0-"), "seed {seed}: {told}");
        assert!(told.contains("wrong result"), "seed {seed}: {told}");
    }
}

/// The same seed is the same run, so that a failure can be repeated.
#[test]
fn a_seed_repeats_its_run() {
    let runs = [0, 0, 1].map(|seed| {
        let world = check(&faulty(seed, 9, 100));
        (world.trace, world.cost)
    });
    assert_eq!(runs[0], runs[1]);
    assert_ne!(runs[0].0, runs[2].0);
}
