//! Limits for visitors: every option of every agent over the real routes,
//! within its limit and beyond it.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use foglight_engine::registry::AGENTS;
use foglight_play::{Entry, OptionInfo, Providers, Values, spec::COMMON};
use foglight_rules::Game;
use foglight_server::Config;
use serde_json::{Value, json};

use crate::client::{Answer, Running, start, start_over, start_with};

/// A server whose agents could use every outside resource, and the number of
/// attempts to use one.
async fn tempting() -> (Running, Arc<AtomicUsize>) {
    let reached = Arc::new(AtomicUsize::new(0));
    let count = || {
        let reached = Arc::clone(&reached);
        move || reached.fetch_add(1, Ordering::Relaxed)
    };
    let (file, program, tables) = (count(), count(), count());
    let providers = Providers {
        read: Some(Arc::new(move |_| {
            file();
            Ok(Vec::new())
        })),
        stockfish: Some(Arc::new(move || {
            program();
            Err("not to be started".to_owned())
        })),
        tables: Some(Arc::new(move |_| {
            tables();
            Err(std::io::Error::other("not to be opened"))
        })),
        ..Providers::default()
    };
    let config = Config {
        providers,
        requests: 100_000,
        seed: Some(7),
        ..Config::default()
    };
    (start_with(config).await, reached)
}

/// A game that an agent plays.
fn game_of(entry: &Entry) -> Game {
    let mut games = Game::ALL.into_iter().rev();
    games.find(|game| (entry.plays)(game)).expect("a game")
}

fn options(entry: &Entry) -> impl Iterator<Item = &OptionInfo> {
    entry.options.iter().chain(&COMMON)
}

async fn ask(server: &Running, token: &str, entry: &Entry, options: &str) -> Answer {
    let agent = format!("{}:{options}", entry.name);
    let opponent = json!({ "agent": agent });
    let game = game_of(entry);
    let body = json!({ "game": game.name(), "rules": game.rules_name(), "opponent": opponent });
    server.post("/api/games", Some(token), body).await
}

/// Sample values of an option, with the ends of ranges and values beyond
/// `most`.
fn samples(values: Values, most: Option<Values>) -> Vec<String> {
    match values {
        Values::Choice(words) => words.iter().map(|word| (*word).to_owned()).collect(),
        Values::Switch => vec!["on".into(), "off".into()],
        Values::Whole(low, high) => {
            let bound = match most {
                Some(Values::Whole(_, bound)) => bound,
                _ => high,
            };
            let list = [low, bound, bound.saturating_add(1).min(high), high];
            list.iter().map(u64::to_string).collect()
        }
        Values::Number(low, high) => vec![low.to_string(), high.to_string()],
        Values::Text => ["", "classic", "stockfish", "/etc/passwd"]
            .map(str::to_owned)
            .to_vec(),
    }
}

/// The refusal names the option and what was expected.
fn refusal(option: &OptionInfo) -> String {
    let expected = match option.visitors() {
        None => "not to be set".to_owned(),
        Some(Values::Whole(_, most)) => format!("at most {most}"),
        Some(values) => values.to_string(),
    };
    format!("option '{}': expected {expected}", option.name)
}

#[tokio::test]
async fn every_option_of_every_agent_goes_as_far_as_its_bound() {
    let (server, reached) = tempting().await;
    let token = server.token().await;
    let (mut accepted, mut refused) = (0, 0);
    for entry in AGENTS {
        for option in options(entry) {
            for value in samples(option.values, option.visitors()) {
                let set = format!("{}={value}", option.name);
                let answer = ask(&server, &token, entry, &set).await;
                let text = format!("{}:{set}: {}", entry.name, answer.body);
                if option.visitors().is_some_and(|may| may.accepts(&value)) {
                    assert_eq!(answer.status, 201, "{text}");
                    accepted += 1;
                } else {
                    assert_eq!(answer.status, 400, "{text}");
                    assert!(answer.error().contains(&refusal(option)), "{text}");
                    refused += 1;
                }
            }
        }
    }
    assert!(accepted > 100 && refused > 100, "{accepted} {refused}");
    assert_eq!(reached.load(Ordering::Relaxed), 0, "nothing from outside");
}

