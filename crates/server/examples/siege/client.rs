//! Clients on loopback, each at an address of its own.

use std::{
    net::{Ipv4Addr, SocketAddr, SocketAddrV4},
    time::Duration,
};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
    time::{sleep, timeout},
};
use tokio_tungstenite::{WebSocketStream, client_async, tungstenite::Message};

pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Time for which an answer is not read.
const UNREAD: Duration = Duration::from_millis(500);
/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client at an address of 127.0.0.0/8.
#[derive(Clone, Copy)]
pub struct Client {
    pub server: SocketAddr,
    address: Ipv4Addr,
}

impl Client {
    /// The client number `number` of a group of them.
    pub fn new(server: SocketAddr, group: u8, number: u16) -> Client {
        let [high, low] = number.to_be_bytes();
        Client {
            server,
            address: Ipv4Addr::new(127, group, high, low.max(1)),
        }
    }

    pub async fn connect(&self) -> Result<TcpStream, Failure> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddrV4::new(self.address, 0).into())?;
        Ok(timeout(PATIENCE, socket.connect(self.server)).await??)
    }

    /// Sends a request. Returns the status and the body.
    pub async fn request(
        &self,
        method: &str,
        path: &str,
        token: &str,
        body: &str,
    ) -> Result<(u16, String), Failure> {
        let bearer = match token {
            "" => String::new(),
            token => format!("authorization: Bearer {token}\r\n"),
        };
        let text = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n{bearer}\
             content-length: {}\r\n\r\n{body}",
            self.server,
            body.len()
        );
        let mut stream = self.connect().await?;
        stream.write_all(text.as_bytes()).await?;
        let mut answer = Vec::new();
        timeout(PATIENCE, stream.read_to_end(&mut answer)).await??;
        let answer = String::from_utf8_lossy(&answer);
        let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok());
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        Ok((status.ok_or("no answer")?, body.to_owned()))
    }

    /// Asks for something and reads nothing of the answer for a while.
    pub async fn unread(&self, path: &str, packed: bool) -> Result<(), Failure> {
        let accept = if packed {
            "accept-encoding: gzip\r\n"
        } else {
            ""
        };
        let text = format!(
            "GET {path} HTTP/1.1\r\nhost: {}\r\n{accept}\r\n",
            self.server
        );
        let mut stream = self.connect().await?;
        stream.write_all(text.as_bytes()).await?;
        sleep(UNREAD).await;
        Ok(())
    }

    pub async fn post(&self, path: &str, token: &str, body: &Value) -> Result<Value, Failure> {
        let (status, text) = self.request("POST", path, token, &body.to_string()).await?;
        match status {
            200..300 => Ok(serde_json::from_str(&text)?),
            _ => Err(format!("{path}: {status} {text}").into()),
        }
    }

    pub async fn token(&self) -> Result<String, Failure> {
        let made = self.post("/api/token", "", &json!({})).await?;
        Ok(made["token"].as_str().ok_or("no token")?.to_owned())
    }

    /// Creates a game and returns its id.
    pub async fn game(&self, token: &str, body: &Value) -> Result<String, Failure> {
        let made = self.post("/api/games", token, body).await?;
        Ok(made["id"].as_str().ok_or("no id")?.to_owned())
    }

    /// A socket of a game that has not said hello.
    pub async fn socket(&self, game: &str) -> Result<Socket, Failure> {
        let url = format!("ws://{}/ws/{game}", self.server);
        let stream = self.connect().await?;
        let (socket, _) = timeout(PATIENCE, client_async(url, stream)).await??;
        Ok(Socket(socket))
    }

    /// A socket that has said hello; without a token a spectator's.
    pub async fn seat(&self, game: &str, token: Option<&str>) -> Result<Socket, Failure> {
        let mut socket = self.socket(game).await?;
        socket
            .say("hello", json!({ "token": token, "v": null }))
            .await?;
        Ok(socket)
    }
}

/// A socket of a game.
pub struct Socket(WebSocketStream<TcpStream>);

impl Socket {
    pub async fn say(&mut self, kind: &str, data: Value) -> Result<(), Failure> {
        let text = json!({ "t": kind, "d": data }).to_string();
        Ok(self.0.send(Message::Text(text.into())).await?)
    }

    /// The next message of one of these types; others are skipped.
    pub async fn hear(&mut self, kinds: &[&str]) -> Result<Value, Failure> {
        loop {
            let message = timeout(PATIENCE, self.0.next()).await?;
            let Message::Text(text) = message.ok_or("the server closed")?? else {
                continue;
            };
            let message: Value = serde_json::from_str(&text)?;
            if kinds.iter().any(|kind| message["t"] == *kind) {
                return Ok(message);
            }
        }
    }

    /// Plays a move of an observation, chosen by a number.
    pub async fn play(&mut self, seen: &Value, number: usize) -> Result<(), Failure> {
        let moves = seen["moves"].as_array().ok_or("no moves")?;
        let played = moves.get(number % moves.len().max(1)).ok_or("no move")?;
        let ply = &seen["ply"];
        let data = json!({ "ply": ply, "move": played, "token": format!("{ply}") });
        self.say("move", data).await
    }
}
