//! `foglight stats` from outside, on the six printed games of the thesis.

use std::process::Command;

fn events(args: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_foglight"))
        .arg("stats")
        .args(args)
        .output()
        .expect("the program");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        text(&output.stdout),
        text(&output.stderr),
        output.status.code(),
    )
}

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/thesis/games.txt");

/// The row of a player, split into words.
fn row(text: &str, name: &str) -> Vec<String> {
    let line = text.lines().find(|line| line.starts_with(name));
    let words = line.expect("a row").split_whitespace();
    words.map(str::to_owned).collect()
}

/// The results are those printed in the thesis; the counts were checked by a
/// separate program over `foglight replay`.
#[test]
fn the_games_of_the_thesis_are_counted() {
    let (text, trouble, code) = events(&[GAMES, "--game", "fog", "--rules", "thesis"]);
    assert_eq!(code, Some(0), "{trouble}");
    assert!(text.starts_with("6 games\n"), "{text}");
    let white = ["White", "6", "4", "4", "0", "0", "13", "of", "24", "0"];
    let black = ["Black", "6", "2", "0", "2", "0", "11", "of", "20", "0"];
    assert_eq!(row(&text, "White")[..10], white);
    assert_eq!(row(&text, "Black")[..10], black);
}

#[test]
fn files_that_are_none_are_named() {
    let (_, trouble, code) = events(&["no-such-file.pgn"]);
    assert_eq!(code, Some(2));
    assert!(trouble.contains("no-such-file.pgn"), "{trouble}");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.txt");
    std::fs::write(&path, "startpos ; e2e4\n").expect("a file");
    let (_, trouble, code) = events(&[path.to_str().expect("a name")]);
    assert_eq!(code, Some(2));
    assert!(
        trouble.contains("expected 'name ; FEN ; moves'"),
        "{trouble}"
    );
}
