//! Particles and tensors approach the exact posterior, are consistent with the
//! observations, and retain what the papers report as lost: captured pieces,
//! bishop colours and pawn files.

use std::collections::HashMap;

use foglight_engine::belief::{
    EnemyMaterial, Evidence, Filter, Particles, Reinvigoration, Resample, World, sample_placement,
    tensor,
};
use foglight_play::{Rng, seeded};
use foglight_rules::{Action, Announcement, Bitboard, Color, Game, Observation, Role, State};
use rand::seq::IndexedRandom;

const SMALL: &str = "kbnr/4/4/K3 w - - 0 1";

/// All states of a random game of at most `plies` plies.
fn random_game(game: Game, fen: Option<&str>, plies: usize, seed: u64) -> Vec<State> {
    let start = fen.map_or(game.start(), |fen| game.parse_fen(fen).expect("a position"));
    let mut rng = seeded(seed);
    let mut states = vec![State::new(game, start)];
    for _ in 0..plies {
        let mut state = states.last().expect("a state").clone();
        let Some(action) = state.legal_actions().choose(&mut rng).copied() else {
            break;
        };
        state.play_unchecked(action);
        states.push(state);
    }
    states
}

/// The exact posterior under a uniformly random enemy, by enumeration of all
/// histories with their probabilities.
fn posterior(states: &[State], side: Color) -> HashMap<World, f64> {
    let same = |a: &Observation, b: &Observation| {
        a.view() == b.view() && a.news() == b.news() && a.turn() == b.turn()
    };
    let mut now: Vec<(State, f64)> = vec![(states[0].clone(), 1.0)];
    for real in &states[1..] {
        let seen = real.observe(side);
        let mut next = Vec::new();
        for (state, weight) in &now {
            let actions = state.legal_actions();
            let mine = state.position().turn() == side;
            let share = if mine {
                1.0
            } else {
                1.0 / actions.len() as f64
            };
            for action in actions {
                let mut child = state.clone();
                child.play_unchecked(action);
                if same(&child.observe(side), &seen) {
                    next.push((child, weight * share));
                }
            }
        }
        now = next;
    }
    let total: f64 = now.iter().map(|(_, weight)| weight).sum();
    let mut belief = HashMap::new();
    for (state, weight) in now {
        *belief
            .entry(World::of(state.position(), !side))
            .or_insert(0.0) += weight / total;
    }
    belief
}

fn distance(a: &HashMap<World, f64>, b: &HashMap<World, f64>) -> f64 {
    let both = a
        .keys()
        .chain(b.keys().filter(|world| !a.contains_key(*world)));
    let share = |map: &HashMap<World, f64>, world| map.get(world).copied().unwrap_or(0.0);
    both.map(|world| (share(a, world) - share(b, world)).abs())
        .sum::<f64>()
        / 2.0
}

fn filtered(states: &[State], side: Color, filter: Filter, rng: &mut Rng) -> Particles {
    let first = Evidence::new(states[0].game(), states[0].observe(side).view());
    let start = World::of(states[0].position(), !side);
    let mut particles = Particles::new(filter, start, first);
    for state in &states[1..] {
        particles.update(&state.observe(side), rng);
    }
    particles
}

#[test]
fn frequencies_approach_the_exact_posterior() {
    let game = Game::fog();
    for resample in [Resample::Reject, Resample::Sir] {
        let mut means = Vec::new();
        for count in [300, 3000, 30_000] {
            let filter = Filter {
                count,
                resample,
                threshold: 0.0,
                ..Filter::default()
            };
            let mut sum = 0.0;
            for seed in 0..6 {
                let states = random_game(game, Some(SMALL), 5, seed);
                let exact = posterior(&states, Color::White);
                let particles = filtered(&states, Color::White, filter, &mut seeded(seed));
                sum += distance(&particles.belief(), &exact);
            }
            means.push(sum / 6.0);
        }
        println!("{resample:?}: distances {means:?} at 300, 3000, 30000 particles");
        assert!(
            means[1] < 0.6 * means[0] && means[2] < 0.6 * means[1],
            "{resample:?} {means:?}"
        );
        assert!(means[2] < 0.05, "{resample:?} {means:?}");
    }
}

