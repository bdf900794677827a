//! The program on a machine without node, Stockfish or a browser and with an
//! empty `PATH`. Commands that need none of them work; commands that need one
//! say so in one line.

mod common;

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Output, Stdio},
};

const MATCH: [&str; 8] = [
    "-engine",
    "agent=random",
    "name=B",
    "-rounds",
    "1",
    "-maxmoves",
    "5",
    "-game",
];

/// The program in an empty folder, with an empty `PATH`. Debian's Stockfish,
/// which is outside of `PATH`, is hidden too.
fn bare(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = common::command(arguments);
    command
        .env_clear()
        .env("PATH", folder)
        .env("FOGLIGHT_STOCKFISH", "stockfish")
        .current_dir(folder);
    command
}

fn run(arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = bare(folder.path(), arguments);
    command.stdin(Stdio::null()).output().expect("the program")
}

/// Plays against an agent for a few moves.
fn play(engine: &[&str], game: &str) -> Output {
    let mut words = vec!["match", "-engine"];
    words.extend(engine.iter().chain(&["name=A"]).chain(&MATCH));
    words.push(game);
    run(&words)
}

#[test]
fn what_needs_nothing_works() {
    for arguments in [
        &["agents", "--game", "fog"][..],
        &["eval"],
        &["observe", "--game", "fog", "--side", "white"],
        &["draw", "--game", "fog", "--side", "white", "--out", "b.png"],
        &["perft", "--game", "fog", "--depth", "3"],
        &["experiment", "list"],
    ] {
        let output = run(arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {told}");
    }
    let output = play(&["agent=pbsa:nodes=1000"], "fog");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
}

#[test]
fn a_judge_that_is_missing_is_named_in_one_line() {
    for agent in ["pbsa:analyser=stockfish", "foglight:preset=paper,nodes=100"] {
        let message = common::refusal(&play(&[&format!("agent={agent}")], "fog"));
        assert_eq!(message.lines().count(), 1, "{message}");
        for part in ["Stockfish is missing", "'stockfish'", "apt-get install"] {
            assert!(message.contains(part), "{message}");
        }
    }
}

#[test]
fn an_engine_that_is_missing_is_named() {
    let output = play(&["cmd=stockfish"], "chess");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    let expected = "A disconnects: 'stockfish' could not be started";
    assert!(message.contains(expected), "{message}");
}

/// A server, killed at the end of its test.
struct Server(Child, String);

impl Server {
    fn start(folder: &Path) -> Server {
        let words = ["serve", "--port", "0", "--data", "games"];
        let mut child = bare(folder, &words).spawn().expect("the program");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let address = line.trim().trim_start_matches("Foglight is at http://");
        let address = address.trim_end_matches('/').to_owned();
        Server(child, address)
    }

    fn ask(&self, request: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.1).expect("a server");
        let (host, length) = (&self.1, body.len());
        let head = format!("{request} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n");
        write!(stream, "{head}content-length: {length}\r\n\r\n{body}").expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill(); // the child may have exited
        let _ = self.0.wait();
    }
}

#[test]
fn the_server_serves() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let page = server.ask("GET /", "");
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(page.contains("<title>"), "{page}");
    let game = r#"{"game":"fog","color":"white","opponent":{"level":1}}"#;
    let made = server.ask("POST /api/games", game);
    assert!(made.starts_with("HTTP/1.1 201"), "{made}");
}
