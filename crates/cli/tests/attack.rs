//! `foglight attack` from a user's side.

mod common;

use common::{refusal, repository, run, stdout};
use serde_json::Value;

fn plans(name: &str, text: &str) -> String {
    let file = format!("foglight-{name}-{}.txt", std::process::id());
    let path = std::env::temp_dir().join(file);
    std::fs::write(&path, text).expect("a file");
    path.display().to_string()
}

fn committed() -> String {
    repository("data/attack/plans.txt").display().to_string()
}

#[test]
fn the_known_plans_are_counted() {
    let file = committed();
    let words = ["attack", "--plans", &file, "--agent", "greedy"];
    let count = |more: &[&str]| -> Value {
        let words = [&words[..], &["--games", "2", "--json"], more].concat();
        serde_json::from_str(&stdout(&words)).expect("an object")
    };
    let full = count(&[]);
    let rows = full["rows"].as_array().expect("rows");
    let alone = rows.iter().filter(|row| row["plan"] == "");
    assert_eq!(alone.count(), 2, "each colour by itself");
    assert!(rows.len() > 10);
    for row in rows {
        let games = ["wins", "draws", "losses"].map(|key| row["wdl"][key].as_u64());
        assert_eq!(games.iter().flatten().sum::<u64>(), 2, "{row}");
    }
    let estimated = count(&["--estimate"]);
    for row in estimated["rows"].as_array().expect("rows") {
        let score = row["score"].as_f64().expect("an estimate");
        assert!((0.0..=1.0).contains(&score), "{row}");
    }
    let kings = count(&["--kings-only"]);
    let taken = |answer: &Value| -> Vec<Value> {
        let rows = answer["rows"].as_array().expect("rows").iter();
        let plans = rows.filter(|row| row["plan"] != "");
        plans.map(|row| row["kings"].clone()).collect()
    };
    assert_eq!(taken(&kings), taken(&full));
}

#[test]
fn what_is_no_plan_or_no_agent_is_refused() {
    let good = plans("good", "white ; startpos ; c2c4 d1a4 ; x\n");
    let step = plans("step", "# a note\nwhite ; startpos ; c2c4 d1z4 ; x\n");
    let empty = plans("empty", "# a note\n");
    let cases: [(&[&str], &str); 8] = [
        (&["--plans", &step, "--agent", "greedy"], "line 2: 'd1z4'"),
        (
            &["--plans", &empty, "--agent", "greedy"],
            "at least one plan",
        ),
        (
            &["--plans", "no/such/file", "--agent", "greedy"],
            "no/such/file",
        ),
        (
            &["--plans", &good, "--agent", "nobody"],
            "expected one of random",
        ),
        (
            &["--plans", &good, "--agent", "greedy:speed=1"],
            "no option",
        ),
        (&["--plans", &good], "--agent"),
        (
            &["--plans", &good, "--agent", "greedy", "--games", "0"],
            "1..",
        ),
        (
            &["--plans", &good, "--agent", "greedy", "--out", &good],
            "exists already",
        ),
    ];
    for (words, expected) in cases {
        let message = refusal(&run(&[&["attack"], words].concat()));
        assert!(message.contains(expected), "{words:?}: {message}");
    }
}

#[test]
fn an_engine_that_does_not_start_ends_the_attack() {
    let good = plans("gone", "white ; startpos ; c2c4 d1a4 ; x\n");
    let output = run(&["attack", "--plans", &good, "--cmd", "/no/such/engine"]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("/no/such/engine"), "{message}");
}

/// A search names what it asked, and appends what took a king.
#[test]
fn a_search_appends_the_plans_that_it_found() {
    let file = plans("found", "# found\n");
    let words = [
        "attack",
        "search",
        "--agent",
        "greedy",
        "--side",
        "white",
        "--depth",
        "3",
        "--games",
        "20",
        "--kings-only",
        "--variants",
        "40",
        "--json",
        "--append",
        &file,
    ];
    let answer: Value = serde_json::from_str(&stdout(&words)).expect("an object");
    assert!(answer["histories"].as_u64() > Some(20), "{answer}");
    assert!(answer["searches"].as_u64() >= answer["histories"].as_u64());
    let rows = answer["rows"].as_array().expect("rows");
    let took = rows.iter().filter(|row| row["kings"] != 0).count();
    assert!(took > 0, "greedy is beaten by plans of three moves");
    let lines = || {
        let text = std::fs::read_to_string(&file).expect("the file");
        text.lines().count()
    };
    assert_eq!(lines(), 1 + took);
    // What the file holds is not appended again.
    stdout(&words);
    assert_eq!(lines(), 1 + took);
    let again = [
        "attack",
        "--agent",
        "greedy",
        "--games",
        "4",
        "--kings-only",
        "--json",
    ];
    let again = stdout(&[&again[..], &["--plans", &file]].concat());
    let again: Value = serde_json::from_str(&again).expect("an object");
    assert_eq!(again["rows"].as_array().map(Vec::len), Some(took));
}

