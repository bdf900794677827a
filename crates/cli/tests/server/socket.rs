//! A player's socket, for one request at a time.

use std::net::TcpStream;

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket, client::client};

use super::AGES;

pub struct Socket {
    stream: WebSocket<TcpStream>,
    /// The server it is connected to.
    pub address: String,
}

impl Socket {
    /// Connects a player to a game. `None` if the server is gone.
    pub fn open(address: &str, game: &str, token: &str) -> Option<Socket> {
        let stream = TcpStream::connect(address).ok()?;
        stream.set_read_timeout(Some(AGES)).ok()?;
        let (stream, _) = client(format!("ws://{address}/ws/{game}"), stream).ok()?;
        let mut socket = Socket {
            stream,
            address: address.to_owned(),
        };
        socket.say("hello", &json!({ "token": token, "v": null }))?;
        socket.wait_for(&["state"])?;
        Some(socket)
    }

    /// Plays a move: whether it was acknowledged. `None` if the server is gone.
    pub fn play(&mut self, ply: usize, text: &str) -> Option<bool> {
        let said = json!({ "ply": ply, "move": text, "token": format!("t{ply}") });
        self.say("move", &said)?;
        Some(self.wait_for(&["ack", "error"])?["t"] == "ack")
    }

    fn say(&mut self, t: &str, d: &Value) -> Option<()> {
        let text = json!({ "t": t, "d": d }).to_string();
        self.stream.send(Message::text(text)).ok()
    }

    fn wait_for(&mut self, kinds: &[&str]) -> Option<Value> {
        loop {
            let Message::Text(text) = self.stream.read().ok()? else {
                continue;
            };
            let message: Value = serde_json::from_str(&text).ok()?;
            if kinds.iter().any(|kind| message["t"] == **kind) {
                return Some(message);
            }
        }
    }
}
