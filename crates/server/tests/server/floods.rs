//! Clients that send too much, too slowly, or never finish. Each is
//! disconnected, and others can still play.

use std::time::{Duration, Instant};

use foglight_server::Config;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinSet,
    time::timeout,
};

use crate::client::{AGES, Running, start_with};

/// Client timeout of the server in these tests.
const PATIENCE: Duration = Duration::from_millis(700);

async fn impatient() -> Running {
    start_with(Config {
        requests: 100_000,
        seed: Some(7),
        patience: Some(PATIENCE),
        ..Config::default()
    })
    .await
}

/// Checks that another user can still play.
async fn still_well(server: &Running) {
    let (id, white, _) = server.pair(json!({ "game": "chess" })).await;
    let (mut socket, _) = server.seat(&id, Some(&white), None).await;
    socket.play(0, "e2e4").await;
    socket.wait_for("ack").await;
}

/// A client's frame, masked with zeros; `first` holds the opcode and the final
/// bit.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match payload.len() {
        short @ 0..126 => bytes.push(0x80 | short as u8),
        long => {
            bytes.push(0xfe);
            bytes.extend(u16::try_from(long).expect("a frame of ours").to_be_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes.extend_from_slice(payload);
    bytes
}

const TEXT: u8 = 0x81;
const TEXT_BEGINS: u8 = 0x01;
const TEXT_GOES_ON: u8 = 0x00;

/// A hand-made socket after its handshake; sends hello if a token is given.
async fn raw_socket(server: &Running, id: &str, token: Option<&str>) -> TcpStream {
    let stream = TcpStream::connect(server.address).await.expect("a way in");
    upgraded(server, stream, id, token.map(Value::from)).await
}

/// The same over a given connection; `null` is the token of a spectator.
async fn upgraded(
    server: &Running,
    mut stream: TcpStream,
    id: &str,
    token: Option<Value>,
) -> TcpStream {
    let upgrade = format!(
        "GET /ws/{id} HTTP/1.1\r\nhost: {}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        server.address
    );
    stream.write_all(upgrade.as_bytes()).await.expect("a head");
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.expect("a handshake"));
    }
    assert!(head.starts_with(b"HTTP/1.1 101"));
    if let Some(token) = token {
        let hello = json!({ "t": "hello", "d": { "token": token, "v": null } });
        let hello = frame(TEXT, hello.to_string().as_bytes());
        stream.write_all(&hello).await.expect("a hello");
    }
    stream
}

/// Sends a chunk repeatedly, up to `total` bytes. Returns the number of bytes
/// sent before the server stopped accepting.
async fn flood(stream: &mut TcpStream, chunk: &[u8], total: usize) -> usize {
    let mut sent = 0;
    while sent < total {
        match timeout(AGES, stream.write(chunk)).await {
            Ok(Ok(wrote)) if wrote > 0 => sent += wrote,
            _ => break,
        }
    }
    sent
}

/// Reads until the server closes. Empty if a connection reset lost the last
/// bytes.
async fn last_words(stream: &mut TcpStream) -> Vec<u8> {
    let mut words = Vec::new();
    let read = timeout(AGES, stream.read_to_end(&mut words)).await;
    assert!(read.is_ok(), "the server still listens");
    words
}

/// Whether the server closes the connection in time.
async fn is_cut_off(stream: &mut TcpStream) -> bool {
    let began = Instant::now();
    last_words(stream).await;
    began.elapsed() < AGES
}

#[tokio::test]
async fn a_million_tiny_frames_are_cut_off_after_a_hundred() {
    let server = impatient().await;
    let (id, white, _) = server.pair(json!({ "game": "chess" })).await;
    for payload in [&b"x"[..], b""] {
        let mut stream = raw_socket(&server, &id, Some(&white)).await;
        let one = frame(TEXT, payload);
        let chunk = one.repeat(1000);
        let total = one.len() * 1_000_000;
        let sent = flood(&mut stream, &chunk, total).await;
        assert!(is_cut_off(&mut stream).await);
        assert!(sent < total, "the server took all of it");
    }
    still_well(&server).await;
}

/// Empty fragments never form a message, so that the message limit does not
/// apply; they must not slow down others.
#[tokio::test]
async fn a_million_empty_fragments_hurt_nobody() {
    let server = impatient().await;
    let (id, white, _) = server.pair(json!({ "game": "chess" })).await;
    let mut stream = raw_socket(&server, &id, Some(&white)).await;
    let begun = frame(TEXT_BEGINS, b"{");
    stream.write_all(&begun).await.expect("a beginning");
    let one = frame(TEXT_GOES_ON, b"");
    let (chunk, total) = (one.repeat(1000), one.len() * 1_000_000);
    let flooding = tokio::spawn(async move { flood(&mut stream, &chunk, total).await });
    still_well(&server).await;
    flooding.await.expect("an end");
    still_well(&server).await;
}

