//! The other players: what they notice of the siege.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::{task::JoinHandle, time::sleep};

use crate::client::{Client, Failure, Socket};

/// Group of the players' addresses.
const GROUP: u8 = 2;
/// Pairs of people, people against level 1, and people who look at lists.
const PAIRS: u16 = 4;
const LEVELS: u16 = 4;
const READERS: u16 = 2;
/// Time between two moves, within the limit of messages.
const PAUSE: Duration = Duration::from_millis(450);

/// Times that the players have measured since they were last taken.
#[derive(Clone, Default)]
pub struct Times(Arc<Mutex<Measured>>);

/// Times by what was waited for.
#[derive(Default)]
pub struct Measured {
    /// A move until it is acknowledged, a request until it is answered.
    pub answers: Vec<Duration>,
    /// A move until the reply of level 1.
    pub level: Vec<Duration>,
    /// Connections and games that broke.
    pub broken: Vec<String>,
}

impl Times {
    pub fn take(&self) -> Measured {
        std::mem::take(&mut *self.0.lock().expect("no panic holds it"))
    }

    fn note(&self, note: impl FnOnce(&mut Measured)) {
        note(&mut self.0.lock().expect("no panic holds it"));
    }
}

/// Players that play until the task is aborted.
pub fn start(server: SocketAddr) -> (Times, Vec<JoinHandle<()>>) {
    let times = Times::default();
    let mut tasks = Vec::new();
    for number in 0..PAIRS + LEVELS + READERS {
        let (client, times) = (Client::new(server, GROUP, number + 1), times.clone());
        tasks.push(tokio::spawn(async move {
            loop {
                let played = match number {
                    n if n < PAIRS => pair(client, &times).await,
                    n if n < PAIRS + LEVELS => level(client, &times).await,
                    _ => read(client, &times).await,
                };
                if let Err(error) = played {
                    times.note(|measured| measured.broken.push(error.to_string()));
                    sleep(PAUSE).await;
                }
            }
        }));
    }
    (times, tasks)
}

/// Sends a move and waits until it is acknowledged and seen.
async fn play(socket: &mut Socket, seen: &Value, times: &Times) -> Result<Value, Failure> {
    sleep(PAUSE).await;
    let sent = Instant::now();
    let number = seen["ply"].as_u64().unwrap_or(0) as usize * 31;
    socket.play(seen, number).await?;
    let mut view = None;
    loop {
        let message = socket.hear(&["ack", "move", "end", "error"]).await?;
        match message["t"].as_str() {
            Some("ack") => break,
            Some("error") => return Err(message.to_string().into()),
            _ => view = Some(message),
        }
    }
    times.note(|measured| measured.answers.push(sent.elapsed()));
    match view {
        Some(view) => Ok(view),
        None => socket.hear(&["move", "end"]).await,
    }
}

/// A game of two people at the same address.
async fn pair(client: Client, times: &Times) -> Result<(), Failure> {
    let (white, black) = (client.token().await?, client.token().await?);
    let id = client
        .game(&white, &json!({ "opponent": { "person": true } }))
        .await?;
    let path = format!("/api/games/{id}/join");
    client.post(&path, &black, &json!({})).await?;
    let mut seats = [
        client.seat(&id, Some(&white)).await?,
        client.seat(&id, Some(&black)).await?,
    ];
    for ply in 0.. {
        let mover = &mut seats[ply % 2];
        let message = loop {
            let message = mover.hear(&["state", "move", "end"]).await?;
            if message["t"] == "end" {
                return Ok(());
            }
            if message["d"]["observation"]["ply"] == ply {
                break message;
            }
        };
        let after = play(mover, &message["d"]["observation"], times).await?;
        if after["t"] == "end" || after["d"]["observation"]["over"] == true {
            return Ok(());
        }
    }
    Ok(())
}

/// A game against level 1.
async fn level(client: Client, times: &Times) -> Result<(), Failure> {
    let token = client.token().await?;
    let id = client
        .game(&token, &json!({ "opponent": { "level": 1 } }))
        .await?;
    let mut socket = client.seat(&id, Some(&token)).await?;
    let mut message = socket.hear(&["state"]).await?;
    loop {
        let after = play(&mut socket, &message["d"]["observation"], times).await?;
        let asked = Instant::now();
        if after["t"] == "end" || after["d"]["observation"]["over"] == true {
            return Ok(());
        }
        message = socket.hear(&["move", "end"]).await?;
        times.note(|measured| measured.level.push(asked.elapsed()));
        if message["t"] == "end" || message["d"]["observation"]["over"] == true {
            return Ok(());
        }
    }
}

/// Looks at a list and at the page.
async fn read(client: Client, times: &Times) -> Result<(), Failure> {
    for path in ["/api/watch", "/"] {
        let sent = Instant::now();
        let (status, _) = client.request("GET", path, "", "").await?;
        if status != 200 {
            return Err(format!("GET {path}: {status}").into());
        }
        times.note(|measured| measured.answers.push(sent.elapsed()));
        sleep(PAUSE).await;
    }
    Ok(())
}
