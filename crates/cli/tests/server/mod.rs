//! The server as a process, and games on it over HTTP and sockets.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use rand::Rng;
use serde_json::{Value, json};

mod socket;

use socket::Socket;

/// Upper bound on the time of any answer on a loaded machine.
pub const AGES: Duration = Duration::from_secs(300);

pub struct Server {
    pub child: Child,
    pub address: String,
}

impl Server {
    pub fn start(data: &Path) -> Server {
        Server::run(Command::new(env!("CARGO_BIN_EXE_foglight")), data)
    }

    /// The same with a limit on file sizes: writes beyond fail, as on a full
    /// disk.
    pub fn start_cramped(data: &Path, kilobytes: u64) -> Server {
        let mut shell = Command::new("bash");
        let script = format!("trap '' XFSZ; ulimit -f {kilobytes}; exec \"$0\" \"$@\"");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_foglight")]);
        Server::run(shell, data)
    }

    pub fn run(mut program: Command, data: &Path) -> Server {
        Server::try_run(&mut program, data).expect("it serves")
    }

    /// The same of a server that may fail to start.
    pub fn try_run(program: &mut Command, data: &Path) -> Option<Server> {
        program
            .args(["serve", "--port", "0", "--requests", "1000000", "--data"])
            .arg(data);
        let server = Server::launch(program);
        server.address.contains(':').then_some(server)
    }

    /// Starts the server and waits for its address.
    pub fn launch(program: &mut Command) -> Server {
        let mut child = program.stdout(Stdio::piped()).spawn().expect("the program");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let address = line.trim().trim_start_matches("Foglight is at http://");
        let address = address.trim_end_matches('/').to_owned();
        Server { child, address }
    }

    /// Sends SIGKILL, so that there is no clean shutdown.
    pub fn kill(mut self) {
        self.child.kill().expect("a kill");
        self.child.wait().expect("an end");
    }

    /// Status and JSON of an answer; `None` if the server is gone.
    pub fn ask(&self, method: &str, path: &str, token: &str, body: Value) -> Option<(u16, Value)> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        stream.set_read_timeout(Some(AGES)).ok()?;
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let bearer = match token {
            "" => String::new(),
            token => format!("authorization: Bearer {token}\r\n"),
        };
        let text = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n{bearer}content-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(text.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let status = answer.split(' ').nth(1)?.parse().ok()?;
        let (_, body) = answer.split_once("\r\n\r\n")?;
        Some((status, serde_json::from_str(body).ok()?))
    }
}

impl Server {
    /// The state of a game, from the first line of a player's stream.
    pub fn first_state(&self, game: &str, token: &str) -> Option<Value> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        stream.set_read_timeout(Some(AGES)).ok()?;
        let text = format!(
            "GET /api/bot/game/stream/{game} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\r\n"
        );
        stream.write_all(text.as_bytes()).ok()?;
        for line in BufReader::new(stream).lines() {
            let line = line.ok()?;
            if line.starts_with('{') {
                let value: Value = serde_json::from_str(&line).ok()?;
                return Some(value["state"].clone());
            }
        }
        None
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill(); // the child may have exited
        let _ = self.child.wait();
    }
}

/// A game of two people, and the last ply they know of.
pub struct Table {
    pub id: String,
    pub tokens: [String; 2],
    pub acknowledged: Vec<String>,
    pub clocks: Option<Value>,
    /// Whether White plays over a socket, not over HTTP.
    pub sockets: bool,
    socket: Option<Socket>,
}

impl Table {
    pub fn new(server: &Server) -> Table {
        Table::by(server, "chesscom")
    }

    pub fn by(server: &Server, rules: &str) -> Table {
        Table::try_by(server, rules).expect("a game")
    }

    /// The same on a server that may refuse or end.
    pub fn try_by(server: &Server, rules: &str) -> Option<Table> {
        let token = || {
            let (_, made) = server.ask("POST", "/api/token", "", json!({}))?;
            Some(made["token"].as_str()?.to_owned())
        };
        let tokens = [token()?, token()?];
        let body = json!({
            "game": "fog", "rules": rules, "opponent": { "person": true }, "clock": { "base": 600, "increment": 0 },
        });
        let (_, made) = server.ask("POST", "/api/games", &tokens[0], body)?;
        let id = made["id"].as_str()?.to_owned();
        let join = format!("/api/games/{id}/join");
        let (status, _) = server.ask("POST", &join, &tokens[1], Value::Null)?;
        (status == 200).then(|| Table {
            id,
            tokens,
            acknowledged: Vec::new(),
            clocks: None,
            sockets: false,
            socket: None,
        })
    }

    /// Legal moves of the side to move, from its stream's first line.
    pub fn legal(&self, server: &Server) -> Option<Vec<String>> {
        let token = &self.tokens[self.acknowledged.len() % 2];
        let state = server.first_state(&self.id, token)?;
        let moves = state["observation"]["moves"].as_array()?;
        let moves = moves.iter().filter_map(Value::as_str);
        Some(moves.map(str::to_owned).collect())
    }

    /// Plays one move. False if the server died before it acknowledged it.
    pub fn step(&mut self, server: &Server, rng: &mut impl Rng) -> bool {
        let Some(moves) = self.legal(server).filter(|moves| !moves.is_empty()) else {
            return false;
        };
        let text = &moves[rng.random_range(0..moves.len())];
        self.play(server, text)
            .is_some_and(|(status, _)| status == 200)
    }

    /// Plays this move and returns the server's response.
    pub fn play(&mut self, server: &Server, text: &str) -> Option<(u16, Value)> {
        let ply = self.acknowledged.len();
        if self.sockets && ply.is_multiple_of(2) {
            return self.play_by_socket(server, text);
        }
        let path = format!(
            "/api/bot/game/{}/move/{text}?ply={ply}&token=t{ply}",
            self.id
        );
        let answer = server.ask("POST", &path, &self.tokens[ply % 2], Value::Null)?;
        if answer.0 == 200 {
            self.acknowledged.push(text.to_owned());
        }
        Some(answer)
    }

    fn play_by_socket(&mut self, server: &Server, text: &str) -> Option<(u16, Value)> {
        let open = self.socket.take();
        let mut socket = match open.filter(|socket| socket.address == server.address) {
            Some(socket) => socket,
            None => Socket::open(&server.address, &self.id, &self.tokens[0])?,
        };
        let played = socket.play(self.acknowledged.len(), text)?;
        self.socket = Some(socket);
        if played {
            self.acknowledged.push(text.to_owned());
        }
        Some((if played { 200 } else { 400 }, Value::Null))
    }

    pub fn ply(&self, server: &Server) -> (usize, bool) {
        let path = format!("/api/games/{}", self.id);
        let (_, info) = server
            .ask("GET", &path, "", Value::Null)
            .expect("an answer");
        let ply = info["ply"].as_u64().expect("a ply") as usize;
        (ply, info["status"] == "over")
    }

    pub fn clocks(&self, server: &Server) -> Value {
        let (_, list) = server
            .ask("GET", "/api/watch", "", Value::Null)
            .expect("an answer");
        let running = list["running"].as_array().expect("a list").clone();
        let own = running.into_iter().find(|info| info["id"] == *self.id);
        own.map_or(Value::Null, |info| info["clocks"].clone())
    }
}
