//! The merged shards of a match equal the match: its journal and its
//! statistics.

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
};

use common::{refusal, repository, run, stdout};

/// A folder for one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let dir =
            std::env::temp_dir().join(format!("foglight-merge-{name}-{}", std::process::id()));
        fs::create_dir_all(&dir).expect("a folder");
        Folder(dir)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a path").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const TWO: &str = "-engine agent=greedy name=A -engine agent=random name=B";
const THREE: &str = "-engine agent=greedy name=A -engine agent=random name=B \
                     -engine agent=greedy:style=conservative name=C";

fn play(words: &str, more: &[&str]) -> String {
    let mut all = vec!["match"];
    all.extend(words.split_whitespace());
    all.extend(more);
    stdout(&all)
}

fn merge(files: &[String], more: &[&str]) -> String {
    let mut all = vec!["merge"];
    all.extend(files.iter().map(String::as_str));
    all.extend(more);
    stdout(&all)
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).expect("a file")
}

/// Plays a match in `of` shards and returns the names of their journals.
fn shards(folder: &Folder, words: &str, of: usize) -> Vec<String> {
    let shard = |part: usize| {
        let path = folder.path(&format!("{part}-of-{of}.jsonl"));
        let (shard, out) = (format!("{part}/{of}"), format!("file={path}"));
        let threads = (1 + part % 2).to_string();
        let more = ["-shard", &shard, "-jsonout", &out, "-concurrency", &threads];
        play(words, &[&more[..], &["-quiet"]].concat());
        path
    };
    (1..=of).map(shard).collect()
}

/// One run and the merged shards give the same journal, report and JSON object.
fn assert_whole(name: &str, words: &str) {
    let folder = Folder::new(name);
    let whole = folder.path("whole.jsonl");
    let out = format!("file={whole}");
    let report = play(words, &["-quiet", "-jsonout", &out]);
    let object = play(words, &["--json"]);
    for of in [2, 3] {
        let parts = shards(&folder, words, of);
        let mut sizes: Vec<usize> = parts
            .iter()
            .map(|path| read(path).lines().count())
            .collect();
        assert_eq!(sizes.iter().sum::<usize>(), read(&whole).lines().count());
        sizes.sort_unstable();
        assert!(sizes[0] > 0 && sizes[of - 1] - sizes[0] <= 2, "{sizes:?}");
        let merged = folder.path(&format!("merged-{of}.jsonl"));
        let told = merge(&parts, &["--out", &merged]);
        assert_eq!(told, report, "{words}");
        assert_eq!(merge(&parts, &["--json"]), object, "{words}");
        assert_eq!(read(&merged), read(&whole), "{words}");
        // Neither the order of the files nor a duplicate file matters.
        let backwards: Vec<String> = parts.iter().rev().chain(&parts).cloned().collect();
        assert_eq!(merge(&backwards, &[]), report, "{words}");
        assert_eq!(merge(&[merged], &[]), report, "{words}");
    }
}

#[test]
fn two_players_in_fog_are_the_match() {
    assert_whole("two", &format!("{TWO} -game fog -rounds 7 -srand 5"));
}

#[test]
fn a_book_and_single_games_are_the_match() {
    let book = repository("data/epd/wacnew.epd");
    let book = format!("-openings file={} order=random", book.display());
    assert_whole(
        "book",
        &format!("{TWO} -game chess -maxmoves 20 -rounds 7 -games 1 {book}"),
    );
    assert_whole(
        "pairs",
        &format!("{TWO} -game chess -maxmoves 20 -rounds 7 -norepeat {book}"),
    );
    // Telemetry is preserved to the last digit.
    let thinking = TWO.replace("agent=greedy", "agent=classic:nodes=200");
    assert_whole(
        "thoughts",
        &format!("{thinking} -game chess -maxmoves 15 -rounds 3 {book}"),
    );
}

#[test]
fn three_players_in_fog_and_with_dice_are_the_match() {
    for game in ["fog", "dice1", "dice3"] {
        let words = format!("{THREE} -game {game} -rounds 3 -srand 9 -maxmoves 60");
        assert_whole(&format!("robin-{game}"), &words);
    }
    assert_whole(
        "gauntlet",
        &format!("{THREE} -game dice1 -rounds 3 -tournament gauntlet"),
    );
}

/// A shard killed in the middle of a line resumes as a shard.
#[test]
fn a_cut_shard_resumes() {
    let folder = Folder::new("cut");
    let words = format!("{THREE} -game fog -rounds 4 -srand 3");
    let whole = format!("file={}", folder.path("whole.jsonl"));
    let report = play(&words, &["-quiet", "-jsonout", &whole]);
    let parts = shards(&folder, &words, 2);
    let text = read(&parts[1]);
    let third = text.match_indices('\n').nth(2).expect("three games").0;
    fs::write(&parts[1], &text[..third + 100]).expect("written");
    let told = merge(&parts, &[]);
    assert!(told.starts_with("Missing: 9 of 24 games: "), "{told}");
    play(&words, &["-quiet", "-shard", "2/2", "-resume", &parts[1]]);
    assert_eq!(read(&parts[1]).lines().count(), 12);
    assert_eq!(merge(&parts, &[]), report);
    let other = run(&[
        &["match"],
        &words.split_whitespace().collect::<Vec<_>>()[..],
        &["-shard", "1/2", "-resume", &parts[1]],
    ]
    .concat());
    assert!(refusal(&other).contains("of another shard"));
}

