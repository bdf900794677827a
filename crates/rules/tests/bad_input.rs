//! Invalid input: each returns an error that says what was expected, and never
//! panics.

use foglight_rules::{
    Action, Bitboard, Board, Color, Game, PgnGame, Position, PositionError, Role, Setup, Size,
    Square, State,
    notation::{pgn, san},
};
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Texts that are not a position of any game, and the expected error.
const BAD_FENS: [(&str, &str); 36] = [
    ("", "expected at least placement"),
    ("   \n", "expected at least placement"),
    ("startpos", "expected 4 to 6"),
    ("8/8/8/8/8/8/8/8", "expected 4 to 6"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 - -", "expected 4 to 6"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 é", "expected letters"),
    ("4k3/8/8/8/８/8/8/4K3 w - - 0 1", "expected letters"),
    (
        "8/4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "expected 4 to 8 files and ranks",
    ),
    ("4k3/4K3 w - - 0 1", "expected 4 to 8 files and ranks"),
    (
        "4k4/9/9/9/9/9/9/4K4 w - - 0 1",
        "expected one of PNBRQKpnbrqk",
    ),
    (
        "4k31p/8/8/8/8/8/8/4K3 w - - 0 1",
        "expected 4 to 8 files and ranks",
    ),
    (
        "4k3/8/8/8/8/8/8p/4K3 w - - 0 1",
        "rank 2 has 9 squares; expected 8",
    ),
    (
        "4k3/8/8/7/8/8/8/4K3 w - - 0 1",
        "rank 5 has 7 squares; expected 8",
    ),
    (
        "4k3/8/8/0/8/8/8/4K3 w - - 0 1",
        "expected one of PNBRQKpnbrqk",
    ),
    (
        "4k3/8/8/9/8/8/8/4K3 w - - 0 1",
        "expected one of PNBRQKpnbrqk",
    ),
    (
        "4k3/8/8/x7/8/8/8/4K3 w - - 0 1",
        "expected one of PNBRQKpnbrqk",
    ),
    (
        "4k3//8/8/8/8/8/4K3 w - - 0 1",
        "rank 7 has 0 squares; expected 8",
    ),
    ("8/8/8/8/8/8/8/8 w - - 0 1", "expected"),
    ("4k3/8/8/8/8/8/8/4KK2 w - - 0 1", "White has 2 kings"),
    ("4kk2/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 2 kings"),
    (
        "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
        "pawns are expected between them",
    ),
    (
        "4k3/8/8/8/8/8/8/4K2p w - - 0 1",
        "pawns are expected between them",
    ),
    ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "needs its king and rook"),
    (
        "r3k3/8/8/8/8/8/8/4K3 w kq - 0 1",
        "castling right 'k' needs its king and rook",
    ),
    ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "each once"),
    ("4k3/8/8/8/8/8/8/4K2R w X - 0 1", "'-' or letters of KQkq"),
    ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "expected 'w' or 'b'"),
    ("4k3/8/8/8/8/8/8/4K3 w - e 0 1", "expected '-' or a square"),
    ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "expected '-' or a square"),
    (
        "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
        "expected a square that an enemy pawn",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
        "expected a number from 0 to 1023",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 100000000000000000000 1",
        "expected a number from 0 to 1023",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 100000000000000000000",
        "expected a number from 1 to 65535",
    ),
    (
        "4k3/8/8/?7/8/8/8/4K3 w - - 0 1",
        "expected the whole position",
    ),
    (
        "4k3/8/8/*7/8/8/8/4K3 w - - 0 1",
        "expected the whole position",
    ),
    (
        "4k3/8/8/f7/8/8/8/4K3 w - - 0 1",
        "expected the whole position",
    ),
];

fn fen_error(game: &Game, fen: &str) -> String {
    match game.parse_fen(fen) {
        Err(error) => error.to_string(),
        Ok(position) => panic!("{game} takes {fen:?} as {position}"),
    }
}

#[test]
fn bad_fens_say_what_was_expected() {
    for game in Game::ALL {
        for (fen, expected) in BAD_FENS {
            let error = fen_error(&game, fen);
            assert!(error.contains(expected), "{game}: {fen:?}: {error}");
        }
        let long = "8/".repeat(500_000);
        assert!(fen_error(&game, &long).contains("at most 128 are expected"));
    }
}

