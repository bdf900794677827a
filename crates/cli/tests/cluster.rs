//! Matches on a cluster with a real NATS server: the same games as in one
//! process, whatever is killed, cut or deleted.

mod common;
mod nats;

use std::{
    collections::BTreeMap,
    path::Path,
    process::{Output, Stdio},
    sync::{PoisonError, RwLock},
    thread,
    time::{Duration, Instant},
};

use common::{command, refusal, run};
use nats::{Process, Proxy, Server, is_installed};
use serde_json::Value;

/// A match with a node budget, which repeats exactly.
fn words<'a>(rounds: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut words = "match -engine agent=foglight:nodes=400 name=A -engine agent=greedy name=B \
        -each nodes=400 -game fog -srand 11 -maxmoves 60 --json -rounds"
        .split_whitespace()
        .collect::<Vec<_>>();
    words.push(rounds);
    words.extend(more);
    words
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn succeeded(output: &Output) -> String {
    assert!(output.status.success(), "{}", told(output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The games of a journal by number, without measured times. A game that is there
/// twice is an error.
fn games(path: &str) -> BTreeMap<u64, Value> {
    let text = std::fs::read_to_string(path).expect("a journal");
    let mut games = BTreeMap::new();
    for line in text.lines() {
        let mut game: Value = serde_json::from_str(line).expect("a record");
        game.as_object_mut().expect("an object").remove("clocks");
        for report in game["telemetry"].as_array_mut().expect("reports") {
            if let Some(metrics) = report["metrics"].as_object_mut() {
                let timed = |name: &str| name.ends_with("_ms") || name.ends_with("_per_second");
                metrics.retain(|name, _| !timed(name));
            }
        }
        let number = game["number"].as_u64().expect("a number");
        assert!(games.insert(number, game).is_none(), "game {number} twice");
    }
    games
}

/// Waits until a journal has so many lines.
fn wait_for(path: &str, lines: usize, process: &mut Process) {
    let start = Instant::now();
    let written = || std::fs::read_to_string(path).map_or(0, |text| text.lines().count());
    while written() < lines {
        assert!(process.0.try_wait().expect("a state").is_none(), "it ended");
        assert!(start.elapsed() < Duration::from_secs(120), "no progress");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_cluster_plays_the_games_of_one_process() {
    if !is_installed() {
        return;
    }
    let _turn = ALONE.read().unwrap_or_else(PoisonError::into_inner);
    let server = Server::start("same");
    let (alone, cluster) = (server.path("alone.jsonl"), server.path("cluster.jsonl"));
    let expected = succeeded(&run(&words(
        "20",
        &["-concurrency", "2", "-jsonout", &alone],
    )));
    let url = server.url();
    let _workers = ["a", "b"].map(|name| Process::worker(&url, name, &[]));
    let more = [
        "-cluster",
        &url,
        "-unit-seconds",
        "1",
        "-audit",
        "20%",
        "-jsonout",
        &cluster,
    ];
    assert_eq!(succeeded(&run(&words("20", &more))), expected);
    assert_eq!(games(&cluster), games(&alone));
    // A test that ends early says the same of the same pairs.
    let sprt = ["-sprt", "elo0=0", "elo1=300", "model=logistic"];
    let (ended, other) = (server.path("sprt.jsonl"), server.path("sprt2.jsonl"));
    let local = [&sprt[..], &["-concurrency", "2", "-jsonout", &ended]].concat();
    let expected: Value =
        serde_json::from_str(&succeeded(&run(&words("200", &local)))).expect("an object");
    let more = [
        &sprt[..],
        &["-cluster", &url, "-unit-seconds", "1", "-jsonout", &other],
    ]
    .concat();
    let found: Value =
        serde_json::from_str(&succeeded(&run(&words("200", &more)))).expect("an object");
    assert!(expected["summary"]["test"].is_object(), "{expected}");
    for key in ["summary", "score", "ptnml"] {
        assert_eq!(found[key], expected[key], "{key}");
    }
    assert!(games(&other).len() < 400, "the rest was stopped");
}

/// The processes of a match that is disturbed.
struct Disturbed {
    server: Server,
    proxy: Proxy,
    workers: Vec<Process>,
    caller: Process,
    journal: String,
    rounds: String,
}

impl Disturbed {
    fn caller(proxy: &Proxy, journal: &str, rounds: &str) -> Process {
        let url = proxy.url();
        let more = ["-cluster", &url, "-unit-seconds", "1", "-resume", journal];
        Process::start(&words(rounds, &more))
    }

    fn start(rounds: &str) -> Disturbed {
        let server = Server::start("disturbed");
        let proxy = Proxy::start(server.port);
        let journal = server.path("cluster.jsonl");
        let mut disturbed = Disturbed {
            caller: Disturbed::caller(&proxy, &journal, rounds),
            workers: Vec::new(),
            server,
            proxy,
            journal,
            rounds: rounds.to_owned(),
        };
        disturbed.workers = (0..3).map(|i| disturbed.worker(i)).collect();
        disturbed
    }

    /// A worker on the server itself, or behind the connection that is cut.
    fn worker(&self, i: usize) -> Process {
        let url = match i {
            0 => self.proxy.url(),
            _ => self.server.url(),
        };
        // Killed from outside, so two names are enough to lose a unit often.
        Process::worker(&url, ["a", "b", "b"][i], &[])
    }

    fn kill_worker(&mut self, i: usize) {
        self.workers[i].kill();
        self.workers[i] = self.worker(i);
    }

    fn kill_caller(&mut self) {
        self.caller.kill();
        self.caller = Disturbed::caller(&self.proxy, &self.journal, &self.rounds);
    }

    /// Waits about a second, or less where the match would end before its last blow.
    fn go_on(&self, blow: usize, planned: usize) {
        let start = Instant::now();
        let due = planned * blow / 40;
        while start.elapsed() < Duration::from_millis(1100) && self.played() < due {
            thread::sleep(Duration::from_millis(50));
        }
    }

    fn played(&self) -> usize {
        let text = std::fs::read_to_string(&self.journal).unwrap_or_default();
        text.lines().count()
    }

    fn is_over(&mut self) -> bool {
        self.caller.0.try_wait().expect("a state").is_some()
    }
}

/// Rounds that take one process on two threads so many seconds here: the match
/// outlasts its disturbances, which cut it off for a part of the time.
fn rounds_of(seconds: f64) -> String {
    let start = Instant::now();
    succeeded(&run(&words("20", &["-concurrency", "2"])));
    let rounds = 20.0 * seconds / start.elapsed().as_secs_f64();
    (rounds as u64).max(100).to_string()
}

/// The disturbed match is sized by the speed measured here, and so runs alone.
static ALONE: RwLock<()> = RwLock::new(());

/// Workers killed 30 times, the caller 5 times, the server restarted, the stream
/// deleted, the connection of the caller and a worker cut for ten seconds.
#[test]
fn no_game_is_lost_doubled_or_altered() {
    if !is_installed() {
        return;
    }
    let _turn = ALONE.write().unwrap_or_else(PoisonError::into_inner);
    let rounds = rounds_of(45.0);
    let planned = 2 * rounds.parse::<usize>().expect("a number");
    let mut match_ = Disturbed::start(&rounds);
    let journal = match_.journal.clone();
    wait_for(&journal, 4, &mut match_.caller);
    let mut acknowledged = 0;
    for blow in 0..30 {
        match_.go_on(blow + 1, planned);
        match_.kill_worker(blow % 3);
        match blow {
            2 | 8 | 13 | 26 | 28 => match_.kill_caller(),
            5 => match_.server.delete_stream(),
            11 => match_.server.restart(),
            15 => match_.proxy.cut(true),
            25 => match_.proxy.cut(false),
            _ => {}
        }
        assert!(!match_.is_over(), "it ended before blow {blow}");
        let played = match_.played();
        assert!(acknowledged <= played, "a game was lost");
        acknowledged = played;
    }
    let start = Instant::now();
    while !match_.is_over() {
        assert!(
            start.elapsed() < Duration::from_secs(150),
            "no end after {} games",
            match_.played()
        );
        thread::sleep(Duration::from_millis(100));
    }
    assert!(match_.caller.0.wait().expect("a state").success());
    let alone = match_.server.path("alone.jsonl");
    succeeded(&run(&words(
        &rounds,
        &["-concurrency", "2", "-jsonout", &alone],
    )));
    assert_eq!(games(&journal), games(&alone));
    assert_eq!(games(&journal).len(), planned);
}

/// A worker of another build is refused by name, and the match waits for one
/// that fits.
#[test]
fn a_worker_of_another_build_is_refused_by_name() {
    if !is_installed() {
        return;
    }
    let _turn = ALONE.read().unwrap_or_else(PoisonError::into_inner);
    let server = Server::start("build");
    let url = server.url();
    let mut caller = command(&words("2", &["-cluster", &url]))
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let status = |signature: &str, version: &str| {
        format!(
            "{{\"worker\":\"stranger-1\",\"version\":\"{version}\",\"signature\":\"{signature}\",\
             \"speed\":1,\"slots\":1,\"units\":[],\"done\":0,\"failures\":0}}"
        )
    };
    let version = env!("CARGO_PKG_VERSION");
    for _ in 0..50 {
        server.publish("foglight.worker.stranger-1.status", &status("17", version));
        thread::sleep(Duration::from_millis(200));
    }
    let _worker = Process::worker(&url, "fits", &[]);
    let output = {
        let start = Instant::now();
        while caller.try_wait().expect("a state").is_none() {
            assert!(start.elapsed() < Duration::from_secs(60), "no end");
            thread::sleep(Duration::from_millis(50));
        }
        caller.wait_with_output().expect("it ended")
    };
    succeeded(&output);
    let told = told(&output);
    let line = "worker stranger-1 is refused: bench signature 17; expected ";
    assert_eq!(told.matches(line).count(), 1, "{told}");
}

/// External engines run where their program is allowed.
#[test]
fn outside_engines_run_where_they_are_allowed() {
    if !is_installed() {
        return;
    }
    let _turn = ALONE.read().unwrap_or_else(PoisonError::into_inner);
    let server = Server::start("engines");
    let url = server.url();
    let program = env!("CARGO_BIN_EXE_foglight");
    let engine = format!("cmd={program}");
    let journal = server.path("out.jsonl");
    let match_ = [
        "match",
        "-engine",
        &engine,
        "args=uci --agent greedy",
        "name=Out",
        "-engine",
        "agent=random",
        "name=In",
        "-game",
        "fog",
        "-rounds",
        "1",
        "-srand",
        "3",
        "-cluster",
        &url,
        "-resume",
        &journal,
    ];
    let caller = command(&match_).spawn().expect("the program starts");
    let _refusing = Process::worker(&url, "refusing", &[]);
    thread::sleep(Duration::from_secs(8));
    let _allowing = Process::worker(&url, "allowing", &["-allow", program]);
    let output = caller.wait_with_output().expect("it ends");
    succeeded(&output);
    let told = told(&output);
    assert!(told.contains("worker refusing-"), "{told}");
    assert!(told.contains("is not allowed here"), "{told}");
    assert_eq!(games(&journal).len(), 2);
}

#[test]
fn servers_that_do_not_serve_give_one_line() {
    if !is_installed() {
        return;
    }
    let _turn = ALONE.read().unwrap_or_else(PoisonError::into_inner);
    let line = |output: &Output, code: i32, expected: &str| {
        let told = told(output);
        assert_eq!(output.status.code(), Some(code), "{told}");
        assert!(told.contains(expected), "{told}");
        assert_eq!(told.trim().lines().count(), 1, "{told}");
        assert!(!told.contains("secret"), "{told}");
    };
    let journal = std::env::temp_dir().join(format!("foglight-none-{}", std::process::id()));
    let out = journal.to_str().expect("a path").to_owned();
    let play = |url: &str| run(&words("2", &["-cluster", url, "-jsonout", &out]));
    for url in ["http://127.0.0.1:1", "nats://me:secret@:", "nats://"] {
        let message = refusal(&play(url));
        assert!(message.contains("nats://127.0.0.1:4222"), "{message}");
        assert!(!message.contains("secret"), "{message}");
    }
    line(&play("nats://127.0.0.1:1"), 1, "expected a NATS server");
    line(
        &run(&["worker", "nats://127.0.0.1:1"]),
        1,
        "expected a NATS server",
    );
    line(
        &run(&["cluster", "nats://127.0.0.1:1"]),
        1,
        "expected a NATS server",
    );
    let plain = Server::with("plain", "");
    line(&play(&plain.url()), 1, "JetStream is not enabled");
    let closed = Server::with(
        "closed",
        "jetstream { store_dir: \"DIR\" }\nauthorization { user: me, password: right }",
    );
    line(&play(&closed.url()), 2, "refuses the credentials");
    let wrong = format!("nats://me:secret@127.0.0.1:{}", closed.port);
    line(&play(&wrong), 2, "refuses the credentials");
    let full = Server::with(
        "full",
        "jetstream { store_dir: \"DIR\", max_file_store: 200 }",
    );
    line(&play(&full.url()), 1, "its store is full");
    assert!(!Path::new(&out).exists() || games(&out).is_empty());
    // What the server cannot keep is no loss: the match is played elsewhere.
    let resumed = run(&words("2", &["-resume", &out]));
    succeeded(&resumed);
    assert_eq!(games(&out).len(), 4);
    std::fs::remove_file(&journal).expect("removed");
}

#[test]
fn people_see_workers_and_matches() {
    if !is_installed() {
        return;
    }
    let _turn = ALONE.read().unwrap_or_else(PoisonError::into_inner);
    let server = Server::start("view");
    let url = server.url();
    let _worker = Process::worker(&url, "seen", &["-concurrency", "2"]);
    let _caller = Process::start(&words("100000", &["-cluster", &url, "-unit-seconds", "1"]));
    let start = Instant::now();
    loop {
        let shown = succeeded(&run(&["cluster", &url, "--once"]));
        let all = [
            "seen ",
            "1 workers, 2 of 2 slots busy",
            "A vs B of fog",
            "Elo:",
            "1 running",
        ];
        if all.iter().all(|part| shown.contains(part)) {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{shown}");
    }
    let json = succeeded(&run(&["cluster", &url, "--once", "--json"]));
    let snapshot: Value = serde_json::from_str(&json).expect("an object");
    assert_eq!(snapshot["workers"][0]["slots"], 2);
    assert!(snapshot["jobs"][0]["done"].as_u64() > Some(0));
}
