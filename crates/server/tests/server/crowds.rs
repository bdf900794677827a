//! Clients that keep the processors busy: others hardly notice.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Running, start};

/// A move of level 1 takes a quarter of a second; old servers let it wait for
/// all the others, ten seconds each.
const SOON: Duration = Duration::from_secs(5);

/// Starts games whose agents begin and think for ten seconds a move.
async fn think_long(server: &Running, count: usize) -> (String, Vec<String>) {
    let token = server.token().await;
    let slow = json!({ "agent": "classic:ms=10000,hash=1" });
    let body = json!({ "game": "chess", "color": "black", "opponent": slow });
    let mut games = Vec::new();
    for _ in 0..count {
        games.push(server.game(&token, body.clone()).await);
    }
    (token, games)
}

/// Plays two moves against level 1. Returns the longest wait for a reply.
async fn beginner(server: &Running) -> Duration {
    let token = server.token().await;
    let id = server
        .game(&token, json!({ "opponent": { "level": 1 } }))
        .await;
    let (mut socket, _) = server.seat(&id, Some(&token), None).await;
    let mut longest = Duration::ZERO;
    for (ply, text) in [(0, "e2e4"), (2, "a2a3")] {
        let asked = Instant::now();
        socket.play(ply, text).await;
        loop {
            let seen = &socket.wait_for("move").await["observation"];
            if seen["ply"] == ply + 2 {
                break;
            }
        }
        longest = longest.max(asked.elapsed());
    }
    longest
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_thinkers_of_an_address_delay_no_other() {
    let server = start(None).await;
    let (token, games) = think_long(&server, 12).await;
    let elsewhere = beginner(&server.from(2)).await;
    assert!(elsewhere < SOON, "{elsewhere:?} for another address");
    let same = beginner(&server).await;
    assert!(same < SOON, "{same:?} for another game of the same address");
    for id in games {
        let path = format!("/api/bot/game/{id}/resign");
        server.post(&path, Some(&token), Value::Null).await;
    }
}

/// Requests of one address are refused beyond a bound, in clear words; those of
/// another are answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn analyses_of_one_address_keep_no_other_from_theirs() {
    let server = start(None).await;
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let ask = |agent: &str| json!({ "game": "chess", "fen": fen, "agent": agent });
    let long = ask("classic:ms=10000,hash=1");
    let asked: Vec<_> = (0..9)
        .map(|_| {
            let (server, long) = (server.from(1), long.clone());
            tokio::spawn(async move { server.post("/api/study", None, long).await })
        })
        .collect();
    while !asked.iter().any(|answer| answer.is_finished()) {
        tokio::time::sleep(Duration::from_millis(10)).await; // all nine have arrived
    }
    let began = Instant::now();
    let other = server.from(2).post("/api/study", None, ask("random")).await;
    assert_eq!(other.status, 200, "{}", other.body);
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    let mut refused = 0;
    for answer in asked {
        if answer.is_finished() {
            let answer = answer.await.expect("no panic");
            assert_eq!(answer.status, 429, "{}", answer.body);
            assert!(answer.error().contains("8 of your requests"));
            refused += 1;
        } else {
            answer.abort(); // the client goes, and its work with it
        }
    }
    assert_eq!(refused, 1);
    let began = Instant::now();
    while server.post("/api/study", None, ask("random")).await.status != 200 {
        assert!(began.elapsed() < SOON, "what nobody waits for still counts");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