#[test]
fn a_king_in_danger_or_gone_is_an_error_in_chess_only() {
    for (fen, expected, over) in [
        (
            "4k3/8/8/8/8/8/8/4RK2 w - - 0 1",
            "must not be in check",
            false,
        ),
        (
            "8/8/8/8/8/8/8/4RK2 w - - 0 1",
            "exactly one is expected",
            true,
        ),
        (
            "4k3/8/8/8/8/8/8/4R3 b - - 0 1",
            "exactly one is expected",
            true,
        ),
    ] {
        for game in Game::ALL {
            if game.is_king_capture() {
                let position = game.parse_fen(fen).expect("a position");
                let outcome = State::new(game, position).outcome();
                assert_eq!(outcome.is_some(), over, "{game}: {fen}");
            } else {
                let error = fen_error(&game, fen);
                assert!(error.contains(expected), "{error}");
            }
        }
    }
}

#[test]
fn dice_where_they_do_not_belong() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (game, dice, expected) in [
        (Game::chess(), "N", "none are expected"),
        (Game::fog(), "N", "none are expected"),
        (Game::dice1(), "NP", "one die is expected"),
        (Game::dice1(), "R", "that can move is expected"),
        (Game::dice1(), "X", "letters of PNBRQK"),
        (Game::dice3(), "PPPP", "one to three letters"),
    ] {
        let error = fen_error(&game, &format!("{start} {dice}"));
        assert!(error.contains(expected), "{game} {dice}: {error}");
    }
}

#[test]
fn pieces_beside_a_small_board_are_refused() {
    let mut board = Board::EMPTY;
    board.set(Square::A1, Role::King.of(Color::White));
    board.set(Square::D4, Role::King.of(Color::Black));
    board.set(Square::E2, Role::Rook.of(Color::White));
    let setup = Setup {
        size: Size::new(4, 4).expect("a size"),
        board,
        castling: foglight_rules::CastlingRights::NONE,
        ..Setup::start()
    };
    for game in Game::ALL {
        let error = game.position(setup).expect_err("a piece beside the board");
        assert_eq!(error, PositionError::OffBoard(Square::E2, setup.size));
        assert!(
            error
                .to_string()
                .contains("expected every piece on the 4x4 board")
        );
    }
}

/// A state in which the dice, if any, allow the pieces with these letters.
fn state(game: Game, fen: &str, roll: &str) -> State {
    let mut state = State::new(game, game.parse_fen(fen).expect("a position"));
    if game.has_dice() {
        let roll = if game == Game::dice1() {
            &roll[..1]
        } else {
            roll
        };
        let action = state.parse_action(&format!("roll:{roll}")).expect("a roll");
        state.play(action).expect("a roll");
    }
    state
}

#[test]
fn bad_moves_say_what_was_expected() {
    let promotion = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1";
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for game in Game::ALL {
        for (fen, texts) in [
            (
                promotion,
                ["e7e8k", "e7e8Q", "e7e8", "e7e8p", "e7e8qq", "E7E8q"].as_slice(),
            ),
            (
                start,
                &[
                    "e2e9", "0000", "", "e2", "e7e5", "e2e5", "e4e5", "a1a1", "é2é4", " e2e4",
                    "e2e4 ", "e2e4q",
                ],
            ),
            (
                start,
                &[
                    "roll:",
                    "roll:X",
                    "roll:PPPP",
                    "roll:PP",
                    "roll:BPN",
                    "roll:pnb",
                ],
            ),
        ] {
            let mut state = state(game, fen, "PPK");
            for text in texts {
                let error = state.parse_action(text).expect_err(text).to_string();
                assert!(error.contains("expected"), "{game} {text:?}: {error}");
                assert!(error.chars().all(|c| !c.is_control()), "{error:?}");
            }
            let long = "e2e4".repeat(250_000);
            assert!(
                state
                    .parse_action(&long)
                    .expect_err("long")
                    .to_string()
                    .len()
                    < 200
            );
            let error = san::find(&long, &game, state.position()).expect_err("long");
            assert!(error.to_string().contains("SAN"));
            let before = *state.position();
            let m =
                foglight_rules::Move::new(Square::A1, Square::H8, foglight_rules::MoveKind::Normal);
            assert!(state.play(Action::Move(m)).is_err());
            assert_eq!(*state.position(), before, "nothing changed");
        }
    }
}

