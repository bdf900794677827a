//! What viewers are told beyond the moves: past views, games that hide nothing,
//! imported results, previews of links; and that it is sent compressed.

use serde_json::json;

use crate::client::start;

/// A second tab asks for what its player saw, and gets that and nothing else.
#[tokio::test]
async fn past_views_are_the_players_own() {
    let server = start(None).await;
    let (id, white, black) = server
        .pair(json!({ "game": "fog", "color": "white" }))
        .await;
    let (mut ada, first) = server.seat(&id, Some(&white), None).await;
    let (mut bob, _) = server.seat(&id, Some(&black), None).await;
    let mut seen = vec![first["d"]["observation"]["board"].clone()];
    for (ply, text) in ["e2e4", "d7d5", "e4d5"].iter().enumerate() {
        let mover = if ply % 2 == 0 { &mut ada } else { &mut bob };
        mover.play(ply as u64, text).await;
        let moved = ada.wait_for("move").await;
        seen.push(moved["observation"]["board"].clone());
    }
    let (mut tab, _) = server.seat(&id, Some(&white), None).await;
    tab.say("past", json!({})).await;
    assert_eq!(tab.wait_for("past").await, json!({ "boards": seen }));
    let (mut eve, _) = server.seat(&id, None, None).await;
    eve.say("past", json!({})).await;
    eve.wait_for("error").await;
}

/// Spectators see the board of a person's game where nothing is hidden, without
/// the bot's opinion of it.
#[tokio::test]
async fn spectators_see_games_that_hide_nothing() {
    let server = start(None).await;
    let token = server.token().await;
    for (game, open) in [("chess", true), ("dice1", true), ("fog", false)] {
        let body = json!({ "game": game, "color": "white", "opponent": { "agent": "greedy" } });
        let id = server.game(&token, body).await;
        let (_, first) = server.seat(&id, None, None).await;
        assert_eq!(first["d"]["info"]["live"], open, "{game}");
        let live = &first["d"]["live"];
        assert_eq!(live.is_null(), !open, "{game}: {live}");
        if open {
            assert_eq!(live["report"], json!({ "white": null, "black": null }));
        }
    }
    let body = json!({ "game": "chess", "color": "white", "opponent": { "agent": "greedy" } });
    let id = server.game(&token, body).await;
    let (mut me, _) = server.seat(&id, Some(&token), None).await;
    let (mut eve, _) = server.seat(&id, None, None).await;
    me.play(0, "g1f3").await;
    let row = eve.wait_for("live").await;
    assert_eq!((&row["san"], &row["by"]), (&json!("Nf3"), &json!("white")));
}

#[tokio::test]
async fn an_imported_win_is_not_an_agreed_draw() {
    let server = start(None).await;
    for (result, reason) in [("1-0", "resign"), ("1/2-1/2", "agreement")] {
        let pgn = format!("[Result \"{result}\"]\n\n1. e4 e5 {result}\n");
        let made = server
            .request("POST", "/api/import", &[], pgn.as_bytes())
            .await;
        assert_eq!(made.status, 201, "{}", made.body);
        let id = made.json()["games"][0].as_str().expect("an id").to_owned();
        let game = server.get(&format!("/api/games/{id}"), None).await.json();
        assert_eq!(
            (&game["result"], &game["reason"]),
            (&json!(result), &json!(reason))
        );
    }
}

#[tokio::test]
async fn answers_are_compressed_for_those_who_ask() {
    let server = start(None).await;
    let asked = [("accept-encoding", "gzip")];
    let rules = server.request("GET", "/api/rules", &asked, b"").await;
    assert!(
        rules.head.contains("content-encoding: gzip"),
        "{}",
        rules.head
    );
}

/// Skipped in part where the page was not built: a placeholder has no title to
/// replace.
#[tokio::test]
async fn a_shared_link_names_the_game() {
    let server = start(None).await;
    let token = server.token().await;
    let named = server
        .post("/api/token", Some(&token), json!({ "name": "\"><b>" }))
        .await;
    assert_eq!(named.status, 200, "{}", named.body);
    let body = json!({ "game": "fog", "color": "white", "opponent": { "person": true } });
    let id = server.game(&token, body).await;
    let page = server.get(&format!("/game/{id}"), None).await;
    assert_eq!(page.status, 200);
    if !page.body.contains("og:title") {
        eprintln!("SKIPPED in part: the page was not built");
        return;
    }
    let title = "content=\"Fog of War: &quot;&gt;&lt;b&gt; invites you to play\"";
    assert!(page.body.contains(title), "{}", page.body);
    let picture = format!("content=\"http://{}/preview.png\"", server.address);
    assert!(page.body.contains(&picture), "{}", page.body);
    let manifest = server.get("/manifest.webmanifest", None).await.json();
    let icons = manifest["icons"].as_array().expect("icons").clone();
    assert!(icons.len() > 1, "{manifest}");
    let sources = icons
        .iter()
        .map(|icon| icon["src"].as_str().expect("an address"));
    for path in sources.chain(["/icon.svg", "/preview.png"]) {
        let icon = server.request("GET", path, &[], b"").await;
        assert_eq!(icon.status, 200, "{path}");
        assert!(
            icon.head.contains("content-type: image/"),
            "{path}: {}",
            icon.head
        );
    }
    let robots = server.get("/robots.txt", None).await;
    assert_eq!(robots.status, 200);
    assert!(robots.head.contains("text/plain"), "{}", robots.head);
}