#[test]
fn a_search_needs_an_agent_with_fixed_answers() {
    let words = ["attack", "search", "--agent", "greedy", "--depth", "0"];
    assert!(refusal(&run(&words)).contains("1..=6"));
    let words = [
        "attack",
        "search",
        "--agent",
        "greedy",
        "--from",
        "no/such/file",
    ];
    assert!(refusal(&run(&words)).contains("no/such/file"));
}

#[test]
fn exploitability_is_told_for_boards() {
    let board = [
        "attack",
        "boards",
        "--fen",
        "kq2/4/4/2QK w - - 0 1",
        "--plies",
        "3",
    ];
    let words = [
        "--agent", "random", "--seeds", "1,2", "--fresh", "2", "--json",
    ];
    let answer = stdout(&[&board[..], &words].concat());
    let answer: Value = serde_json::from_str(&answer).expect("an object");
    let rows = answer["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 2);
    for row in rows {
        let figure = |key: &str| row[key].as_f64().expect("a figure");
        assert!(figure("upper") >= -figure("equilibrium_error"), "{row}");
        assert!(
            figure("lower") <= figure("upper") + 2.0 * figure("lower_error") + 1e-9,
            "{row}"
        );
    }
    let missing = ["attack", "boards", "--agent", "random", "--plies", "3"];
    assert!(refusal(&run(&missing)).contains("--fen"));
}

#[test]
fn traps_are_counted_in_journals() {
    let journal = std::env::temp_dir().join(format!("foglight-traps-{}.jsonl", std::process::id()));
    let _ = std::fs::remove_file(&journal);
    let file = journal.display().to_string();
    let name = format!("file={file}");
    stdout(&[
        "match",
        "-engine",
        "agent=greedy",
        "name=A",
        "-engine",
        "agent=random",
        "name=B",
        "-rounds",
        "3",
        "-srand",
        "5",
        "-quiet",
        "-jsonout",
        &name,
    ]);
    let answer = stdout(&["verify", "traps", &file, "--plies", "40", "--json"]);
    let answer: Value = serde_json::from_str(&answer).expect("an object");
    assert_eq!(answer["games"], 6);
    for player in ["A", "B"] {
        let all = &answer["players"][player]["all"];
        let count = |key: &str| all[key].as_u64().expect("a count");
        assert!(count("replies") > 40, "{all}");
        assert!(count("alike") >= count("replies"), "{all}");
        assert!(count("trapped") <= count("traps"), "{all}");
    }
    let random = &answer["players"]["B"]["all"];
    assert!(random["traps"].as_u64() > Some(0), "{random}");
    assert!(stdout(&["verify", "traps", &file]).contains("plies 0 to 9"));
    assert!(refusal(&run(&["verify", "traps", "no/such/file"])).contains("no/such/file"));
}

/// An external engine is told the horizon, and answers as the agent in it does.
#[test]
fn external_engines_are_measured_on_boards() {
    let board = ["--fen", "k3/r3/3R/3K w - - 0 1", "--plies", "4"];
    let words = ["--seeds", "2", "--fresh", "2", "--nodes", "300", "--json"];
    let figures = |engine: &[&str]| -> Value {
        let answer = stdout(&[&["attack", "boards"], engine, &board, &words].concat());
        serde_json::from_str(&answer).expect("an object")
    };
    let program = env!("CARGO_BIN_EXE_foglight");
    let line = format!("{program} uci --agent foglight:plies={{plies}}");
    assert_eq!(
        figures(&["--cmd", &line]),
        figures(&["--agent", "foglight"])
    );
}