/// Whatever the options declare: no free text, no external program, and maximal
/// numbers only where they are small.
#[tokio::test]
async fn the_worst_of_every_agent_is_refused() {
    let (server, reached) = tempting().await;
    let token = server.token().await;
    for entry in AGENTS {
        for option in options(entry) {
            let worst: Vec<String> = match option.values {
                Values::Text => samples(Values::Text, None),
                Values::Whole(_, high) if high > 1000 && option.name != "seed" => {
                    vec![high.to_string()]
                }
                Values::Choice(words) => {
                    let outside = words.iter().filter(|word| {
                        **word == "stockfish" || (entry.name, **word) == ("foglight", "paper")
                    });
                    outside.map(|word| (*word).to_owned()).collect()
                }
                _ => Vec::new(),
            };
            for value in worst {
                let set = format!("{}={value}", option.name);
                let answer = ask(&server, &token, entry, &set).await;
                assert_eq!(answer.status, 400, "{}:{set}", entry.name);
                let name = format!("option '{}': expected ", option.name);
                assert!(answer.error().contains(&name), "{}", answer.body);
            }
        }
    }
    assert_eq!(reached.load(Ordering::Relaxed), 0, "nothing from outside");
}

/// The list of agents states the options open to visitors and their limits.
#[tokio::test]
async fn the_list_of_agents_tells_the_visitors_bounds() {
    let (server, _) = tempting().await;
    let list = server.get("/api/agents", None).await.json();
    for (entry, told) in AGENTS
        .iter()
        .zip(list["agents"].as_array().expect("a list"))
    {
        assert_eq!(told["name"], entry.name);
        let told = told["options"].as_array().expect("a list").iter();
        let told: Vec<(&str, &str)> = told
            .map(|option| {
                let text = |key: &str| option[key].as_str().expect("text");
                (text("name"), text("values"))
            })
            .collect();
        let open = options(entry).filter_map(|o| Some((o.name, o.visitors()?.to_string())));
        let open: Vec<(&str, String)> = open.collect();
        assert!(
            told.iter()
                .copied()
                .eq(open.iter().map(|(n, v)| (*n, v.as_str())))
        );
        assert!(told.contains(&("ms", "whole number 1 to 10000")));
    }
}

/// Every route that accepts an agent applies the same limits.
#[tokio::test]
async fn no_road_leads_around_the_bounds() {
    let (server, reached) = tempting().await;
    let token = server.token().await;
    let before = server.get("/api/watch", None).await.json();
    for (agent, expected) in [
        (
            "pbsa:analyser=stockfish",
            "option 'analyser': expected search",
        ),
        (
            "ubsa:analyser=stockfish",
            "option 'analyser': expected search",
        ),
        ("foglight:preset=paper", "option 'preset': expected default"),
        ("foglight:eval=stockfish", "option 'eval': expected not"),
        ("foglight:ponder=on", "option 'ponder': expected not"),
        (
            "foglight:worlds=257",
            "option 'worlds': expected at most 256",
        ),
        ("pomcp:eval=/etc/passwd", "option 'eval': expected not"),
        (
            "despot:nodes-per-leaf=1000000",
            "option 'nodes-per-leaf': expected at most 200",
        ),
        ("thesis:ms=3600000", "option 'ms': expected at most 10000"),
        ("greedy:threads=3", "option 'threads': expected at most 2"),
    ] {
        let opponent = json!({ "agent": agent });
        let roads: [(&str, Value); 6] = [
            ("/api/games", json!({ "opponent": opponent })),
            (
                "/api/games",
                json!({ "opponent": opponent, "practice": true }),
            ),
            (
                "/api/watch",
                json!({ "game": "fog", "white": agent, "black": "random" }),
            ),
            (
                "/api/watch",
                json!({ "game": "fog", "white": "random", "black": agent }),
            ),
            (
                "/api/tournaments",
                json!({ "game": "fog", "agents": ["random", agent] }),
            ),
            ("/api/study", json!({ "fen": "startpos", "agent": agent })),
        ];
        for (path, body) in roads {
            let answer = server.post(path, Some(&token), body).await;
            assert_eq!(answer.status, 400, "{path} {agent}: {}", answer.body);
            assert!(answer.error().contains(expected), "{path} {}", answer.body);
        }
        let path = agent.replace('/', "%2F");
        let path = format!("/api/challenge/{path}");
        let answer = server.post(&path, Some(&token), json!({})).await;
        assert_eq!(answer.status, 400, "{path}: {}", answer.body);
        assert!(answer.error().contains(expected), "{path} {}", answer.body);
    }
    let after = server.get("/api/watch", None).await.json();
    assert_eq!(before, after, "nothing was begun");
    assert_eq!(reached.load(Ordering::Relaxed), 0, "nothing from outside");
}

