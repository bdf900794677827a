//! `foglight match` from a user's side: killed and resumed, rerun, through
//! pipes.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::Duration,
};

fn foglight() -> Command {
    Command::new(env!("CARGO_BIN_EXE_foglight"))
}

fn run(words: &[&str]) -> Output {
    foglight().args(words).output().expect("the program runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("foglight-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    dir
}

/// Arguments of a match of greedy and random players that takes a while.
fn words<'a>(rounds: &'a str, extra: &[&'a str]) -> Vec<&'a str> {
    let mut words = vec![
        "match",
        "-engine",
        "agent=greedy",
        "name=A",
        "-engine",
        "agent=random",
        "name=B",
        "-game",
        "fog",
        "-rounds",
        rounds,
        "-games",
        "2",
        "-repeat",
        "-srand",
        "11",
        "--json",
    ];
    words.extend(extra);
    words
}

/// The numbers of the games in a journal, in the order of the file.
fn numbers(path: &Path) -> Vec<u64> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let number = |line: &str| -> Option<u64> {
        serde_json::from_str::<serde_json::Value>(line).ok()?["number"].as_u64()
    };
    text.lines().filter_map(number).collect()
}

/// Killed at twenty moments and resumed each time: no finished game is lost or
/// played twice, and the statistics are those of an uninterrupted run.
#[test]
fn a_killed_match_goes_on() {
    let dir = folder("kill");
    let journal = dir.join("out.jsonl");
    let path = journal.to_str().expect("a path");
    let rounds = "8000";
    let whole = run(&words(rounds, &["-concurrency", "2"]));
    assert!(whole.status.success());
    let mut acknowledged: BTreeSet<u64> = BTreeSet::new();
    let mut killed = 0;
    for moment in 0..20 {
        let mut child = foglight()
            .args(words(rounds, &["-concurrency", "2", "-resume", path]))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(Duration::from_millis(3 + 7 * (moment * 13 % 20)));
        child.kill().expect("killed");
        killed += usize::from(child.wait().expect("it ends").code().is_none());
        let now: BTreeSet<u64> = numbers(&journal).into_iter().collect();
        assert!(acknowledged.is_subset(&now), "a game was lost");
        acknowledged = now;
    }
    assert!(
        killed > 5,
        "only {killed} were still running when they were killed"
    );
    let resumed = run(&words(rounds, &["-concurrency", "2", "-resume", path]));
    assert!(
        resumed.status.success(),
        "{}",
        String::from_utf8_lossy(&resumed.stderr)
    );
    assert_eq!(text(&resumed), text(&whole), "the same final statistics");
    let mut all = numbers(&journal);
    all.sort_unstable();
    assert_eq!(all, (1..=16_000).collect::<Vec<u64>>(), "every game once");
    std::fs::remove_dir_all(&dir).expect("removed");
}

#[test]
fn a_journal_is_not_overwritten_and_reruns() {
    let dir = folder("rerun");
    let journal = dir.join("out.jsonl");
    let out = format!("file={}", journal.display());
    let csv = dir.join("out.csv");
    let csvout = format!("file={}", csv.display());
    let pgn = dir.join("out.pgn");
    let pgnout = format!("file={}", pgn.display());
    let first = run(&words(
        "5",
        &["-jsonout", &out, "-csvout", &csvout, "-pgnout", &pgnout],
    ));
    assert!(
        first.status.success(),
        "{}",
        String::from_utf8_lossy(&first.stderr)
    );
    let again = run(&words("5", &["-jsonout", &out]));
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("-resume"));
    let path = journal.to_str().expect("a path");
    let rerun = run(&["match", "--rerun", path, "--json"]);
    assert_eq!(text(&rerun).trim(), r#"{"games":10,"same":10}"#);
    let csv = std::fs::read_to_string(&csv).expect("a CSV");
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("11"), "the seed comes first");
    assert_eq!(
        lines.next(),
        Some("id,score,player,color,result,estimate,rating,error,comment")
    );
    assert_eq!(lines.count(), 20, "two rows a game");
    let pgn = std::fs::read_to_string(&pgn).expect("a PGN");
    assert_eq!(pgn.matches("[Variant \"Fog of War\"]").count(), 10);
    std::fs::remove_dir_all(&dir).expect("removed");
}

