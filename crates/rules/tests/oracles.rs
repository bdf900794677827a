//! Fog games by OpenSpiel and Fairy-Stockfish, replayed ply by ply: legal
//! moves, both views, position, result and reason.

mod common;

use foglight_rules::{
    Bitboard, Color, FogRules, Game, Move, MoveKind, Square, State, en_passant_pawn,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct OracleGame {
    id: u32,
    start: String,
    plies: Vec<Row>,
    end: Row,
}

#[derive(Deserialize)]
struct Row {
    fen: String,
    #[serde(default)]
    legal: String,
    w: String,
    b: String,
    #[serde(default)]
    wx: Option<String>,
    #[serde(default)]
    bx: Option<String>,
    #[serde(default, rename = "move")]
    played: Option<String>,
    #[serde(default)]
    terminal: bool,
    #[serde(default)]
    result: Option<String>,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    opt: Option<i32>,
}

fn games(file: &str) -> Vec<OracleGame> {
    let text = common::data(file);
    let games: Vec<OracleGame> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("an oracle game"))
        .collect();
    assert_eq!(games.len(), 100, "{file}");
    games
}

fn sorted_moves(state: &State) -> String {
    let mut moves: Vec<String> = state.legal_moves().iter().map(Move::to_string).collect();
    moves.sort();
    moves.join(" ")
}

/// The squares where two views differ, in the square order of the text.
fn differing(state: &State, ours: &str, theirs: &str) -> Bitboard {
    let strip = |text: &str| text.replace('/', "");
    let (ours, theirs) = (strip(ours), strip(theirs));
    let order: Vec<Square> = state.position().size().reading_order().collect();
    assert_eq!((ours.len(), theirs.len()), (order.len(), order.len()));
    let pairs = ours.chars().zip(theirs.chars()).zip(order);
    pairs
        .filter(|((a, b), _)| a != b)
        .map(|(_, square)| square)
        .collect()
}

/// OpenSpiel's leak: the side that has just made a double step sees the en
/// passant square, and sometimes the pawn's origin. Our views show nothing there.
fn leak_of_last_push(state: &State, side: Color) -> Bitboard {
    match state.last() {
        Some(ply) if ply.side == side && ply.played.kind() == MoveKind::DoubleStep => {
            let passed = en_passant_pawn(ply.played.to());
            Bitboard::from_square(passed).with(ply.played.from())
        }
        _ => Bitboard::EMPTY,
    }
}
fn check_row(state: &State, row: &Row, at: &str) -> usize {
    let game = state.game();
    if row.played.is_some() {
        // A finished position may differ: OpenSpiel retains the castling rights
        // of a captured king.
        assert_eq!(game.fen(state.position()), row.fen, "{at}");
        assert_eq!(sorted_moves(state), row.legal, "{at}");
    }
    let openspiel = game.fog_rules() == Some(FogRules::OpenSpiel);
    let mut leaks = 0;
    for (side, theirs, extra) in [
        (Color::White, &row.w, &row.wx),
        (Color::Black, &row.b, &row.bx),
    ] {
        if !openspiel && state.outcome().is_some() {
            continue; // Fairy-Stockfish's fog FEN is valid only during the game
        }
        let view = *state.observe(side).view();
        let differing = differing(state, &view.rows(), theirs);
        let allowed = if openspiel {
            leak_of_last_push(state, side)
        } else {
            Bitboard::EMPTY
        };
        assert!(
            differing.is_subset(allowed),
            "{at} {side:?}\n{}\n{theirs}",
            view.rows()
        );
        leaks += usize::from(differing.any());
        if let (Some(extra), None) = (extra, state.outcome()) {
            let fog_fen = view.to_string();
            let ours = fog_fen.split_once(' ').expect("fields").1;
            if ours != extra {
                let leaked = leak_of_last_push(state, side).any() && ours.contains(" - ");
                assert!(leaked, "{at} {side:?} {ours} {extra}");
            }
        }
    }
    leaks
}

fn replay(file: &str, rules: FogRules) -> usize {
    let game = Game::fog_with(rules);
    let mut leaks = 0;
    for oracle in games(file) {
        let start = game.parse_fen(&oracle.start).expect("a position");
        let mut state = State::new(game, start);
        for (ply, row) in oracle.plies.iter().enumerate() {
            let at = format!("{file} game {} ply {ply}: {}", oracle.id, row.fen);
            leaks += check_row(&state, row, &at);
            assert_eq!(state.claimable_draw().is_some(), row.opt.is_some(), "{at}");
            let played = row.played.as_ref().expect("a move");
            let action = state.parse_action(played).expect("a legal move");
            state.play(action).expect("a legal move");
        }
        let at = format!("{file} game {} at its end: {}", oracle.id, oracle.end.fen);
        leaks += check_row(&state, &oracle.end, &at);
        let ours = state
            .outcome()
            .map(|o| (o.result().to_owned(), o.reason.name().to_owned()));
        let theirs = oracle.end.terminal.then(|| {
            (
                oracle.end.result.clone().expect("a result"),
                oracle.end.reason.clone().expect("a reason"),
            )
        });
        assert_eq!(ours, theirs, "{at}");
    }
    leaks
}

#[test]
fn open_spiel_8x8() {
    let leaks = replay("oracles/open_spiel_8x8.jsonl.gz", FogRules::OpenSpiel);
    assert!(leaks < 20, "the known leak is rare, {leaks} views differ");
}

#[test]
fn open_spiel_4x4() {
    let leaks = replay("oracles/open_spiel_4x4.jsonl.gz", FogRules::OpenSpiel);
    assert_eq!(leaks, 0, "no double steps on a small board, so no leak");
}

#[test]
fn fairy_stockfish_8x8() {
    replay("oracles/pyffish_8x8.jsonl.gz", FogRules::PyChess);
}
