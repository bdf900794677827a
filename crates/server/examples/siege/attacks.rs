//! The attacks. Each is bounded in clients and ends with its tasks.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    task::JoinSet,
    time::sleep,
};

use crate::client::{Client, Failure};

/// Group of the attackers' addresses.
const GROUP: u8 = 1;
/// Pause of a client that was refused.
const AGAIN: Duration = Duration::from_millis(200);

/// An attack by many clients.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attack {
    /// Games with agents that think as long and store as much as they may.
    Games,
    /// Analyses, beliefs, imports and games between agents.
    Requests,
    /// Connections that send nothing.
    Silent,
    /// Sockets that say hello and nothing more.
    Idle,
    /// Requests whose body never ends.
    Bodies,
    /// Tokens, invalid requests and messages, as fast as they are accepted.
    Flood,
}

impl Attack {
    pub const ALL: [Attack; 6] = [
        Attack::Games,
        Attack::Requests,
        Attack::Silent,
        Attack::Idle,
        Attack::Bodies,
        Attack::Flood,
    ];

    /// Number of clients, and of their addresses.
    pub fn size(self) -> (u16, u16) {
        match self {
            Attack::Games => (96, 12),
            Attack::Requests => (96, 12),
            Attack::Silent => (2000, 8),
            Attack::Idle => (1010, 8),
            Attack::Bodies => (200, 8),
            Attack::Flood => (64, 8),
        }
    }

    /// Starts the attack; it ends when the set is dropped.
    pub fn start(self, server: std::net::SocketAddr) -> JoinSet<()> {
        let (clients, addresses) = self.size();
        let mut tasks = JoinSet::new();
        for number in 0..clients {
            let client = Client::new(server, GROUP, 1 + number % addresses);
            tasks.spawn(async move {
                loop {
                    // A refusal is what an attacker expects.
                    let _ = self.once(client, usize::from(number)).await;
                    sleep(AGAIN).await;
                }
            });
        }
        tasks
    }

    async fn once(self, client: Client, number: usize) -> Result<(), Failure> {
        match self {
            Attack::Games => game(client, number).await,
            Attack::Requests => request(client, number).await,
            Attack::Silent => wait(client, b"").await,
            Attack::Idle => idle(client).await,
            Attack::Bodies => {
                let head = b"POST /api/token HTTP/1.1\r\nhost: x\r\ncontent-length: 60000\r\n\r\n{";
                wait(client, head).await
            }
            Attack::Flood => flood(client).await,
        }
    }
}

/// Agents with the largest options that visitors may set.
const SLOWEST: [(&str, &str); 10] = [
    ("fog", "foglight:ms=10000"),
    ("fog", "foglight:level=10"),
    (
        "fog",
        "pbsa:nodes-per-board=10000,max-positions=50000,worlds=500,top=10,ms=10000",
    ),
    (
        "fog",
        "ubsa:nodes-per-board=10000,worlds=500,top=10,ms=10000",
    ),
    ("fog", "pomcp:ms=10000"),
    (
        "fog",
        "despot:scenarios=32,branches=8,depth=8,nodes-per-leaf=200,ms=10000",
    ),
    ("chess", "classic:hash=64,ms=10000"),
    ("dice1", "dice:hash=64,ms=10000"),
    ("dice1", "mcts:ms=10000"),
    ("dice3", "dice:hash=64,ms=10000"),
];

/// Plays a game as fast as the agent answers.
async fn game(client: Client, number: usize) -> Result<(), Failure> {
    let (game, agent) = SLOWEST[number % SLOWEST.len()];
    let token = client.token().await?;
    let opponent = json!({ "agent": agent });
    let body = json!({ "game": game, "opponent": opponent, "practice": number.is_multiple_of(2) });
    let id = client.game(&token, &body).await?;
    let mut socket = client.seat(&id, Some(&token)).await?;
    let practice = json!({ "on": true, "heat": true, "mix": true });
    socket.say("practice", practice).await?;
    loop {
        let message = socket.hear(&["state", "move", "roll", "end"]).await?;
        let seen = &message["d"]["observation"];
        if message["t"] == "end" || seen["over"] == true {
            return Ok(());
        }
        if seen["turn"] == "white" && seen["roll"] == true {
            let ply = &seen["ply"];
            socket
                .say("roll", json!({ "ply": ply, "seed": "x" }))
                .await?;
        } else if seen["turn"] == "white" {
            socket.play(seen, number * 31).await?;
        }
    }
}

/// A line whose beliefs are large.
fn line() -> Value {
    let knights = ["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle();
    let opening = ["e2e4", "e7e5", "d2d4", "d7d5", "c2c4", "c7c5"].iter();
    let moves: Vec<&&str> = opening.chain(knights).take(300).collect();
    json!({ "game": "fog", "rules": "thesis", "moves": moves, "side": "white", "from": 250 })
}

async fn request(client: Client, number: usize) -> Result<(), Failure> {
    let (game, agent) = SLOWEST[number % 6];
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let study = json!({ "game": game, "fen": start, "agent": agent });
    match number % 4 {
        0 => client.post("/api/study", "", &study).await,
        1 => client.post("/api/study/belief", "", &line()).await,
        2 => {
            let games =
                "[Variant \"Fog of War\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n".repeat(90);
            let imported = client.request("POST", "/api/import", "", &games).await?;
            let ids: Value = serde_json::from_str(&imported.1)?;
            let id = ids["games"][0].as_str().ok_or("no game")?;
            let path = format!("/api/games/{id}/review?side=white");
            client.request("GET", &path, "", "").await?;
            Ok(Value::Null)
        }
        _ => {
            let show = json!({ "game": game, "white": agent, "black": agent });
            client.post("/api/watch", "", &show).await
        }
    }
    .map(drop)
}

/// Connects, sends a beginning, and waits to be cut off.
async fn wait(client: Client, beginning: &[u8]) -> Result<(), Failure> {
    let mut stream = client.connect().await?;
    stream.write_all(beginning).await?;
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).await?;
    Ok(())
}

/// Watches a game of its own that nobody plays.
async fn idle(client: Client) -> Result<(), Failure> {
    let token = client.token().await?;
    let open = json!({ "opponent": { "person": true } });
    let id = client.game(&token, &open).await?;
    let mut socket = client.seat(&id, None).await?;
    loop {
        socket.hear(&["end"]).await?;
    }
}

async fn flood(client: Client) -> Result<(), Failure> {
    let token = client.token().await?;
    let open = json!({ "opponent": { "person": true } });
    let id = client.game(&token, &open).await?;
    let mut socket = client.seat(&id, Some(&token)).await?;
    for _ in 0..120 {
        socket
            .say("move", json!({ "ply": 0, "move": "e2e9", "token": "x" }))
            .await?;
        client
            .request("POST", "/api/position", "", "{\"fen\":\"8/8\"}")
            .await?;
    }
    Ok(())
}
