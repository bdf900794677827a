//! The user study, leaderboards, tournaments, analysis and reviews.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Running, start};

async fn resign_all(server: &Running, token: &str, id: &str) {
    let (mut socket, _) = server.seat(id, Some(token), None).await;
    socket.say("resign", json!({})).await;
    socket.wait_for("end").await;
}

#[tokio::test]
async fn a_participant_answers_plays_twice_and_is_exported() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(Some(folder.path())).await;
    let before = json!({ "hours": 3.5, "openings": 2, "tactics": 4, "positional": 1 });
    let begun = server
        .post(
            "/api/test",
            None,
            json!({ "participant": 7, "before": before }),
        )
        .await;
    assert_eq!(begun.status, 201, "{}", begun.body);
    let token = begun.json()["token"].as_str().expect("a token").to_owned();
    let again = server
        .post(
            "/api/test",
            None,
            json!({ "participant": 7, "before": before }),
        )
        .await;
    assert_eq!(again.status, 409);
    for color in ["white", "black"] {
        let made = server
            .post("/api/test/7/games", Some(&token), Value::Null)
            .await;
        assert_eq!(made.status, 201, "{}", made.body);
        let made = made.json();
        assert_eq!(made["you"], color, "odd participants play White first");
        assert_eq!(made["info"]["rules"], "thesis");
        let agent = &made["info"][if color == "white" { "black" } else { "white" }]["agent"];
        assert_eq!(agent, "thesis:risk=on,ordering=on,depth=2,select=best");
        let second = server
            .post("/api/test/7/games", Some(&token), Value::Null)
            .await;
        assert_eq!(second.status, 409, "one after the other");
        resign_all(&server, &token, made["id"].as_str().expect("an id")).await;
    }
    let third = server
        .post("/api/test/7/games", Some(&token), Value::Null)
        .await;
    assert_eq!(third.status, 409);
    let after = json!({
        "hardest": "middle", "hardest_why": "=too \"dark\", too long", "easiest": "opening",
        "easiest_why": "", "moves": 3, "depth": 2, "risk": 4,
    });
    let state = server
        .post("/api/test/7/after", Some(&token), after)
        .await
        .json();
    assert_eq!(state["games"][1]["status"], "over");
    let secret = std::fs::read_to_string(folder.path().join("operator")).expect("a secret");
    let secret = Some(secret.trim());
    for path in ["/api/test/export.csv", "/api/test/export.pgn"] {
        for other in [None, Some(token.as_str()), Some("guess")] {
            let due = if other.is_none() { 401 } else { 403 };
            let answer = server.get(path, other).await;
            assert_eq!(answer.status, due, "{path} {other:?}");
        }
    }
    let csv = server.get("/api/test/export.csv", secret).await.body;
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows.len(), 3, "{csv}");
    assert!(rows[1].starts_with("7,3.5,2,4,1,middle,\"'=too \"\"dark\"\", too long\",opening,"));
    assert!(
        rows[1].contains(",1,white,") && rows[2].contains(",2,black,"),
        "{csv}"
    );
    assert!(rows[1].ends_with(",0-1,resign,0,0"), "{csv}");
    let pgn = server.get("/api/test/export.pgn", secret).await.body;
    assert_eq!(pgn.matches("[Event ").count(), 2);
    let tests = folder.path().join("user-test");
    for name in ["7/game01white.pgn", "7/game02black.pgn"] {
        let text = std::fs::read_to_string(tests.join(name)).expect("a file");
        assert!(text.contains("Participant 7"), "{text}");
    }
    let backups = std::fs::read_dir(tests.join("backup"))
        .expect("backups")
        .count();
    assert_eq!(backups, 2);
}

/// What a participant answered and plays is for its own token alone.
#[tokio::test]
async fn participants_are_strangers_to_each_other() {
    let server = start(None).await;
    let before = json!({ "hours": 3.5, "openings": 2, "tactics": 4, "positional": 1 });
    let body = json!({ "participant": 7, "before": before });
    let begun = server.post("/api/test", None, body).await.json();
    let own = begun["token"].as_str().expect("a token").to_owned();
    let other = server.token().await;
    let after = json!({
        "hardest": "middle", "easiest": "opening", "moves": 3, "depth": 2, "risk": 4,
    });
    for (token, status) in [
        (None, 401),
        (Some(other.as_str()), 404),
        (Some("guess"), 401),
    ] {
        assert_eq!(server.get("/api/test/7", token).await.status, status);
        let made = server.post("/api/test/7/games", token, Value::Null).await;
        assert_eq!(made.status, status);
        let sent = server.post("/api/test/7/after", token, after.clone()).await;
        assert_eq!(sent.status, status);
    }
    let state = server.get("/api/test/7", Some(&own)).await.json();
    assert_eq!(state["before"], before);
    assert_eq!(
        (&state["after"], &state["games"][0]["id"]),
        (&Value::Null, &Value::Null)
    );
}

