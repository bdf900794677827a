//! Declared full sight, and agents that accept or decline a draw.

use serde_json::{Value, json};

use crate::client::start;

#[tokio::test]
async fn who_has_full_sight_sees_all_and_both_are_told() {
    let server = start(None).await;
    let body = json!({ "game": "fog", "color": "white", "sight": "opponent" });
    let (id, white, black) = server.pair(body).await;
    let (mut a, first) = server.seat(&id, Some(&white), None).await;
    let (mut b, second) = server.seat(&id, Some(&black), None).await;
    let (mut watcher, third) = server.seat(&id, None, None).await;
    for state in [&first, &second, &third] {
        let told = &state["d"]["info"]["sight"];
        assert_eq!(*told, json!({ "white": "normal", "black": "full" }));
    }
    let board = |state: &Value| state["d"]["observation"]["board"].to_string();
    assert!(board(&first).contains('?') && !board(&second).contains('?'));
    a.play(0, "e2e4").await;
    let seen = b.wait_for("move").await;
    assert_eq!(seen["entry"]["move"], "e2e4", "it sees the move too");
    b.play(1, "g8f6").await;
    b.wait_for("ack").await;
    let dark = loop {
        let news = a.wait_for("move").await;
        if news["observation"]["ply"] == 2 {
            break news;
        }
    };
    assert_eq!(dark["entry"]["move"], Value::Null, "the other does not");
    let watched = watcher.wait_for("watch").await;
    assert!(watched["board"].is_null() && watched["fen"].is_null());
    a.say("resign", json!({})).await;
    b.wait_for("end").await;
    let line = server.get(&format!("/api/games/{id}/json"), None).await;
    assert_eq!(line.json()["sight"], json!(["black=full"]));
    let pgn = server.get(&format!("/api/games/{id}/pgn"), None).await.body;
    let back = server
        .request("POST", "/api/import", &[], pgn.as_bytes())
        .await;
    let copy = back.json()["games"][0].as_str().expect("an id").to_owned();
    let info = server.get(&format!("/api/games/{copy}"), None).await.json();
    assert_eq!(info["sight"]["black"], "full", "it is in the PGN");
    for side in [&mut a, &mut b] {
        side.say("rematch", json!({})).await;
    }
    let next = loop {
        let news = a.wait_for("rematch").await;
        if let Some(next) = news["game"].as_str() {
            break next.to_owned();
        }
    };
    let info = server.get(&format!("/api/games/{next}"), None).await.json();
    assert_eq!(info["sight"]["white"], "full", "it stays with the player");
}

#[tokio::test]
async fn sight_is_for_fog_and_not_for_ratings() {
    let server = start(None).await;
    let token = server.token().await;
    for body in [
        json!({ "game": "chess", "sight": "me" }),
        json!({ "game": "fog", "sight": "everybody" }),
        json!({ "game": "fog", "sight": "me", "rated": true }),
    ] {
        let answer = server.post("/api/games", Some(&token), body).await;
        assert_eq!(answer.status, 400, "{}", answer.body);
        assert!(answer.error().contains("expected"), "{}", answer.error());
    }
    let show =
        json!({ "game": "fog", "white": "classic:depth=1", "black": "random", "sight": "white" });
    let made = server.post("/api/watch", None, show).await;
    assert_eq!(made.status, 201, "{}", made.body);
}

/// White captures the queen and shuffles with its own; Black, a queen down,
/// reports a negative value for every move.
const QUEENS: &str = "k2q4/8/8/8/8/8/8/3Q3K w - - 0 1";

#[tokio::test]
async fn an_agent_that_stands_worse_takes_the_draw_and_not_too_early() {
    let server = start(None).await;
    let token = server.token().await;
    let body = json!({
        "game": "fog", "rules": "thesis", "fen": QUEENS, "color": "white",
        "opponent": { "agent": "thesis:depth=1" }, "sight": "me",
    });
    let id = server.game(&token, body).await;
    let (mut socket, _) = server.seat(&id, Some(&token), None).await;
    socket.say("draw", json!({ "answer": "offer" })).await;
    assert_eq!(socket.wait_for("draw").await["state"], "offered");
    assert_eq!(
        socket.wait_for("draw").await["state"],
        "declined",
        "too early"
    );
    for round in 0..20 {
        let uci = match round {
            0 => "d1d8",
            1 => "d8d1",
            round if round % 2 == 0 => "d1d2",
            _ => "d2d1",
        };
        socket.play(2 * round, uci).await;
        while socket.wait_for("move").await["observation"]["ply"] != 2 * round + 2 {}
    }
    socket.say("draw", json!({ "answer": "offer" })).await;
    let end = socket.wait_for("end").await;
    assert_eq!(
        (&end["result"], &end["reason"]),
        (&json!("1/2-1/2"), &json!("agreement"))
    );
}
