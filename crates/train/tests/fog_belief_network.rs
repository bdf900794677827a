//! The belief network: it uses observations only, its layers sum to the
//! material, its gradient is correct, training is reproducible, and the default
//! network is better than the tensors of Ermlick 2023.

use foglight_engine::belief::marginals;
use std::sync::Arc;

use foglight_engine::{
    belief::{
        AnyBelief, BeliefKind, BeliefNetwork, BeliefNetworkTracker, BeliefSet, EnemyMaterial,
        Evidence, World,
        network::{
            BeliefWeights, Features, ObservationHistory, WeightedBelief, default_network,
            floats::FloatBeliefWeights,
        },
        sample_placement, tensor, weights,
    },
    registry,
};
use foglight_play::{Marginals, Providers, Spec, seeded};
use foglight_rules::{Action, Color, Game, Role, State};
use foglight_train::belief::{
    BeliefExample, BeliefGradient, BeliefTrainConfig, BeliefTrainer,
    games::{BeliefGames, examples},
    log_loss::{BeliefComparison, KINDS},
};

/// Games of small players.
fn played(games: u32, seed: u64) -> Vec<Vec<Action>> {
    let spec: Spec = "pbsa:worlds=2,nodes-per-board=60,top=2,max-positions=300"
        .parse()
        .expect("a spec");
    let build = || registry::build(&spec, &Game::fog(), &Providers::default()).expect("an agent");
    let (mut white, mut black) = (build(), build());
    let play = BeliefGames {
        seed,
        nodes: 400,
        ..BeliefGames::default()
    };
    (0..games)
        .map(|number| play.game(&Game::fog(), [&mut white as _, &mut black as _], number))
        .collect()
}

fn views(games: u32, seed: u64) -> Vec<BeliefExample> {
    let games = played(games, seed);
    let each = games.iter().map(|game| examples(&Game::fog(), game));
    each.flatten().collect()
}

fn after(moves: &[&str]) -> Vec<State> {
    let mut states = vec![State::start(Game::fog())];
    for text in moves {
        let mut state = states.last().expect("a state").clone();
        let action = state.parse_action(text).expect("a legal move");
        state.play(action).expect("a legal move");
        states.push(state);
    }
    states
}

/// White's marginals after moves.
fn heat(moves: &[&str], kind: BeliefKind) -> Marginals {
    let states = after(moves);
    let start = states[0].position();
    let mut watch = AnyBelief::new(kind, &Game::fog(), Color::White, start, 10_000, 1);
    states
        .iter()
        .for_each(|state| watch.see(&state.observe(Color::White)));
    watch.marginals()
}

#[test]
fn games_that_look_alike_are_believed_alike() {
    let one = heat(&["e2e4", "a7a6", "d2d4", "h7h6"], BeliefKind::Network);
    let other = heat(&["e2e4", "h7h6", "d2d4", "a7a6"], BeliefKind::Network);
    assert_eq!(one, other);
    let seen = heat(&["e2e4", "d7d5", "e4d5", "a7a6"], BeliefKind::Network);
    assert!(one != seen, "what was seen makes a difference");
}

#[test]
fn both_sides_see_the_same_board_turned() {
    let game = Game::fog();
    for played in after(&["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5d8"]) {
        let state = State::new(game, *played.position());
        let twin = State::new(game, state.position().mirrored());
        let features = |state: &State, side: Color| {
            let observation = state.observe(side);
            let enemy = World::of(state.position(), !side);
            let mut memory = ObservationHistory::of_start(&enemy);
            memory.see(&observation);
            let evidence = Evidence::new(&game, observation.view());
            Features::new(&memory, &EnemyMaterial::new(&enemy, !side), &evidence)
        };
        for side in Color::ALL {
            let (here, there) = (features(&state, side), features(&twin, !side));
            let sorted = |features: &Features| {
                let mut inputs = features.inputs.clone();
                inputs.sort_by_key(|input| input.at);
                inputs
            };
            assert_eq!(sorted(&here), sorted(&there));
            assert_eq!(here.field.hidden_squares, there.field.hidden_squares);
            assert_eq!(here.field.prior(), there.field.prior());
        }
    }
}

#[test]
fn memory_keeps_what_was_seen_until_it_is_seen_otherwise() {
    use foglight_rules::Square::{A7, D5, D8, G8};
    let states = after(&["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5d8"]);
    let mut memory = ObservationHistory::default();
    let mut see = |ply: usize| {
        memory.see(&states[ply].observe(Color::White));
        memory.clone()
    };
    assert_eq!(see(0).last(A7), Some(Role::Pawn), "the start is known");
    (1..4).for_each(|ply| {
        see(ply);
    });
    // An unseen queen has captured on d5: the square is hidden now and
    // occupied.
    let taken = see(4);
    assert_eq!((taken.last(D5), taken.since_loss(D5)), (None, Some(0)));
    assert_eq!(taken.last(G8), Some(Role::Knight));
    // The knight on c3 sees d5 empty.
    assert_eq!(see(5).last(D5), Some(Role::Queen));
    let gone = see(6);
    assert_eq!((gone.last(D5), gone.since_loss(D5)), (None, None));
    assert_eq!((gone.age(D5), gone.age(D8) > 0), (0, true));
}

