//! Playing: moves, reconnections, draws, rematches, dice, clocks.

use serde_json::{Value, json};

use crate::client::{Socket, start};

#[tokio::test]
async fn two_people_play_by_link_and_see_their_own_views() {
    let server = start(None).await;
    let (id, white, black) = server.pair(json!({ "game": "fog" })).await;
    let (mut a, state) = server.seat(&id, Some(&white), None).await;
    let (mut b, other) = server.seat(&id, Some(&black), None).await;
    assert_eq!(state["d"]["you"], "white");
    assert_eq!(other["d"]["you"], "black");
    let seen = &state["d"]["observation"];
    assert_eq!(seen["moves"].as_array().map(Vec::len), Some(20));
    assert!(
        seen["board"]
            .as_str()
            .expect("a board")
            .starts_with("????????/")
    );
    a.play(0, "e2e4").await;
    a.wait_for("ack").await;
    let mine = a.wait_for("move").await;
    assert_eq!(mine["entry"]["san"], "e4");
    let theirs = b.wait_for("move").await;
    assert_eq!(theirs["entry"]["kind"], "dark");
    assert_eq!(theirs["entry"]["move"], Value::Null);
    b.play(1, "d7d5").await;
    b.wait_for("ack").await;
    let mine = a.wait_for("move").await;
    assert_eq!(mine["entry"]["kind"], "surprise");
    assert_eq!(mine["entry"]["to"], json!(["d5"]));
    a.play(2, "e4d5").await;
    let lost = b.wait_for("move").await;
    let lost = if lost["entry"]["lost"].is_null() {
        b.wait_for("move").await
    } else {
        lost
    };
    assert_eq!(
        lost["entry"]["lost"],
        json!({ "square": "d5", "piece": "p" })
    );
    b.say("resign", json!({})).await;
    let end = a.wait_for("end").await;
    assert_eq!(
        (&end["result"], &end["reason"]),
        (&json!("1-0"), &json!("resign"))
    );
    let record = server
        .get(&format!("/api/games/{id}/record"), None)
        .await
        .json();
    assert_eq!(record["rows"].as_array().map(Vec::len), Some(4));
    assert_eq!(record["rows"][2]["sighting"], "surprise");
    assert!(
        record["rows"][3]["truth"]
            .as_str()
            .expect("rows")
            .starts_with("rnbqkbnr/")
    );
    let pgn = server.get(&format!("/api/games/{id}/pgn"), None).await.body;
    assert!(
        pgn.contains("1. e4 d5 2. exd5") && pgn.contains("Fog of War"),
        "{pgn}"
    );
}

#[tokio::test]
async fn a_move_sent_twice_is_played_once() {
    let server = start(None).await;
    let (id, white, _) = server.pair(json!({ "game": "chess" })).await;
    let (mut a, _) = server.seat(&id, Some(&white), None).await;
    a.play(0, "e2e4").await;
    a.play(0, "e2e4").await;
    let first = a.wait_for("ack").await;
    assert_eq!(first, a.wait_for("ack").await);
    let info = server.get(&format!("/api/games/{id}"), None).await.json();
    assert_eq!(info["ply"], 1);
    a.say(
        "move",
        json!({ "ply": 0, "move": "e2e4", "token": "other" }),
    )
    .await;
    let error = a.wait_for("error").await;
    assert_eq!(error["error"], "the position has changed; try again");
}

