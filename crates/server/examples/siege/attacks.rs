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
    /// Requests whose body of a megabyte never ends.
    Bodies,
    /// The longest games, imported, asked for and not read.
    Records,
    /// Files of the page.
    Pages,
    /// Tokens, invalid requests and messages, as fast as they are accepted.
    Flood,
}

impl Attack {
    pub const ALL: [Attack; 8] = [
        Attack::Games,
        Attack::Requests,
        Attack::Silent,
        Attack::Idle,
        Attack::Bodies,
        Attack::Records,
        Attack::Pages,
        Attack::Flood,
    ];

    /// Number of clients, and of their addresses.
    pub fn size(self) -> (u16, u16) {
        match self {
            Attack::Games => (96, 12),
            Attack::Requests => (96, 12),
            Attack::Silent => (2000, 8),
            Attack::Idle => (1010, 8),
            Attack::Bodies => (240, 12),
            Attack::Records => (96, 12),
            Attack::Pages => (64, 8),
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
                let head = "POST /api/import HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1048576\r\n\r\n";
                let mut stream = client.connect().await?;
                stream.write_all(head.as_bytes()).await?;
                for _ in 0..15 {
                    stream.write_all(&[b' '; 1 << 16]).await?;
                    sleep(AGAIN / 4).await;
                }
                stream.read_u8().await?;
                Ok(())
            }
            Attack::Records => records(client).await,
            Attack::Pages => {
                let packed = number.is_multiple_of(2);
                client.unread("/", packed).await?;
                client.unread("/icon.svg", packed).await
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
    let moves: Vec<&&str> = opening.chain(knights).take(100).collect();
    json!({ "game": "fog", "rules": "thesis", "moves": moves, "side": "white" })
}

/// A game of 990 plies: a pawn moves before the knights have shuffled for fifty
/// moves.
fn long_game() -> String {
    let mut text = "[Variant \"Fog of War\"]\n[RuleSet \"thesis-v1\"]\n\n".to_owned();
    for block in 0..11 {
        text += &"1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(22);
        let file = ["a", "b", "c", "d", "e", "h"][block % 6];
        let (white, black) = if block < 6 { (3, 6) } else { (4, 5) };
        text += &format!("1. {file}{white} {file}{black} ");
    }
    text + "*\n\n"
}

/// Imports long games, and asks for all that the server makes of them.
async fn records(client: Client) -> Result<(), Failure> {
    let games = long_game().repeat(5);
    let imported = client.request("POST", "/api/import", "", &games).await?;
    let ids: Value = serde_json::from_str(&imported.1)?;
    for id in ids["games"].as_array().ok_or("no games")? {
        let id = id.as_str().ok_or("no id")?;
        let mut spectator = client.socket(id).await?;
        let hello = json!({ "token": null, "v": null });
        spectator.say("hello", hello).await?;
        for kind in ["record", "json", "pgn"] {
            let path = format!("/api/games/{id}/{kind}");
            client.unread(&path, true).await?;
            client.unread(&path, false).await?;
        }
    }
    Ok(())
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