/// The same games with figurines: the moves contain no piece letters, and
/// reading them back gives the same game. The CSV uses FIDE's K-factor.
#[test]
fn games_are_written_with_figurines_and_ratings_with_fides_factor() {
    let dir = folder("figurines");
    let path = |name: &str| dir.join(name);
    let out = |name: &str| format!("file={}", path(name).display());
    let (plain, figures) = (out("plain.pgn"), out("figures.pgn"));
    let (fixed, fide) = (out("fixed.csv"), out("fide.csv"));
    for (more, pgn, csv) in [
        (["-k", "40", "notation=san"], &plain, &fixed),
        (["-k", "fide", "notation=figurine"], &figures, &fide),
    ] {
        let [flag, k, notation] = more;
        let done = run(&words(
            "20",
            &[flag, k, "-csvout", csv, "-pgnout", pgn, notation],
        ));
        let told = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{told}");
    }
    let read = |name: &str| std::fs::read_to_string(path(name)).expect("a file");
    let moves = |text: &str| -> String {
        let lines = text.lines().filter(|line| !line.starts_with('['));
        lines.collect::<Vec<_>>().join("\n").replace("O-O", "")
    };
    let figures = read("figures.pgn");
    assert!(figures.contains('\u{2658}'));
    assert!(!moves(&figures).contains(['K', 'Q', 'R', 'B', 'N']));
    let games = |text: &str| -> Vec<_> {
        let games = foglight_rules::notation::pgn::read(text);
        let games = games.map(|game| game.expect("a game of ours").actions);
        games.collect()
    };
    assert_eq!(games(&figures), games(&read("plain.pgn")));
    // After thirty games FIDE's K is half as large: from then on the ratings differ.
    let (fixed, fide) = (read("fixed.csv"), read("fide.csv"));
    let same = fixed.lines().zip(fide.lines()).take_while(|(a, b)| a == b);
    assert_eq!(same.count(), 2 + 2 * 30);
    std::fs::remove_dir_all(&dir).expect("removed");
}

#[test]
fn copies_of_ourselves_play_the_same_games_through_pipes() {
    let dir = folder("pipes");
    let program = env!("CARGO_BIN_EXE_foglight");
    for (game, name) in [
        ("fog", "fog"),
        ("dice1", "dice1"),
        ("dice3", "dice3"),
        ("chess", "chess"),
    ] {
        let journals = ["inside", "outside"].map(|kind| dir.join(format!("{name}-{kind}.jsonl")));
        let outs = journals
            .clone()
            .map(|path| format!("file={}", path.display()));
        let common = [
            "-game",
            game,
            "-rounds",
            "2",
            "-srand",
            "3",
            "-quiet",
            "-maxmoves",
            "60",
        ];
        let inside = ["agent=greedy", "agent=random"].map(|agent| agent.to_owned());
        let outside = ["greedy", "random"].map(|agent| format!("args=uci --agent {agent}"));
        let mut words = vec![
            "match", "-engine", &inside[0], "name=A", "-engine", &inside[1], "name=B",
        ];
        words.extend(common);
        words.extend(["-jsonout", &outs[0]]);
        let done = run(&words);
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
        let cmd = format!("cmd={program}");
        let mut words = vec![
            "match",
            "-engine",
            &cmd,
            &outside[0],
            "name=A",
            "-engine",
            &cmd,
            &outside[1],
            "name=B",
        ];
        words.extend(common);
        words.extend(["-jsonout", &outs[1]]);
        let done = run(&words);
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
        let [inside, outside] = journals.map(|path| {
            let text = std::fs::read_to_string(path).expect("a journal");
            let actions = |line: &str| {
                let record: serde_json::Value = serde_json::from_str(line).expect("a record");
                (
                    record["actions"].clone(),
                    record["result"].clone(),
                    record["reason"].clone(),
                )
            };
            text.lines().map(actions).collect::<Vec<_>>()
        });
        assert_eq!(inside.len(), 4);
        assert_eq!(inside, outside, "{game}");
    }
    std::fs::remove_dir_all(&dir).expect("removed");
}

#[test]
fn an_engine_that_goes_away_stops_the_match_unless_it_recovers() {
    let words = |recover: bool| {
        let mut words = vec![
            "match",
            "-engine",
            "cmd=false",
            "name=Gone",
            "-engine",
            "agent=random",
            "-game",
            "fog",
            "-rounds",
            "1",
        ];
        if recover {
            words.push("-recover");
        }
        words
    };
    let stopped = run(&words(false));
    assert_eq!(stopped.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&stopped.stderr).contains("Gone disconnects"));
    let recovered = run(&words(true));
    assert_eq!(recovered.status.code(), Some(0));
    let told = text(&recovered);
    assert!(
        told.contains("Started game 1 of 2 (Gone vs random)"),
        "{told}"
    );
    assert!(
        told.contains("Finished game 1 (Gone vs random): 0-1 {White disconnects"),
        "{told}"
    );
}

#[test]
fn the_lines_that_others_read_are_there() {
    let told = text(&run(&[
        "match",
        "-engine",
        "agent=greedy",
        "name=A",
        "-engine",
        "agent=random",
        "name=B",
        "-game",
        "fog",
        "-rounds",
        "20",
        "-srand",
        "1",
        "-sprt",
        "elo0=0",
        "elo1=50",
    ]));
    for line in ["Elo: ", ", nElo: ", "LOS: ", "Ptnml(0-2): [", "LLR: "] {
        assert!(told.contains(line), "{line} is missing in\n{told}");
    }
    assert!(
        told.contains("{White captures the king}") || told.contains("{Black captures the king}")
    );
}
