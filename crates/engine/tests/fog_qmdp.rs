//! QMDP on 4x4 (Gindi et al.): results of the paper's tables, states and
//! iterations.

use foglight_engine::{
    registry,
    solve::{Qmdp, QmdpSettings, SolveError},
};
use foglight_play::{Agent, Budget, Providers, Rng, Spec, seeded};
use foglight_rules::{Action, Color, Game, Piece, Position, Setup, Sight, Size, State};
use rand::{Rng as _, seq::IndexedRandom};

/// A random placement in which Black's king is not attacked, White to move.
fn random_start(game: &Game, pieces: &str, rng: &mut Rng) -> Position {
    let size = Size::new(4, 4).expect("a size");
    loop {
        let mut squares: Vec<_> = size.mask().into_iter().collect();
        let board = pieces
            .chars()
            .map(|letter| {
                let i = rng.random_range(0..squares.len());
                (
                    squares.swap_remove(i),
                    Piece::from_char(letter).expect("a piece"),
                )
            })
            .collect();
        let parts = Setup {
            size,
            board,
            castling: foglight_rules::CastlingRights::NONE,
            ..Setup::start()
        };
        let position = game.position(parts).expect("a position");
        if !position.can_capture_king() && game.outcome(&position).is_none() {
            return position;
        }
    }
}

/// White's wins, draws and losses in games from 100 random starts.
fn hundred(game: Game, pieces: &str, white: &str, black: &str) -> [usize; 3] {
    let mut rng = seeded(4);
    let build = |spec: &str| {
        let spec: Spec = spec.parse().expect("a spec");
        registry::build(&spec, &game, &Providers::default()).expect("an agent")
    };
    let mut players = [build(white), build(black)];
    let mut results = [0; 3];
    for number in 0..100 {
        let mut state = State::new(game, random_start(&game, pieces, &mut rng));
        players[0].start(&game, Color::White, number);
        players[1].start(&game, Color::Black, number + 1000);
        while state.outcome().is_none() && state.plies() < 400 {
            players[0].see(&state.observe(Color::White));
            players[1].see(&state.observe(Color::Black));
            let side = state.position().turn();
            let player = &mut players[usize::from(side.is_black())];
            let m = player.act(&state.observe(side), &Budget::nodes(1000));
            state.play(Action::Move(m)).expect("a legal move");
        }
        let winner = state.outcome().and_then(|outcome| outcome.winner);
        results[match winner {
            Some(Color::White) => 0,
            None => 1,
            Some(Color::Black) => 2,
        }] += 1;
    }
    println!("{pieces} {white} v {black}: {results:?}");
    results
}

fn full(white: bool, black: bool) -> Game {
    let sight = |full| if full { Sight::Full } else { Sight::Normal };
    Game::fog()
        .with_sight(Color::White, sight(white))
        .with_sight(Color::Black, sight(black))
}

#[test]
fn full_state_wins_every_game() {
    let (kqk, kqkb) = ("qmdp:pieces=KQk", "qmdp:pieces=KQkb");
    assert_eq!(hundred(full(true, false), "KQk", kqk, "random")[0], 100);
    assert_eq!(hundred(full(true, true), "KQk", kqk, kqk)[0], 100);
    assert_eq!(hundred(full(true, false), "KQkb", kqkb, "random")[0], 100);
}

#[test]
fn the_particle_filter_wins_at_least_93() {
    let (kqk, kqkb) = ("qmdp:pieces=KQk", "qmdp:pieces=KQkb");
    assert!(hundred(full(false, false), "KQk", kqk, "random")[0] >= 93);
    assert!(hundred(full(false, true), "KQk", kqk, kqk)[0] >= 93);
    assert!(hundred(full(false, false), "KQkb", kqkb, "random")[0] >= 93);
}

#[test]
fn kqkb_is_solved_and_comes_back_from_bytes() {
    let game = Game::fog();
    let start = game.parse_fen("kb2/4/4/2QK w - - 0 1").expect("a position");
    let settings = QmdpSettings::default();
    let mut rounds = Vec::new();
    let hear = |done, of| rounds.push((done, of));
    let solved = Qmdp::solve(&game, &start, Color::White, settings, hear).expect("solved");
    let expected: Vec<(usize, usize)> = (1..=60).map(|round| (round, 60)).collect();
    assert_eq!(rounds, expected);
    assert_eq!(solved.actions(), 152);
    // K, Q, k and b are each on a distinct square or captured; at least one king is
    // left.
    let placed = |n: usize| (0..n).map(|i| 16 - i).product::<usize>();
    // Sums over all subsets of KQkb that contain a king.
    let mut expected = 0;
    for set in 0..16u32 {
        if set & 0b0101 != 0 {
            expected += placed(set.count_ones() as usize);
        }
    }
    assert_eq!(solved.states(), expected);
    assert_eq!(Qmdp::from_bytes(&solved.to_bytes()), Ok(solved.clone()));
    assert_eq!(
        Qmdp::from_bytes(b"qmdp v1\nnonsense"),
        Err(SolveError::Bytes)
    );
    let mut bytes = solved.to_bytes();
    bytes.pop();
    assert_eq!(Qmdp::from_bytes(&bytes), Err(SolveError::Bytes));
}

/// A move that captures the king has the reward as its alpha value, an illegal move
/// the value of illegal moves.
#[test]
fn alpha_vectors_hold_rewards_and_the_value_of_the_illegal() {
    let game = Game::fog();
    let position = game.parse_fen("k3/4/4/Q2K w - - 0 1").expect("a position");
    let settings = QmdpSettings::default();
    let solved = Qmdp::solve(&game, &position, Color::White, settings, |_, _| {}).expect("solved");
    let moves = game.legal_moves(&position);
    let takes = moves
        .iter()
        .find(|m| m.to_string() == "a1a4")
        .expect("a move");
    assert_eq!(solved.alpha(&position, *takes), Some(1000.0));
    let elsewhere = game.parse_fen("1k2/4/4/K2Q w - - 0 1").expect("a position");
    assert_eq!(solved.alpha(&elsewhere, *takes), Some(-10_000.0));
    let quiet = game
        .legal_moves(&elsewhere)
        .choose(&mut seeded(0))
        .copied()
        .expect("a move");
    let value = solved.alpha(&elsewhere, quiet).expect("a value");
    assert!((-1000.0..=1000.0).contains(&value));
}
