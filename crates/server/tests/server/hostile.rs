//! Hostile inputs, which must not break anything.

use std::time::Duration;

use foglight_server::{Config, Server, Store};
use futures_util::SinkExt;
use serde_json::json;
use tokio::{io::AsyncWriteExt, net::TcpStream};
use tokio_tungstenite::{
    connect_async,
    tungstenite::{Message, client::IntoClientRequest, protocol::frame::coding::CloseCode},
};

use crate::client::{Running, start, start_with};

/// Checks that another user can still play.
async fn still_well(server: &Running) {
    let (id, white, _) = server.pair(json!({ "game": "chess" })).await;
    let (mut socket, _) = server.seat(&id, Some(&white), None).await;
    socket.play(0, "e2e4").await;
    socket.wait_for("ack").await;
}

#[tokio::test]
async fn positions_that_are_none() {
    let server = start(None).await;
    let token = server.token().await;
    let long = "8/".repeat(100);
    for fen in [
        "",
        "x",
        &long,
        "♔",
        "8/8/8/8/8/8/8/8/8 w - - 0 1",
        "9/8/8/8/8/8/8/8 w - - 0 1",
        "0k7/8/8/8/8/8/8/4K3 w - - 0 1",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "kk6/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - e 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 100000000000000000000 1",
        "????k3/8/8/8/8/8/8/4K3 w - - 0 1",
    ] {
        let body = json!({ "game": "chess", "fen": fen, "opponent": { "person": true } });
        let answer = server.post("/api/games", Some(&token), body).await;
        assert_eq!(answer.status, 400, "{fen}: {}", answer.body);
        assert!(!answer.error().is_empty());
    }
    still_well(&server).await;
}

#[tokio::test]
async fn moves_that_are_none_all_get_the_same_kind_of_error() {
    let server = start(None).await;
    let (id, white, black) = server.pair(json!({ "game": "fog" })).await;
    let (mut a, _) = server.seat(&id, Some(&white), None).await;
    let (mut b, _) = server.seat(&id, Some(&black), None).await;
    for text in [
        "e2e9", "0000", "e7e8k", "e7e8Q", "e7e8", "d7d5", "a1a1", "", "♔",
    ] {
        a.play(0, text).await;
        let error = a.wait_for("error").await["error"].to_string();
        assert!(error.contains("is not a legal move here; expected one of the legal moves"));
    }
    b.play(0, "e7e5").await;
    assert_eq!(b.wait_for("error").await["error"], "it is not your turn");
    a.say(
        "move",
        json!({ "game": "other", "ply": 0, "move": "e2e4", "token": "t" }),
    )
    .await;
    assert_eq!(
        a.wait_for("error").await["error"],
        "this socket is of another game"
    );
    a.say("move", json!({ "ply": 7, "move": "e2e4", "token": "t" }))
        .await;
    assert_eq!(
        a.wait_for("error").await["error"],
        "the position has changed; try again"
    );
    b.say("resign", json!({})).await;
    a.wait_for("end").await;
    a.play(0, "e2e4").await;
    assert_eq!(a.wait_for("error").await["error"], "the game is over");
}

