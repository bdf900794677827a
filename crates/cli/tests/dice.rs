//! Dice chess from a user's side: luck in match reports, the paper's
//! experiment, training.

use std::{fs, path::PathBuf, process::Command};

fn foglight(words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_foglight"))
        .args(words)
        .output()
        .expect("the program runs");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words:?}: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("foglight-dice-{name}-{}", std::process::id()));
    fs::create_dir_all(&dir).expect("a folder");
    dir
}

const MATCH: &str = "match -engine agent=goal -engine agent=greedy -rounds 150 -games 2 \
                     -repeat -srand 4 -quiet -game";

/// Every match of dice chess prints the raw and the luck-adjusted score, with
/// the smaller error; other games print no luck.
#[test]
fn matches_tell_their_luck() {
    let words = |game: &'static str, more: &[&'static str]| -> Vec<&'static str> {
        let all = MATCH.split_whitespace().chain([game]);
        all.chain(more.iter().copied()).collect()
    };
    let text = foglight(&words("dice1", &[]));
    let line = text.lines().find(|line| line.starts_with("Luck-adjusted:"));
    assert!(line.is_some_and(|line| line.contains("(raw ")), "{text}");
    let json = foglight(&words("dice1", &["--json"]));
    let object: serde_json::Value = serde_json::from_str(&json).expect("an object");
    let luck = &object["luck"][0];
    let number = |key: &str| luck[key].as_f64().expect("a number");
    assert_eq!(number("raw"), object["score"].as_f64().expect("a score"));
    assert!(number("error") < number("raw_error"), "{luck}");
    let off = (number("adjusted") - number("raw")).abs();
    assert!(off < 1.5 * number("raw_error"), "{luck}");
    let chess = "match -engine agent=random -engine agent=random name=b -game chess -rounds 1 \
                 -games 2 -quiet --json";
    let chess: Vec<&str> = chess.split_whitespace().collect();
    assert!(!foglight(&chess).contains("luck"));
}

/// Tables and pictures of an experiment, shortened to seconds.
#[test]
fn the_study_of_the_paper_prints_both_figures() {
    let dir = folder("study");
    let out = dir.to_str().expect("a path");
    let words = [
        "experiment",
        "dice",
        "--games",
        "2",
        "--time-divisor",
        "2000",
        "--only",
        "table II",
        "--out",
        out,
    ];
    let text = foglight(&words);
    assert!(text.contains("| table II: Normal* 5000 | 2 | 12.0 % of decisive games |"));
    assert!(text.contains("| -0.0631188 to 0.3231188 |"), "{text}");
    assert!(text.contains("--time-divisor 2000 --only 'table II'"));
    let picture = fs::read_to_string(dir.join("dice/dice-table-ii.svg")).expect("a picture");
    assert!(picture.contains("published") && picture.contains("Hybrid 2000"));
    let journal = fs::read_to_string(dir.join("dice-34.jsonl")).expect("the journal of Normal*");
    for line in journal.lines() {
        let record: serde_json::Value = serde_json::from_str(line).expect("a record");
        let black = record["black"]["agent"].as_str().expect("an agent");
        assert!(black.starts_with("mcts"), "MCTS always has Black");
    }
    fs::remove_dir_all(dir).expect("cleaned up");
}

const PGN: &str = "[Event \"?\"]\n[Result \"1-0\"]\n\n\
    1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n";
const OTHER: &str = "[Event \"?\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";

/// A line for each of the twelve models, and the same weights every time.
#[test]
fn training_repeats_from_its_seed() {
    let dir = folder("train");
    let games = dir.join("games.pgn");
    fs::write(&games, [PGN, OTHER].concat().repeat(20)).expect("games");
    let train = |name: &str, seed: &str| {
        let out = dir.join(name);
        let words = ["train", "logistic", games.to_str().expect("a path")];
        let more = ["--seed", seed, "--out", out.to_str().expect("a path")];
        let text = foglight(&[&words[..], &more[..]].concat());
        (text, fs::read(out).expect("weights"))
    };
    let (text, weights) = train("one", "1");
    assert!(text.contains("accuracy") && text.contains("precision"));
    for letter in "PNBRQKpnbrqk".chars() {
        let line = text.lines().find(|line| line.trim().starts_with(letter));
        let line = line.expect("a line for each model");
        // Without held-out moves of a piece there is nothing to tell.
        assert!(line.contains('%') != line.ends_with('-'), "{line}");
    }
    assert_eq!((text, weights.clone()), train("two", "1"));
    assert_ne!(weights, train("three", "2").1);
    let words = ["train", "logistic", "--self-play", "3", "--nodes", "20"];
    let own = foglight(&words);
    assert!(own.starts_with("trained on"));
    assert_eq!(own, foglight(&words));
    fs::remove_dir_all(dir).expect("cleaned up");
}

/// The eight evaluation terms of a position, and the value of each roll.
#[test]
fn positions_are_judged_by_their_parts() {
    let fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
    let text = foglight(&["eval", "--game", "dice1", "--fen", fen]);
    let part = |name: &str| text.lines().any(|line| line.starts_with(name));
    for name in [
        "material",
        "mobility",
        "king safety",
        "centre control",
        "king tropism",
        "trapped pieces",
        "eatable",
        "suicide rate",
        "tables",
        "network",
    ] {
        assert!(part(name), "{name} in {text}");
    }
    let json = foglight(&["eval", "--game", "dice1", "--fen", fen, "--json"]);
    let object: serde_json::Value = serde_json::from_str(&json).expect("an object");
    assert_eq!(object["parts"][0]["score"], 5.0, "a rook more");
    let rolls = object["rolls"].as_array().expect("rolls");
    assert_eq!(rolls.len(), 2, "a rook's roll and a king's");
}
