//! `docs/papers.md` maps parts of the papers to code: its rows are complete,
//! state their shortfalls, and name only existing items.

mod common;

use std::collections::BTreeMap;

use common::{repository, stdout};

const SHORTFALLS: [&str; 4] = ["differs", "partly", "untested", "missing"];
const OUTCOMES: [&str; 7] = [
    "same",
    "agrees",
    "gain",
    "no gain",
    "worse",
    "no difference seen",
    "not comparable",
];

fn document() -> String {
    std::fs::read_to_string(repository("docs/papers.md")).expect("docs/papers.md")
}

fn cells(line: &str) -> Vec<&str> {
    let line = line.trim().trim_start_matches('|').trim_end_matches('|');
    line.split('|').map(str::trim).collect()
}

/// The cells of each row that has an id, by the header of their column.
fn rows(text: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut columns = Vec::new();
    let mut rows = Vec::new();
    for line in text.lines().filter(|line| line.starts_with('|')) {
        let cells = cells(line);
        if cells[0] == "id" {
            columns = cells;
        } else if cells[0].starts_with("00") {
            assert_eq!(cells.len(), columns.len(), "{line}");
            rows.push(columns.iter().copied().zip(cells).collect());
        }
    }
    rows
}

/// The code spans of a text.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// `000-moves-01..04` as its group and the numbers from first to last.
fn numbers(id: &str) -> (&str, std::ops::RangeInclusive<usize>) {
    let (group, numbers) = id.rsplit_once('-').expect("a number behind a dash");
    let (first, last) = numbers.split_once("..").unwrap_or((numbers, numbers));
    let number = |text: &str| text.parse().expect("a number");
    (group, number(first)..=number(last))
}

/// Each group counts from 1 without gaps, and no id occurs twice.
#[test]
fn every_id_stands_once() {
    let text = document();
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for row in rows(&text) {
        let (group, numbers) = numbers(row["id"]);
        groups.entry(group).or_default().extend(numbers);
    }
    let mut all = 0;
    for (group, mut numbers) in groups {
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=numbers.len()).collect::<Vec<_>>(), "{group}");
        all += numbers.len();
    }
    assert!(all >= 318, "{all} ids");
}

#[test]
fn no_cell_is_empty() {
    for row in rows(&document()) {
        for (column, cell) in &row {
            assert!(!cell.is_empty(), "{}: '{column}' is empty", row["id"]);
        }
        assert!(row.contains_key("test") || row.contains_key("status"));
    }
}

/// A row with a shortfall uses one of the document's defined words, with a
/// reason; otherwise its outcome is one of the words for success or for a
/// comparison that the paper lacks.
#[test]
fn shortfalls_have_a_reason() {
    let text = document();
    let mut short = 0;
    for row in rows(&text) {
        let cell = row.get("status").or_else(|| row.get("part"));
        let cell = cell.expect("a part or a status");
        if let Some(rest) = cell.strip_prefix("**") {
            let (word, reason) = rest.split_once("**: ").expect("a reason");
            assert!(SHORTFALLS.contains(&word), "{}: {word}", row["id"]);
            assert!(!reason.is_empty(), "{}", row["id"]);
            short += 1;
        } else if let Some(status) = row.get("status") {
            let outcome = status.split(':').next().expect("a word");
            assert!(OUTCOMES.contains(&outcome), "{}: {status}", row["id"]);
        }
    }
    assert!(short > 0, "the papers are not reproduced in full");
    for word in SHORTFALLS {
        assert!(text.contains(&format!("| **{word}** |")), "{word}");
    }
}

/// Each row of parts names a test; all files and functions named exist.
#[test]
fn tests_exist() {
    let text = document();
    for row in rows(&text) {
        let Some(tests) = row.get("test") else {
            continue;
        };
        assert!(code(tests).all(|test| test.contains(".rs")), "{tests}");
        assert!(code(tests).next().is_some(), "{}: no test", row["id"]);
    }
    let mut named = 0;
    for test in code(&text).filter(|code| code.contains(".rs")) {
        let (file, function) = test.split_once("::").unwrap_or((test, ""));
        let source = std::fs::read_to_string(repository(file));
        let source = source.unwrap_or_else(|e| panic!("{file}: {e}"));
        assert!(source.contains(function), "no {function} in {file}");
        named += 1;
    }
    assert!(named > 200, "{named} tests are named");
}

/// The cell of a command contains a command or an agent of the program, or a
/// page of its server.
#[test]
fn commands_exist() {
    let text = document();
    let help = stdout(&["--help"]);
    let agents = stdout(&["agents"]);
    let known = |name: &str| {
        let starts = |line: &str| line.split_whitespace().next() == Some(name);
        help.lines().chain(agents.lines()).any(starts)
    };
    for row in rows(&text) {
        let Some(commands) = row.get("command") else {
            continue;
        };
        assert!(code(commands).next().is_some(), "{}", row["id"]);
        for command in code(commands) {
            let first = command.split([' ', ':']).next().expect("a word");
            let elsewhere = first == "cargo" || first.starts_with('/');
            assert!(elsewhere || known(first), "{}: {command}", row["id"]);
        }
    }
}

/// Ermlick's first results in small: greedy beats random nearly always, and its
/// conservative style most of the time.
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
