//! The network: incremental updates equal recomputation, every code path gives
//! the same bits, the gradient is correct, training is reproducible.

use std::sync::Arc;

use foglight_engine::eval::{
    Evaluator, Network,
    network::{
        HIDDEN, NetworkWeights, Speed, default_fog_network, head_of, weights::FloatNetworkWeights,
    },
};
use foglight_play::seeded;
use foglight_rules::{Action, Color, Game, MoveKind, Position, Role, State, Turn};
use foglight_train::network::{
    NetworkExample, NetworkGradient, NetworkTrainConfig, NetworkTrainer,
};
use rand::{Rng as _, seq::IndexedRandom};

fn random_weights(seed: u64) -> Arc<NetworkWeights> {
    Arc::new(NetworkWeights::quantised(&NetworkTrainer::new(seed).floats))
}

/// The same with visibility inputs.
fn sighted_weights(seed: u64) -> Arc<NetworkWeights> {
    let mut floats = NetworkTrainer::new(seed).floats;
    floats.rows.extend_from_within(..);
    Arc::new(NetworkWeights::quantised(&floats))
}

/// Random play of king-capture chess: calls `each` with a move and the captured
/// piece.
fn random_moves(
    seed: u64,
    moves: usize,
    mut each: impl FnMut(&Position, foglight_rules::Move, Option<Role>, &Position),
) {
    let mut rng = seeded(seed);
    let mut done = 0;
    while done < moves {
        let mut state = State::start(Game::fog());
        while let Turn::Player(_) = state.turn() {
            let legal = state.legal_moves();
            let special = |m: &&foglight_rules::Move| m.kind() != MoveKind::Normal;
            let rare: Vec<_> = legal.iter().filter(special).copied().collect();
            let pool = if rare.is_empty() || rng.random_bool(0.3) {
                &legal
            } else {
                &rare
            };
            let m = *pool.choose(&mut rng).expect("a move");
            let before = *state.position();
            let taken = before.captured(m);
            state.play_unchecked(Action::Move(m));
            each(&before, m, taken, state.position());
            done += 1;
        }
    }
}

/// Training can continue from a network without its training state.
#[test]
fn rounded_numbers_are_found_again() {
    for weights in [random_weights(3), sighted_weights(4), default_fog_network()] {
        assert!(NetworkWeights::quantised(&weights.floats()) == *weights);
    }
}

#[test]
fn kept_up_to_date_equals_recomputed() {
    let network = Network::new(random_weights(1));
    let mut kinds = [0u32; 4];
    let mut carried = None;
    random_moves(2, 1_000_000, |before, m, taken, after| {
        let fresh = before.fullmoves() == 1 && before.turn() == Color::White;
        let sums = match carried {
            Some(sums) if !fresh => sums,
            _ => network.refresh(before),
        };
        let next = network.update(&sums, before, m, taken);
        assert!(next == network.refresh(after), "{m} of {before:?}");
        carried = Some(next);
        kinds[0] += u32::from(m.kind() == MoveKind::Castle);
        kinds[1] += u32::from(m.kind() == MoveKind::EnPassant);
        kinds[2] += u32::from(m.promotion().is_some());
        kinds[3] += u32::from(taken == Some(Role::King));
    });
    assert!(kinds.iter().all(|&count| count > 100), "{kinds:?}");
}

#[test]
fn every_path_gives_the_same_bits() {
    for weights in [random_weights(3), sighted_weights(3)] {
        let fast = Network::with_speed(weights.clone(), Speed::detect());
        let slow = Network::with_speed(weights, Speed::Portable);
        random_moves(4, 20_000, |_, _, _, after| {
            let (a, b) = (fast.refresh(after), slow.refresh(after));
            assert!(a == b);
            assert_eq!(fast.evaluate(after, &a), slow.evaluate(after, &b));
        });
    }
}

#[test]
fn a_mirrored_board_is_worth_the_same() {
    let network = Network::new(sighted_weights(5));
    random_moves(6, 2_000, |_, _, _, after| {
        let mirrored = after.mirrored();
        let sums = (network.refresh(after), network.refresh(&mirrored));
        assert_eq!(
            network.evaluate(after, &sums.0),
            network.evaluate(&mirrored, &sums.1)
        );
    });
}

/// The same pieces on the same squares but for one that closes a line:
/// visibility has changed, and a network with visibility inputs can tell.
#[test]
fn what_is_seen_is_an_input_of_its_own() {
    let mut floats = NetworkTrainer::new(5).floats;
    floats.rows.fill(0.0);
    floats.output.fill(0.02);
    let plain = floats.clone().with_sight();
    let mut sighted = plain.clone();
    let half = sighted.rows.len() / 2;
    sighted.rows[half..].fill(0.2);
    let judge = |floats: &FloatNetworkWeights, fen: &str| {
        let network = Network::new(Arc::new(NetworkWeights::quantised(floats)));
        let position = Game::fog().parse_fen(fen).expect("a position");
        network.evaluate(&position, &network.refresh(&position))
    };
    let open = "k6r/8/8/8/8/8/P7/K6R w - - 0 1";
    let shut = "k6r/8/8/8/8/7P/8/K6R w - - 0 1";
    assert_eq!(judge(&plain, open), judge(&plain, shut));
    assert_ne!(judge(&sighted, open), judge(&sighted, shut));
}