#[tokio::test]
async fn a_message_of_64_mib_is_refused_by_its_head() {
    let server = impatient().await;
    let (id, white, _) = server.pair(json!({ "game": "chess" })).await;
    let mut stream = raw_socket(&server, &id, Some(&white)).await;
    let size: u64 = 64 << 20;
    let mut head = vec![TEXT, 0xff];
    head.extend(size.to_be_bytes());
    head.extend([0; 4]);
    stream.write_all(&head).await.expect("a head");
    let sent = flood(&mut stream, &[b'x'; 1 << 16], size as usize).await;
    assert!(is_cut_off(&mut stream).await);
    assert!(sent < size as usize, "the server took all of it");
    let mut socket = server.seat(&id, Some(&white), None).await.0;
    socket.say("ping", json!("x".repeat(5000))).await;
    assert_eq!(socket.close_code().await, Some(1009));
    let head = format!(
        "POST /api/games HTTP/1.1\r\nhost: {}\r\ncontent-length: {size}\r\n\r\n",
        server.address
    );
    let mut stream = TcpStream::connect(server.address).await.expect("a way in");
    stream.write_all(head.as_bytes()).await.expect("a head");
    let mut status = [0; 12];
    stream.read_exact(&mut status).await.expect("an answer");
    assert_eq!(&status, b"HTTP/1.1 413", "nothing of the body was needed");
    still_well(&server).await;
}

#[tokio::test]
async fn fragments_are_summed_and_must_end() {
    let server = impatient().await;
    let (id, white, _) = server.pair(json!({ "game": "chess" })).await;
    // Small fragments that together exceed the limit.
    let mut stream = raw_socket(&server, &id, Some(&white)).await;
    let mut bytes = frame(TEXT_BEGINS, &[b'x'; 1000]);
    bytes.extend(frame(TEXT_GOES_ON, &[b'x'; 1000]).repeat(5));
    let _ = stream.write_all(&bytes).await; // it may be closed already
    assert!(is_cut_off(&mut stream).await);
    // A hello that never ends.
    let mut stream = raw_socket(&server, &id, None).await;
    let begun = frame(TEXT_BEGINS, b"{\"t\":\"hel");
    stream.write_all(&begun).await.expect("a beginning");
    let words = last_words(&mut stream).await;
    let code = 4000_u16.to_be_bytes();
    assert!(words.windows(2).any(|pair| pair == code), "{words:?}");
    // A player's message that never ends: others play on meanwhile.
    let mut stream = raw_socket(&server, &id, Some(&white)).await;
    let begun = frame(TEXT_BEGINS, b"{\"t\":\"move\"");
    stream.write_all(&begun).await.expect("a beginning");
    still_well(&server).await;
}

#[tokio::test]
async fn who_is_slow_is_not_waited_for() {
    let server = impatient().await;
    let (id, _, _) = server.pair(json!({ "game": "chess" })).await;
    let starts = [
        String::new(),
        "GET / HT".to_owned(),
        "GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ".to_owned(),
        format!("GET /ws/{id} HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: webs"),
        "POST /api/token HTTP/1.1\r\nhost: localhost\r\ncontent-length: 50\r\n\r\n{\"na".to_owned(),
    ];
    for start in &starts {
        let mut stream = TcpStream::connect(server.address).await.expect("a way in");
        stream.write_all(start.as_bytes()).await.expect("a start");
        assert!(is_cut_off(&mut stream).await, "{start}");
    }
    // Sending a byte now and then does not extend the timeout.
    let mut stream = TcpStream::connect(server.address).await.expect("a way in");
    let began = Instant::now();
    for byte in "GET / HTTP/1.1\r\nhost: "
        .bytes()
        .chain(std::iter::repeat(b'x'))
    {
        assert!(began.elapsed() < AGES, "the server still listens");
        if stream.write_all(&[byte]).await.is_err() {
            break;
        }
        tokio::time::sleep(PATIENCE / 10).await;
    }
    // A complete handshake, then silence.
    let mut stream = raw_socket(&server, &id, None).await;
    assert!(is_cut_off(&mut stream).await);
    still_well(&server).await;
}

#[tokio::test]
async fn a_hundred_slow_clients_keep_nobody_out() {
    let server = impatient().await;
    let mut held = Vec::new();
    for _ in 0..100 {
        let mut stream = TcpStream::connect(server.address).await.expect("a way in");
        let start = b"GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ";
        stream.write_all(start).await.expect("a start");
        held.push(stream);
    }
    still_well(&server).await;
    for stream in &mut held {
        assert!(is_cut_off(stream).await);
    }
}

/// A server with a place for 64 connections, 16 of one network.
async fn small() -> Running {
    start_with(Config {
        requests: 100_000,
        seed: Some(7),
        patience: Some(PATIENCE),
        files: Some(164),
        ..Config::default()
    })
    .await
}

