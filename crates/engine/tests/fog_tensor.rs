//! The belief tensors of Ermlick 2023: uniform for UBSA, updated for PBSA.

use foglight_engine::belief::marginals;
use foglight_engine::belief::{
    AnyBelief, BeliefKind, EnemyMaterial, Evidence, World, sample_placement,
    tensor::{self, LAYERS, TensorUpdate},
};
use foglight_play::{Marginals, seeded};
use foglight_rules::{Color, FogRules, Game, Role, Square, State};

fn game() -> Game {
    Game::fog_with(FogRules::OpenSpiel)
}

fn played(moves: &[&str]) -> Vec<State> {
    let mut states = vec![State::start(game())];
    for text in moves {
        let mut state = states.last().expect("a state").clone();
        let action = state.parse_action(text).expect("a legal move");
        state.play(action).expect("a legal move");
        states.push(state);
    }
    states
}

fn evidence(state: &State) -> Evidence {
    Evidence::new(&game(), state.observe(Color::White).view())
}

fn roster() -> EnemyMaterial {
    EnemyMaterial::new(&World::of(&game().start(), Color::Black), Color::Black)
}

/// White's tensor after the moves, updated with these settings.
fn carried(moves: &[&str], how: TensorUpdate) -> (Marginals, Evidence) {
    let states = played(moves);
    let mut rng = seeded(3);
    let mut before = evidence(&states[0]);
    let mut heat = marginals([&World::of(states[0].position(), Color::Black)]);
    for state in &states[1..] {
        let after = evidence(state);
        heat = match state.observe(Color::White).news().own_move {
            Some(_) => tensor::overwritten(&heat, &roster(), &after, &how),
            None => tensor::progress(&heat, &roster(), &before, &after, &how, &mut rng),
        };
        before = after;
    }
    (heat, before)
}

#[test]
fn the_uniform_tensor_is_flat_over_unseen_squares() {
    let states = played(&["e2e4", "e7e6"]);
    let evidence = evidence(&states[2]);
    let heat = tensor::uniform(&roster(), &evidence);
    let dark: Vec<Square> = evidence.hidden_squares().into_iter().collect();
    for square in &dark {
        assert!((heat.get(Role::King, *square) - 1.0 / dark.len() as f64).abs() < 1e-12);
        assert!((heat.get(Role::Queen, *square) - 1.0 / dark.len() as f64).abs() < 1e-12);
    }
    // Pawns never stand on the first or last rank.
    assert_eq!(heat.get(Role::Pawn, Square::A8), 0.0);
}

#[test]
fn an_unseen_move_is_simulated_and_softened() {
    let (heat, evidence) = carried(&["a2a3", "g8f6"], TensorUpdate::default());
    // Only squares that some simulated move reaches are possible, and among them
    // the softmax with temperature 1 leaves no large differences.
    let knight = |square| heat.get(Role::Knight, square);
    assert!(knight(Square::F6) > 0.0 && knight(Square::E5) == 0.0);
    let ratio = knight(Square::B8) / knight(Square::F6);
    assert!((1.5..2.8).contains(&ratio), "{ratio}");
    // No first move moves the king: its square is certain.
    assert!((heat.get(Role::King, Square::E8) - 1.0).abs() < 1e-9);
    let men: f64 = evidence
        .hidden_squares()
        .into_iter()
        .map(|s| heat.any(s))
        .sum();
    assert!((men - 16.0).abs() < 1e-6, "{men}");
    let cold = TensorUpdate {
        temperature: 0.1,
        ..TensorUpdate::default()
    };
    let (sharp, _) = carried(&["a2a3", "g8f6"], cold);
    assert!(sharp.get(Role::Knight, Square::B8) > knight(Square::B8));
}

#[test]
fn simulated_moves_that_would_have_been_seen_are_dropped() {
    // White sees both squares of the knight on h8, but not b7 and b8.
    let fen = "k6n/8/8/8/8/8/8/K4RQ1 b - - 0 1";
    let mut state = State::new(game(), game().parse_fen(fen).expect("a position"));
    let world = World::of(state.position(), Color::Black);
    let material = EnemyMaterial::new(&world, Color::Black);
    let before = evidence(&state);
    let unseen = state.parse_action("a8b8").expect("a legal move");
    state.play(unseen).expect("a legal move");
    let (how, mut rng) = (TensorUpdate::default(), seeded(1));
    let after = evidence(&state);
    let heat = marginals([&world]);
    let heat = tensor::progress(&heat, &material, &before, &after, &how, &mut rng);
    assert!((heat.get(Role::Knight, Square::H8) - 1.0).abs() < 1e-9);
    assert_eq!(heat.get(Role::King, Square::A8), 0.0);
    assert!((heat.get(Role::King, Square::B7) - 0.5).abs() < 0.1);
}