#[test]
fn layers_add_up_to_the_men_that_are_left() {
    for actions in played(3, 21) {
        let mut state = State::start(Game::fog());
        let mut seer = BeliefNetworkTracker::default();
        let mut roster =
            EnemyMaterial::new(&World::of(state.position(), Color::Black), Color::Black);
        for action in actions {
            let observation = state.observe(Color::White);
            roster.update(&observation.news());
            seer.see(&observation);
            let evidence = Evidence::new(state.game(), observation.view());
            let heat = seer.marginals(&roster, &evidence);
            for role in Role::ALL {
                let sum = |heat: &Marginals| -> f64 {
                    let squares = evidence.size().mask().into_iter();
                    squares.map(|square| heat.get(role, square)).sum()
                };
                let wanted = sum(&tensor::uniform(&roster, &evidence));
                assert!((sum(&heat) - wanted).abs() < 1e-3, "{role:?} {wanted}");
                for square in evidence.fixed() {
                    let shown = evidence.shown().role_at(square) == Some(role);
                    assert_eq!(heat.get(role, square), f64::from(u8::from(shown)));
                }
            }
            state.play_unchecked(action);
        }
    }
}

#[test]
fn zeros_say_what_the_even_tensor_says() {
    let network = Arc::new(BeliefNetwork::new(&BeliefWeights::quantised(
        &FloatBeliefWeights::zero(),
    )));
    let states = after(&["e2e4", "e7e6", "d2d4", "a7a6"]);
    let watch = |kind| {
        let start = states[0].position();
        let mut watch = AnyBelief::new(kind, &Game::fog(), Color::White, start, 10, 1)
            .with_network(network.clone(), 1.0);
        states[1..]
            .iter()
            .for_each(|state| watch.see(&state.observe(Color::White)));
        watch.marginals()
    };
    let distance = watch(BeliefKind::Network).distance(&watch(BeliefKind::Uniform));
    assert!(distance < 0.01, "{distance}");
}

#[test]
fn a_file_comes_back_and_a_broken_one_is_refused() {
    let trained = BeliefTrainer::new(7).floats;
    let weights = BeliefWeights::quantised(&trained);
    let bytes = weights.to_bytes();
    assert!(bytes.len() <= 500_000);
    assert_eq!(
        BeliefWeights::from_bytes(&bytes).expect("a network"),
        weights
    );
    let rounded = weights.floats();
    let pairs = rounded.rows.iter().zip(&trained.rows);
    pairs.for_each(|(a, b)| assert!((a - b).abs() < 0.1 / 127.0));
    let cut = BeliefWeights::from_bytes(&bytes[..bytes.len() - 1]);
    assert!(cut.expect_err("too short").to_string().contains("expected"));
    assert!(BeliefWeights::from_bytes(b"PNG").is_err());
    let mut broken = bytes.clone();
    let last = broken.len() - 4;
    broken[last..].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(BeliefWeights::from_bytes(&broken).is_err());
}

#[test]
fn the_gradient_is_the_slope_of_the_loss() {
    let example = &views(1, 3)[14];
    let mut floats = BeliefTrainer::new(9).floats;
    // The layers behind the first start as zeros, which would hide mistakes.
    for (i, weight) in floats.output.iter_mut().enumerate() {
        *weight = ((i * 37 % 101) as f32 / 101.0 - 0.5) * 0.2;
    }
    let learn = |floats: &FloatBeliefWeights| {
        let mut gradient = BeliefGradient::zero();
        gradient.learn(floats, example);
        gradient
    };
    let exact = learn(&floats);
    let square = example
        .features
        .field
        .hidden_squares
        .first()
        .expect("a dark square") as usize;
    let local = |input: &&foglight_engine::belief::network::features::Input| input.at < 15 * 64;
    let inputs = &example.features.inputs;
    let near = usize::from(inputs.iter().find(local).expect("a local input").at);
    let row = usize::from(inputs[0].at) * 128;
    let mut slopes = 0.0f64;
    for (part, at) in [
        (0, row + 1),
        (0, row + 77),
        (1, 5),
        (1, 100),
        (2, square * 7 * 128 + 3),
        (2, (square * 7 + 1) * 128 + 64),
        (3, square * 7),
        (3, square * 7 + 2),
        (4, near * 7),
        (4, near * 7 + 1),
    ] {
        let step = 1e-2;
        let here = floats.parts()[part][at];
        floats.parts_mut()[part][at] = here + step;
        let above = learn(&floats).loss;
        floats.parts_mut()[part][at] = here - step;
        let below = learn(&floats).loss;
        floats.parts_mut()[part][at] = here;
        let slope = (above - below) / (2.0 * f64::from(step));
        let found = f64::from(exact.floats.parts()[part][at]);
        slopes = slopes.max(slope.abs());
        assert!((slope - found).abs() < 5e-3, "{part} {at}: {slope} {found}");
    }
    assert!(slopes > 0.1, "there is a slope to be found: {slopes}");
}

