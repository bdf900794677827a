//! `docs/papers.md` is made from `data/papers/claims.tsv`, a line for each claim of
//! the papers, and the text around them, `data/papers/page.md`. The lines are
//! complete, state their shortfalls, and name only existing items.

mod common;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use common::{repository, stdout};

/// Whether a claim is reproduced: by itself, by a reading chosen to meet it, in
/// part, with another sign or size, without a run that could decide, or not at
/// all.
const WORDS: [&str; 6] = ["yes", "fitted", "partly", "no", "untested", "missing"];
/// Sources and the numbers of their claims.
const SOURCES: [(&str, &str); 5] = [
    ("000", "Mellemseter 2017"),
    ("001", "Ermlick 2023"),
    ("002", "Chakrian et al."),
    ("003", "Dukek et al. c. 2021"),
    ("004", "Gindi et al."),
];
/// The columns of a table after the claim; those without content are left out.
const COLUMNS: [&str; 5] = ["published", "here", "reproduced", "command", "test"];

fn file(name: &str) -> String {
    std::fs::read_to_string(repository(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn claims(text: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().expect("a header").split('\t').collect();
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            assert_eq!(cells.len(), columns.len(), "{line}");
            columns.iter().copied().zip(cells).collect()
        })
        .collect()
}

/// The page, with each `{{name}}` replaced by a table.
fn page(claims: &[BTreeMap<&str, &str>], text: &str) -> String {
    let mut page = String::new();
    for line in text.lines() {
        let name = line
            .strip_prefix("{{")
            .and_then(|line| line.strip_suffix("}}"));
        match name {
            Some("summary") => page.push_str(&summary(claims)),
            Some(name) => page.push_str(&table(claims, name)),
            None => {
                page.push_str(line);
                page.push('\n');
            }
        }
    }
    page
}

fn summary(claims: &[BTreeMap<&str, &str>]) -> String {
    let mut text = format!("| source | claims | {} |\n|---|---|", WORDS.join(" | "));
    text.push_str(&"---|".repeat(WORDS.len()));
    text.push('\n');
    for (source, name) in SOURCES.into_iter().chain([("", "all")]) {
        let own = || {
            claims
                .iter()
                .filter(|claim| claim["id"].starts_with(source))
        };
        let count = |word: &str| -> usize {
            let rows = own().filter(|claim| word.is_empty() || claim["reproduced"] == word);
            rows.map(|claim| numbers(claim["id"]).1.count()).sum()
        };
        let _ = write!(
            text,
            "| {} | {} |",
            format!("{source} {name}").trim(),
            count("")
        );
        for word in WORDS {
            let _ = write!(text, " {} |", count(word));
        }
        text.push('\n');
    }
    text
}

fn table(claims: &[BTreeMap<&str, &str>], name: &str) -> String {
    let rows: Vec<_> = claims
        .iter()
        .filter(|claim| claim["table"] == name)
        .collect();
    assert!(!rows.is_empty(), "no claim of table '{name}'");
    let filled = |column: &&str| rows.iter().any(|row| row[*column] != "-");
    let columns: Vec<&str> = COLUMNS.into_iter().filter(filled).collect();
    let mut text = format!("| id | claim | {} |\n", columns.join(" | "));
    text.push_str(&format!("|{}\n", "---|".repeat(columns.len() + 2)));
    for row in rows {
        let cells = columns.iter().map(|column| match *column {
            "reproduced" => reproduced(row),
            column => row[column].to_owned(),
        });
        let cells: Vec<String> = cells.collect();
        let _ = writeln!(
            text,
            "| {} | {} | {} |",
            row["id"],
            row["claim"],
            cells.join(" | ")
        );
    }
    text
}

fn reproduced(row: &BTreeMap<&str, &str>) -> String {
    let word = match row["reproduced"] {
        "yes" => "yes".to_owned(),
        word => format!("**{word}**"),
    };
    match row["note"] {
        "-" => word,
        note => format!("{word}: {note}"),
    }
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

/// The document is what the claims and the text make. `FOGLIGHT_WRITE=1` writes it.
#[test]
fn the_document_is_made_from_the_claims() {
    let text = file("data/papers/claims.tsv");
    let made = page(&claims(&text), &file("data/papers/page.md"));
    if std::env::var_os("FOGLIGHT_WRITE").is_some() {
        std::fs::write(repository("docs/papers.md"), &made).expect("a file to write");
    }
    assert!(
        file("docs/papers.md") == made,
        "docs/papers.md is stale: FOGLIGHT_WRITE=1 cargo test -p foglight-cli --test papers"
    );
}

/// Each group counts from 1 without gaps, and no id occurs twice.
#[test]
fn every_id_stands_once() {
    let text = file("data/papers/claims.tsv");
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for row in claims(&text) {
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

/// A claim that is not reproduced has its reason, in its note or, where a part is
/// described, in the description. One that is reproduced names the test that
/// guards it.
#[test]
fn shortfalls_have_a_reason_and_successes_a_test() {
    let text = file("data/papers/claims.tsv");
    let mut words = BTreeSet::new();
    for row in claims(&text) {
        let (id, word) = (row["id"], row["reproduced"]);
        assert!(WORDS.contains(&word), "{id}: {word}");
        assert!(
            row.values().all(|cell| !cell.is_empty()),
            "{id}: an empty cell"
        );
        let part = row["table"].ends_with("parts");
        match word {
            "yes" | "fitted" => assert!(row["test"] != "-", "{id}: no test"),
            _ => assert!(part || row["note"] != "-", "{id}: no reason"),
        }
        words.insert(word);
    }
    let page = file("docs/papers.md");
    for word in words {
        assert!(
            page.contains(&format!("| {word} |")),
            "{word} is not explained"
        );
    }
}

/// Every test that is named exists, as a file and a function in it.
#[test]
fn tests_exist() {
    let (claims, text) = (file("data/papers/claims.tsv"), file("data/papers/page.md"));
    let mut named = 0;
    let spans = claims.lines().chain(text.lines()).flat_map(code);
    for test in spans.filter(|code| code.contains(".rs")) {
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
    let text = file("data/papers/claims.tsv");
    let help = stdout(&["--help"]);
    let agents = stdout(&["agents"]);
    let known = |name: &str| {
        let starts = |line: &str| line.split_whitespace().next() == Some(name);
        help.lines().chain(agents.lines()).any(starts)
    };
    for row in claims(&text) {
        let commands = row["command"];
        assert!(
            commands == "-" || code(commands).next().is_some(),
            "{}",
            row["id"]
        );
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