/// The pawn on d4 is lost, and only a knight on f5 could take it, where it is
/// thought to be once in fifty. Random replies would hardly ever take it.
#[test]
fn a_lost_piece_was_captured_by_what_can() {
    let position = |fen: &str| game().parse_fen(fen).expect("a position");
    let near = position("7k/8/8/5n2/3P4/8/8/K7 b - - 0 1");
    let far = position("7k/8/7n/8/3P4/8/8/K7 b - - 0 1");
    let [near_world, far_world] = [near, far].map(|p| World::of(&p, Color::Black));
    let mut worlds = vec![far_world; 49];
    worlds.push(near_world);
    let material = EnemyMaterial::new(&near_world, Color::Black);
    let mut state = State::new(game(), near);
    let before = evidence(&state);
    let capture = state.parse_action("f5d4").expect("a legal move");
    state.play(capture).expect("a legal move");
    let (how, mut rng) = (TensorUpdate::default(), seeded(1));
    let after = evidence(&state);
    let heat = marginals(&worlds);
    let heat = tensor::progress(&heat, &material, &before, &after, &how, &mut rng);
    assert!(heat.get(Role::Knight, Square::D4) > 0.99);
    assert_eq!(heat.get(Role::Knight, Square::H6), 0.0);
}

#[test]
fn greedy_replies_take_what_they_can() {
    let states = played(&["e2e4", "d7d5"]);
    let world = World::of(states[2].position(), Color::Black);
    let turned = State::new(
        game(),
        game()
            .parse_fen("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2")
            .expect("a position"),
    );
    let before = Evidence::new(&game(), turned.observe(Color::White).view());
    let mut rng = seeded(1);
    for _ in 0..20 {
        let next = tensor::reply(&before, &world, 1.0, &mut rng);
        assert_eq!(next.role_at(Square::E4), Some(Role::Pawn));
    }
}

#[test]
fn seen_pieces_overwrite_the_belief() {
    let (heat, _) = carried(&["e2e4", "d7d5"], TensorUpdate::default());
    assert_eq!(heat.get(Role::Pawn, Square::D5), 1.0);
    assert_eq!(heat.get(Role::Queen, Square::D5), 0.0);
    // A visible empty square has probability zero for all pieces.
    assert_eq!(heat.any(Square::E5), 0.0);
}

#[test]
fn a_seen_move_lowers_its_kind_or_is_traced_back() {
    let moves = ["e2e4", "d7d5"];
    let lowered = carried(&moves, TensorUpdate::default()).0;
    // Without backtracking the layer is lowered on all possible squares alike.
    let pawn = |square| lowered.get(Role::Pawn, square);
    assert!((pawn(Square::D7) - pawn(Square::A7)).abs() < 1e-9);
    assert!(pawn(Square::A6) < pawn(Square::A7));
    // The move was visible, so no other move was simulated.
    assert_eq!(lowered.get(Role::Knight, Square::F6), 0.0);
    let how = TensorUpdate {
        backtrack: true,
        ..TensorUpdate::default()
    };
    let traced = carried(&moves, how).0;
    assert!(traced.get(Role::Pawn, Square::D7) < 0.1);
    assert!(traced.get(Role::Pawn, Square::A7) > 0.9);
}

#[test]
fn boards_are_drawn_by_the_tensor() {
    let states = played(&["a2a3", "a7a6"]);
    let evidence = evidence(&states[2]);
    let mut heat = tensor::uniform(&roster(), &evidence);
    for square in evidence.hidden_squares() {
        *heat.get_mut(Role::King, square) = if square == Square::C6 { 1.0 } else { 0.0 };
    }
    let mut rng = seeded(2);
    let mut there = 0;
    for _ in 0..200 {
        let world = sample_placement(&roster(), &evidence, Some(&heat), &mut rng).expect("a board");
        assert!(evidence.is_consistent(&world));
        there += usize::from(world.role_at(Square::C6) == Some(Role::King));
    }
    assert!(there > 190, "{there}");
}

#[test]
fn layers_turn_with_the_player() {
    let state = State::start(game());
    for side in Color::ALL {
        let evidence = Evidence::new(&game(), state.observe(side).view());
        let world = World::of(state.position(), !side);
        let layers = tensor::layers(&marginals([&world]), &evidence);
        assert_eq!(layers.len(), LAYERS);
        // Layers are relative to the side: its own king is on the first rank.
        let king = if side.is_white() { 4 } else { 60 };
        let own: Vec<usize> = (0..64).filter(|i| layers[5][*i] > 0.5).collect();
        let enemy: Vec<usize> = (0..64).filter(|i| layers[11][*i] > 0.5).collect();
        assert!(own[0] < 8 && enemy[0] >= 56, "{own:?} {enemy:?}");
        assert!(side.is_black() || own[0] == king);
    }
}

#[test]
fn a_watch_shows_any_of_the_beliefs() {
    let states = played(&["e2e4", "d7d5", "e4d5", "g8f6"]);
    for kind in [
        BeliefKind::Exact,
        BeliefKind::Uniform,
        BeliefKind::Tensor,
        BeliefKind::Network,
        BeliefKind::Weighted,
    ] {
        let start = states[0].position();
        let mut watch = AnyBelief::new(kind, &game(), Color::White, start, 100_000, 1);
        for state in &states[1..] {
            watch.see(&state.observe(Color::White));
        }
        let heat = watch.marginals();
        let men: f64 = game()
            .start()
            .size()
            .mask()
            .into_iter()
            .map(|square| heat.any(square))
            .sum();
        assert!((men - 15.0).abs() < 1e-4, "{kind:?} {men}");
        assert_eq!(
            watch.count().is_some(),
            matches!(kind, BeliefKind::Exact | BeliefKind::Weighted)
        );
    }
}