#[tokio::test]
async fn texts_that_are_no_messages() {
    let server = start(None).await;
    let (id, white, _) = server.pair(json!({ "game": "chess" })).await;
    let (mut socket, _) = server.seat(&id, Some(&white), None).await;
    let deep = "[".repeat(4000);
    for text in [
        "",
        "{",
        "null",
        "[]",
        "{\"t\":\"move\"}",
        &deep,
        "{\"t\":\"move\",\"t\":\"resign\",\"d\":{}}",
        "{\"t\":\"move\",\"d\":{\"ply\":NaN,\"move\":\"e2e4\",\"token\":\"t\"}}",
        "{\"t\":\"move\",\"d\":{\"ply\":99999999999999999999,\"move\":\"e2e4\",\"token\":\"t\"}}",
        "{\"t\":\"move\",\"d\":{\"ply\":-1,\"move\":\"e2e4\",\"token\":\"t\"}}",
        "{\"t\":\"move\",\"d\":{\"ply\":0,\"ply\":0,\"move\":\"e2e4\",\"token\":\"t\"}}",
        "{\"t\":\"nonsense\",\"d\":{}}",
    ] {
        let _ = socket
            .socket
            .send(Message::Text(text.to_owned().into()))
            .await;
        let error = socket.wait_for("error").await;
        assert!(
            error["error"]
                .as_str()
                .expect("text")
                .starts_with("expected {"),
            "{text}"
        );
    }
    for body in [
        "[".repeat(60_000),
        "{\"a\":".repeat(10_000),
        "{\"game\":\"fog\",\"game\":\"fog\"}".into(),
        "{\"clock\":{\"base\":1e999}}".into(),
    ] {
        let answer = server
            .request("POST", "/api/games", &[], body.as_bytes())
            .await;
        assert_eq!(answer.status, 400);
    }
    let deep = "[".repeat(100_000);
    let answer = server
        .request("POST", "/api/games", &[], deep.as_bytes())
        .await;
    assert_eq!(answer.status, 413);
    let answer = server
        .request("POST", "/api/games", &[], b"{\"name\":\"\xff\xfe\"}")
        .await;
    assert_eq!(answer.status, 400);
    still_well(&server).await;
}

#[tokio::test]
async fn names_that_hide_something() {
    let server = start(None).await;
    let long = "x".repeat(10_000);
    for name in ["a\nb", "a\u{202e}b", "a\u{200b}b", "\u{0}", "", &long] {
        let answer = server
            .post("/api/token", None, json!({ "name": name }))
            .await;
        assert_eq!(answer.status, 400, "{name:?}");
    }
    let odd = "<img onerror=\"x\"> .. [x] ' ";
    let answer = server
        .post("/api/token", None, json!({ "name": odd }))
        .await
        .json();
    assert_eq!(answer["name"], odd.trim());
}

#[tokio::test]
async fn ids_that_are_paths() {
    let server = start(None).await;
    let token = server.token().await;
    for id in [
        "../../etc/passwd",
        "%2e%2e%2fx",
        "a%00b",
        "%2Fetc%2Fpasswd",
        "a%2Fb",
        "x",
    ] {
        for path in [
            format!("/api/games/{id}"),
            format!("/api/games/{id}/record"),
        ] {
            let answer = server.get(&path, None).await;
            assert_eq!(answer.status, 404, "{path}: {}", answer.body);
        }
        assert_eq!(
            server
                .get(&format!("/api/tournaments/{id}"), None)
                .await
                .status,
            404
        );
        assert_eq!(
            server
                .get(&format!("/api/test/{id}"), Some(&token))
                .await
                .status,
            404
        );
    }
    let mut socket = server.socket("nothing").await;
    socket
        .say("hello", json!({ "token": null, "v": null }))
        .await;
    assert_eq!(socket.close_code().await, Some(4004));
}

#[tokio::test]
async fn pgn_that_is_too_much() {
    let server = start(None).await;
    let nested = format!("1. e4 {} e5 *", "(".repeat(10_000));
    let closed = format!(
        "1. e4 {}{} e5 *",
        "(1. d4 ".repeat(10_000),
        ")".repeat(10_000)
    );
    let long = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(251);
    let unclosed = "1. e4 {never closed".to_owned();
    let large = "x".repeat((1 << 20) + 1);
    let illegal = "1. e4 e5 2. Ke3 *".to_owned();
    let variant = "[Variant \"Crazyhouse\"]\n\n1. e4 *".to_owned();
    for (text, status) in [
        (nested, 400),
        (closed, 201), // accepted, with the variations skipped
        (long, 400),
        (unclosed, 400),
        (illegal, 400),
        (variant, 400),
        (large, 413),
        (String::new(), 400),
    ] {
        let answer = server
            .request("POST", "/api/import", &[], text.as_bytes())
            .await;
        let start: String = text.chars().take(30).collect();
        assert_eq!(answer.status, status, "{start}: {}", answer.body);
    }
    let head = format!(
        "POST /api/import HTTP/1.1\r\nhost: {}\r\ncontent-length: {}\r\n\r\n",
        server.address,
        100 << 20
    );
    let answer = server.raw(head.as_bytes()).await;
    assert!(
        answer.starts_with(b"HTTP/1.1 413"),
        "100 MB are refused unread"
    );
    let body = vec![b' '; (64 << 10) + 1];
    assert_eq!(
        server
            .request("POST", "/api/games", &[], &body)
            .await
            .status,
        413
    );
    still_well(&server).await;
}

