//! `examples/check_dice.py`, which shares no code with the server, finds the
//! dice of whole games fair, and every forgery of them unfair.

mod common;
mod server;

use std::{fs, path::Path, process::Command};

use common::repository;
use serde_json::{Value, json};
use server::Server;

/// A game against an agent that moves at random, to its end or 80 plies.
struct Played {
    commit: String,
    game: Value,
    record: Value,
}

fn play(server: &Server, game: &str) -> Played {
    let ask = |method, path: &str, token: &str, body| {
        let answer = server.ask(method, path, token, body).expect("an answer");
        assert!(answer.0 < 300, "{path}: {}", answer.1);
        answer.1
    };
    let token = ask("POST", "/api/token", "", json!({}))["token"].clone();
    let token = token.as_str().expect("a token").to_owned();
    let made = ask(
        "POST",
        "/api/challenge/random",
        &token,
        json!({ "game": game }),
    );
    let id = made["id"].as_str().expect("an id").to_owned();
    let bot = |what: &str| {
        let path = format!("/api/bot/game/{id}/{what}");
        server
            .ask("POST", &path, &token, Value::Null)
            .expect("an answer")
    };
    assert_eq!(bot("seed/my-own-seed").0, 200);
    for turn in 0_usize.. {
        let state = server.first_state(&id, &token).expect("a state");
        if state["status"] == "over" {
            break;
        }
        let seen = &state["observation"];
        if turn > 200 || seen["ply"].as_u64() > Some(80) {
            assert_eq!(bot("resign").0, 200);
            break;
        }
        match (&seen["turn"], &seen["roll"]) {
            (side, _) if side != "white" => {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            (_, Value::Bool(true)) => drop(bot("move/roll")),
            _ => {
                let moves = seen["moves"].as_array().expect("moves");
                let text = moves[turn * 7 % moves.len()].as_str().expect("a move");
                bot(&format!("move/{text}"));
            }
        }
    }
    Played {
        commit: made["commit"].as_str().expect("a promise").to_owned(),
        game: ask("GET", &format!("/api/games/{id}/json"), "", Value::Null),
        record: ask("GET", &format!("/api/games/{id}/record"), "", Value::Null),
    }
}

/// What the program says, and whether it finds the dice fair.
fn check(folder: &Path, game: &Value, record: &Value, commit: &str, seed: &str) -> (String, bool) {
    let files = ["game.json", "record.json"].map(|name| folder.join(name));
    fs::write(&files[0], game.to_string()).expect("a file");
    fs::write(&files[1], record.to_string()).expect("a file");
    let output = Command::new("python3")
        .arg(repository("examples/check_dice.py"))
        .args(&files)
        .args(["--commit", commit, "--white", seed])
        .output()
        .expect("python3");
    let told = [output.stdout, output.stderr].concat();
    (
        String::from_utf8_lossy(&told).into_owned(),
        output.status.success(),
    )
}

#[test]
fn dice_are_checked_without_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("data"));
    for game in ["dice1", "dice3"] {
        let Played {
            commit,
            game: line,
            record,
        } = play(&server, game);
        let is_fair = |line: &Value, record: &Value, commit: &str, seed: &str| {
            check(folder.path(), line, record, commit, seed)
        };
        let (told, fair) = is_fair(&line, &record, &commit, "my-own-seed");
        assert!(fair && told.starts_with("fair: "), "{game}: {told}");
        let rolls = record["reveal"]["rolls"].as_array().expect("rolls").len();
        assert!(rolls > 3, "{game}: {rolls} rolls");
        let forged = |change: &dyn Fn(&mut Value)| {
            let mut forged = record.clone();
            change(&mut forged["reveal"]);
            is_fair(&line, &forged, &commit, "my-own-seed")
        };
        let list = |reveal: &mut Value, change: &dyn Fn(&mut Vec<Value>)| {
            change(reveal["rolls"].as_array_mut().expect("rolls"));
        };
        for (what, (told, fair)) in [
            ("missing", forged(&|r| list(r, &|rolls| drop(rolls.pop())))),
            (
                "added",
                forged(&|r| list(r, &|rolls| rolls.push(rolls[0].clone()))),
            ),
            ("moved", forged(&|r| list(r, &|rolls| rolls.swap(0, 1)))),
            ("changed", forged(&|r| r["rolls"][2]["roll"] = json!("KKK"))),
            (
                "chances",
                forged(&|r| r["rolls"][2]["chances"][0][1] = json!(0.9)),
            ),
            ("seed", forged(&|r| r["seed"] = json!("00"))),
        ] {
            assert!(!fair, "{game}, {what}: {told}");
        }
        assert!(!is_fair(&line, &record, &"0".repeat(64), "my-own-seed").1);
        assert!(!is_fair(&line, &record, &commit, "another-seed").1);
        let mut other = line.clone();
        let actions = other["actions"].as_array_mut().expect("actions");
        actions.truncate(1); // a game of one roll
        assert!(!is_fair(&other, &record, &commit, "my-own-seed").1);
    }
}
