//! Every write, sync and truncation of the server's storage and of a match's
//! journal is made to fail, one after another: nothing that was acknowledged is
//! lost, and the next start goes on.
//!
//! A library of ours that is loaded before the system's makes the calls fail.
//! `FOGLIGHT_FAULTS=1` fails every call; otherwise every seventh.

#![cfg(target_os = "linux")]

mod server;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};

use serde_json::Value;
use server::{Server, Table};

/// A power cut: what is not synced is lost.
const CUT: &str = "cut";

const KINDS: [&str; 6] = ["full", "error", "short", "crash-before", "crash-after", CUT];

/// Steps between the calls that fail.
fn stride() -> usize {
    if std::env::var_os("FOGLIGHT_FAULTS").is_some() {
        1
    } else {
        7
    }
}

/// The library, built once by the system's C compiler.
fn library() -> &'static Path {
    static BUILT: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = BUILT.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("faults.so");
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(&path)
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/faults.c"))
            .args(["-ldl", "-lpthread"])
            .status();
        assert!(built.expect("a C compiler").success());
        (folder, path)
    });
    path
}

/// A call that fails: which, and how. Number 0 is none.
#[derive(Clone, Copy)]
struct FailingCall {
    kind: &'static str,
    number: usize,
}

impl FailingCall {
    const NONE: FailingCall = FailingCall {
        kind: "full",
        number: 0,
    };

    /// The program in which the call on the files of a folder fails.
    fn program(self, folder: &Path) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_foglight"));
        program
            .env("LD_PRELOAD", library())
            .env("FAULT_FOLDER", folder)
            .env("FAULT_COUNT", folder.with_extension("count"))
            .env("FAULT_KIND", self.kind)
            .env("FAULT_NUMBER", self.number.to_string())
            .stderr(Stdio::null());
        program
    }
}

/// Number of calls that the last program made.
fn calls(folder: &Path) -> usize {
    let count = fs::metadata(folder.with_extension("count"));
    count.expect("the library counts").len() as usize
}

/// Runs `trial` without a fault, and then with every kind of fault at every
/// `stride`-th call. Each trial gets a folder of its own.
fn with_every_fault(trial: impl Fn(FailingCall, &Path)) {
    let parent = tempfile::tempdir().expect("a folder");
    let whole = parent.path().join("whole");
    trial(FailingCall::NONE, &whole);
    let last = calls(&whole);
    assert!(last > 10, "only {last} calls were seen");
    for kind in KINDS {
        // Each kind begins elsewhere, so that together they reach more calls.
        let first = 1 + KINDS.iter().position(|&k| k == kind).unwrap_or(0) % stride();
        for number in (first..=last).step_by(stride()) {
            let folder = parent.path().join(format!("{kind}-{number}"));
            trial(FailingCall { kind, number }, &folder);
            let _ = fs::remove_dir_all(&folder); // of a folder that was never made
        }
    }
}

/// A data folder whose log is about to be moved into the database, so that the
/// moves that follow cause that too.
fn nearly_full_log() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let log = folder.path().join("foglight.sqlite-wal");
    while fs::metadata(&log).expect("a log").len() < 4_060_000 {
        server
            .ask("POST", "/api/token", "", Value::Null)
            .expect("an answer");
    }
    server.kill();
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        if entry.path().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
        }
    }
}

/// Plays until a move is refused or the server is gone. The game, if its start
/// was acknowledged.
fn play(server: &Server) -> Option<Table> {
    let mut table = Table::try_by(server, "thesis")?;
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle().take(12) {
        if !matches!(table.play(server, text), Some((200, _))) {
            break;
        }
    }
    Some(table)
}

fn store_trial(before: Option<&Path>, fault: FailingCall, folder: &Path) {
    if let Some(before) = before {
        copy(before, folder);
    }
    let what = format!("{} at call {}", fault.kind, fault.number);
    let mut program = fault.program(folder);
    let table = Server::try_run(&mut program, folder).and_then(|server| {
        let table = play(&server);
        server.kill();
        table
    });
    let server = Server::start(folder);
    let Some(mut table) = table else { return };
    let (ply, _) = table.ply(&server);
    let known = table.acknowledged.len();
    assert!(
        ply == known || ply == known + 1,
        "{what}: {known} moves were acknowledged, {ply} are there"
    );
    table.acknowledged.resize(ply, String::new());
    let next = ["g1f3", "g8f6", "f3g1", "f6g8"][ply % 4];
    let played = table.play(&server, next).expect("an answer");
    assert_eq!(played.0, 200, "{what}: they play on: {}", played.1);
}

#[test]
fn no_fault_of_a_new_store_loses_a_move() {
    with_every_fault(|fault, folder| store_trial(None, fault, folder));
}

#[test]
fn no_fault_of_a_checkpoint_loses_a_move() {
    let before = nearly_full_log();
    with_every_fault(|fault, folder| store_trial(Some(before.path()), fault, folder));
}

const GAMES: usize = 12;

fn match_of(mut program: Command, folder: &Path, how: &str) -> Vec<u64> {
    let output = program
        .args(["match", "-engine", "agent=greedy", "name=Žofie"])
        .args(["-engine", "agent=random", "name=B", "-game", "fog"])
        .args([
            "-rounds", "6", "-games", "2", "-repeat", "-srand", "11", how,
        ])
        .arg(folder.join("games.jsonl"))
        .output()
        .expect("the program");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let finished = text.lines().filter_map(|line| {
        let rest = line.strip_prefix("Finished game ")?;
        rest.split(' ').next()?.parse().ok()
    });
    finished.collect()
}

/// The games of a journal by number.
fn journalled(folder: &Path) -> BTreeMap<u64, String> {
    let bytes = fs::read(folder.join("games.jsonl")).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let games = text.lines().filter_map(|line| {
        let game: Value = serde_json::from_str(line).ok()?;
        Some((game["number"].as_u64()?, line.to_owned()))
    });
    games.collect()
}

#[test]
fn no_fault_of_a_journal_loses_a_game() {
    with_every_fault(|fault, folder| {
        fs::create_dir_all(folder).expect("a folder");
        let what = format!("{} at call {}", fault.kind, fault.number);
        let told = match_of(fault.program(folder), folder, "-jsonout");
        let before = journalled(folder);
        // A power cut may cost the games of the last second, which are played again.
        for number in told.iter().filter(|_| fault.kind != CUT) {
            assert!(
                before.contains_key(number),
                "{what}: game {number} was told of"
            );
        }
        let plain = Command::new(env!("CARGO_BIN_EXE_foglight"));
        match_of(plain, folder, "-resume");
        let after = journalled(folder);
        assert_eq!(after.len(), GAMES, "{what}");
        for (number, line) in before {
            assert_eq!(
                after[&number], line,
                "{what}: game {number} was played again"
            );
        }
    });
}