#[tokio::test]
async fn wrong_answers_are_refused() {
    let server = start(None).await;
    let token = server.token().await;
    for before in [
        json!({ "hours": -1, "openings": 2, "tactics": 4, "positional": 1 }),
        json!({ "hours": 1, "openings": 8, "tactics": 4, "positional": 1 }),
        json!({ "hours": 1, "openings": 1, "tactics": 4 }),
    ] {
        let body = json!({ "participant": 1, "before": before });
        assert_eq!(
            server.post("/api/test", None, body).await.status,
            400,
            "{before}"
        );
    }
    assert_eq!(server.get("/api/test/1", Some(&token)).await.status, 404);
}

#[tokio::test]
async fn rated_games_move_the_ladder() {
    let server = start(None).await;
    let token = server.token().await;
    let game = json!({ "game": "fog", "opponent": { "agent": "random" }, "rated": true });
    let id = server.game(&token, game).await;
    let (mut socket, _) = server.seat(&id, Some(&token), None).await;
    socket.say("resign", json!({})).await;
    let end = socket.wait_for("end").await;
    assert_eq!(
        end["ratings"]["white"],
        json!({ "before": 1500.0, "after": 1480.0 })
    );
    let ladder = server.get("/api/ladder", None).await.json();
    let places = ladder["ladders"]["fog:chesscom"]
        .as_array()
        .expect("a ladder")
        .clone();
    assert_eq!(places.len(), 2);
    assert_eq!(
        (&places[0]["kind"], &places[0]["rating"]),
        (&json!("agent"), &json!(1520.0))
    );
    let me = server.get("/api/me", Some(&token)).await.json();
    assert_eq!(me["ratings"]["fog:chesscom"]["games"], 1);
    assert_eq!(me["games"][0]["id"], id);
}

