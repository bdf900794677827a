//! `docs/seeds.md` is the map of the mission: every row that is marked done is
//! complete, and what it names exists.

use std::{collections::BTreeSet, path::Path};

const COLUMNS: [&str; 8] = [
    "id",
    "what the seed has",
    "command",
    "test",
    "published",
    "ours",
    "why they differ",
    "state",
];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The cells of each row, in the order of [`COLUMNS`].
fn rows() -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(root().join("docs/seeds.md")).expect("docs/seeds.md");
    let cells = |line: &str| -> Vec<String> {
        let line = line.trim().trim_start_matches('|').trim_end_matches('|');
        line.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let is_row = |line: &&str| line.starts_with("| 0");
    let rows: Vec<Vec<String>> = text.lines().filter(is_row).map(cells).collect();
    assert!(text.contains(&format!("| {} |", COLUMNS.join(" | "))));
    rows
}

#[test]
fn rows_are_well_formed() {
    let rows = rows();
    assert!(rows.len() > 300);
    let mut ids = BTreeSet::new();
    for row in &rows {
        assert_eq!(row.len(), COLUMNS.len(), "{row:?}");
        assert!(ids.insert(&row[0]), "{} stands twice", row[0]);
        assert!(
            ["open", "done"].contains(&row[7].as_str()),
            "state of {}: {}",
            row[0],
            row[7]
        );
    }
}

#[test]
fn done_rows_have_no_empty_cell() {
    for row in rows().iter().filter(|row| row[7] == "done") {
        for (cell, column) in row.iter().zip(COLUMNS) {
            assert!(
                !cell.is_empty(),
                "{}: '{column}' is empty though the row is done",
                row[0]
            );
        }
    }
}

/// The test cell of a done row names a test file of ours, `crates/x/tests/y.rs`
/// or `crates/x/src/y.rs`, perhaps with a function behind `::`; or `-`.
#[test]
fn tests_of_done_rows_exist() {
    for row in rows()
        .iter()
        .filter(|row| row[7] == "done" && row[3] != "-")
    {
        for named in row[3].split(", ") {
            let named = named.trim_matches('`');
            let (file, function) = named.split_once("::").unwrap_or((named, ""));
            let text = std::fs::read_to_string(root().join(file));
            let text = text.unwrap_or_else(|e| panic!("{}: {file}: {e}", row[0]));
            assert!(
                text.contains(function),
                "{}: no {function} in {file}",
                row[0]
            );
        }
    }
}

/// Seed 001's first figures in small: greedy beats random nearly always, and
/// its conservative style most of the time.
#[test]
fn greedy_beats_random() {
    let score = |other: &str| -> f64 {
        let other = format!("agent={other}");
        let words = [
            "match",
            "-engine",
            "agent=greedy",
            "-engine",
            &other,
            "-game",
            "fog",
            "-rules",
            "openspiel",
            "-rounds",
            "200",
            "-srand",
            "1",
            "-maxmoves",
            "200",
            "--json",
        ];
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_foglight"))
            .args(words)
            .output();
        let output = output.expect("the program runs").stdout;
        let object: serde_json::Value = serde_json::from_slice(&output).expect("JSON");
        object["score"].as_f64().expect("a score")
    };
    assert!(score("random") >= 0.98);
    assert!((0.58..0.80).contains(&score("greedy:style=conservative")));
    assert!((0.40..0.62).contains(&score("greedy:style=preservative")));
}