#[test]
fn every_particle_fits_the_view_whatever_made_it() {
    let mut views = 0;
    for regenerate in [
        Reinvigoration::Uniform,
        Reinvigoration::Traced,
        Reinvigoration::History,
    ] {
        let filter = Filter {
            count: 200,
            threshold: 0.5,
            reinvigoration: regenerate,
            ..Filter::default()
        };
        for seed in 0..4 {
            let states = random_game(Game::fog(), None, 24, seed);
            for plies in (2..states.len()).step_by(3) {
                let side = if plies % 2 == 0 {
                    Color::White
                } else {
                    Color::Black
                };
                let particles = filtered(&states[..=plies], side, filter, &mut seeded(seed));
                let evidence = Evidence::new(&Game::fog(), states[plies].observe(side).view());
                if states[plies].outcome().is_some() {
                    continue;
                }
                assert!(
                    !particles.worlds().is_empty(),
                    "{regenerate:?} seed {seed} ply {plies}"
                );
                assert!(
                    particles
                        .worlds()
                        .iter()
                        .all(|world| evidence.is_consistent(world))
                );
                let seen = states[plies].observe(side);
                for world in particles.worlds().iter().take(20) {
                    let state = State::new(Game::fog(), evidence.position(world));
                    assert_eq!(state.observe(side).view(), seen.view(), "{regenerate:?}");
                    views += 1;
                }
            }
        }
    }
    assert!(views > 500, "{views}");
}

#[test]
fn made_up_boards_keep_bishops_on_their_colour_and_the_dead_dead() {
    const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
    let game = Game::fog();
    // White captures the light-squared bishop on e6 with its third move.
    let mut state = State::start(game);
    for text in ["d2d4", "d7d6", "d4d5", "c8e6", "d5e6", "a7a6"] {
        let action = state.parse_action(text).expect("a legal move");
        state.play(action).expect("a legal move");
    }
    let start = World::of(&game.start(), Color::Black);
    let mut roster = EnemyMaterial::new(&start, Color::Black);
    roster.update(&Announcement {
        captured: Some((foglight_rules::Square::E6, Role::Bishop)),
        ..Announcement::default()
    });
    let evidence = Evidence::new(&game, state.observe(Color::White).view());
    let mut rng = seeded(5);
    for _ in 0..300 {
        let world = sample_placement(&roster, &evidence, None, &mut rng).expect("a board");
        assert_eq!((world.pieces(Role::Bishop) & LIGHT).count(), 0);
        assert_eq!((world.pieces(Role::Bishop) & !LIGHT).count(), 1);
        assert_eq!(world.occupied().count(), 15);
        // White has lost no piece, so no black pawn has left its file.
        let files: Vec<_> = world
            .pieces(Role::Pawn)
            .into_iter()
            .map(|s| s.file())
            .collect();
        assert!(roster.pawns_fit(world.pieces(Role::Pawn)), "{files:?}");
        assert!(evidence.is_consistent(&world));
    }
    let two_on_a_file = Bitboard::from(foglight_rules::Square::A7).with(foglight_rules::Square::A6);
    assert!(!roster.pawns_fit(two_on_a_file));
    roster.update(&Announcement {
        lost: Some((foglight_rules::Square::E6, Role::Pawn)),
        ..Announcement::default()
    });
    assert!(roster.pawns_fit(two_on_a_file));
}

#[test]
fn tensors_hold_as_many_men_as_the_enemy_has() {
    let game = Game::fog();
    let states = random_game(game, None, 12, 11);
    let side = Color::White;
    let mut roster = EnemyMaterial::new(&World::of(&game.start(), Color::Black), Color::Black);
    let mut before = Evidence::new(&game, states[0].observe(side).view());
    let mut heat = tensor::uniform(&roster, &before);
    let mut rng = seeded(1);
    for state in &states[1..] {
        let seen = state.observe(side);
        roster.update(&seen.news());
        let after = Evidence::new(&game, seen.view());
        let how = tensor::TensorUpdate::default();
        heat = match seen.news().own_move {
            Some(_) => tensor::uniform(&roster, &after),
            None => tensor::progress(&heat, &roster, &before, &after, &how, &mut rng),
        };
        before = after;
        let men: f64 = Bitboard::FULL
            .into_iter()
            .map(|square| heat.any(square))
            .sum();
        let true_men = state.position().board().side(Color::Black).count() as f64;
        assert!((men - true_men).abs() < 1e-6, "{men} {true_men}");
        let layers = tensor::layers(&heat, &after);
        let enemy: f32 = layers[6..12].iter().flatten().sum();
        assert!((f64::from(enemy) - true_men).abs() < 1e-3);
        let seen_squares: f32 = layers[22].iter().sum();
        assert_eq!(seen_squares as usize, seen.view().visible.count());
    }
}

/// From a known start the filter holds one world, and several after a hidden move.
#[test]
fn particles_start_at_the_known_start() {
    let game = Game::fog();
    let mut state = State::start(game);
    let first = Evidence::new(&game, state.observe(Color::Black).view());
    let start = World::of(state.position(), Color::White);
    let mut particles = Particles::new(
        Filter {
            count: 50,
            ..Filter::default()
        },
        start,
        first,
    );
    assert_eq!(particles.belief().len(), 1);
    let m = state.legal_moves()[0];
    state.play(Action::Move(m)).expect("a legal move");
    assert!(particles.update(&state.observe(Color::Black), &mut seeded(0)));
    assert!(particles.belief().len() > 10);
}