/// Missing games are listed, and can be played from the merged journal.
#[test]
fn an_unfinished_merge_resumes() {
    let folder = Folder::new("missing");
    let words = format!("{TWO} -game fog -rounds 9 -srand 3");
    let parts = shards(&folder, &words, 3);
    let merged = folder.path("merged.jsonl");
    let some = [parts[2].clone(), parts[0].clone()];
    let told = merge(&some, &["--out", &merged]);
    assert!(
        told.starts_with("Missing: 6 of 18 games: 3-4, 9-10, 15-16\n"),
        "{told}"
    );
    let object: serde_json::Value = serde_json::from_str(&merge(&some, &["--json"])).expect("JSON");
    assert_eq!(object["games"], 12);
    assert_eq!(
        object["missing"],
        serde_json::json!([[3, 4], [9, 10], [15, 16]])
    );
    let report = play(&words, &["-quiet"]);
    assert_eq!(play(&words, &["-quiet", "-resume", &merged]), report);
    assert_eq!(merge(std::slice::from_ref(&merged), &[]), report);
    // An extended match has one plan: the longer one.
    let longer = words.replace("-rounds 9", "-rounds 10");
    let report = play(&longer, &["-quiet", "-resume", &merged]);
    assert_eq!(merge(std::slice::from_ref(&merged), &[]), report);
    let page = folder.path("report.html");
    stdout(&["report", &merged, "--out", &page]);
    assert!(read(&page).contains("20"));
    stdout(&["stats", &merged]);
}

/// The test of the merged match equals that of one run: same pair, same result.
#[test]
fn a_test_of_the_whole_ends_where_one_run_would() {
    let folder = Folder::new("sprt");
    let words = format!("{TWO} -game fog -rounds 30 -srand 8");
    let parts = shards(&folder, &words, 2);
    for (elos, ended) in [
        (["elo0=0", "elo1=200"], true),
        (["elo0=-1500", "elo1=-500"], true),
        (["elo0=900", "elo1=901"], false),
    ] {
        let report = play(&words, &[&["-quiet", "-sprt"], &elos[..]].concat());
        let told = merge(&parts, &[&["--sprt"], &elos[..]].concat());
        assert_eq!(told, report);
        assert_eq!(told.contains("was accepted"), ended, "{told}");
    }
    let three = shards(&folder, &format!("{THREE} -game fog -rounds 1"), 1);
    let refused = refusal(&run(&["merge", &three[0], "--sprt", "elo0=0", "elo1=5"]));
    assert!(refused.contains("two engines"), "{refused}");
    let refused = refusal(&run(&["merge", &three[0], "--sprt", "elo0=5", "elo1=0"]));
    assert!(refused.contains("elo0 < elo1"), "{refused}");
}

#[test]
fn journals_that_are_not_of_one_match_are_refused() {
    let folder = Folder::new("refused");
    let words = format!("{TWO} -game fog -rounds 2 -srand 3");
    let parts = shards(&folder, &words, 2);
    let refused = |files: &[&str], expected: &str| {
        let message = refusal(&run(&[&["merge"], files].concat()));
        assert!(message.contains(expected), "{expected}: {message}");
    };
    for (change, expected) in [
        (("-srand 3", "-srand 4"), "another seed"),
        (("name=B", "name=C"), "other players"),
        (("-rounds 2", "-rounds 3"), "another number of rounds"),
        (("agent=random", "agent=greedy"), "other agents, limits"),
        (
            ("-game fog", "-game fog -maxmoves 9"),
            "other agents, limits",
        ),
        (
            ("-game fog", "-game fog -rules thesis"),
            "other agents, limits",
        ),
        (("-game fog", "-game fog -games 1"), "other games a pair"),
        (
            ("-game fog", "-game fog -tournament gauntlet"),
            "another kind",
        ),
    ] {
        let other = Folder::new("other");
        let path = shards(&other, &words.replace(change.0, change.1), 2).remove(1);
        refused(&[&parts[0], &path], expected);
    }
    let changed = |name: &str, from: &str, to: &str| {
        let path = folder.path(name);
        let text = read(&parts[0]);
        assert!(text.contains(from), "{text}");
        fs::write(&path, text.replacen(from, to, 1)).expect("written");
        path
    };
    let (result, other) = match read(&parts[0]).contains("\"1-0\"") {
        true => ("\"1-0\"", "\"0-1\""),
        false => ("\"0-1\"", "\"1-0\""),
    };
    let differs = changed("differs.jsonl", result, other);
    refused(&[&parts[0], &parts[1], &differs], "by its moves");
    refused(
        &[&changed("number.jsonl", "\"number\":1,", "\"number\":77,")],
        "no such number",
    );
    refused(
        &[&changed("moved.jsonl", "\"number\":1,", "\"number\":3,")],
        "not the one of its plan",
    );
    refused(
        &[&changed("plain.jsonl", "\"plan\"", "\"note\"")],
        "does not tell the plan",
    );
    refused(&[&changed("broken.jsonl", "{", "")], "line 1");
    let slower = changed("slower.jsonl", "\"clocks\":[]", "\"clocks\":[5]");
    let both = merge(&[parts[0].clone(), slower], &[]);
    assert_eq!(both, merge(&parts[..1], &[]), "times may differ");
    let empty = folder.path("empty.jsonl");
    fs::write(&empty, "").expect("written");
    refused(&[&empty], "no finished game");
    refused(&[&folder.path("nowhere.jsonl")], "nowhere.jsonl");
    refused(&[&parts[0], "--out", &parts[1]], "expected a new file");
    assert!(run(&["merge", &empty, &parts[0]]).status.success());
    refusal(&run(&["merge"]));
}
