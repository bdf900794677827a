//! The bot API, and a game played by the example bot.

use std::process::Command;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
    time::timeout,
};

use crate::client::{AGES, Running, start};

/// Opens a stream and returns its lines once the server has sent the headers.
pub async fn lines(server: &Running, path: &str, token: &str) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(server.address)
        .await
        .expect("a connection");
    let head = format!(
        "GET {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).await.expect("a request");
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        let read = timeout(AGES, stream.read_line(&mut line)).await;
        assert!(read.expect("in time").expect("a line") > 0, "no head came");
    }
    stream
}

pub async fn next(stream: &mut BufReader<TcpStream>) -> Value {
    loop {
        let mut line = String::new();
        let read = timeout(AGES, stream.read_line(&mut line));
        let read = read.await.expect("in time").expect("a line");
        assert!(read > 0, "the stream ended");
        if line.starts_with('{') {
            return serde_json::from_str(&line).expect("JSON");
        }
    }
}

/// All remaining lines of a stream.
pub async fn rest(mut stream: BufReader<TcpStream>) -> Vec<String> {
    let mut told = Vec::new();
    loop {
        let mut line = String::new();
        let read = timeout(AGES, stream.read_line(&mut line));
        // A finished stream sends an empty chunk and then nothing.
        if read.await.expect("in time").expect("a line") == 0 || line == "0\r\n" {
            return told;
        }
        if line.starts_with('{') {
            told.push(line.trim().to_owned());
        }
    }
}

#[tokio::test]
async fn a_bot_is_told_what_a_page_is_told() {
    let server = start(None).await;
    let token = server.token().await;
    let mut events = lines(&server, "/api/stream/event", &token).await;
    let body = json!({ "game": "fog", "color": "white" });
    let made = server
        .post("/api/challenge/random", Some(&token), body)
        .await;
    assert_eq!(made.status, 201, "{}", made.body);
    let started = next(&mut events).await;
    assert_eq!(started["type"], "gameStart");
    let id = started["game"]["gameId"]
        .as_str()
        .expect("an id")
        .to_owned();
    assert_eq!(made.json()["id"], id);
    let mut stream = lines(&server, &format!("/api/bot/game/stream/{id}"), &token).await;
    let full = next(&mut stream).await;
    assert_eq!(
        (&full["type"], &full["color"]),
        (&json!("gameFull"), &json!("white"))
    );
    let seen = &full["state"]["observation"];
    assert_eq!(seen["moves"].as_array().map(Vec::len), Some(20));
    let play = |uci: &str| format!("/api/bot/game/{id}/move/{uci}");
    let wrong = server.post(&play("e7e5"), Some(&token), Value::Null).await;
    assert_eq!(wrong.status, 400);
    assert!(
        wrong.error().starts_with("'e7e5' is not a legal move here"),
        "{}",
        wrong.error()
    );
    let right = server.post(&play("e2e4"), Some(&token), Value::Null).await;
    assert_eq!(right.json(), json!({ "ok": true }));
    let mine = next(&mut stream).await;
    assert_eq!(mine["observation"]["mine"], "e2e4");
    let theirs = next(&mut stream).await;
    assert_eq!(theirs["observation"]["ply"], 2);
    assert_eq!(theirs["entry"]["move"], Value::Null, "the move is not told");
    let path = format!("/api/bot/game/{id}/resign");
    let resigned = server.post(&path, Some(&token), Value::Null).await;
    assert_eq!(resigned.status, 200);
    let end = next(&mut stream).await;
    assert_eq!(
        (&end["status"], &end["winner"]),
        (&json!("over"), &json!("black"))
    );
    assert_eq!(next(&mut events).await["type"], "gameFinish");
    let stranger = server.token().await;
    let refused = server
        .post(&play("e2e4"), Some(&stranger), Value::Null)
        .await;
    assert_eq!(refused.status, 403);
}

/// Bots that know nothing of seeds play dice: as White they roll, as Black the agent
/// does after a while.
#[tokio::test]
async fn a_bot_without_a_seed_plays_dice() {
    let server = start(None).await;
    let token = server.token().await;
    for color in ["white", "black"] {
        let body = json!({ "game": "dice1", "color": color });
        let made = server
            .post("/api/challenge/random", Some(&token), body)
            .await;
        let id = made.json()["id"].as_str().expect("an id").to_owned();
        let mut stream = lines(&server, &format!("/api/bot/game/stream/{id}"), &token).await;
        if color == "white" {
            let path = format!("/api/bot/game/{id}/move/roll");
            let rolled = server.post(&path, Some(&token), Value::Null).await;
            assert_eq!(rolled.status, 200, "{}", rolled.body);
        } else {
            while next(&mut stream).await["observation"]["ply"].as_u64() < Some(1) {}
        }
    }
}

/// The example bot needs only Python's standard library; without Python only
/// this test is skipped.
#[tokio::test(flavor = "multi_thread")]
async fn the_example_bot_plays_a_game() {
    let server = start(None).await;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/bot.py");
    let address = format!("http://{}", server.address);
    let run = tokio::task::spawn_blocking(move || {
        Command::new("python3")
            .args([
                script, &address, "--agent", "random", "--game", "fog", "--moves", "30",
            ])
            .output()
    });
    let output = run.await.expect("a thread").expect("python3");
    let text = String::from_utf8_lossy(&output.stdout);
    let trouble = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{trouble}");
    assert!(text.contains("over:"), "{text}");
}