/// Every agent answers with all numeric options at their limit at once.
#[tokio::test]
async fn every_agent_answers_with_everything_at_its_bound() {
    let (server, _) = tempting().await;
    for entry in AGENTS {
        let counted = options(entry).filter_map(|option| match option.visitors()? {
            // Strength and time are set below.
            _ if ["level", "ms", "nodes"].contains(&option.name) => None,
            Values::Whole(_, most) => Some(format!("{}={most}", option.name)),
            _ => None,
        });
        let mut set: Vec<String> = counted.collect();
        set.push("ms=10".to_owned());
        let agent = format!("{}:{}", entry.name, set.join(","));
        let game = game_of(entry);
        let dice = if game.has_dice() { " N" } else { "" };
        let fen = "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 6";
        let body = json!({
            "game": game.name(), "rules": game.rules_name(), "fen": format!("{fen}{dice}"),
            "agent": agent,
        });
        let answer = server.post("/api/study", None, body).await;
        assert_eq!(answer.status, 200, "{agent}: {}", answer.body);
    }
}

/// A game created under wider limits continues within the current ones and
/// keeps its settings.
#[tokio::test]
async fn stored_games_go_on_within_the_bounds() {
    let folder = tempfile::tempdir().expect("a folder");
    let copy = tempfile::tempdir().expect("a folder");
    let (server, store) = start_over(folder.path()).await;
    let token = server.token().await;
    let body = json!({ "game": "chess", "opponent": { "agent": "classic:nodes=100" } });
    let id = server.game(&token, body).await;
    const STORED: &str = "classic:book=/etc/passwd,forgotten=1,hash=4096,nodes=100";
    let changed = store.run(|connection| {
        let sql = "UPDATE games SET terms = replace(terms, 'classic:nodes=100', ?1)";
        Ok(connection.execute(sql, [STORED])?)
    });
    assert_eq!(changed.await.expect("changed"), 1);
    for name in ["foglight.sqlite", "foglight.sqlite-wal"] {
        fs::copy(folder.path().join(name), copy.path().join(name)).expect("a copy");
    }
    let server = start(Some(copy.path())).await;
    let (mut socket, _) = server.seat(&id, Some(&token), None).await;
    socket.play(0, "e2e4").await;
    socket.wait_for("move").await;
    let answer = socket.wait_for("move").await;
    assert!(answer["entry"]["san"].is_string(), "{answer}");
    let info = server.get(&format!("/api/games/{id}"), None).await.json();
    assert_eq!(info["black"]["agent"], STORED, "{info}");
}

/// The bots of the levels, at their own settings, are rated opponents; others
/// would give rating away.
#[tokio::test]
async fn only_the_bots_of_levels_are_rated_and_not_for_ever() {
    let server = start(None).await;
    let token = server.token().await;
    let rated = |opponent: Value| json!({ "opponent": opponent, "rated": true });
    for agent in [
        "classic",
        "greedy:seed=1",
        "foglight:level=1,noise=1",
        "foglight",
    ] {
        let answer = server
            .post("/api/games", Some(&token), rated(json!({ "agent": agent })))
            .await;
        assert_eq!(answer.status, 400, "{agent}");
    }
    let level = || rated(json!({ "level": 1 }));
    for number in 0..20 {
        let answer = server.post("/api/games", Some(&token), level()).await;
        assert_eq!(answer.status, 201, "{number}: {}", answer.body);
    }
    let refused = server.post("/api/games", Some(&token), level()).await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    assert!(
        refused.error().contains("at most 20 games a day"),
        "{}",
        refused.body
    );
    let other = server
        .post("/api/games", Some(&token), rated(json!({ "level": 2 })))
        .await;
    assert_eq!(other.status, 201, "another opponent: {}", other.body);
}

/// What agents store is bounded for each address and for all, and comes back.
#[tokio::test]
async fn memory_for_agents_is_refused_in_clear_words() {
    let server = start(None).await;
    let token = server.token().await;
    let agent = json!({ "agent": "classic:hash=64,ms=50" });
    let large = json!({ "game": "chess", "color": "black", "opponent": agent });
    let mut made = Vec::new();
    let refused = loop {
        let answer = server.post("/api/games", Some(&token), large.clone()).await;
        if answer.status != 201 {
            break answer;
        }
        let id = answer.json()["id"].as_str().expect("an id").to_owned();
        let path = format!("/api/games/{id}");
        while server.get(&path, None).await.json()["ply"] == 0 {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        made.push(id);
        assert!(made.len() < 50, "nothing is ever refused");
    };
    assert_eq!(refused.status, 503);
    assert!(
        refused.error().contains("smaller 'hash'"),
        "{}",
        refused.body
    );
    let small = json!({ "opponent": { "level": 1 } });
    server.game(&token, small).await;
    for id in made {
        let path = format!("/api/bot/game/{id}/resign");
        assert_eq!(
            server.post(&path, Some(&token), Value::Null).await.status,
            200
        );
    }
    for _ in 0..500 {
        if server
            .post("/api/games", Some(&token), large.clone())
            .await
            .status
            == 201
        {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("the memory of ended games is not returned");
}
