//! Load test: measures the time from a move to both views in many games of two
//! people, one socket each, with agents thinking at the same time.
//!
//! `cargo run --release -p foglight-server --example load -- 500 30` plays 500
//! games for 30 seconds and prints one line. A third argument,
//! `127.0.0.1:8080`, is the address of a running server (`foglight serve
//! --requests 1000000`); without it one is started in this process.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use foglight_server::{Config, Server};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use tokio_tungstenite::{connect_async, tungstenite::Message};

type Failure = Box<dyn std::error::Error + Send + Sync>;

async fn post(at: SocketAddr, path: &str, token: &str, body: Value) -> Result<Value, Failure> {
    let body = body.to_string();
    let bearer = match token {
        "" => String::new(),
        token => format!("authorization: Bearer {token}\r\n"),
    };
    let text = format!(
        "POST {path} HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\n{bearer}content-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(at).await?;
    stream.write_all(text.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let (_, body) = answer.split_once("\r\n\r\n").ok_or("no body")?;
    Ok(serde_json::from_str(body)?)
}

/// Times at which a move was sent and each side received it.
#[derive(Default)]
struct Times {
    sent: Vec<Option<Instant>>,
    views: Vec<Duration>,
}

type Shared = Arc<Mutex<Times>>;

/// Plays one side of one game, with thinking time before each move.
async fn side(
    at: SocketAddr,
    id: String,
    token: String,
    white: bool,
    times: Shared,
) -> Result<(), Failure> {
    let (mut socket, _) = connect_async(format!("ws://{at}/ws/{id}")).await?;
    let hello = json!({ "t": "hello", "d": { "token": token, "v": null } });
    socket.send(Message::Text(hello.to_string().into())).await?;
    let me = if white { "white" } else { "black" };
    while let Some(message) = socket.next().await {
        let Message::Text(text) = message? else {
            continue;
        };
        let message: Value = serde_json::from_str(&text)?;
        if !matches!(message["t"].as_str(), Some("state" | "move")) {
            continue;
        }
        let seen = &message["d"]["observation"];
        let ply = seen["ply"].as_u64().unwrap_or(0) as usize;
        if message["t"] == "move" {
            let mut times = times.lock().map_err(|_| "poisoned")?;
            if let Some(sent) = times.sent.get(ply - 1).copied().flatten() {
                times.views.push(sent.elapsed());
            }
        }
        if seen["over"] == true {
            return Ok(());
        }
        let moves = seen["moves"].as_array().map_or(&[][..], Vec::as_slice);
        if seen["turn"] != me || moves.is_empty() {
            continue;
        }
        // Simulated thinking time: about two seconds per move, spread out.
        let thought = 1000 + (ply * 7919 + id.len() * 104_729 + moves.len() * 131) % 2000;
        tokio::time::sleep(Duration::from_millis(thought as u64)).await;
        let text = moves[(ply * 31 + thought) % moves.len()].clone();
        let token = format!("{ply}");
        let text = json!({ "t": "move", "d": { "ply": ply, "move": text, "token": token } });
        {
            let mut times = times.lock().map_err(|_| "poisoned")?;
            if times.sent.len() <= ply {
                times.sent.resize(ply + 1, None);
            }
            times.sent[ply] = Some(Instant::now());
        }
        socket.send(Message::Text(text.to_string().into())).await?;
    }
    Ok(())
}

async fn game(at: SocketAddr) -> Result<Shared, Failure> {
    let mut tokens = Vec::new();
    for _ in 0..2 {
        let made = post(at, "/api/token", "", json!({})).await?;
        tokens.push(made["token"].as_str().ok_or("no token")?.to_owned());
    }
    let body = json!({ "game": "fog", "opponent": { "person": true }, "clock": { "base": 600 } });
    let made = post(at, "/api/games", &tokens[0], body).await?;
    let id = made["id"].as_str().ok_or("no game")?.to_owned();
    post(at, &format!("/api/games/{id}/join"), &tokens[1], json!({})).await?;
    let times = Shared::default();
    for (i, token) in tokens.into_iter().enumerate() {
        tokio::spawn(side(at, id.clone(), token, i == 0, Arc::clone(&times)));
    }
    Ok(times)
}

/// Starts a server in this process and measures it.
async fn run_own(games: usize, seconds: u64) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let config = Config {
        data: Some(folder.path().to_owned()),
        requests: u32::MAX,
        ..Config::default()
    };
    let server = Server::bind([127, 0, 0, 1].into(), 0, config).await?;
    let at = server.address();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(server.run(async {
        let _ = stopped.await; // dropped or sent: both stop the server
    }));
    let measured = run(at, games, seconds).await;
    let _ = stop.send(()); // the server may have ended
    serving.await?;
    measured
}

async fn run(at: SocketAddr, games: usize, seconds: u64) -> Result<(), Failure> {
    let mut all = Vec::new();
    for _ in 0..games {
        all.push(game(at).await?);
    }
    for _ in 0..4 {
        let show = json!({ "game": "chess", "white": "classic:ms=500", "black": "classic:ms=500" });
        post(at, "/api/watch", "", show).await?;
    }
    tokio::time::sleep(Duration::from_secs(3)).await;
    for times in &all {
        times.lock().map_err(|_| "poisoned")?.views.clear();
    }
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    let mut views = Vec::new();
    for times in &all {
        views.append(&mut times.lock().map_err(|_| "poisoned")?.views);
    }
    views.sort();
    let at = |share: f64| {
        views
            .get((views.len() as f64 * share) as usize)
            .copied()
            .unwrap_or_default()
    };
    println!(
        "{games} games, {} sockets, {seconds} s, 4 games of engines beside: {} views, {:.0} moves a second; \
         from a move to a view: median {:.1} ms, 99 % {:.1} ms, largest {:.1} ms",
        2 * games,
        views.len(),
        views.len() as f64 / 2.0 / seconds as f64,
        at(0.5).as_secs_f64() * 1e3,
        at(0.99).as_secs_f64() * 1e3,
        views.last().copied().unwrap_or_default().as_secs_f64() * 1e3,
    );
    Ok(())
}

fn main() -> Result<(), Failure> {
    let mut words = std::env::args().skip(1);
    let mut number = |usual: u64| match words.next() {
        None => Ok(usual),
        Some(word) => word
            .parse()
            .map_err(|_| format!("'{word}': expected a number")),
    };
    let (games, seconds) = (number(500)? as usize, number(30)?);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    match words.next() {
        None => runtime.block_on(run_own(games, seconds)),
        Some(address) => runtime.block_on(run(address.parse()?, games, seconds)),
    }
}