/// Upgraded sockets count as connections: one address gets a quarter of the
/// places, and the last ones of a crowd make room for who comes from elsewhere.
#[tokio::test]
async fn sockets_keep_their_place_and_newcomers_get_one() {
    let server = small().await;
    let (id, _, _) = server.pair(json!({ "game": "chess" })).await;
    let mut crowd = Vec::new();
    for last in 2..=5 {
        for _ in 0..16 {
            let stream = server.from(last).connect().await;
            crowd.push(upgraded(&server, stream, &id, Some(Value::Null)).await);
        }
    }
    let mut refused = server.from(2).connect().await;
    assert!(is_cut_off(&mut refused).await, "a 17th of one address");
    still_well(&server).await;
}

/// A socket whose client answers no ping is closed; one that does stays.
#[tokio::test]
async fn silent_sockets_are_closed_and_listeners_stay() {
    let server = impatient().await;
    let (id, white, _) = server.pair(json!({ "game": "chess" })).await;
    let mut listener = server.seat(&id, Some(&white), None).await.0;
    let mut silent = raw_socket(&server, &id, Some(&white)).await;
    let listening = tokio::spawn(async move {
        let quiet = timeout(20 * PATIENCE, listener.wait_for("move")).await;
        (quiet.is_err(), listener)
    });
    assert!(is_cut_off(&mut silent).await);
    let (quiet, mut listener) = listening.await.expect("no panic");
    assert!(quiet);
    listener.say("ping", json!({})).await;
    listener.wait_for("pong").await;
}

/// Bodies that do not arrive take a bounded part of the memory, whoever sends
/// them; others are answered meanwhile.
#[tokio::test]
async fn bodies_on_their_way_are_bounded() {
    let server = start_with(Config {
        requests: 100_000,
        seed: Some(7),
        patience: Some(AGES),
        ..Config::default()
    })
    .await;
    let head = "POST /api/import HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1048576\r\n\r\n";
    let mut slow = JoinSet::new();
    for last in 2..=6 {
        for _ in 0..20 {
            let mut stream = server.from(last).connect().await;
            stream.write_all(head.as_bytes()).await.expect("a head");
            slow.spawn(async move {
                let mut status = [0; 12];
                stream.read_exact(&mut status).await.map(|_| status)
            });
        }
    }
    // Of 64 MiB each address has at most half as much as is free.
    for _ in 0..40 {
        let status = timeout(AGES, slow.join_next()).await.expect("an answer");
        let status = status.expect("a task").expect("no panic");
        assert_eq!(&status.expect("a head"), b"HTTP/1.1 503");
    }
    assert!(slow.len() > 30);
    still_well(&server).await;
    let pgn = "1. e4 e5 2. Nf3 *".to_owned() + &" ".repeat(60_000);
    let newcomer = server.from(9);
    let import = newcomer.request("POST", "/api/import", &[], pgn.as_bytes());
    assert_eq!(import.await.status, 201, "there is room for one more");
}

/// The messages of all sockets of an address are bounded together; those beyond
/// wait, and so does nobody else.
#[tokio::test]
async fn messages_of_one_address_are_bounded_together() {
    let server = start_with(Config {
        requests: 50,
        seed: Some(7),
        ..Config::default()
    })
    .await;
    let (id, white, black) = server.pair(json!({ "game": "chess" })).await;
    let mut seats = Vec::new();
    for token in [&white, &black] {
        seats.push(server.seat(&id, Some(token), None).await.0);
    }
    let began = Instant::now();
    for seat in &mut seats {
        for _ in 0..75 {
            seat.say("ping", json!({})).await;
        }
    }
    let mut other = server.from(2).seat(&id, None, None).await.0;
    other.say("ping", json!({})).await;
    other.wait_for("pong").await;
    let soon = began.elapsed();
    for seat in &mut seats {
        for _ in 0..75 {
            seat.wait_for("pong").await;
        }
    }
    let last = began.elapsed();
    assert!(
        last > Duration::from_secs(15),
        "100 in 20 seconds: {last:?}"
    );
    assert!(soon < last - Duration::from_secs(5), "{soon:?} of {last:?}");
}

/// A client that asks and does not read the answers is cut off.
#[tokio::test]
async fn who_does_not_read_is_not_waited_for() {
    let server = impatient().await;
    let mut stream = server.connect().await;
    let one = format!(
        "GET /api/rules HTTP/1.1\r\nhost: {}\r\n\r\n",
        server.address
    );
    let sent = timeout(AGES, async {
        while stream.write_all(one.as_bytes()).await.is_ok() {
            tokio::task::yield_now().await;
        }
    });
    assert!(sent.await.is_ok(), "the server still waits");
    still_well(&server).await;
}