#[test]
fn a_file_comes_back_and_a_broken_one_is_refused() {
    for weights in [random_weights(7), sighted_weights(7)] {
        let bytes = weights.to_bytes();
        assert!(bytes.len() < 1_000_000);
        assert!(NetworkWeights::from_bytes(&bytes).expect("a network") == *weights);
    }
    let bytes = random_weights(7).to_bytes();
    let cut = NetworkWeights::from_bytes(&bytes[..bytes.len() - 1]).map(|_| ());
    let error = cut.expect_err("a byte is missing");
    assert!(error.to_string().contains("expected"));
    assert!(NetworkWeights::from_bytes(b"PNG").is_err());
}

/// Positions of random games, scored by material, so that training can succeed.
fn examples(seed: u64, count: usize) -> Vec<NetworkExample> {
    let mut found = Vec::new();
    random_moves(seed, count * 3, |_, _, _, after| {
        if found.len() < count && after.board().king(after.turn()).is_some() {
            let worth = |role: Role| [100, 300, 300, 500, 900, 0][role as usize - 1];
            let score: i32 = (after.board().iter())
                .map(|(_, piece)| {
                    let sign = if piece.color == after.turn() { 1 } else { -1 };
                    sign * worth(piece.role)
                })
                .sum();
            found.push(NetworkExample::new(
                after,
                score,
                NetworkExample::NO_RESULT,
                0,
            ));
        }
    });
    found
}

/// One weight of a network.
fn number(floats: &mut FloatNetworkWeights, part: usize, at: usize) -> &mut f32 {
    match part {
        0 => &mut floats.rows[at],
        1 => &mut floats.bias[at],
        2 => &mut floats.output[at],
        _ => &mut floats.offset[at],
    }
}

#[test]
fn the_gradient_is_the_slope_of_the_loss() {
    let example = examples(8, 40)[39]; // pieces of both sides are visible
    let mut floats = NetworkTrainer::new(9).floats.with_sight();
    let loss = |floats: &FloatNetworkWeights| {
        let mut gradient = NetworkGradient::zero(floats.inputs());
        gradient.learn(floats, &mut std::iter::once(&example), 0.0);
        gradient.loss
    };
    let mut exact = NetworkGradient::zero(floats.inputs());
    exact.learn(&floats, &mut std::iter::once(&example), 0.0);
    let mut inputs = Vec::new();
    let men = example.inputs(floats.inputs(), &mut inputs);
    let row = usize::from(inputs[0].0) * HIDDEN;
    let seen = usize::from(inputs[men].0) * HIDDEN;
    let head = head_of(men);
    for (part, at) in [
        (0, row),
        (0, row + 77),
        (0, seen + 9),
        (1, 5),
        (1, 100),
        (2, head * 2 * HIDDEN + 3),
        (2, head * 2 * HIDDEN + 200),
        (3, head),
    ] {
        let step = 1e-2;
        let here = *number(&mut floats, part, at);
        *number(&mut floats, part, at) = here + step;
        let above = loss(&floats);
        *number(&mut floats, part, at) = here - step;
        let below = loss(&floats);
        *number(&mut floats, part, at) = here;
        let slope = (above - below) / (2.0 * f64::from(step));
        let found = f64::from(*number(&mut exact.floats, part, at));
        assert!((slope - found).abs() < 2e-4, "{part} {at}: {slope} {found}");
    }
}

#[test]
fn training_learns_repeats_and_goes_on_after_a_break() {
    let data = examples(10, 4_000);
    let settings = NetworkTrainConfig {
        batch: 256,
        epochs: 4,
        rate: 0.005,
        ..NetworkTrainConfig::default()
    };
    let run = |threads: usize, broken: bool| {
        let settings = NetworkTrainConfig {
            threads,
            ..settings
        };
        let mut trainer = NetworkTrainer::new(11);
        let mut losses = Vec::new();
        for _ in 0..settings.epochs {
            losses.push(trainer.run_epoch(&data, &settings));
            if broken {
                trainer = NetworkTrainer::from_bytes(&trainer.to_bytes()).expect("what was saved");
            }
        }
        (trainer, losses)
    };
    let (one, losses) = run(1, false);
    assert!(losses[3] < losses[0] * 0.5, "{losses:?}");
    assert!(run(2, true) == (one.clone(), losses));
    let quantised = Network::new(Arc::new(NetworkWeights::quantised(&one.floats)));
    let mut off = 0.0;
    for example in &data[..500] {
        let position = example.packed.unpack();
        let sums = quantised.refresh(&position);
        let chance = |cp: i32| 1.0 / (1.0 + 10f64.powf(-f64::from(cp) / 400.0));
        let found = chance(quantised.evaluate(&position, &sums));
        off += (found - chance(i32::from(example.score))).abs() / 500.0;
    }
    assert!(off < 0.12, "the quantised network is off by {off}");
}
