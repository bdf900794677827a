//! SAN and PGN against external texts, and the laws of every notation.

mod common;

use std::time::Duration;

use foglight_rules::{
    Action, Color, FogRules, Game, Move, PackedPosition, PgnGame, PgnResult, Position, Setup,
    Sight, State, Termination,
    notation::{
        pgn::{self, Note},
        san,
    },
};
use proptest::prelude::*;
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Deserialize;

const SMALL: &str = "rqkr/pppp/PPPP/RQKR w - - 0 1";

fn position(game: &Game, fen: &str) -> Position {
    game.parse_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn found(text: &str, game: &Game, fen: &str) -> Option<String> {
    let found = san::find(text, game, &position(game, fen));
    found.ok().map(|m| m.to_string())
}

/// Parses `name ; start ; moves` lines without their notes.
fn thesis_games(file: &str) -> Vec<(String, Vec<String>)> {
    let text = common::data(file);
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let games: Vec<_> = lines
        .map(|line| {
            let parts: Vec<&str> = line.split(" ; ").collect();
            assert_eq!(parts[1], "startpos", "{line}");
            let moves = parts[2].split(' ').map(str::to_owned).collect();
            (parts[0].to_owned(), moves)
        })
        .collect();
    assert_eq!(games.len(), 6, "{file}");
    games
}

#[test]
fn the_thesis_games_read_the_same_in_uci_and_san() {
    let game = Game::fog_with(FogRules::Thesis);
    let pairs = thesis_games("thesis/games.txt")
        .into_iter()
        .zip(thesis_games("thesis/games.san"));
    for ((name, uci), (same, sans)) in pairs {
        assert_eq!((&name, uci.len()), (&same, sans.len()));
        let mut state = State::start(game);
        for (uci, text) in uci.iter().zip(&sans) {
            let Ok(Action::Move(m)) = state.parse_action(uci) else {
                panic!("{name}: {uci}");
            };
            let position = state.position();
            assert_eq!(san::find(text, &game, position), Ok(m), "{name}: {text}");
            let ours = san::write(&game, position, m);
            assert_eq!(&ours, text, "{name}");
            let figurine = san::figurine(text);
            assert!(!figurine.contains(['K', 'Q', 'R', 'B', 'N']), "{figurine}");
            assert_eq!(san::find(&figurine, &game, position), Ok(m), "{figurine}");
            state.play(Action::Move(m)).expect("a legal move");
        }
        let outcome = state.outcome().expect("an end");
        assert_eq!(outcome.reason, Termination::KingCaptured, "{name}");
    }
}

#[derive(Deserialize)]
struct MoveLists {
    #[serde(rename = "testCases")]
    cases: Vec<MoveCase>,
}

#[derive(Deserialize)]
struct MoveCase {
    start: Place,
    expected: Vec<Place>,
}

#[derive(Deserialize)]
struct Place {
    fen: String,
    #[serde(default, rename = "move")]
    san: String,
}

#[test]
fn plain_chess_writes_every_move_as_the_move_lists_do() {
    let game = Game::chess();
    let mut count = 0;
    for file in [
        "castling.json.gz",
        "checkmates.json",
        "famous.json",
        "pawns.json",
        "promotions.json",
        "stalemates.json",
        "standard.json",
        "taxing.json.gz",
    ] {
        let lists: MoveLists =
            serde_json::from_str(&common::data(&format!("movegen/{file}"))).expect("move lists");
        for case in lists.cases {
            let start = position(&game, &case.start.fen);
            let mut ours: Vec<String> = Vec::new();
            for m in game.legal_moves(&start) {
                let text = san::write(&game, &start, m);
                assert_eq!(san::find(&text, &game, &start), Ok(m), "{}", case.start.fen);
                ours.push(text);
            }
            let mut theirs: Vec<String> = case.expected.into_iter().map(|p| p.san).collect();
            ours.sort();
            theirs.sort();
            assert_eq!(ours, theirs, "{file}: {}", case.start.fen);
            count += ours.len();
        }
    }
    assert!(count > 1000, "{count} moves");
}

/// The moves of a game in SAN, without numbers.
fn sans(pgn: &PgnGame) -> Vec<String> {
    let mut at = pgn.start;
    let mut texts = Vec::new();
    for action in &pgn.actions {
        if let Action::Move(m) = action {
            texts.push(san::write(&pgn.game, &at, *m));
            pgn.game.play_unchecked(&mut at, *m);
        }
    }
    texts
}

#[test]
fn the_openings_are_read_and_written_alike() {
    let mut count = 0;
    for volume in ["a", "b", "c", "d", "e"] {
        for line in common::data(&format!("openings/{volume}.tsv"))
            .lines()
            .skip(1)
        {
            let text = line.rsplit('\t').next().expect("a column");
            let games: Result<Vec<PgnGame>, _> = pgn::read(text).collect();
            let games = games.unwrap_or_else(|e| panic!("{line}: {e}"));
            assert_eq!(games.len(), 1, "{line}");
            let theirs: Vec<&str> = text
                .split(' ')
                .filter(|word| !word.ends_with('.'))
                .collect();
            assert_eq!(sans(&games[0]), theirs, "{line}");
            let written = games[0].write().expect("a legal game");
            let movetext = written.split_once("\n\n").expect("tags").1;
            assert_eq!(movetext.replace('\n', " ").trim_end(), format!("{text} *"));
            count += 1;
        }
    }
    assert_eq!(count, 3807);
}

#[test]
fn san_is_read_in_the_dialects_of_the_field() {
    let chess = Game::chess();
    let fen = "r3k2r/pP1p1ppp/8/2p1pP2/2N5/8/P3P1PP/RN2K2R w KQkq e6 0 1";
    for (text, uci) in [
        ("O-O", "e1g1"),
        ("0-0+", "e1g1"),
        ("fxe6", "f5e6"),
        ("f×e6 e.p.", "f5e6"),
        ("fe6!?", "f5e6"),
        ("f5:e6", "f5e6"),
        ("bxa8=Q+", "b7a8q"),
        ("bxa8N", "b7a8n"),
        ("b8(R)", "b7b8r"),
        ("b8=♛#", "b7b8q"),
        ("♘ba3", "b1a3"),
        ("♞cd6", "c4d6"),
        ("Nd6", "c4d6"),
        ("Nc4xe5", "c4e5"),
        ("Nc4-d6", "c4d6"),
        ("♙e4", "e2e4"),
        ("e2e4", "e2e4"),
        ("R\u{fe0e}d1", ""),
        ("♖\u{fe0e}f1", "h1f1"),
        ("b8", ""),
        ("b8=K", ""),
        ("b8=P", ""),
        ("bxa8", ""),
        ("Na3", ""),
        ("Nxd6", ""),
        ("e6", ""),
        ("O-O-O", ""),
        ("Ke1g1", ""),
        ("Kg1", ""),
        ("", ""),
        ("N", ""),
        ("e", ""),
        ("Ni9", ""),
        ("=Q", ""),
        ("+", ""),
    ] {
        let expected = Some(uci.to_owned()).filter(|uci| !uci.is_empty());
        assert_eq!(found(text, &chess, fen), expected, "{text:?}");
    }
}

#[test]
fn pins_tell_apart_in_chess_only() {
    let fen = "4k3/4r3/8/8/8/4N3/8/N3K3 w - - 0 1";
    let m = san::find("Ac2", &Game::chess(), &position(&Game::chess(), fen));
    assert!(m.is_err());
    for (game, text) in [(Game::chess(), "Nc2"), (Game::fog(), "Nac2")] {
        let start = position(&game, fen);
        let m = san::find("Nac2", &game, &start).expect("a legal move");
        assert_eq!(san::write(&game, &start, m), text, "{game}");
    }
}

#[test]
fn king_capture_games_have_no_check_marks() {
    let fen = "4k3/8/8/8/8/8/R7/4K3 w - - 0 1";
    for game in [Game::chess(), Game::fog()] {
        let start = position(&game, fen);
        let m = san::find("Ra8", &game, &start).expect("a legal move");
        let mark = if game.is_king_capture() { "" } else { "+" };
        assert_eq!(san::write(&game, &start, m), format!("Ra8{mark}"));
    }
}

/// A game of random actions.
fn random_state(game: Game, start: Position, plies: u32, seed: u64) -> (State, Vec<Action>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut state = State::new(game, start);
    let mut actions = Vec::new();
    while state.outcome().is_none() && state.plies() < plies {
        let action = *state.legal_actions().choose(&mut rng).expect("an action");
        state.play(action).expect("a legal action");
        actions.push(action);
    }
    (state, actions)
}

fn random_pgn(game: Game, start: Position, plies: u32, seed: u64) -> PgnGame {
    let (state, actions) = random_state(game, start, plies, seed);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut notes: Vec<Note> = (0..state.plies()).map(|_| Note::default()).collect();
    for note in &mut notes {
        note.clock = rng
            .random_bool(0.7)
            .then(|| Duration::from_millis(rng.random_range(0..40_000_000)));
        if rng.random_bool(0.1) {
            note.text = "100 %sure [%eval 0.3] (a \"fine\" \\ move; really) {here".to_owned();
        }
    }
    while notes.last() == Some(&Note::default()) {
        notes.pop();
    }
    let mut pgn = PgnGame::new(game, start);
    pgn.tags = [
        ("Event", "A \"test\""),
        ("White", "C:\\x"),
        ("Opening", "<b>]"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec();
    pgn.actions = actions;
    pgn.notes = notes;
    pgn.intro = "before the first move".to_owned();
    pgn.result = state.outcome().map(PgnResult::from);
    pgn
}

fn assert_round_trip(pgn: &PgnGame) {
    let text = pgn.write().expect("a legal game");
    let tags = text
        .lines()
        .take_while(|line| line.starts_with('['))
        .count();
    assert!(
        text.lines()
            .skip(tags)
            .all(|line| line.chars().count() < 80),
        "{text}"
    );
    assert!(!text.contains("\n%"), "{text}");
    let read: Result<Vec<PgnGame>, _> = pgn::read(&text).collect();
    let read = read.unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(read.len(), 1, "{text}");
    assert_eq!(&read[0], pgn, "{text}");
    let asked: Result<Vec<PgnGame>, _> = pgn::read(&text).of_game(pgn.game).collect();
    assert_eq!(asked.as_deref(), Ok(&read[..]));
}

#[test]
fn written_games_of_every_kind_read_the_same() {
    let mut wasted = 0;
    for game in Game::ALL {
        let small = position(&game, SMALL);
        for seed in 0..12 {
            assert_round_trip(&random_pgn(game, game.start(), 300, seed));
            let pgn = random_pgn(game, small, 60, seed);
            let pairs = pgn.actions.windows(2);
            wasted += pairs
                .filter(|pair| matches!(pair, [Action::Roll(_), Action::Roll(_)]))
                .count();
            assert_round_trip(&pgn);
        }
    }
    assert!(wasted > 0, "no roll was wasted");
}

#[test]
fn unusual_rules_and_ends_are_kept() {
    let game = Game::fog()
        .with_sight(Color::Black, Sight::Full)
        .with_halfmove_limit(Some(16));
    let mut pgn = random_pgn(game, game.start(), 30, 5);
    pgn.result = Some(PgnResult {
        winner: Some(Color::Black),
        reason: Some(Termination::Timeout),
    });
    assert_round_trip(&pgn);
    let mut pgn = random_pgn(Game::dice3(), Game::dice3().start(), 20, 5);
    while !matches!(pgn.actions.last(), Some(Action::Roll(_))) {
        pgn.actions.pop();
    }
    pgn.notes.clear();
    pgn.result = None;
    assert_round_trip(&pgn);
    pgn.actions.truncate(1);
    assert_round_trip(&pgn);
    pgn.game = pgn.game.with_halfmove_limit(None);
    assert_round_trip(&pgn);
}

#[test]
fn several_games_with_all_the_trimmings() {
    let text = "\u{feff}% an escape\n[Event \"One\"]\n[Result \"1-0\"]\n\n1.e4! {[%clk 0:01:02.5] best \
                by test} $1 (1. d4 {a ) here} (1. c4 ; and ) here\n) d5) 1...e5 2. Qh5?! Nc6\n% ( gone\n3.Bc4 \
                Nf6?? ; oh\n4. Qxf7# 1-0 {after}\n[Event \"Two\"]\n[SetUp \"1\"]\n[FEN \
                \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8(Q)+ Kg7 *\n\n[Event \"Three\"]\n1. e4\n[Event \"Four\"]\n*";
    let games: Vec<PgnGame> = pgn::read(text).map(|game| game.expect("a game")).collect();
    let names: Vec<_> = games.iter().map(|game| game.tag("Event")).collect();
    assert_eq!(names, ["One", "Two", "Three", "Four"].map(Some));
    assert_eq!(
        sans(&games[0]),
        ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]
    );
    assert_eq!(games[0].notes[0].clock, Some(Duration::from_millis(62_500)));
    assert_eq!(games[0].notes[0].text, "best by test");
    assert_eq!(games[0].notes[5].text, "oh");
    let mate = PgnResult {
        winner: Some(Color::White),
        reason: Some(Termination::Checkmate),
    };
    assert_eq!(games[0].result, Some(mate));
    assert_eq!(sans(&games[1]), ["a8=Q+", "Kg7"]);
    assert_eq!((games[2].actions.len(), games[3].actions.len()), (1, 0));
}

#[test]
fn dice_are_rebuilt_from_the_comments() {
    let text = "[Variant \"Dice Chess\"]\n[RuleSet \"dice3-v1\"]\n\n1. e4 {[%dice PNK]} Nf3 Ke2 1... a6 \
                {[%dice KQQ] [%dice PQQ]} *";
    // Black's first roll is unusable, so White rolls again: a6 is not White's.
    let error = pgn::read(text)
        .next()
        .expect("a game")
        .expect_err("wrong side");
    assert!(
        error.to_string().contains("line 4: move 2. 'a6'"),
        "{error}"
    );
    let game = pgn::read(&text.replace("1... a6", "2. a3")).next();
    let game = game.expect("a game").expect("legal");
    let actions: Vec<String> = game.actions.iter().map(Action::to_string).collect();
    assert_eq!(
        actions.join(" "),
        "roll:PNK e2e4 g1f3 e1e2 roll:QQK roll:PQQ a2a3"
    );
}

/// Found by the fuzzer: sanitising a control character used to reveal a command.
#[test]
fn commands_do_not_come_to_life_in_writing() {
    let text = "1. e4 {[%\0dice PQQ] [%\0clk 0:00:01] [%[%clk 0:00:02]clk 0:00:03]} *";
    let game = pgn::read(text).next().expect("a game").expect("legal");
    assert_eq!(game.notes[0].clock, Some(Duration::from_secs(2)));
    let again = pgn::read(&game.write().expect("legal")).next();
    assert_eq!(again, Some(Ok(game)));
}

/// Near-valid FEN text: a real FEN with a few characters changed.
fn mutated(text: String) -> impl Strategy<Value = String> {
    (
        Just(text),
        prop::collection::vec((any::<u16>(), 0usize..40), 0..4),
    )
        .prop_map(|(text, swaps)| {
            const SIGNS: &[u8] = b" -/0123456789KQRBNPkqrbnpwbacdefgh?*f+";
            let mut bytes = text.into_bytes();
            for (at, sign) in swaps {
                let at = usize::from(at) % bytes.len();
                match SIGNS.get(sign) {
                    Some(sign) => bytes[at] = *sign,
                    None => {
                        bytes.remove(at);
                    }
                }
            }
            String::from_utf8(bytes).expect("ASCII")
        })
}

/// A position of a random game of any variant.
fn any_position() -> impl Strategy<Value = (Game, Position)> {
    (0..Game::ALL.len(), any::<u64>(), 0u32..80, any::<bool>()).prop_map(
        |(which, seed, plies, small)| {
            let game = Game::ALL[which];
            let start = if small {
                position(&game, SMALL)
            } else {
                game.start()
            };
            let (state, _) = random_state(game, start, plies, seed);
            (game, *state.position())
        },
    )
}

fn any_fen() -> impl Strategy<Value = (Game, String)> {
    any_position().prop_flat_map(|(game, position)| {
        mutated(game.fen(&position)).prop_map(move |text| (game, text))
    })
}

/// The PGN of a short random game of any variant with a few characters changed.
fn any_pgn() -> impl Strategy<Value = String> {
    (0..Game::ALL.len(), any::<u64>(), 0u32..8).prop_flat_map(|(which, seed, plies)| {
        let game = Game::ALL[which];
        let pgn = random_pgn(game, game.start(), plies, seed);
        mutated(pgn.write().expect("a legal game"))
    })
}

proptest! {
    #[test]
    fn fens_round_trip((game, position) in any_position()) {
        prop_assert_eq!(game.parse_fen(&game.fen(&position)), Ok(position));
    }

    #[test]
    fn what_is_read_as_fen_is_written_and_read_again((game, text) in any_fen()) {
        if let Ok(position) = game.parse_fen(&text) {
            prop_assert_eq!(game.parse_fen(&game.fen(&position)), Ok(position));
            let state = State::new(game, position);
            for m in state.legal_moves() {
                let text = san::write(&game, state.position(), m);
                prop_assert_eq!(san::find(&text, &game, state.position()), Ok(m));
            }
        }
    }

    #[test]
    fn fog_fens_round_trip((game, position) in any_position(), white: bool) {
        let side = Color::from_white(white);
        if game.fog_rules().is_some() && game.outcome(&position).is_none() {
            let view = *State::new(game, position).observe(side).view();
            prop_assert_eq!(game.parse_fog_fen(&view.to_string(), side), Ok(view));
        }
    }

    #[test]
    fn arbitrary_text_never_panics(text in any::<String>()) {
        for game in Game::ALL {
            let _ = game.parse_fen(&text);
            let _ = game.parse_fog_fen(&text, Color::White);
            let _ = san::find(&text, &game, &game.start());
            let _ = State::start(game).parse_action(&text);
        }
        let _ = text.parse::<Setup>();
        for game in pgn::read(&text).flatten() {
            prop_assert!(game.write().is_ok());
        }
    }

    #[test]
    fn pgn_read_once_or_twice_is_the_same(text in "([a-h][1-8]|[NBRQK]x?[a-h][1-8]|O-O|1-0|\\*|[\\[\\](){};%$\"\\\\ \n.]|\\[[A-Z][a-z]{0,3} \"[^\"\n]{0,5}\"\\]\n|\\{\\[%(clk|dice|next) [0-9:.NPK]{0,7}\\]|[1-9]\\.| )*") {
        for game in pgn::read(&text).flatten() {
            let written = game.write().expect("a legal game");
            let again: Result<Vec<PgnGame>, _> = pgn::read(&written).collect();
            prop_assert_eq!(again, Ok(vec![game]));
        }
    }

    #[test]
    fn damaged_games_read_once_or_twice_are_the_same(text in any_pgn()) {
        for game in pgn::read(&text).flatten() {
            let written = game.write().expect("a legal game");
            let again: Result<Vec<PgnGame>, _> = pgn::read(&written).collect();
            prop_assert_eq!(again, Ok(vec![game]));
        }
    }

    #[test]
    fn comments_and_tags_stay_inside_their_marks(name in any::<String>(), note in any::<String>()) {
        let mut pgn = random_pgn(Game::dice1(), Game::dice1().start(), 2, 1);
        pgn.tags = vec![("White".to_owned(), format!("a{name}"))];
        pgn.intro = note.clone();
        pgn.notes = vec![Note { clock: None, text: note }];
        let once = pgn::read(&pgn.write().expect("legal")).next().expect("a game").expect("legal");
        prop_assert_eq!(&once.actions, &pgn.actions);
        prop_assert_eq!(once.tags.len(), 1);
        let twice = pgn::read(&once.write().expect("legal")).next().expect("a game");
        prop_assert_eq!(twice, Ok(once));
    }

    #[test]
    fn uci_moves_round_trip((game, position) in any_position(), text in "[a-i][0-9][a-i][0-9][nbrqkNBRQK]?") {
        let state = State::new(game, position);
        for m in state.legal_moves() {
            prop_assert_eq!(state.parse_action(&m.to_string()), Ok(Action::Move(m)));
        }
        if let Ok(action) = state.parse_action(&text) {
            prop_assert_eq!(action.to_string(), text);
            prop_assert!(state.legal_actions().contains(&action));
        }
    }

    #[test]
    fn packed_positions_round_trip((_, position) in any_position(), words: [u64; 4]) {
        prop_assert_eq!(PackedPosition::new(&position).unpack(), position);
        if let Some(setup) = PackedPosition::from_words(words).setup() {
            for game in Game::ALL {
                if let Ok(position) = game.position(setup) {
                    let _: Vec<Move> = State::new(game, position).legal_moves();
                    prop_assert_eq!(PackedPosition::new(&position).unpack(), position);
                }
            }
        }
    }

    #[test]
    fn packed_bits_never_panic((game, position) in any_position(), bits in prop::collection::vec(0usize..256, 1..3)) {
        let mut words = PackedPosition::new(&position).words();
        for bit in bits {
            words[bit / 64] ^= 1 << (bit % 64);
        }
        if let Some(position) = PackedPosition::from_words(words).setup().and_then(|setup| game.position(setup).ok()) {
            let _: Vec<Action> = State::new(game, position).legal_actions();
            prop_assert_eq!(PackedPosition::new(&position).unpack(), position);
            prop_assert!(position.board().occupied().is_subset(position.size().mask()));
        }
    }
}