#[test]
fn no_move_twice_or_after_the_end() {
    for game in Game::ALL {
        let mut twice = state(game, "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "PKK");
        let action = twice.parse_action("a2a3").expect("a move");
        twice.play(action).expect("a move");
        assert!(twice.parse_action("a2a3").is_err(), "{game}");
        assert!(twice.play(action).is_err(), "{game}");
        let fen = if game.is_king_capture() {
            "8/8/8/8/8/8/P7/4K3 w - - 0 1"
        } else {
            "8/8/8/8/8/8/8/k3K3 w - - 0 1"
        };
        let mut over = State::new(game, game.parse_fen(fen).expect("a position"));
        assert!(over.outcome().is_some(), "{game}");
        for text in ["a2a3", "e1e2", "roll:P", "roll:PNB"] {
            assert!(over.parse_action(text).is_err(), "{game} {text}");
        }
        assert!(over.play(action).is_err(), "{game}");
    }
}

/// Another position with the same view for the side to move: a hidden enemy piece
/// removed or moved to another hidden square.
fn hidden_twin(game: &Game, position: &Position, rng: &mut Xoshiro256PlusPlus) -> Option<Position> {
    let me = position.turn();
    let unseen = position.size().mask() & !game.visible_squares(position, me);
    let pieces: Vec<Square> = (unseen & position.board().side(!me)).into_iter().collect();
    let from = *pieces.choose(rng)?;
    let mut setup = position.setup();
    let piece = setup.board.clear(from)?;
    let free: Vec<Square> = (unseen & !setup.board.occupied()).into_iter().collect();
    if piece.role == Role::King || rng.random_bool(0.5) {
        setup.board.set(*free.choose(rng)?, piece);
    }
    setup.castling = foglight_rules::CastlingRights::from_bits(setup.castling.of(me).bits());
    let twin = game.position(setup).ok()?;
    let view = |p: &Position| *State::new(*game, *p).observe(me).view();
    (twin != *position && view(&twin) == view(position)).then_some(twin)
}

#[test]
fn the_answer_to_a_move_is_the_same_whatever_is_hidden() {
    let squares: Vec<Square> = Bitboard::FULL.into_iter().collect();
    let texts: Vec<String> = squares
        .iter()
        .flat_map(|from| squares.iter().map(move |to| format!("{from}{to}")))
        .chain(["e7e8q", "e2e1n", "0000", "zz"].map(str::to_owned))
        .collect();
    let sans = ["Nf3", "exd5", "O-O", "Qh5", "Kd2", "e4", "dxe6", "Bb5+"];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(17);
    for game in Game::ALL.into_iter().filter(|g| g.fog_rules().is_some()) {
        let mut pairs = 0;
        let mut state = State::start(game);
        while pairs < 20 {
            if state.outcome().is_some() {
                state = State::start(game);
            }
            let action = *state.legal_actions().choose(&mut rng).expect("a move");
            state.play(action).expect("a legal move");
            let Some(twin) = hidden_twin(&game, state.position(), &mut rng) else {
                continue;
            };
            let other = State::new(game, twin);
            if state.outcome().is_some() || other.outcome().is_some() {
                continue;
            }
            for text in &texts {
                assert_eq!(state.parse_action(text), other.parse_action(text), "{twin}");
            }
            for text in sans {
                let answers = [state.position(), &twin].map(|p| san::find(text, &game, p));
                assert_eq!(answers[0], answers[1], "{text} {twin}");
            }
            pairs += 1;
        }
    }
}

/// The only error of a text.
fn pgn_error(text: &str, game: Option<Game>) -> String {
    let reader = match game {
        Some(game) => pgn::read(text).of_game(game),
        None => pgn::read(text),
    };
    let errors: Vec<String> = reader
        .filter_map(Result::err)
        .map(|e| e.to_string())
        .collect();
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors[0].clone()
}

#[test]
fn bad_pgn_names_the_line_and_what_was_expected() {
    for (text, expected) in [
        (
            "1. e4\n{ never closed\n1... e5",
            "line 2: a comment begins here and is not closed; expected",
        ),
        ("\n[Event \"open", "line 2: a tag is not closed; expected"),
        ("[Event \"a\nb\"]", "line 1: a tag is not closed; expected"),
        ("[Event \"a\"", "line 1: a tag is not closed; expected"),
        ("[Event a]", "line 1: not a tag; expected"),
        ("[\"x\"]", "line 1: not a tag; expected"),
        (
            "1. e4\n(1. d4 (1. c4)",
            "line 2: a variation begins here and is not closed; expected",
        ),
        ("1. e4 (1. d4 { ) ", "line 1: a comment begins here"),
        ("1. e4)", "line 1: a ')' without its '('; expected"),
        (
            "1. e4 e5\n2. Ke3",
            "line 2: move 2. 'Ke3' is not a legal move here; expected",
        ),
        (
            "1. e4 e4",
            "line 1: move 1... 'e4' is not a legal move here; expected",
        ),
        ("1. e4 }", "line 1: move 1... '}' is not"),
        ("1. --", "line 1: move 1. '--' is not"),
        (
            "[FEN \"8/8\"]\n1. e4",
            "line 1: the FEN tag: the FEN has 1 fields; expected",
        ),
        (
            "[Variant \"Crazyhouse\"]\n1. e4",
            "line 1: the game is 'Crazyhouse'; expected",
        ),
        (
            "[Variant \"Fog of War\"]\n[RuleSet \"dice1-v1\"]\n",
            "the game is 'dice1-v1'; expected",
        ),
        (
            "[Variant \"Fog of War\"]\n[RuleSet \"chesscom-v9\"]\n",
            "'chesscom-v9'; expected",
        ),
        (
            "[Variant \"Dice Chess\"]\n1. e4",
            "'Dice Chess without a RuleSet'; expected",
        ),
        (
            "[RuleSet \"dice1-v1\"]\n1. e4",
            "line 2: move 1. 'e4' has no roll; expected {[%dice",
        ),
        (
            "[RuleSet \"dice1-v1\"]\n1. e4 {[%dice R]}",
            "move 1. has the roll R; expected {[%dice",
        ),
        (
            "[RuleSet \"dice1-v1\"]\n1. e4 {[%dice N]}",
            "move 1. 'e4' is not a legal move",
        ),
        (
            "[RuleSet \"dice3-v1\"]\n1. e4 {[%dice PN]}",
            "a possible roll of three dice",
        ),
    ] {
        let error = pgn_error(text, None);
        assert!(error.contains(expected), "{text:?}: {error}");
    }
}

#[test]
fn the_wrong_variant_is_refused() {
    for written in Game::ALL {
        let text = PgnGame::new(written, written.start())
            .write()
            .expect("no moves");
        for asked in Game::ALL {
            let read = pgn::read(&text).of_game(asked).next().expect("a game");
            // Plain chess needs no tag, so its text may be read as any game.
            if asked == written || written == Game::chess() {
                assert_eq!(read.map(|pgn| pgn.game), Ok(asked));
            } else {
                let error = read.expect_err("another game").to_string();
                assert!(error.contains("; expected"), "{error}");
            }
        }
    }
    let chess = "[Variant \"Standard\"]\n1. e4 *";
    assert!(pgn_error(chess, Some(Game::fog())).contains("expected [Variant \"Fog of War\"]"));
}

#[test]
fn moves_illegal_under_the_rule_set_are_refused() {
    let text = "1. e4 a6 2. e5 d5 3. exd6 *";
    for game in Game::ALL.into_iter().filter(|game| !game.has_dice()) {
        let thesis = game.rules_name() == Some("thesis");
        let read = pgn::read(text).of_game(game).next().expect("a game");
        assert_eq!(read.is_err(), thesis, "{game}");
    }
    // Reading continues after a bad game.
    let text = "1. e5 *\n\n1. e4 *";
    let read: Vec<bool> = pgn::read(text).map(|game| game.is_ok()).collect();
    assert_eq!(read, [false, true]);
}

#[test]
fn long_and_deep_pgn() {
    let round = "Nf3 Nf6 Ng1 Ng8 ";
    let games: Vec<PgnGame> = pgn::read(&round.repeat(5_000)).flatten().collect();
    assert_eq!(games[0].actions.len(), 20_000);
    let again = pgn::read(&games[0].write().expect("legal")).next();
    assert_eq!(again, Some(Ok(games[0].clone())));

    let deep = format!(
        "1. e4 {}{} e5 *",
        "(1. d4 ".repeat(10_000),
        ")".repeat(10_000)
    );
    let games: Vec<PgnGame> = pgn::read(&deep).map(|g| g.expect("a game")).collect();
    assert_eq!(games[0].actions.len(), 2);
    let unclosed = format!("1. e4 {}", "(".repeat(10_000));
    assert!(pgn_error(&unclosed, None).contains("expected a ')' for each '('"));

    let endless = "e4 ".repeat(pgn::MAX_PLIES + 1);
    assert!(pgn_error(&endless, None).contains("at most that many are expected"));
}

#[test]
fn too_much_text_is_refused_by_a_limit_that_can_be_set() {
    let huge = " ".repeat(100_000_000);
    assert!(pgn_error(&huge, None).contains("the text has 100000000 bytes; at most"));
    assert_eq!(pgn::read(&huge).with_limit(huge.len()).count(), 0);
    let errors = pgn::read("1. e4 *").with_limit(3).map(|game| game.is_err());
    assert_eq!(errors.collect::<Vec<_>>(), [true]);
}

#[test]
fn names_stay_inside_their_tags() {
    let mut pgn = PgnGame::new(Game::fog(), Game::fog().start());
    for name in [
        "<img onerror=alert(1)>",
        "\"]\n[Result \"1-0\"]\n",
        "\\\" \\",
        "a\r\nb\0c\u{85}d\u{2028}e",
        "\u{202e}abc\u{200b}",
        "../..",
        &"x".repeat(10_000),
    ] {
        pgn.tags = vec![("White".to_owned(), name.to_owned())];
        let text = pgn.write().expect("no moves");
        assert_eq!(
            text.lines()
                .filter(|line| line.starts_with("[Result"))
                .count(),
            1
        );
        let read = pgn::read(&text).next().expect("a game").expect("a game");
        let safe = name.replace(|c: char| c.is_control() || c == '\u{2028}', " ");
        assert_eq!(read.tag("White"), Some(safe.as_str()));
        assert_eq!(read.tags.len(), 1);
        assert_eq!(read.result, None);
    }
}

/// A double step that cannot have happened is refused, whatever is hidden.
#[test]
fn a_fog_fen_with_an_impossible_en_passant_square() {
    let game = Game::fog();
    let read = |placement: &str, passed: &str| {
        let text = format!("{placement} w - {passed} - -");
        game.parse_fog_fen(&text, Color::White).is_ok()
    };
    let beside = "????k???/????????/????????/???P????/8/8/8/4K3";
    assert!(read(beside, "e6"), "all of it is hidden");
    assert!(read("4k3/8/8/3Pp3/8/8/8/4K3", "e6"), "the pawn is seen");
    assert!(!read("4k3/8/8/3P4/8/8/8/4K3", "e6"), "no pawn stands there");
    assert!(
        !read("4k3/4p3/8/3Pp3/8/8/8/4K3", "e6"),
        "its square is taken"
    );
    assert!(!read("????k???/????P???/????????/???P????/8/8/8/4K3", "e6"));
    assert!(!read("4k3/8/4n3/3Pp3/8/8/8/4K3", "e6"), "it was in the way");
    assert!(!read(beside, "e3"), "White's own step");
    assert!(!read(beside, "e5"));
    assert!(
        !read("??k?/????/3P/4K3", "d3"),
        "no double steps on a small board"
    );
}