#[tokio::test]
async fn origins_other_than_ours() {
    let server = start(None).await;
    let own = format!("http://{}", server.address);
    for (origin, status) in [
        (own.as_str(), 200),
        ("null", 403),
        ("file://", 403),
        ("http://evil.example", 403),
    ] {
        let headers = [("origin", origin)];
        let answer = server.request("POST", "/api/token", &headers, b"{}").await;
        assert_eq!(answer.status, status, "{origin}");
    }
    assert_eq!(
        server
            .request("POST", "/api/token", &[], b"{}")
            .await
            .status,
        200,
        "no browser"
    );
    let (id, _, _) = server.pair(json!({ "game": "chess" })).await;
    for (origin, allowed) in [
        (own.as_str(), true),
        ("null", false),
        ("file://", false),
        ("http://evil.example", false),
    ] {
        let url = format!("ws://{}/ws/{id}", server.address);
        let mut request = url.into_client_request().expect("an address");
        request
            .headers_mut()
            .insert("origin", origin.parse().expect("a header"));
        assert_eq!(connect_async(request).await.is_ok(), allowed, "{origin}");
    }
}

/// A page whose name was bound to this address is refused in everything it may
/// ask, sockets included; names that the operator gives are known.
#[tokio::test]
async fn names_bound_to_this_address_by_others() {
    let server = start_with(Config {
        requests: 100_000,
        origins: vec!["https://chess.example".parse().expect("an origin")],
        ..Config::default()
    })
    .await;
    for (host, origin, status) in [
        ("evil.example", "http://evil.example", 421),
        ("evil.example:8080", "http://evil.example:8080", 421),
        ("chess.example", "https://chess.example", 200),
        ("chess.example", "http://evil.example", 403),
        ("localhost:1234", "http://localhost:1234", 200),
    ] {
        for request in [
            "POST /api/token HTTP/1.1\r\ncontent-length: 2",
            "GET /api/agents HTTP/1.1\r\ncontent-length: 2",
        ] {
            let head = format!(
                "{request}\r\nhost: {host}\r\norigin: {origin}\r\nconnection: close\r\n\r\n{{}}"
            );
            let answer = server.raw(head.as_bytes()).await;
            let answer = String::from_utf8_lossy(&answer).into_owned();
            // Origins matter to requests that change something.
            let due = if request.starts_with("GET") && status == 403 {
                200
            } else {
                status
            };
            assert!(
                answer.starts_with(&format!("HTTP/1.1 {due} ")),
                "{head}{answer}"
            );
        }
    }
}

#[tokio::test]
async fn too_many_messages_close_the_socket() {
    let server = start(None).await;
    let (id, white, _) = server.pair(json!({ "game": "chess" })).await;
    for (token, most) in [(Some(white.as_str()), 100), (None, 50)] {
        let (mut socket, _) = server.seat(&id, token, None).await;
        for _ in 0..most {
            socket.say("ping", json!({})).await;
        }
        for _ in 0..most {
            assert!(
                socket
                    .hear()
                    .await
                    .is_some_and(|m| m["t"] == "pong" || m["t"] == "online")
            );
        }
        socket.say("ping", json!({})).await;
        assert_eq!(
            socket.close_code().await,
            Some(u16::from(CloseCode::Policy))
        );
    }
    let (mut flood, _) = server.seat(&id, Some(&white), None).await;
    for _ in 0..200 {
        if flood
            .socket
            .send(Message::Ping(vec![0].into()))
            .await
            .is_err()
        {
            break;
        }
    }
    assert_ne!(
        flood.close_code().await,
        Some(1000),
        "a flood of pings is cut off"
    );
    still_well(&server).await;
}

