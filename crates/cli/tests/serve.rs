//! `foglight serve` as a process: it prints its address, and a game survives
//! it.

mod server;

use std::{
    io::{BufRead, BufReader, Read},
    net::TcpListener,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use rand::{Rng, SeedableRng};
use serde_json::Value;
use server::{Server, Table};

fn total(clocks: &Value) -> i64 {
    clocks["white"].as_i64().unwrap_or(0) + clocks["black"].as_i64().unwrap_or(0)
}

/// Killed at random moments of a running game and restarted: every move that was
/// acknowledged, to White over a socket or to Black over HTTP, is stored, the
/// clocks are unchanged, and both sides play on. `FOGLIGHT_KILLS=200` for the
/// full test.
#[test]
fn a_killed_server_loses_nothing() {
    let kills = std::env::var("FOGLIGHT_KILLS");
    let kills: usize = kills.ok().and_then(|n| n.parse().ok()).unwrap_or(10);
    let folder = tempfile::tempdir().expect("a folder");
    let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(5);
    let mut server = Server::start(folder.path());
    let new_table = |server: &Server| {
        let mut table = Table::new(server);
        table.sockets = true;
        table
    };
    let mut table = new_table(&server);
    let (mut survived, mut timed) = (0, 0);
    for kill in 0..kills {
        let moves = rng.random_range(3..8);
        for _ in 0..moves {
            table.step(&server, &mut rng);
        }
        table.clocks = Some(table.clocks(&server));
        let before = Instant::now();
        // At a random moment of a request.
        let delay = Duration::from_micros(rng.random_range(0..20_000));
        let pid = server.child.id();
        let killer = std::thread::spawn(move || {
            std::thread::sleep(delay);
            let _ = Command::new("kill").args(["-9", &pid.to_string()]).status();
        });
        while table.step(&server, &mut rng) {}
        killer.join().expect("a killer");
        let lived = before.elapsed().as_millis() as i64;
        server.kill();
        std::thread::sleep(Duration::from_millis(300)); // charged to neither side
        let restarted = Instant::now();
        server = Server::start(folder.path());
        let (ply, over) = table.ply(&server);
        let known = table.acknowledged.len();
        assert!(
            ply == known || ply == known + 1,
            "kill {kill}: {known} moves were acknowledged, {ply} are there"
        );
        if over {
            table = new_table(&server);
            continue;
        }
        if let Some(clocks) = table.clocks.take().filter(|c| !c.is_null()) {
            timed += 1;
            let spent = total(&clocks) - total(&table.clocks(&server));
            // The clock runs on the new server too, until it is asked.
            let lived = lived + restarted.elapsed().as_millis() as i64;
            assert!(
                (-1000..=lived + 1000).contains(&spent),
                "kill {kill}: the clocks lost {spent} ms while the server lived {lived} ms"
            );
        }
        if ply == known + 1 {
            table.acknowledged.push("?".into()); // stored, but killed before the acknowledgement
        }
        assert!(table.step(&server, &mut rng), "kill {kill}: they play on");
        survived += 1;
    }
    assert!(survived > 0 && timed > 0);
}

/// A full disk: moves are refused with a reason, and after a restart with free
/// space every acknowledged one is stored and the game continues.
#[test]
fn a_full_disk_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start_cramped(folder.path(), 300);
    // Rules without repetition, so that knight moves may fill the disk.
    let mut table = Table::by(&server, "thesis");
    let knights = ["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle();
    let refusal = knights.take(99).find_map(|text| {
        let (status, told) = table.play(&server, text).expect("an answer");
        (status != 200).then_some((status, told))
    });
    let (status, told) = refusal.expect("the disk was full at last");
    assert_eq!(status, 503);
    let text = told["error"].as_str().expect("an error");
    assert!(text.contains("could not be saved"), "{text}");
    let known = table.acknowledged.len();
    assert!(known > 0, "there was room at first");
    assert_eq!(table.ply(&server), (known, false), "nothing was played");
    assert!(table.legal(&server).is_some(), "it can be looked at");
    server.kill();
    let server = Server::start(folder.path());
    assert_eq!(table.ply(&server), (known, false), "all of them are there");
    let next = ["g1f3", "g8f6", "f3g1", "f6g8"][known % 4];
    let (status, _) = table.play(&server, next).expect("an answer");
    assert_eq!(status, 200, "they play on");
}

/// A bare call serves at the default port. The test occupies that port if it
/// can, so that the program must report it as taken; if another process had the
/// port and has released it since, the program serves there.
#[test]
fn a_bare_call_serves() {
    let _kept = TcpListener::bind("127.0.0.1:8080");
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = Command::new(env!("CARGO_BIN_EXE_foglight"))
        .env("XDG_DATA_HOME", folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut line = String::new();
    let out = child.stdout.take().expect("its output");
    BufReader::new(out).read_line(&mut line).expect("a line");
    if !line.is_empty() {
        child.kill().expect("a kill");
        child.wait().expect("an end");
        assert_eq!(line.trim(), "Foglight is at http://127.0.0.1:8080/");
        return;
    }
    let mut trouble = String::new();
    let mut err = child.stderr.take().expect("its errors");
    err.read_to_string(&mut trouble).expect("text");
    assert!(
        trouble.contains("cannot listen on 127.0.0.1:8080"),
        "{trouble}"
    );
    assert_eq!(child.wait().expect("an end").code(), Some(1));
}

/// Games are stored in the user's data folder, and the server stops on a
/// signal.
#[test]
fn it_stops_when_told_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = Command::new(env!("CARGO_BIN_EXE_foglight"));
    program.env("XDG_DATA_HOME", folder.path());
    let mut server = Server::launch(program.args(["serve", "--port", "0"]));
    let (status, _) = server
        .ask("GET", "/api/agents", "", Value::Null)
        .expect("an answer");
    assert_eq!(status, 200);
    let pid = server.child.id().to_string();
    let told = Command::new("kill").args(["-TERM", &pid]).status();
    assert!(told.expect("kill").success());
    assert!(server.child.wait().expect("an end").success());
    assert!(folder.path().join("foglight/foglight.sqlite").exists());
}
