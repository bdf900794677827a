//! `foglight verify review`: named faults before a stronger judge.

mod common;

use common::{refusal, run, stdout};
use serde_json::Value;

/// Stockfish exists here, or CI installs it.
fn has_stockfish() -> bool {
    ["/usr/games/stockfish", "/usr/bin/stockfish"]
        .iter()
        .any(|path| std::path::Path::new(path).exists())
}

fn tally(game: &str, more: &[&str]) -> Value {
    let of = ["verify", "review", "--game", game, "--json"];
    let text = stdout(&[&of[..], more].concat());
    serde_json::from_str(&text).expect("JSON")
}

/// Random moves lose pieces; the judge denies none of the blunders.
#[test]
fn blunders_of_random_players_are_confirmed_by_stockfish() {
    if !has_stockfish() && std::env::var_os("CI").is_none() {
        return eprintln!("SKIPPED: Stockfish is not installed");
    }
    let short = ["--agents", "random", "--maxmoves", "10", "--depth", "8"];
    let found = tally("chess", &[&short[..], &["--games", "2"]].concat());
    assert_eq!((&found["games"], &found["moves"]), (&2.into(), &40.into()));
    assert!(found["blunders"]["named"].as_u64() > Some(0), "{found}");
    assert_eq!(found["blunders"]["denied"], 0, "{found}");
    // The parts of a verification are its games.
    let second = tally(
        "chess",
        &[&short[..], &["--games", "1", "--first", "1"]].concat(),
    );
    let named = |found: &Value| found["blunders"]["named"].as_u64().expect("a count");
    assert!(named(&second) <= named(&found));
    assert_eq!(second["moves"], 20);
}

#[test]
fn fog_is_judged_with_more_nodes_and_dice_not_at_all() {
    let found = tally(
        "fog",
        &["--agents", "random", "--maxmoves", "4", "--games", "1"],
    );
    assert_eq!((&found["games"], &found["moves"]), (&1.into(), &8.into()));
    assert_eq!(found["cut_short"], 0);
    let message = refusal(&run(&["verify", "review", "--game", "dice1"]));
    assert!(message.contains("expected chess or fog"), "{message}");
}