#[tokio::test]
async fn frames_that_are_too_large_or_not_text() {
    let server = start(None).await;
    let (id, white, _) = server.pair(json!({ "game": "chess" })).await;
    let (mut binary, _) = server.seat(&id, Some(&white), None).await;
    let _ = binary
        .socket
        .send(Message::Binary(vec![1, 2, 3].into()))
        .await;
    assert_eq!(binary.close_code().await, Some(1008));
    let (mut large, _) = server.seat(&id, Some(&white), None).await;
    let text = "x".repeat(5000);
    let _ = large.socket.send(Message::Text(text.into())).await;
    assert!(
        large.hear().await.is_none_or(|m| m["t"] == "online"),
        "cut off"
    );
    let mut silent = server.socket(&id).await;
    let _ = silent.socket.send(Message::Text("{}".into())).await;
    assert_eq!(silent.close_code().await, Some(4000), "no hello");
    still_well(&server).await;
}

/// A frame header that declares 64 MiB, an unfinished fragment, and an
/// unfinished handshake: none affects others.
#[tokio::test]
async fn connections_that_never_finish() {
    let server = start(None).await;
    let (id, _, _) = server.pair(json!({ "game": "chess" })).await;
    let upgrade = format!(
        "GET /ws/{id} HTTP/1.1\r\nhost: {}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        server.address
    );
    let mut held = Vec::new();
    for tail in [
        &[0x81, 0xff, 0, 0, 0, 0, 4, 0, 0, 0, 1, 2, 3, 4][..], // a header that declares 64 MiB
        &[0x01, 0x81, 1, 2, 3, 4, 0][..],                      // first of many fragments
        &[][..],
    ] {
        let mut stream = TcpStream::connect(server.address)
            .await
            .expect("a connection");
        stream
            .write_all(upgrade.as_bytes())
            .await
            .expect("a handshake");
        tokio::time::sleep(Duration::from_millis(100)).await;
        let _ = stream.write_all(tail).await;
        held.push(stream);
    }
    let mut slow = TcpStream::connect(server.address)
        .await
        .expect("a connection");
    slow.write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ")
        .await
        .expect("a start");
    held.push(slow);
    let header = format!(
        "GET / HTTP/1.1\r\nhost: localhost\r\nx-large: {}\r\n\r\n",
        "x".repeat(1 << 20)
    );
    let answer = server.raw(header.as_bytes()).await;
    let answer = String::from_utf8_lossy(&answer);
    assert!(
        answer.is_empty() || answer.contains("431") || answer.contains("400"),
        "{answer}"
    );
    still_well(&server).await;
}

#[tokio::test]
async fn too_many_requests_are_refused() {
    let server = start_with(Config {
        requests: 20,
        ..Config::default()
    })
    .await;
    let mut refused = 0;
    for _ in 0..30 {
        let answer = server.get("/api/agents", None).await;
        refused += usize::from(answer.status == 429);
    }
    assert_eq!(refused, 10);
}

#[tokio::test]
async fn two_servers_do_not_share_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let _server = start(Some(folder.path())).await;
    let config = Config {
        data: Some(folder.path().to_owned()),
        ..Config::default()
    };
    let second = Server::bind([127, 0, 0, 1].into(), 0, config).await;
    let error = second.err().expect("refused").to_string();
    assert!(error.contains("another server is using it"), "{error}");
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "x").expect("a file");
    let error = Store::open(&file.join("data"))
        .err()
        .expect("refused")
        .to_string();
    assert!(error.contains("file/data"), "{error}");
    let broken = tempfile::tempdir().expect("a folder");
    std::fs::write(
        broken.path().join("foglight.sqlite"),
        "half a file, and not of ours",
    )
    .expect("a file");
    assert!(Store::open(broken.path()).is_err(), "not a database");
}
