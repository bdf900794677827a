//! Work of all commands on a cluster with a real NATS server, what workers may
//! and may not do, and how people connect.

mod common;
mod nats;

use std::{
    io::{BufRead as _, BufReader},
    process::{Output, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use common::{command, repository, run, stdout};
use foglight_arena::{
    queue::RemoteJob,
    remote::RemoteEntrant,
    tournament::{MatchEntrant, Tournament},
};
use foglight_cluster::{FullTask, Identity, OpenJob, ServeOptions, serve};
use foglight_engine::registry;
use foglight_play::{InProcess, Limits, Player, Providers};
use foglight_rules::Game;
use nats::{Process, Server, is_installed};
use serde_json::Value;

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn text_of(path: &str) -> String {
    std::fs::read_to_string(path).expect("a file")
}

/// What a command prints, without measured times.
fn printed(words: &[&str], more: &[&str]) -> String {
    let words = [words, more].concat();
    let output = run(&words);
    assert!(output.status.success(), "{words:?}: {}", told(&output));
    let text = String::from_utf8(output.stdout).expect("text");
    match serde_json::from_str::<Value>(&text) {
        Ok(mut rows) if rows.is_array() => {
            for row in rows.as_array_mut().expect("rows") {
                let row = row.as_object_mut().expect("a row");
                row.retain(|name, _| !name.ends_with("update_ms"));
            }
            rows.to_string()
        }
        _ => text,
    }
}

/// The same output, whoever did the work.
#[test]
fn commands_print_the_same_with_and_without_a_cluster() {
    if !is_installed() {
        return;
    }
    let server = Server::start("commands");
    let url = server.url();
    let _workers = ["a", "b"].map(|name| Process::worker(&url, name, &[]));
    let journal = server.path("games.jsonl");
    let play = "match -engine agent=greedy name=A -engine agent=random name=B -game fog \
        -rounds 2 -srand 3 -maxmoves 12 --json -jsonout";
    let mut words: Vec<&str> = play.split_whitespace().collect();
    words.push(&journal);
    stdout(&words);
    let oracles = repository("data/oracles");
    let belief = format!(
        "verify belief --games 3 --agents greedy --max-positions 300 --sample 20 \
         --stride 300 --oracles {} --json",
        oracles.display()
    );
    let retention = format!(
        "verify retention {journal} --max-positions 40 400 --keep even weighted backlog --json"
    );
    let plans = server.path("plans.txt");
    std::fs::write(&plans, "white ; startpos ; c2c4 d1a4 a4e8 ; a test\n").expect("written");
    let attack = format!("attack --plans {plans} --agent greedy --games 3 --max-moves 20 --json");
    let more = ["--cluster", &url, "--unit-seconds", "1", "--audit", "30%"];
    for line in [
        belief.as_str(),
        &retention,
        "verify review --game fog --games 1 --maxmoves 3 --agents greedy --json",
        "experiment dmu --only KQkb --games 3",
        &attack,
        "attack search --agent greedy --depth 1 --seeds 2 --variants 6 --keep 2 --games 2 \
         --max-moves 9 --json",
    ] {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(printed(&words, &more), printed(&words, &[]), "{line}");
    }
}

/// Training data are the same bytes, and a file goes on where it ended.
#[test]
fn training_data_are_the_same_with_and_without_a_cluster() {
    if !is_installed() {
        return;
    }
    let server = Server::start("data");
    let url = server.url();
    let _workers = ["a", "b"].map(|name| Process::worker(&url, name, &[]));
    let (alone, cluster) = (server.path("alone.bin"), server.path("cluster.bin"));
    let line = "train data --label search --label-nodes 20 --nodes 40 --worlds 1 \
        --agent pbsa:worlds=2,nodes-per-board=10,top=1,max-positions=50 --games";
    let play = |games: &str, out: &str, more: &[&str]| {
        let words = line.split_whitespace().chain([games, "--out", out]);
        let words: Vec<&str> = words.chain(more.iter().copied()).collect();
        stdout(&words);
        std::fs::read(out).expect("a file")
    };
    let expected = play("6", &alone, &[]);
    let more = ["--cluster", &url, "--unit-seconds", "1"];
    let part = play("3", &cluster, &more);
    assert!(!part.is_empty() && part.len() < expected.len());
    let more = [&more[..], &["--resume"]].concat();
    assert!(play("6", &cluster, &more) == expected, "other bytes");
}

/// A worker that lets another agent play under the name of the one that was
/// asked for: its games are legal and of the plan.
struct Impostor;

impl OpenJob for Impostor {
    fn open(&self, full: &FullTask) -> Result<Arc<dyn RemoteJob>, String> {
        let entrant = |one: &RemoteEntrant, game: Game| {
            let spec = "random".parse().expect("a spec");
            let limits: Limits = one.limits.parse().expect("limits");
            Ok(MatchEntrant {
                name: one.name.clone(),
                agent: one.agent.clone(),
                limits,
                engine: None,
                make: Box::new(move || {
                    let agent = registry::build(&spec, &game, &Providers::default());
                    let player = InProcess(Box::new(agent.expect("an agent")));
                    Ok(Box::new(player) as Box<dyn Player>)
                }),
                reusable: false,
            })
        };
        Ok(Arc::new(Tournament::from_task(&full.task.text, entrant)?))
    }
}

#[test]
fn a_worker_that_lets_another_agent_play_is_caught_and_named() {
    if !is_installed() {
        return;
    }
    let server = Server::start("impostor");
    let url = server.url();
    let bench: Value = serde_json::from_str(&stdout(&["bench", "--json"])).expect("an object");
    let options = ServeOptions {
        name: "impostor".to_owned(),
        identity: Identity {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            signature: bench["signature"].to_string(),
            speed: 1e6,
        },
        slots: 1,
        longest: Duration::from_secs(60),
    };
    let stop = AtomicBool::new(false);
    let journal = server.path("out.jsonl");
    let play = "match -engine agent=greedy name=A -engine agent=random name=B -game fog \
        -rounds 100 -srand 3 -maxmoves 30 -quiet -unit-seconds 1 -audit 20% -cluster";
    let words: Vec<&str> = play
        .split_whitespace()
        .chain([url.as_str(), "-jsonout", &journal])
        .collect();
    let output = thread::scope(|scope| {
        scope.spawn(|| serve(&url, &options, Arc::new(Impostor), &stop, &|_| {}));
        let caller = command(&words).spawn().expect("the program starts");
        // The honest one comes when the other is in the midst of it.
        thread::sleep(Duration::from_secs(8));
        let _honest = Process::worker(&url, "honest", &[]);
        let output = caller.wait_with_output().expect("it ends");
        stop.store(true, Ordering::Relaxed);
        output
    });
    let told = told(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    let line = "worker impostor-";
    assert!(
        told.contains(line) && told.contains("returned a wrong result"),
        "{told}"
    );
    assert!(told.contains("a replay has other moves"), "{told}");
    assert!(!told.contains("worker honest-"), "{told}");
    assert_eq!(
        text_of(&journal).lines().count(),
        200,
        "the match was played to its end"
    );
}

/// A game that needs more memory than workers may have takes three of them with
/// it, is set aside and named.
#[test]
fn games_that_kill_three_workers_are_set_aside() {
    if !is_installed() {
        return;
    }
    let server = Server::start("aside");
    let url = server.url();
    let play = "match -engine agent=classic:hash=4096,nodes=10 name=A -engine agent=random name=B \
        -game chess -rounds 1 -srand 3 -maxmoves 5 -quiet -cluster";
    let words: Vec<&str> = play.split_whitespace().chain([url.as_str()]).collect();
    let mut caller = command(&words).spawn().expect("the program starts");
    let more = ["-memory", "1024"];
    let start = |name: &&str| Process::worker(&url, name, &more);
    let names = ["one", "two", "three"];
    let mut workers: Vec<Process> = names.iter().map(start).collect();
    let begun = Instant::now();
    while caller.try_wait().expect("a state").is_none() {
        assert!(begun.elapsed() < Duration::from_secs(240), "no end");
        thread::sleep(Duration::from_millis(200));
        for (worker, name) in workers.iter_mut().zip(&names) {
            if worker.0.try_wait().expect("a state").is_some() {
                *worker = start(name);
            }
        }
    }
    let output = caller.wait_with_output().expect("it ended");
    let told = told(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("set aside: items 1, 2; they took one, three, two with them"),
        "{told}"
    );
}

/// Two processes that would make the workers drop each other's units.
#[test]
fn the_second_caller_of_a_match_is_told_of_the_first() {
    if !is_installed() {
        return;
    }
    let server = Server::start("twins");
    let url = server.url();
    let play = "match -engine agent=greedy name=A -engine agent=random name=B -game fog \
        -rounds 2 -srand 3 -maxmoves 20 -quiet -cluster";
    let words: Vec<&str> = play.split_whitespace().chain([url.as_str()]).collect();
    let first = command(&words).spawn().expect("the program starts");
    thread::sleep(Duration::from_secs(6));
    let second = run(&words);
    let said = told(&second);
    assert_eq!(second.status.code(), Some(1), "{said}");
    assert!(
        said.contains("'A vs B of fog (chesscom)' is worked on by another process"),
        "{said}"
    );
    assert_eq!(said.trim().lines().count(), 1, "{said}");
    let _worker = Process::worker(&url, "a", &[]);
    let first = first.wait_with_output().expect("it ends");
    assert!(first.status.success(), "{}", told(&first));
}

/// A worker that no caller wants for its build ends with one line.
#[test]
fn a_worker_of_another_build_ends() {
    if !is_installed() {
        return;
    }
    let server = Server::start("unwanted");
    let url = server.url();
    let mut worker = command(&["worker", &url, "-name", "old"])
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(worker.stderr.take().expect("a pipe")).lines();
    let waits = lines.next().expect("a line").expect("text");
    let name = waits
        .split_whitespace()
        .find(|word| word.starts_with("old-"));
    let subject = format!("foglight.worker.{}.mail", name.expect("its name"));
    let why = "version 0.0.1; expected 9.9.9";
    let refused = format!("{{\"t\":\"refused\",\"job\":\"j\",\"why\":\"{why}\",\"build\":true}}");
    // It may not listen yet, and nobody keeps what is said before.
    let start = Instant::now();
    while worker.try_wait().expect("a state").is_none() {
        assert!(start.elapsed() < Duration::from_secs(60), "no end");
        server.publish(&subject, &refused);
        thread::sleep(Duration::from_millis(200));
    }
    let said: Vec<String> = lines.map(|line| line.expect("text")).collect();
    assert!(said[0].contains("refused by job j"), "{said:?}");
    let last = said.last().expect("a line");
    let ends = format!("refused: {why}; expected a worker of the same build");
    assert!(last.contains(&ends), "{said:?}");
    assert_eq!(worker.wait().expect("it ended").code(), Some(1));
}

/// A match against a server that wants these credentials, given in the
/// environment; they come nowhere near the journal.
fn plays(server: &Server, url: &str, environment: &[(&str, &str)]) -> Output {
    let journal = server.path("secret.jsonl");
    let play = "match -engine agent=greedy name=A -engine agent=random name=B -game fog \
        -rounds 1 -srand 3 -maxmoves 5 -quiet -cluster";
    let words: Vec<&str> = play
        .split_whitespace()
        .chain([url, "-resume", &journal])
        .collect();
    let set = environment.iter().copied();
    let worker = command(&["worker", url])
        .envs(set.clone())
        .stderr(Stdio::null())
        .spawn();
    let _worker = Process(worker.expect("the program starts"));
    let output = command(&words).envs(set).output().expect("it ends");
    if output.status.success() {
        let text = text_of(&journal) + &told(&output);
        assert!(!text.contains("secret"), "{text}");
        std::fs::remove_file(&journal).expect("removed");
    }
    output
}

#[test]
fn credentials_come_from_the_environment_and_stay_there() {
    if !is_installed() {
        return;
    }
    let with = |name: &str, access: &str| {
        let config = format!("jetstream {{ store_dir: \"DIR\" }}\nauthorization {{ {access} }}");
        Server::with(name, &config)
    };
    let pair = nkeys::KeyPair::new_user();
    let user = with("user", "user: me, password: secret-word");
    let token = with("token", "token: secret-word");
    let nkey = with(
        "nkey",
        &format!("users: [ {{ nkey: {} }} ]", pair.public_key()),
    );
    let seed = nkey.path("secret.nk");
    std::fs::write(&seed, pair.seed().expect("a seed")).expect("written");
    for (server, environment) in [
        (
            &user,
            &[("NATS_USER", "me"), ("NATS_PASSWORD", "secret-word")][..],
        ),
        (&token, &[("NATS_TOKEN", "secret-word")]),
        (&nkey, &[("NATS_NKEY", seed.as_str())]),
    ] {
        let output = plays(server, &server.url(), environment);
        assert!(
            output.status.success(),
            "{environment:?}: {}",
            told(&output)
        );
    }
    let url = format!("nats://me:secret-word@127.0.0.1:{}", user.port);
    assert!(plays(&user, &url, &[]).status.success());
    for variable in ["NATS_NKEY", "NATS_CREDS"] {
        let output = plays(&user, &user.url(), &[(variable, "/nowhere/at/all")]);
        assert_eq!(output.status.code(), Some(2));
        assert!(told(&output).contains(&format!("{variable}=/nowhere/at/all: ")));
    }
}

#[test]
fn connections_are_encrypted_and_their_server_is_checked() {
    if !is_installed() {
        return;
    }
    let dir = std::env::temp_dir().join(format!("foglight-tls-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    let path = |name: &str| dir.join(name).to_str().expect("a path").to_owned();
    let (certificate, key) = (path("cert.pem"), path("key.pem"));
    let made = std::process::Command::new("openssl")
        .args("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost".split(' '))
        .args(["-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .args(["-keyout", &key, "-out", &certificate])
        .output();
    assert!(made.expect("openssl is installed").status.success());
    let server = Server::with(
        "tls",
        &format!(
            "jetstream {{ store_dir: \"DIR\" }}\n\
             tls {{ cert_file: {certificate:?}, key_file: {key:?} }}"
        ),
    );
    let url = format!("tls://127.0.0.1:{}", server.port);
    let output = plays(&server, &url, &[("NATS_CA", &certificate)]);
    assert!(output.status.success(), "{}", told(&output));
    let strange = plays(&server, &url, &[]);
    assert_eq!(strange.status.code(), Some(1), "{}", told(&strange));
    std::fs::remove_dir_all(&dir).expect("removed");
}

/// The lines of `docs/cluster.md` from the one that contains `first` to the one
/// before `end`.
fn documented(first: &str, end: &str) -> String {
    let page = std::fs::read_to_string(repository("docs/cluster.md")).expect("the page");
    let lines = page.lines().skip_while(|line| !line.contains(first));
    let lines: Vec<&str> = lines.take_while(|line| !line.contains(end)).collect();
    lines.join("\n")
}

/// Runs a documented script, smaller, with this variable, in this folder.
fn run_script(script: &str, variable: &str, value: u32, dir: &std::path::Path) {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_foglight"));
    let path = format!(
        "{}:{}",
        program.parent().expect("a folder").display(),
        std::env::var("PATH").expect("a path")
    );
    let script = script
        .replace("nodes=2000", "nodes=20")
        .replace("-rounds 5000", "-rounds 7 -maxmoves 9")
        .replace("/50", "/3")
        .replace("/games/", "");
    let status = std::process::Command::new("sh")
        .args(["-c", &script])
        .env("PATH", path)
        .env(variable, value.to_string())
        .current_dir(dir)
        .stdout(Stdio::null())
        .status();
    assert!(status.expect("a shell").success(), "{script}");
}

/// The examples for Slurm and Kubernetes: three parts, of which one is started
/// again, have the games of the whole match.
#[test]
fn the_documented_jobs_play_the_whole_match() {
    let slurm = documented("#SBATCH", "```");
    let job = documented("- >-", "volumeMounts").replace("- >-", "");
    let job = job.split_whitespace().collect::<Vec<_>>().join(" ");
    let dir = std::env::temp_dir().join(format!("foglight-jobs-{}", std::process::id()));
    for (name, script, variable, first) in [
        ("slurm", &slurm, "SLURM_ARRAY_TASK_ID", 1),
        ("kubernetes", &job, "JOB_COMPLETION_INDEX", 0),
    ] {
        let dir = dir.join(name);
        std::fs::create_dir_all(&dir).expect("a folder");
        for part in [0, 1, 2, 1] {
            run_script(script, variable, first + part, &dir);
        }
        let path = |name: &str| dir.join(name).to_str().expect("a path").to_owned();
        let parts = ["1.jsonl", "2.jsonl", "3.jsonl"].map(path);
        let whole = path("whole.jsonl");
        let words: Vec<&str> = ["merge"]
            .into_iter()
            .chain(parts.iter().map(String::as_str))
            .collect();
        stdout(&[&words[..], &["--out", &whole]].concat());
        assert_eq!(text_of(&whole).lines().count(), 14, "{name}");
    }
    std::fs::remove_dir_all(&dir).expect("removed");
}
