//! Evaluators on handmade positions, opening books, and the agents that use them.

use std::sync::Arc;

use foglight_engine::{
    book::{Book, Polyglot, listed_answer, polyglot_key, polyglot_move},
    eval::ensemble::{Ensemble, EvalContext, EvaluatorKind, Phase},
    registry,
};
use foglight_play::{Agent, Budget, Providers, Spec, seeded};
use foglight_rules::{Action, Game, Position, State};

fn chess(fen: &str) -> Position {
    Game::chess().parse_fen(fen).expect(fen)
}

fn raw(fen: &str, kind: EvaluatorKind) -> f64 {
    EvalContext::new(&Game::chess(), &chess(fen), &[]).raw(kind)
}

fn after(moves: &str) -> Position {
    let mut state = State::start(Game::chess());
    for text in moves.split_whitespace() {
        let action = state.parse_action(text).expect(text);
        state.play_unchecked(action);
    }
    *state.position()
}

#[test]
fn captures_count_for_the_side_that_may_make_them() {
    // The rook can capture a knight, the pawn a queen.
    let fen = "3qk3/2P5/8/8/8/8/8/R3K2n w - - 0 1";
    // The capturing promotion counts as four legal moves.
    assert_eq!(raw(fen, EvaluatorKind::Capture), 4.0 * 9.0);
    assert_eq!(
        raw("4k3/8/8/8/8/8/r7/R3K3 b - - 0 1", EvaluatorKind::Capture),
        -5.0
    );
    assert_eq!(
        raw("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", EvaluatorKind::Capture),
        0.0
    );
}