#[tokio::test]
async fn who_reconnects_gets_what_it_missed_or_a_fresh_state() {
    let server = start(None).await;
    let (id, white, black) = server.pair(json!({ "game": "chess" })).await;
    let (mut a, _) = server.seat(&id, Some(&white), None).await;
    let (mut b, _) = server.seat(&id, Some(&black), None).await;
    a.play(0, "e2e4").await;
    a.wait_for("ack").await;
    let last = loop {
        let message = b.hear().await.expect("a message");
        if message["t"] == "move" {
            break message["v"].as_u64().expect("a version");
        }
    };
    drop(b);
    let (_b, first) = server.seat(&id, Some(&black), Some(last - 1)).await;
    assert_eq!(
        (first["t"].as_str(), first["v"].as_u64()),
        (Some("move"), Some(last))
    );
    let (_c, fresh) = server.seat(&id, Some(&black), Some(last + 1000)).await;
    assert_eq!(fresh["t"], "state");
    assert_eq!(fresh["d"]["log"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn draws_are_offered_declined_and_agreed() {
    let server = start(None).await;
    let (id, white, black) = server.pair(json!({ "game": "chess" })).await;
    let (mut a, _) = server.seat(&id, Some(&white), None).await;
    let (mut b, _) = server.seat(&id, Some(&black), None).await;
    b.say("draw", json!({ "answer": "accept" })).await;
    assert_eq!(b.wait_for("error").await["error"], "no draw was offered");
    a.say("draw", json!({ "answer": "offer" })).await;
    assert_eq!(b.wait_for("draw").await["state"], "offered");
    b.say("draw", json!({ "answer": "decline" })).await;
    a.wait_for("draw").await;
    assert_eq!(a.wait_for("draw").await["state"], "declined");
    b.say("draw", json!({ "answer": "offer" })).await;
    a.wait_for("draw").await;
    a.say("draw", json!({ "answer": "accept" })).await;
    let end = b.wait_for("end").await;
    assert_eq!(
        (&end["result"], &end["reason"]),
        (&json!("1/2-1/2"), &json!("agreement"))
    );
    a.say("rematch", json!({})).await;
    assert_eq!(b.wait_for("rematch").await["state"], "offered");
    b.say("rematch", json!({})).await;
    let started = loop {
        let news = a.wait_for("rematch").await;
        if news["state"] == "started" {
            break news;
        }
    };
    let next = started["game"].as_str().expect("a game");
    let (_, state) = server.seat(next, Some(&white), None).await;
    assert_eq!(state["d"]["you"], "black", "colours change");
}

#[tokio::test]
async fn a_clock_that_runs_out_loses() {
    let server = start(None).await;
    let clock = json!({ "base": 1, "increment": 0 });
    let (id, white, black) = server
        .pair(json!({ "game": "chess", "clock": clock }))
        .await;
    let (mut a, _) = server.seat(&id, Some(&white), None).await;
    let (mut b, _) = server.seat(&id, Some(&black), None).await;
    a.play(0, "e2e4").await;
    b.wait_for("move").await;
    b.play(1, "e7e5").await;
    let end = a.wait_for("end").await;
    assert_eq!(
        (&end["result"], &end["reason"]),
        (&json!("0-1"), &json!("timeout"))
    );
    assert_eq!(end["clocks"]["white"], 0);
}

/// Plays an agent to the end with the first legal move each time, and rolls the
/// dice.
async fn play_out(socket: &mut Socket, mut seen: Value, side: &str) -> Value {
    let mut fresh = true;
    for _ in 0..3000 {
        if std::mem::take(&mut fresh) && seen["turn"] == side && seen["over"] == false {
            if seen["roll"] == true {
                socket.say("roll", json!({ "ply": seen["ply"] })).await;
            } else if let Some(text) = seen["moves"][0].as_str() {
                socket
                    .play(seen["ply"].as_u64().expect("a ply"), text)
                    .await;
            }
        }
        let message = socket.hear().await.expect("a message");
        match message["t"].as_str() {
            Some("end") => return message["d"].clone(),
            Some("move" | "roll") => {
                (seen, fresh) = (message["d"]["observation"].clone(), true);
            }
            Some("error") => panic!("{message}"),
            _ => {}
        }
        if fresh {
            // Stays below the rate limit.
            tokio::time::sleep(std::time::Duration::from_millis(220)).await;
        }
    }
    panic!("no end");
}

#[tokio::test]
async fn dice_are_promised_thrown_and_proved() {
    let server = start(None).await;
    let token = server.token().await;
    // Bare kings and a rook: a short game.
    let fen = "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1 -";
    let game = json!({ "game": "dice1", "fen": fen, "opponent": { "agent": "random" } });
    let id = server.game(&token, game).await;
    let (mut socket, state) = server.seat(&id, Some(&token), None).await;
    let commit = state["d"]["commit"].as_str().expect("a promise").to_owned();
    socket.say("seed", json!({ "seed": "mine" })).await;
    let end = play_out(&mut socket, state["d"]["observation"].clone(), "white").await;
    let reveal = &end["reveal"];
    assert_eq!(reveal["commit"], commit);
    assert_eq!(reveal["clients"], json!({ "white": "mine", "black": "" }));
    let line = server.get(&format!("/api/games/{id}/json"), None).await;
    let check = async |reveal: &Value, commit: &str| {
        let known = json!({ "commit": commit, "white": "mine" });
        let body = json!({ "reveal": reveal, "record": line.json(), "known": known });
        let answer = server.post("/api/dice/check", None, body).await;
        answer.json()
    };
    let fair = check(reveal, &commit).await;
    assert_eq!(fair, json!({ "ok": true, "problems": [] }));
    let mut loaded = reveal.clone();
    loaded["seed"] = json!("00");
    assert_eq!(check(&loaded, &commit).await["ok"], false);
    assert_eq!(check(reveal, &"0".repeat(64)).await["ok"], false);
}

/// No roll is made before every person has named a seed, not even by an agent;
/// the first seed counts.
#[tokio::test]
async fn the_dice_wait_for_the_seeds_of_all() {
    let server = start(None).await;
    let token = server.token().await;
    let game = json!({ "game": "dice1", "color": "black", "opponent": { "agent": "random" } });
    let id = server.game(&token, game).await;
    let (mut socket, state) = server.seat(&id, Some(&token), None).await;
    assert_eq!(
        state["d"]["observation"]["roll"], true,
        "the agent has not rolled"
    );
    assert_eq!(state["d"]["seed"], Value::Null);
    socket.say("seed", json!({ "seed": "a:b" })).await;
    let error = socket.wait_for("error").await;
    assert!(
        error["error"]
            .as_str()
            .expect("text")
            .starts_with("seed: expected")
    );
    socket.say("seed", json!({ "seed": "first" })).await;
    socket.wait_for("roll").await;
    socket.say("seed", json!({ "seed": "second" })).await;
    let (_, state) = server.seat(&id, Some(&token), None).await;
    assert_eq!(state["d"]["seed"], "first");
}

#[tokio::test]
async fn no_roll_can_be_chosen_or_repeated() {
    let server = start(None).await;
    let (id, white, black) = server.pair(json!({ "game": "dice1" })).await;
    let (mut a, _) = server.seat(&id, Some(&white), None).await;
    let (mut b, _) = server.seat(&id, Some(&black), None).await;
    a.play(0, "roll:Q").await;
    assert_eq!(
        a.wait_for("error").await["error"],
        "the dice are to be thrown first"
    );
    a.say("seed", json!({ "seed": "x" })).await;
    a.say("roll", json!({ "ply": 0 })).await;
    let error = a.wait_for("error").await;
    assert!(
        error["error"]
            .as_str()
            .expect("text")
            .starts_with("the dice wait")
    );
    b.say("seed", json!({ "seed": "y" })).await;
    b.say("ping", json!({})).await;
    b.wait_for("pong").await;
    a.say("roll", json!({ "ply": 0 })).await;
    let roll = a.wait_for("roll").await["roll"].clone();
    a.say("roll", json!({ "ply": 0 })).await;
    assert_eq!(
        a.wait_for("error").await["error"],
        "there is nothing to roll now"
    );
    let (_again, state) = server.seat(&id, Some(&white), None).await;
    assert_eq!(state["d"]["observation"]["dice"], roll, "not thrown again");
    assert_eq!(state["d"]["reveal"], Value::Null, "no proof before the end");
}

#[tokio::test]
async fn watchers_of_people_are_told_clocks_and_numbers_only() {
    let server = start(None).await;
    let clock = json!({ "base": 60, "increment": 1 });
    let (id, white, _) = server.pair(json!({ "game": "fog", "clock": clock })).await;
    let (mut a, _) = server.seat(&id, Some(&white), None).await;
    let (mut watcher, state) = server.seat(&id, None, None).await;
    assert_eq!(state["d"]["observation"], Value::Null);
    assert_eq!(state["d"]["live"], Value::Null);
    a.play(0, "e2e4").await;
    let news = watcher.wait_for("watch").await;
    let mut keys: Vec<&String> = news.as_object().expect("an object").keys().collect();
    keys.sort();
    assert_eq!(keys, ["clocks", "ply", "turn"]);
    for said in ["move", "roll", "resign"] {
        watcher
            .say(said, json!({ "ply": 1, "move": "e7e5", "token": "t" }))
            .await;
        let error = watcher.wait_for("error").await;
        assert!(
            error["error"]
                .as_str()
                .expect("text")
                .starts_with("watchers cannot play")
        );
    }
    let refused = server
        .get(&format!("/api/games/{id}/record"), Some(&white))
        .await;
    assert_eq!(refused.status, 403);
}

#[tokio::test]
async fn practice_tells_the_belief_and_the_mix() {
    let server = start(None).await;
    let token = server.token().await;
    let game = json!({ "game": "fog", "opponent": { "agent": "random" }, "practice": true });
    let id = server.game(&token, game).await;
    let (mut socket, _) = server.seat(&id, Some(&token), None).await;
    socket.play(0, "e2e4").await;
    let mut seen = 1;
    while seen < 2 {
        seen = socket.wait_for("move").await["observation"]["ply"]
            .as_u64()
            .expect("a ply");
    }
    socket
        .say("practice", json!({ "on": true, "heat": true, "mix": true }))
        .await;
    let news = socket.wait_for("practice").await;
    assert_eq!(
        (news["ply"].as_u64(), news["exact"].as_bool()),
        (Some(2), Some(true))
    );
    assert!(news["count"].as_u64().expect("a count") >= 1);
    assert_eq!(news["heat"]["k"].as_array().map(Vec::len), Some(64));
    let advice = socket.wait_for("practice").await;
    assert!(
        advice["mix"][0]["p"].as_f64().expect("a share") > 0.0,
        "{advice}"
    );
    let rated = json!({ "game": "fog", "practice": true, "rated": true });
    assert_eq!(
        server.post("/api/games", Some(&token), rated).await.status,
        400
    );
}
