//! A test client that can also misbehave.

use std::{net::SocketAddr, path::Path, time::Duration};

use foglight_server::{Config, Server, Store};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    sync::oneshot,
    time::timeout,
};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Message, client::IntoClientRequest},
};

/// Timeout, generous for a loaded machine.
pub const AGES: Duration = Duration::from_secs(300);

/// A server in this process, on its own port.
pub struct Running {
    pub address: SocketAddr,
    /// The last byte of the client's address in 127.0.0.0/24.
    source: u8,
    stop: Option<oneshot::Sender<()>>,
}

pub async fn start(data: Option<&Path>) -> Running {
    start_with(Config {
        data: data.map(Path::to_owned),
        requests: 100_000,
        seed: Some(7),
        ..Config::default()
    })
    .await
}

pub async fn start_with(config: Config) -> Running {
    let host = [127, 0, 0, 1].into();
    run(Server::bind(host, 0, config).await.expect("a server"))
}

/// Starts a server on a folder and returns its storage too.
pub async fn start_over(folder: &Path) -> (Running, Store) {
    let config = Config {
        data: Some(folder.to_owned()),
        requests: 100_000,
        ..Config::default()
    };
    let server = Server::bind([127, 0, 0, 1].into(), 0, config).await;
    let server = server.expect("a server");
    let store = server.store();
    (run(server), store)
}

fn run(server: Server) -> Running {
    let address = server.address();
    let (stop, stopped) = oneshot::channel();
    tokio::spawn(server.run(async {
        let _ = stopped.await;
    }));
    Running {
        address,
        source: 1,
        stop: Some(stop),
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }
}

/// A response over HTTP.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.body))
    }

    pub fn error(&self) -> String {
        self.json()["error"].as_str().expect("an error").to_owned()
    }
}

impl Running {
    /// The same server for a client at another address of this machine.
    pub fn from(&self, source: u8) -> Running {
        Running {
            address: self.address,
            source,
            stop: None,
        }
    }

    /// Opens a connection.
    pub async fn connect(&self) -> TcpStream {
        let socket = TcpSocket::new_v4().expect("a socket");
        let source = SocketAddr::from(([127, 0, 0, self.source], 0));
        socket.bind(source).expect("a free port");
        socket.connect(self.address).await.expect("a connection")
    }

    /// Sends bytes and reads until the server closes.
    pub async fn raw(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.connect().await;
        let _ = stream.write_all(bytes).await; // the server may close first
        let mut answer = Vec::new();
        let reading = stream.read_to_end(&mut answer);
        let _ = timeout(AGES, reading).await;
        answer
    }

    pub async fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Answer {
        let mut text = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-length: {}\r\n",
            self.address,
            body.len()
        );
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        let mut bytes = (text + "\r\n").into_bytes();
        bytes.extend_from_slice(body);
        let answer = self.raw(&bytes).await;
        let text = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        Answer {
            status: status.unwrap_or(0),
            head: head.to_lowercase(),
            body: unchunked(head, body),
        }
    }

    pub async fn get(&self, path: &str, token: Option<&str>) -> Answer {
        let bearer = token.map(|token| format!("Bearer {token}"));
        let headers: Vec<(&str, &str)> = bearer
            .iter()
            .map(|value| ("authorization", value.as_str()))
            .collect();
        self.request("GET", path, &headers, b"").await
    }

    pub async fn post(&self, path: &str, token: Option<&str>, body: Value) -> Answer {
        let bearer = token.map(|token| format!("Bearer {token}"));
        let headers: Vec<(&str, &str)> = bearer
            .iter()
            .map(|value| ("authorization", value.as_str()))
            .collect();
        let text = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        self.request("POST", path, &headers, text.as_bytes()).await
    }

    /// Creates an account and returns its token.
    pub async fn token(&self) -> String {
        let answer = self.post("/api/token", None, json!({})).await;
        answer.json()["token"].as_str().expect("a token").to_owned()
    }

    /// Creates a game and returns its id.
    pub async fn game(&self, token: &str, body: Value) -> String {
        let answer = self.post("/api/games", Some(token), body).await;
        assert_eq!(answer.status, 201, "{}", answer.body);
        answer.json()["id"].as_str().expect("an id").to_owned()
    }

    /// Creates a game of two people: its id and their tokens.
    pub async fn pair(&self, mut body: Value) -> (String, String, String) {
        let (white, black) = (self.token().await, self.token().await);
        body["opponent"] = json!({ "person": true });
        let id = self.game(&white, body).await;
        let path = format!("/api/games/{id}/join");
        let joined = self.post(&path, Some(&black), Value::Null).await;
        assert_eq!(joined.status, 200);
        (id, white, black)
    }

    pub async fn socket(&self, id: &str) -> Socket {
        let url = format!("ws://{}/ws/{id}", self.address);
        let request = url.into_client_request().expect("an address");
        let stream = self.connect().await;
        let (socket, _) = client_async(request, stream).await.expect("a socket");
        Socket {
            socket,
            sent: Vec::new(),
        }
    }

    /// Opens a socket, sends hello, and returns the first message.
    pub async fn seat(&self, id: &str, token: Option<&str>, v: Option<u64>) -> (Socket, Value) {
        let mut socket = self.socket(id).await;
        socket.say("hello", json!({ "token": token, "v": v })).await;
        let first = socket.hear().await.expect("a first message");
        (socket, first)
    }
}

fn unchunked(head: &str, body: &str) -> String {
    if !head.to_lowercase().contains("transfer-encoding: chunked") {
        return body.to_owned();
    }
    let mut text = String::new();
    let mut rest = body;
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || size > after.len() {
            break;
        }
        text += &after[..size];
        rest = after[size..].trim_start_matches("\r\n");
    }
    text
}

pub struct Socket {
    pub socket: WebSocketStream<TcpStream>,
    /// All received messages as text.
    pub sent: Vec<String>,
}

impl Socket {
    pub async fn say(&mut self, t: &str, d: Value) {
        let text = json!({ "t": t, "d": d }).to_string();
        let _ = self.socket.send(Message::Text(text.into())).await; // the server may have closed
    }

    /// The next message; `None` if the server closes or times out.
    pub async fn hear(&mut self) -> Option<Value> {
        loop {
            match timeout(AGES, self.socket.next()).await {
                Ok(Some(Ok(Message::Text(text)))) => {
                    self.sent.push(text.to_string());
                    return serde_json::from_str(&text).ok();
                }
                Ok(Some(Ok(Message::Close(_)))) | Ok(None) | Ok(Some(Err(_))) | Err(_) => {
                    return None;
                }
                Ok(Some(Ok(_))) => {}
            }
        }
    }

    /// The next message of a type; skips others.
    pub async fn wait_for(&mut self, t: &str) -> Value {
        loop {
            let message = self.hear().await.unwrap_or_else(|| panic!("no {t} came"));
            if message["t"] == t {
                return message["d"].clone();
            }
        }
    }

    /// The close code that the server sends.
    pub async fn close_code(&mut self) -> Option<u16> {
        loop {
            match timeout(AGES, self.socket.next()).await {
                Ok(Some(Ok(Message::Close(frame)))) => return frame.map(|f| f.code.into()),
                Ok(Some(Ok(_))) => {}
                _ => return None,
            }
        }
    }

    pub async fn play(&mut self, ply: u64, text: &str) {
        let token = format!("{ply}-{text}");
        self.say("move", json!({ "ply": ply, "move": text, "token": token }))
            .await;
    }
}