#[test]
fn pieces_count_what_michniewski_says() {
    let fen = "4k2n/8/8/8/8/8/P7/RQB1K3 w - - 0 1";
    let points = raw(fen, EvaluatorKind::Pointwise);
    assert!(
        (points - (1.0 + 5.0 + 9.0 + 3.3 - 3.2)).abs() < 1e-9,
        "{points}"
    );
    assert_eq!(raw(START, EvaluatorKind::Pointwise), 0.0);
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn squares_count_what_michniewski_says() {
    assert_eq!(raw(START, EvaluatorKind::Positional), 0.0);
    // A knight loses half a pawn in the corner and gains a fifth in the centre.
    let corner = raw("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", EvaluatorKind::Positional);
    let middle = raw("4k3/8/8/3N4/8/8/8/4K3 w - - 0 1", EvaluatorKind::Positional);
    assert!((middle - corner - 0.7).abs() < 1e-9, "{middle} {corner}");
}

#[test]
fn checks_and_mates_are_counted() {
    // Only moves to the e-file and the eighth rank give check.
    assert_eq!(
        raw("4k3/8/8/8/8/8/8/R6K w - - 0 1", EvaluatorKind::Check),
        2.0
    );
    assert_eq!(
        raw("4k3/8/8/8/8/8/8/R6K b - - 0 1", EvaluatorKind::Check),
        0.0
    );
    let mate = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
    assert_eq!(raw(mate, EvaluatorKind::Checkmate), f64::INFINITY);
    assert_eq!(
        raw(
            "6k1/5pp1/7p/8/8/8/8/R6K w - - 0 1",
            EvaluatorKind::Checkmate
        ),
        0.0
    );
    let game = Game::chess();
    let position = chess(mate);
    assert_eq!(
        EvalContext::new(&game, &position, &[]).squeezed(EvaluatorKind::Checkmate),
        1.0
    );
    // Black is to move and checkmated.
    let mated = "R5k1/5ppp/8/8/8/8/8/7K b - - 0 1";
    assert_eq!(raw(mated, EvaluatorKind::Checkmate), f64::INFINITY);
}

#[test]
fn whoever_makes_a_draw_is_punished() {
    // Black is stalemated, by White's last move.
    assert_eq!(
        raw("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", EvaluatorKind::Pattern),
        -1.0
    );
    assert_eq!(
        raw("4k3/8/8/8/8/8/8/R3K3 w - - 100 90", EvaluatorKind::Pattern),
        1.0
    );
    let position = chess(START);
    let hash = position.hash();
    let game = Game::chess();
    let twice = [hash, 1, hash];
    assert_eq!(
        EvalContext::new(&game, &position, &twice).raw(EvaluatorKind::Pattern),
        1.0
    );
    assert_eq!(
        EvalContext::new(&game, &position, &twice[..2]).raw(EvaluatorKind::Pattern),
        0.0
    );
}

#[test]
fn the_ensemble_is_the_weighted_mean() {
    let game = Game::chess();
    let position = chess("4k3/8/8/8/8/8/8/R3K2R w - - 0 1");
    let ensemble = Ensemble::parse("0/3/1/0/0/0").expect("six numbers");
    let mut scene = EvalContext::new(&game, &position, &[]);
    let (points, places) = (
        scene.squeezed(EvaluatorKind::Pointwise),
        scene.squeezed(EvaluatorKind::Positional),
    );
    let mean = (3.0 * points + places) / 4.0;
    assert!((ensemble.value(&mut scene) - mean).abs() < 1e-12);
    assert_eq!(Phase::of(&position), Phase::End);
    assert_eq!(Phase::of(&chess(START)), Phase::Opening);
    assert_eq!(Ensemble::parse("1/2/3"), None);
    assert_eq!(Ensemble::parse("0/0/0/0/0/0"), None);
    let learnt = Ensemble::tuned();
    assert_eq!(
        Ensemble::parse(&learnt.text()).map(|e| e.text()),
        Some(learnt.text())
    );
}

#[test]
fn the_book_answers_by_position() {
    let book = Book::named();
    // The same position by two move orders.
    let one = after("d2d4 g8f6 c2c4 e7e6 b1c3");
    let other = after("c2c4 e7e6 b1c3 g8f6 d2d4");
    assert_eq!(one.hash(), other.hash());
    assert!(!book.moves(&one).is_empty());
    assert_eq!(book.moves(&one), book.moves(&other));
    let nimzo = after("c2c4 e7e6 b1c3 g8f6 d2d4 f8b4");
    let (code, name) = book.name(&nimzo).expect("a named line");
    assert_eq!((code, name), ("E20", "Nimzo-Indian Defense"));
    assert!(
        book.moves(&chess("4k3/8/8/8/8/8/8/4K3 w - - 0 1"))
            .is_empty()
    );
    let m = book.choose(&chess(START), &mut seeded(1)).expect("a move");
    assert!(Game::chess().legal_moves(&chess(START)).contains(&m));
}

#[test]
fn the_listed_answer_follows_the_opponents_last_move() {
    let answer = |moves: &str| {
        let (mut state, mut last) = (State::start(Game::chess()), None);
        for text in moves.split_whitespace() {
            let action = state.parse_action(text).expect(text);
            state.play_unchecked(action);
            last = match action {
                Action::Move(m) => Some(m),
                Action::Roll(_) => None,
            };
        }
        listed_answer(state.position(), last).map(|m| m.to_string())
    };
    assert_eq!(answer(""), Some("e2e4".into()));
    assert_eq!(answer("e2e4"), Some("e7e5".into()));
    assert_eq!(answer("e2e4 e7e5"), Some("f2f4".into()));
    assert_eq!(answer("e2e4 e7e5 f2f4"), Some("e5f4".into()));
    assert_eq!(answer("e2e4 e7e5 f2f4 e5f4"), Some("g1f3".into()));
    // The same position by another last move has another answer, or none.
    assert_eq!(answer("e2e4 e7e5 g1f3 b8c6 b1c3"), Some("g8f6".into()));
    assert_eq!(answer("e2e4 e7e5 b1c3 b8c6 g1f3"), None);
    assert_eq!(answer("h2h4 a7a6"), None);
}

#[test]
fn polyglot_keys_are_the_published_ones() {
    // The test positions of the format specification.
    for (moves, key) in [
        ("", 0x463b_9618_1691_fc9c_u64),
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
        ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
    ] {
        assert_eq!(polyglot_key(&after(moves)), Some(key), "{moves}");
    }
}

#[test]
fn polyglot_books_are_read() {
    let start = chess(START);
    let castling = chess("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let entry = |position: &Position, text: &str, weight: u16| {
        let m = *Game::chess()
            .legal_moves(position)
            .iter()
            .find(|m| m.to_string() == text)
            .expect(text);
        let mut bytes = polyglot_key(position)
            .expect("a key")
            .to_be_bytes()
            .to_vec();
        bytes.extend(polyglot_move(m).to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
        bytes
    };
    let bytes = [
        entry(&start, "e2e4", 3),
        entry(&start, "d2d4", 0),
        entry(&castling, "e1g1", 1),
    ]
    .concat();
    let book = Polyglot::parse(&bytes).expect("a book");
    let m = book.choose(&start, &mut seeded(5)).expect("a move");
    assert_eq!(m.to_string(), "e2e4");
    let castles = book.choose(&castling, &mut seeded(5)).expect("a move");
    assert_eq!(castles.to_string(), "e1g1");
    assert!(Polyglot::parse(&bytes[..20]).is_err());
    // The format encodes castling as the king's move from e1 to the rook on h1.
    assert_eq!(polyglot_move(castles), 7 | 4 << 6);
}

#[test]
fn agents_play_whole_games_by_the_rules() {
    let game = Game::chess();
    let read = |_: &str| Ok(vec![0; 16]);
    let providers = Providers {
        read: Some(Arc::new(read)),
        ..Providers::default()
    };
    for (white, black) in [
        (
            "classic:nodes=300,book=named",
            "ensemble:search=alphabeta,depth=1",
        ),
        (
            "ensemble:preset=paper",
            "ensemble:weights=pointwise,search=minimax,phases=off",
        ),
        (
            "ensemble:search=breadth,nodes=400",
            "classic:depth=2,book=file.bin",
        ),
    ] {
        let mut players = [white, black].map(|text| {
            let spec: Spec = text.parse().expect(text);
            registry::build(&spec, &game, &providers).expect(text)
        });
        let mut state = State::start(game);
        let sides = foglight_rules::Color::ALL; // Black comes before White
        for (i, player) in players.iter_mut().enumerate() {
            player.start(&game, sides[1 - i], 1);
            player.see(&state.observe(sides[1 - i]));
        }
        while state.outcome().is_none() && state.plies() < 24 {
            let side = state.position().turn();
            let player = &mut players[usize::from(side.is_black())];
            let m = player.act(&state.observe(side), &Budget::default());
            state.play(Action::Move(m)).expect("a legal move");
            for (i, player) in players.iter_mut().enumerate() {
                player.see(&state.observe(sides[1 - i]));
            }
        }
    }
}

#[test]
fn wrong_options_are_told() {
    let game = Game::chess();
    let build = |text: &str| {
        let spec: Spec = text.parse().expect(text);
        registry::build(&spec, &game, &Providers::default())
            .err()
            .map(|e| e.to_string())
    };
    let error = build("ensemble:weights=1/2").expect("an error");
    assert!(error.contains("six numbers"), "{error}");
    let error = build("classic:syzygy=folder").expect("an error");
    assert!(error.contains("endgame tables"), "{error}");
    let error = build("classic:book=file.bin").expect("an error");
    assert!(error.contains("files"), "{error}");
    assert_eq!(build("classic:hash=1,depth=3"), None);
}