#[test]
fn training_learns_and_repeats_on_any_number_of_threads() {
    let (data, kept) = (views(12, 5), views(4, 6));
    let run = |threads: usize| {
        let settings = BeliefTrainConfig {
            batch: 64,
            epochs: 3,
            threads,
            ..BeliefTrainConfig::default()
        };
        let mut trainer = BeliefTrainer::new(11);
        let before = trainer.loss(&kept, &settings);
        for _ in 0..settings.epochs {
            trainer.run_epoch(&data, &settings, &mut || ());
        }
        (before, trainer.loss(&kept, &settings), trainer)
    };
    let (before, after, trainer) = run(1);
    assert!(after < 0.7 * before, "{before} {after}");
    assert!(trainer == run(3).2);
}

#[test]
fn weights_follow_the_chances_and_nothing_is_made_impossible() {
    let states = after(&["e2e4", "g8f6", "d2d4", "f6g8"]);
    let mut belief = BeliefSet::new(&Game::fog(), Color::White, states[0].position());
    for state in &states[1..] {
        let told = belief.update(&state.observe(Color::White));
        told.expect("it fits");
    }
    let (worlds, evidence) = (belief.worlds(), belief.evidence());
    let chances = marginals([&World::of(states[4].position(), Color::Black)]);
    let weighed = WeightedBelief::new(worlds, evidence, &chances, 1.0);
    let truth = World::of(states[4].position(), Color::Black);
    let like = |world: &World| world.occupied() == truth.occupied();
    let best = weighed.weights().iter().copied().fold(0.0, f64::max);
    let mut rng = seeded(1);
    for (world, &weight) in worlds.iter().zip(weighed.weights()) {
        assert!(weight > 0.0);
        assert!(!like(world) || weight == best);
    }
    for _ in 0..50 {
        let place = weighed.draw(&mut rng).expect("a world");
        assert!(like(&worlds[place]), "the rest has no chance to speak of");
    }
    let even = WeightedBelief::new(worlds, evidence, &chances, 0.0);
    assert!(even.weights().iter().all(|&weight| weight == 1.0));
}

#[test]
fn men_alike_are_drawn_as_their_chances_say() {
    use foglight_rules::Square::{B8, C6, F6, G8};
    let state = State::start(Game::fog());
    let home = World::of(state.position(), Color::Black);
    let roster = EnemyMaterial::new(&home, Color::Black);
    let evidence = Evidence::new(&Game::fog(), state.observe(Color::White).view());
    let knights = [(B8, 0.9), (G8, 0.5), (F6, 0.5), (C6, 0.1)];
    let mut heat = marginals([&home]);
    for (square, chance) in knights {
        *heat.get_mut(Role::Knight, square) = chance;
    }
    let mut rng = seeded(3);
    let mut error = |weights: &Marginals| -> f64 {
        let worlds =
            (0..4000).filter_map(|_| sample_placement(&roster, &evidence, Some(weights), &mut rng));
        let drawn = marginals(&worlds.collect::<Vec<World>>());
        let each = knights.iter();
        each.map(|(square, chance)| (drawn.get(Role::Knight, *square) - chance).abs())
            .sum()
    };
    let (by_weights, by_chances) = (error(&weights(&heat, &roster, &evidence)), error(&heat));
    assert!(
        by_weights < 0.1 && by_chances > 0.2,
        "{by_weights} {by_chances}"
    );
}

/// In the order of [`KINDS`]: uniform, tensor, exact, network, weighted.
#[test]
fn the_shipped_network_knows_more_than_the_tensors() {
    let judge = BeliefComparison {
        network: default_network(),
        power: WeightedBelief::POWER,
        cap: 1000,
    };
    let mut losses = [0.0; KINDS.len()];
    for (i, actions) in played(6, 77).iter().enumerate() {
        let bills = judge.game(&Game::fog(), actions, i as u64);
        let each = losses.iter_mut().zip(&bills);
        each.for_each(|(loss, bill)| *loss += bill.squares.sum);
    }
    let [even, tensor, exact, network, _] = losses;
    assert!(network < tensor && tensor < even, "{losses:?}");
    assert!(exact < even, "{losses:?}");
}