async fn until_done(server: &Running, path: &str, key: &str, value: &str) -> Value {
    for _ in 0..6000 {
        let answer = server.get(path, None).await.json();
        if answer[key] == value {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{path} is never {value}");
}

#[tokio::test]
async fn a_tournament_runs_with_cross_table_and_ratings() {
    let server = start(None).await;
    let plan =
        json!({ "name": "Small", "game": "fog", "agents": ["random", "greedy"], "rounds": 2 });
    let made = server.post("/api/tournaments", None, plan).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let id = made.json()["id"].as_str().expect("an id").to_owned();
    let done = until_done(&server, &format!("/api/tournaments/{id}"), "status", "over").await;
    assert_eq!(
        (done["played"].as_u64(), done["of"].as_u64()),
        (Some(4), Some(4))
    );
    assert_eq!(done["table"][0]["agent"], "greedy");
    assert!(done["table"][0]["rating"].as_f64() > Some(0.0));
    let cell = &done["cross"][0][1];
    let games = ["w", "d", "l"].map(|key| cell[key].as_u64().expect("a count"));
    assert_eq!(games.iter().sum::<u64>(), 4);
    assert_eq!(done["history"].as_array().map(Vec::len), Some(4));
    for list in ["/api/watch", "/api/tournaments"] {
        let listed = server.get(list, None).await.json()["tournaments"][0].clone();
        assert_eq!(
            (&listed["played"], &listed["of"]),
            (&json!(4), &json!(4)),
            "{list}"
        );
    }
    let wrong = json!({ "game": "fog", "agents": ["random"], "rounds": 1 });
    assert_eq!(
        server.post("/api/tournaments", None, wrong).await.status,
        400
    );
}

#[tokio::test]
async fn a_show_game_is_open_to_all_and_reviewed_after() {
    let server = start(None).await;
    let show = json!({ "game": "fog", "white": "greedy", "black": "random", "pause": 50 });
    let id = server.post("/api/watch", None, show).await.json()["id"].clone();
    let id = id.as_str().expect("an id");
    let (mut watcher, state) = server.seat(id, None, None).await;
    assert!(state["d"]["live"]["truth"].is_string(), "{state}");
    let live = watcher.wait_for("live").await;
    assert!(live["fen"].is_string() && live["white"].as_str().expect("rows").contains('?'));
    watcher.wait_for("end").await;
    let path = format!("/api/games/{id}/review?side=black");
    let review = until_done(&server, &path, "status", "done").await;
    let moves = review["moves"].as_array().expect("moves").len();
    let info = server.get(&format!("/api/games/{id}"), None).await.json();
    assert_eq!(moves as u64, info["ply"].as_u64().expect("plies") / 2);
    let why = server
        .get(&format!("/api/games/{id}/why?side=black"), None)
        .await
        .json();
    assert_eq!(why["losses"], review["losses"]);
}

#[tokio::test]
async fn study_asks_agents_about_positions_and_views() {
    let server = start(None).await;
    let fog = "????????/????????/1???????/?1?p1??1/4P3/4?3/PPPP1PPP/RNBQKBNR w KQ - - -";
    for fen in ["startpos", fog] {
        let body = json!({ "game": "fog", "fen": fen, "agent": "greedy" });
        let said = server.post("/api/study", None, body).await;
        assert_eq!(said.status, 200, "{}", said.body);
        let said = said.json();
        let moves = said["observation"]["moves"].as_array().expect("moves");
        assert!(moves.contains(&said["move"]));
        assert_eq!(said["other"].is_null(), fen == fog);
        assert!(said["belief"]["count"].as_u64() >= Some(1));
    }
    let line = json!({ "game": "fog", "moves": ["e2e4", "d7d5"], "side": "white" });
    let rows = server
        .post("/api/study/belief", None, line.clone())
        .await
        .json();
    assert_eq!(
        (&rows["rows"][2]["count"], &rows["rows"][2]["truth"]),
        (&json!(1), &json!(true))
    );
    let position = server
        .post("/api/position", None, json!({ "moves": ["e2e4"] }))
        .await
        .json();
    assert_eq!(position["turn"], "black");
    assert_eq!(
        position["black"]["moves"].as_array().map(Vec::len),
        Some(20)
    );
    let rules = server.get("/api/rules", None).await.json();
    assert_eq!(rules["pages"].as_array().map(Vec::len), Some(7));
}

#[tokio::test]
async fn games_from_elsewhere_are_imported() {
    let server = start(None).await;
    let pgn = "[White \"A \\\"<b>\\\"\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 1-0\n";
    let made = server
        .request("POST", "/api/import", &[], pgn.as_bytes())
        .await;
    assert_eq!(made.status, 201, "{}", made.body);
    let id = made.json()["games"][0].as_str().expect("an id").to_owned();
    let record = server
        .get(&format!("/api/games/{id}/record"), None)
        .await
        .json();
    assert_eq!(record["rows"][3]["san"], "Nf3");
    assert_eq!(record["info"]["white"]["name"], "A \"<b>\"");
}

/// Beliefs of games of any length, in parts.
#[tokio::test]
async fn a_belief_is_told_in_parts_beyond_two_hundred_moves() {
    let server = start(None).await;
    // Pawns move now and then, so that neither repetition nor the halfmove
    // limit ends the game.
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(20);
    let parts = [
        &shuffle[..],
        &["a2a3", "a7a6"],
        &shuffle,
        &["a3a4", "a6a5"],
        &shuffle[..56],
    ];
    let moves = parts.concat();
    let ask = |from: usize| {
        let body = json!({
            "game": "fog", "rules": "thesis", "fen": "4k1n1/p7/8/8/8/8/P7/4K1N1 w - - 0 1",
            "moves": moves, "side": "white", "from": from,
        });
        server.post("/api/study/belief", None, body)
    };
    for (from, rows, next) in [(0, 100, json!(100)), (200, 21, Value::Null)] {
        let answer = ask(from).await.json();
        let told = answer["rows"].as_array().expect("rows");
        assert_eq!(told.len(), rows, "from {from}");
        assert_eq!(told[0]["ply"], from);
        assert!(
            told.iter()
                .all(|row| row["truth"] == true && row["heat"]["n"].is_array())
        );
        assert_eq!(answer["next"], next);
    }
    assert_eq!(ask(5000).await.json()["rows"], json!([]));
}
