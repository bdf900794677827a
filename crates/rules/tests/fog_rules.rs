//! Fog-of-war chess by example: each cell of the table of rule sets, moves
//! specific to king capture, and the six classes of move visibility.

use foglight_rules::{
    Action, Color, FogRules, Game, Move, MoveVisibility, Outcome, Position, Role, Square, State,
    Termination,
};

use FogRules::{Chesscom, OpenSpiel, PyChess, Thesis};

fn position(rules: FogRules, fen: &str) -> Position {
    let game = Game::fog_with(rules);
    game.parse_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn state(rules: FogRules, fen: &str) -> State {
    State::new(Game::fog_with(rules), position(rules, fen))
}

fn play(state: &mut State, moves: &str) {
    for text in moves.split(' ') {
        let action = state.parse_action(text).unwrap_or_else(|e| panic!("{e}"));
        state.play(action).expect("a legal move");
    }
}

/// The starting position is public; the positions after it are not.
#[test]
fn the_start_is_known_and_nothing_after_it() {
    let mut state = state(Chesscom, "8/8/4k3/8/8/8/8/R3K2R w KQ - 0 1");
    let start = *state.position();
    for side in Color::ALL {
        let seen = state.observe(side);
        assert_eq!(seen.start(), Some(&start));
        assert_eq!(seen.position(), None, "it is fog all the same");
        assert_eq!(seen.without_start().start(), None);
    }
    play(&mut state, "e1c1");
    for side in Color::ALL {
        assert_eq!(state.observe(side).start(), None);
    }
}

/// The content of a square in a side's view: `?`, `.` or a piece.
fn sees(state: &State, side: Color, square: Square) -> char {
    state.observe(side).view().symbol(square)
}

fn white_sees(rules: FogRules, fen: &str, square: Square) -> char {
    sees(&state(rules, fen), Color::White, square)
}

fn moves(state: &State) -> Vec<String> {
    let mut moves: Vec<String> = state.legal_moves().iter().map(Move::to_string).collect();
    moves.sort();
    moves
}

fn has(state: &State, text: &str) -> bool {
    moves(state).iter().any(|m| m == text)
}

/// The value for each of the four rule sets, in order.
fn by_rules<T>(say: impl Fn(FogRules) -> T) -> [T; 4] {
    [Chesscom, OpenSpiel, PyChess, Thesis].map(say)
}

#[test]
fn blocked_square_before_a_pawn() {
    let blocked = "7k/8/8/8/4n3/4P3/8/K7 w - - 0 1";
    let seen = by_rules(|rules| white_sees(rules, blocked, Square::E4));
    assert_eq!(seen, ['?', '?', '?', 'n']);
    for rules in FogRules::ALL {
        assert!(
            !has(&state(rules, blocked), "e3e4"),
            "the player knows that it is blocked"
        );
    }
}

#[test]
fn second_square_before_a_pawn() {
    let second = "7k/8/8/8/4n3/8/4P3/K7 w - - 0 1";
    let seen = by_rules(|rules| white_sees(rules, second, Square::E4));
    assert_eq!(seen, ['?', '?', '?', 'n'], "blocked");
    let first = by_rules(|rules| white_sees(rules, second, Square::E3));
    assert_eq!(first, ['.'; 4], "the first square is free");
    let open = "7k/8/8/8/8/8/4P3/K7 w - - 0 1";
    assert_eq!(
        by_rules(|rules| white_sees(rules, open, Square::E4)),
        ['.'; 4]
    );
    let shut = "7k/8/8/8/4q3/4n3/4P3/K7 w - - 0 1";
    let behind = by_rules(|rules| white_sees(rules, shut, Square::E4));
    assert_eq!(behind, ['?'; 4], "behind a blocked square nothing is seen");
    let moved = "7k/8/8/4n3/8/4P3/8/K7 w - - 0 1";
    let ahead = by_rules(|rules| white_sees(rules, moved, Square::E5));
    assert_eq!(ahead, ['?'; 4], "only from the start rank");
}

#[test]
fn pawn_diagonals() {
    let empty = "7k/8/8/8/8/4P3/8/K7 w - - 0 1";
    let taking = "7k/8/8/8/3n4/4P3/8/K7 w - - 0 1";
    for rules in FogRules::ALL {
        assert_eq!(white_sees(rules, empty, Square::D4), '?');
        assert_eq!(white_sees(rules, taking, Square::D4), 'n');
    }
}

/// Black's d-pawn can pass White's on e5; no other piece sees d5 or d6.
const BEFORE_PASSING: &str = "7k/3p4/8/4P3/8/8/8/K7 b - - 0 1";

#[test]
fn en_passant_and_what_is_seen_of_it() {
    let after = |rules| {
        let mut state = state(rules, BEFORE_PASSING);
        play(&mut state, "d7d5");
        state
    };
    let passed = by_rules(|rules| sees(&after(rules), Color::White, Square::D6));
    assert_eq!(passed, ['.', '.', '.', '?'], "the passed square");
    let victim = by_rules(|rules| sees(&after(rules), Color::White, Square::D5));
    assert_eq!(victim, ['p', 'p', '?', '?'], "the pawn that passed");
    let may = by_rules(|rules| has(&after(rules), "e5d6"));
    assert_eq!(may, [true, true, true, false]);
    let field = by_rules(|rules| {
        let view = *after(rules).observe(Color::White).view();
        view.to_string().split(' ').nth(3).map(str::to_owned)
    });
    assert_eq!(
        field.map(|f| f.expect("a field")),
        ["d6", "d6", "d6", "-"],
        "the fog FEN"
    );
}

#[test]
fn en_passant_is_seen_for_one_turn_by_the_taker_only() {
    for rules in [Chesscom, OpenSpiel, PyChess] {
        let mut state = state(rules, BEFORE_PASSING);
        play(&mut state, "d7d5");
        assert_eq!(sees(&state, Color::Black, Square::D6), '?', "{rules:?}");
        let black = state.observe(Color::Black).view().to_string();
        assert!(black.contains(" w - - "), "{black}");
        play(&mut state, "a1b1");
        for square in [Square::D5, Square::D6] {
            assert_eq!(sees(&state, Color::White, square), '?', "{rules:?}");
        }
        play(&mut state, "h8g8");
        assert!(!has(&state, "e5d6"), "{rules:?}");
    }
}

#[test]
fn en_passant_takes_and_tells() {
    let mut state = state(Chesscom, BEFORE_PASSING);
    play(&mut state, "d7d5 e5d6");
    assert_eq!(state.position().board().piece_at(Square::D5), None);
    let taken = Some((Square::D5, Role::Pawn));
    assert_eq!(state.observe(Color::White).news().captured, taken);
    assert_eq!(state.observe(Color::Black).news().lost, taken);
}

#[test]
fn no_move_at_all() {
    // White is blocked by its own pieces and blocked pawns.
    let walled_in = "7k/8/8/1p6/pPp5/PRP5/PPP5/KB6 w - - 0 1";
    let loss = Outcome::win(Color::Black, Termination::NoMoves);
    let draw = Outcome::draw(Termination::NoMoves);
    let outcomes = by_rules(|rules| state(rules, walled_in).outcome().expect("an end"));
    assert_eq!(outcomes, [loss, draw, draw, loss]);
}

#[test]
fn an_attacked_king_is_not_stuck() {
    // In chess this is stalemate; here the king may move into the queen's attack.
    for rules in FogRules::ALL {
        let state = state(rules, "k7/2Q5/8/8/8/8/8/K7 b - - 0 1");
        assert_eq!(moves(&state), ["a8a7", "a8b7", "a8b8"]);
    }
}

#[test]
fn fifty_moves() {
    let ends = by_rules(|rules| {
        let mut state = state(rules, "7k/8/8/8/8/8/R7/K7 w - - 99 80");
        assert_eq!((state.outcome(), state.claimable_draw()), (None, None));
        play(&mut state, "a2b2");
        (state.outcome().map(|o| o.reason), state.claimable_draw())
    });
    let automatic = (Some(Termination::FiftyMoves), None);
    let claimable = (None, Some(Termination::FiftyMoves));
    assert_eq!(ends, [automatic, automatic, claimable, automatic]);
}

#[test]
fn the_limit_of_quiet_moves_can_be_set() {
    let game = Game::fog_with(Thesis).with_halfmove_limit(Some(16));
    let start = game.parse_fen("7k/8/8/8/8/8/R7/K7 w - - 14 80");
    let mut state = State::new(game, start.expect("FEN"));
    play(&mut state, "a2b2");
    assert_eq!(state.outcome(), None);
    play(&mut state, "h8g8");
    assert_eq!(
        state.outcome(),
        Some(Outcome::draw(Termination::FiftyMoves))
    );
}

#[test]
fn threefold() {
    let ends = by_rules(|rules| {
        let mut state = State::start(Game::fog_with(rules));
        play(&mut state, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
        assert_eq!((state.outcome(), state.claimable_draw()), (None, None));
        play(&mut state, "f6g8");
        (state.outcome().map(|o| o.reason), state.claimable_draw())
    });
    let automatic = (Some(Termination::Repetition), None);
    let claimable = (None, Some(Termination::Repetition));
    assert_eq!(ends, [automatic, automatic, claimable, (None, None)]);
}

#[test]
fn a_claim_ends_the_game() {
    let mut state = state(PyChess, "7k/8/8/8/8/8/R7/K7 w - - 100 80");
    assert!(!state.legal_moves().is_empty(), "unclaimed, play goes on");
    assert!(state.claim_draw());
    assert_eq!(
        state.outcome(),
        Some(Outcome::draw(Termination::FiftyMoves))
    );
    assert!(!state.claim_draw(), "once");
}

#[test]
fn bare_kings() {
    let ends = by_rules(|rules| {
        let mut state = state(rules, "7k/8/8/8/8/8/1n6/K7 w - - 0 1");
        play(&mut state, "a1b2");
        state.outcome()
    });
    let draw = Some(Outcome::draw(Termination::BareKings));
    assert_eq!(ends, [None, None, None, draw]);
}

#[test]
fn public_counters() {
    let fields = by_rules(|rules| {
        let state = state(rules, "7k/8/8/8/8/8/R7/K7 w - - 7 30");
        let view = state.observe(Color::Black).view().to_string();
        let fields: Vec<String> = view.split(' ').skip(4).map(str::to_owned).collect();
        fields.join(" ")
    });
    assert_eq!(fields, ["- -", "7 30", "- -", "- -"]);
}

#[test]
fn castling_out_of_through_and_into_attack() {
    for (rook, what) in [("4r3", "out of"), ("5r2", "through"), ("6r1", "into")] {
        let fen = format!("{rook}/7k/8/8/8/8/8/4K2R w K - 0 1");
        for rules in FogRules::ALL {
            assert!(has(&state(rules, &fen), "e1g1"), "{what} attack");
        }
    }
    let blocked = "7k/8/8/8/8/8/8/RN2K2R w KQ - 0 1";
    assert!(!has(&state(Chesscom, blocked), "e1c1"), "b1 must be empty");
    let lost = "7k/8/8/8/8/8/8/R3K2R w K - 0 1";
    assert!(!has(&state(Chesscom, lost), "e1c1"), "the right is gone");
}

#[test]
fn castling_moves_the_rook_and_ends_the_rights() {
    let mut state = state(Chesscom, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    play(&mut state, "e1c1 e8g8");
    assert_eq!(
        state.position().to_string(),
        "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2"
    );
}

#[test]
fn a_pawn_takes_the_king_with_four_promotions() {
    for rules in FogRules::ALL {
        let mut state = state(rules, "3k4/4P3/8/8/8/8/8/K7 w - - 0 1");
        for letter in ["q", "r", "b", "n"] {
            assert!(has(&state, &format!("e7d8{letter}")), "{rules:?}");
        }
        play(&mut state, "e7d8n");
        let win = Outcome::win(Color::White, Termination::KingCaptured);
        assert_eq!(state.outcome(), Some(win));
        let news = state.observe(Color::Black).news();
        assert_eq!(news.lost, Some((Square::D8, Role::King)));
    }
}

#[test]
fn a_side_is_told_its_losses_and_no_more() {
    let mut state = state(Chesscom, "7k/8/8/8/3r4/8/8/K2N4 b - - 0 1");
    play(&mut state, "d4d1");
    let white = state.observe(Color::White).news();
    assert_eq!(
        (white.own_move, white.captured, white.lost),
        (None, None, Some((Square::D1, Role::Knight)))
    );
    let black = state.observe(Color::Black).news();
    assert_eq!(black.captured, Some((Square::D1, Role::Knight)));
    assert_eq!(
        black.own_move.map(|m| m.to_string()).as_deref(),
        Some("d4d1")
    );
}

/// Visibility of Black's move to White.
fn told(fen: &str, played: &str) -> MoveVisibility {
    let mut state = state(Chesscom, fen);
    play(&mut state, played);
    state.last().expect("a move").sighting
}

#[test]
fn the_four_main_sightings() {
    // White's rook sees the d-file, no other piece does.
    let seen = "7k/8/8/3n4/8/8/8/K2R4 b - - 0 1";
    assert_eq!(
        told("7k/8/8/3r4/8/8/8/K2R4 b - - 0 1", "d5d3"),
        MoveVisibility::Known
    );
    assert_eq!(told(seen, "d5f4"), MoveVisibility::Retreat);
    let unseen = "7k/8/8/8/5n2/8/8/K2R4 b - - 0 1";
    assert_eq!(told(unseen, "f4d5"), MoveVisibility::Surprise);
    assert_eq!(told(unseen, "f4g6"), MoveVisibility::Dark);
}

/// Mellemseter 2017, figure 3 (a) and (b): a knight that White sees captures the
/// unprotected pawn on e5 and becomes hidden.
#[test]
fn semi_retreat() {
    let fen = "7k/8/2n5/4P3/B7/8/8/K7 b - - 0 1";
    let mut state = state(Chesscom, fen);
    assert_eq!(sees(&state, Color::White, Square::C6), 'n');
    play(&mut state, "c6e5");
    assert_eq!(sees(&state, Color::White, Square::E5), '?');
    let news = state.observe(Color::White).news();
    assert_eq!(news.lost, Some((Square::E5, Role::Pawn)));
    assert_eq!(
        state.last().map(|ply| ply.sighting),
        Some(MoveVisibility::SemiRetreat)
    );
    // The same if only the captured pawn saw its capturer.
    let bishop = "7k/8/3b4/4P3/8/8/8/K7 b - - 0 1";
    assert_eq!(told(bishop, "d6e5"), MoveVisibility::SemiRetreat);
}

/// Figure 3 (c) and (d): the capturer is hidden before and after.
#[test]
fn adverse_surprise() {
    let fen = "7k/8/2n5/4P3/8/8/8/K7 b - - 0 1";
    let mut state = state(Chesscom, fen);
    assert_eq!(sees(&state, Color::White, Square::C6), '?');
    play(&mut state, "c6e5");
    assert_eq!(sees(&state, Color::White, Square::E5), '?');
    let news = state.observe(Color::White).news();
    assert_eq!(news.lost, Some((Square::E5, Role::Pawn)));
    assert_eq!(
        state.last().map(|ply| ply.sighting),
        Some(MoveVisibility::AdverseSurprise)
    );
}

#[test]
fn a_protected_piece_shows_its_taker() {
    let known = "7k/8/3b4/4P3/8/8/8/K3R3 b - - 0 1";
    assert_eq!(told(known, "d6e5"), MoveVisibility::Known);
    let surprise = "7k/8/2n5/4P3/8/8/8/K3R3 b - - 0 1";
    assert_eq!(told(surprise, "c6e5"), MoveVisibility::Surprise);
}

/// Mellemseter 2017, figure 4: Black captures on d4 with a knight that shields
/// its king from a hidden queen.
#[test]
fn a_dark_pin_loses_the_king() {
    let mut state = State::start(Game::fog_with(FogRules::Thesis));
    play(&mut state, "c2c3 b8c6 d2d4 d7d6 d1a4");
    assert_eq!(
        sees(&state, Color::Black, Square::A4),
        '?',
        "the pin is dark"
    );
    assert_eq!(sees(&state, Color::White, Square::C6), 'n');
    play(&mut state, "c6d4 a4e8");
    let outcome = state.outcome().expect("the king is taken");
    assert_eq!(
        (outcome.result(), outcome.reason.name()),
        ("1-0", "king_captured")
    );
}

/// Mellemseter 2017, section 2.3: five of Black's twenty first moves can lose a
/// piece without compensation, the unprotected pawns on b5, c5, e5, f5 and g5.
#[test]
fn five_of_blacks_first_moves_can_lose_a_piece() {
    let start = State::start(Game::fog_with(Thesis));
    let mut risky = std::collections::BTreeSet::new();
    for first in start.legal_moves() {
        let mut after_white = start.clone();
        after_white.play_unchecked(Action::Move(first));
        for reply in after_white.legal_moves() {
            let mut after_black = after_white.clone();
            after_black.play_unchecked(Action::Move(reply));
            let takes = |m: &Move| m.to() == reply.to();
            for capture in after_black.legal_moves().iter().filter(|m| takes(m)) {
                let mut taken = after_black.clone();
                taken.play_unchecked(Action::Move(*capture));
                if !taken.legal_moves().iter().any(takes) {
                    risky.insert(reply.to_string());
                }
            }
        }
    }
    let risky: Vec<String> = risky.into_iter().collect();
    assert_eq!(risky, ["b7b5", "c7c5", "e7e5", "f7f5", "g7g5"]);
}

/// Mellemseter 2017, section 4.3: a move reveals at most seven pieces, by a
/// knight with eight target squares, one of which it came from.
#[test]
fn a_knights_move_uncovers_seven_pieces() {
    let mut state = state(Thesis, "7k/8/2p1p3/1p3p2/8/1p3p2/2p1N3/7K w - - 0 1");
    let seen = |state: &State| {
        let view = state.observe(Color::White);
        view.view().board.side(Color::Black).count()
    };
    assert_eq!(seen(&state), 0);
    play(&mut state, "e2d4");
    assert_eq!(seen(&state), 7);
}

/// `docs/rules.md` has a column for every rule set that matches the code.
#[test]
fn the_table_of_the_docs_is_true() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules.md");
    let text = std::fs::read_to_string(path).expect("the rules for users");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter_map(|line| line.strip_prefix("| "))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let cell = |point: &str, rules: FogRules| -> &str {
        let name = format!("`{}`", rules.name());
        let column = rows[0].iter().position(|cell| *cell == name);
        let column = column.unwrap_or_else(|| panic!("docs/rules.md has no column {name}"));
        let row = rows.iter().find(|row| row[0] == point);
        row.unwrap_or_else(|| panic!("docs/rules.md has no row '{point}'"))[column]
            .trim_end_matches(" (**house rule**)")
    };
    for rules in FogRules::ALL {
        let draw = if rules.draws_are_claimed() {
            "may be claimed"
        } else {
            "draw"
        };
        let en_passant = match (rules.has_en_passant(), rules.en_passant_pawn_is_visible()) {
            (false, _) => "none",
            (true, true) => "square and pawn visible",
            (true, false) => "square visible, pawn hidden",
        };
        let either = |yes, one, other| if yes { one } else { other };
        let points = [
            (
                "blocked square before a pawn",
                either(rules.blocked_pawn_sees_blocker(), "visible", "hidden"),
            ),
            ("en passant", en_passant),
            (
                "no legal moves",
                either(rules.no_moves_is_draw(), "draw", "loss"),
            ),
            ("50 moves", draw),
            (
                "threefold repetition",
                either(rules.has_repetition(), draw, "no rule"),
            ),
            (
                "only kings left",
                either(rules.bare_kings_are_draw(), "draw", "play on"),
            ),
            (
                "public counters",
                either(rules.counters_are_public(), "halfmove clock", "none"),
            ),
        ];
        for (point, says) in points {
            assert_eq!(cell(point, rules), says, "{}: {point}", rules.name());
        }
    }
}
