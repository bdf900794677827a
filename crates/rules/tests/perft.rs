//! Perft counts and move lists from external sources.

mod common;

use foglight_rules::{Game, Move, Position, perft};
use serde::Deserialize;

/// Maximum nodes of a suite, so that tests stay fast.
const PLAIN_BUDGET: u64 = 5_000_000;
/// Lower, because there are thousands of random positions.
const RANDOM_BUDGET: u64 = 500_000;
const CAPTURE_BUDGET: u64 = 5_000_000;

fn check(game: &Game, position: &Position, counts: &[u64], budget: u64, at: &str) -> usize {
    let mut checked = 0;
    for (depth, &nodes) in (1..).zip(counts) {
        if nodes > budget {
            break;
        }
        assert_eq!(perft(game, position, depth), nodes, "{at} at depth {depth}");
        checked += 1;
    }
    checked
}

#[derive(Deserialize)]
struct CaptureRow {
    fen: String,
    fairy_stockfish: Vec<u64>,
    open_spiel: Vec<u64>,
}

#[test]
fn king_capture() {
    let rows: Vec<CaptureRow> =
        serde_json::from_str(&common::data("oracles/king_capture_perft.json")).expect("rows");
    assert_eq!(rows.len(), 11);
    let game = Game::fog();
    for row in rows {
        let position = game.parse_fen(&row.fen).expect("a position");
        assert!(
            row.fairy_stockfish.starts_with(&row.open_spiel)
                || row.open_spiel.starts_with(&row.fairy_stockfish),
            "the oracles agree"
        );
        let longest = if row.fairy_stockfish.len() > row.open_spiel.len() {
            &row.fairy_stockfish
        } else {
            &row.open_spiel
        };
        assert!(check(&game, &position, longest, CAPTURE_BUDGET, &row.fen) >= 3);
    }
}

#[test]
fn small_board() {
    let game = Game::fog_with(foglight_rules::FogRules::OpenSpiel);
    let position = game
        .parse_fen("rqkr/pppp/PPPP/RQKR w - - 0 1")
        .expect("a position");
    let counts = [6, 40, 456, 4786, 55568, 655_374];
    check(&game, &position, &counts, CAPTURE_BUDGET, "4x4");
}

/// Parses `id name`, `epd FEN`, then `perft depth nodes` lines. Returns the
/// numbers of positions, of unsupported ones, and of counts within the budget.
fn scalachess(file: &str, budget: u64) -> (usize, usize, usize) {
    let game = Game::chess();
    let text = common::data(file);
    let mut position = None;
    let (mut positions, mut skipped, mut counts) = (0, 0, 0);
    for line in text.lines() {
        let mut words = line.splitn(2, ' ');
        match (words.next(), words.next()) {
            (Some("epd"), Some(fen)) => {
                positions += 1;
                // Castling from other squares is Chess960, which is not
                // supported.
                position = game.parse_fen(fen.trim()).ok();
                skipped += usize::from(position.is_none());
            }
            (Some("perft"), Some(rest)) => {
                let (depth, nodes) = rest.split_once(' ').expect("depth and nodes");
                let (depth, nodes): (u32, u64) = (
                    depth.parse().expect("a depth"),
                    nodes.trim().parse().expect("a count"),
                );
                if let Some(position) = position.as_ref().filter(|_| nodes <= budget) {
                    assert_eq!(perft(&game, position, depth), nodes, "{position} {depth}");
                    counts += 1;
                }
            }
            _ => {}
        }
    }
    (positions, skipped, counts)
}

#[test]
fn plain_chess_tricky() {
    assert_eq!(scalachess("perft/tricky.perft", PLAIN_BUDGET), (18, 6, 45));
}

#[test]
fn plain_chess_random() {
    assert_eq!(
        scalachess("perft/random.perft.gz", RANDOM_BUDGET),
        (6838, 0, 24_973)
    );
}

#[test]
fn plain_chess_epd() {
    let game = Game::chess();
    let mut positions = 0;
    for line in common::data("perft/perft.epd")
        .lines()
        .filter(|l| !l.trim().is_empty())
    {
        let mut parts = line.split(';');
        let fen = parts.next().expect("a FEN").trim();
        let position = game.parse_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        // A count, such as `D3 8902`.
        for part in parts {
            let (depth, nodes) = part.trim().split_once(' ').expect("depth and nodes");
            let depth = depth.trim_start_matches('D').parse().expect("a depth");
            let nodes: u64 = nodes.trim().parse().expect("a count");
            if nodes <= PLAIN_BUDGET {
                assert_eq!(
                    perft(&game, &position, depth),
                    nodes,
                    "{fen} at depth {depth}"
                );
            }
        }
        positions += 1;
    }
    assert_eq!(positions, 174);
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Suite {
    test_cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    start: Placed,
    expected: Vec<Placed>,
}

#[derive(Deserialize)]
struct Placed {
    fen: String,
    #[serde(default, rename = "move")]
    san: Option<String>,
}

#[test]
fn move_lists() {
    let files = [
        "castling.json.gz",
        "checkmates.json",
        "famous.json",
        "pawns.json",
        "promotions.json",
        "stalemates.json",
        "standard.json",
        "taxing.json.gz",
    ];
    let game = Game::chess();
    let mut cases = 0;
    for file in files {
        let text = common::data(&format!("movegen/{file}"));
        let suite: Suite = serde_json::from_str(&text).expect("a suite");
        for case in suite.test_cases {
            cases += 1;
            let position = game.parse_fen(&case.start.fen).expect("a position");
            let placement = |fen: &str| fen.split(' ').next().unwrap_or_default().to_owned();
            let mut ours: Vec<String> = game
                .legal_moves(&position)
                .iter()
                .map(|m: &Move| {
                    let mut next = position;
                    game.play_unchecked(&mut next, *m);
                    placement(&game.fen(&next))
                })
                .collect();
            let mut theirs: Vec<String> = case.expected.iter().map(|p| placement(&p.fen)).collect();
            assert!(case.expected.iter().all(|p| p.san.is_some()));
            ours.sort();
            theirs.sort();
            assert_eq!(ours, theirs, "{}", case.start.fen);
        }
    }
    assert_eq!(cases, 129);
}
