//! `foglight serve` as a process: it prints its address, and a game survives
//! it.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use rand::{Rng, SeedableRng};
use serde_json::{Value, json};

/// Upper bound on the time of any answer on a loaded machine.
const AGES: Duration = Duration::from_secs(300);

struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(data: &Path) -> Server {
        Server::run(Command::new(env!("CARGO_BIN_EXE_foglight")), data)
    }

    /// The same with a limit on file sizes: writes beyond fail, as on a full
    /// disk.
    fn start_cramped(data: &Path, kilobytes: u64) -> Server {
        let mut shell = Command::new("bash");
        let script = format!("trap '' XFSZ; ulimit -f {kilobytes}; exec \"$0\" \"$@\"");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_foglight")]);
        Server::run(shell, data)
    }

    fn run(mut program: Command, data: &Path) -> Server {
        program
            .args(["serve", "--port", "0", "--requests", "1000000", "--data"])
            .arg(data);
        Server::launch(&mut program)
    }

    /// Starts the server and waits for its address.
    fn launch(program: &mut Command) -> Server {
        let mut child = program.stdout(Stdio::piped()).spawn().expect("the program");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let address = line.trim().trim_start_matches("Foglight is at http://");
        let address = address.trim_end_matches('/').to_owned();
        Server { child, address }
    }

    /// Sends SIGKILL, so that there is no clean shutdown.
    fn kill(mut self) {
        self.child.kill().expect("a kill");
        self.child.wait().expect("an end");
    }

    /// Status and JSON of an answer; `None` if the server is gone.
    fn ask(&self, method: &str, path: &str, token: &str, body: Value) -> Option<(u16, Value)> {
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

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill(); // the child may have exited
        let _ = self.child.wait();
    }
}

/// A game of two bots, and the last ply they know of.
struct Table {
    id: String,
    tokens: [String; 2],
    acknowledged: Vec<String>,
    clocks: Option<Value>,
}

impl Table {
    fn new(server: &Server) -> Table {
        Table::by(server, "chesscom")
    }

    fn by(server: &Server, rules: &str) -> Table {
        let token = || {
            let (_, made) = server
                .ask("POST", "/api/token", "", json!({}))
                .expect("an answer");
            made["token"].as_str().expect("a token").to_owned()
        };
        let tokens = [token(), token()];
        let body = json!({
            "game": "fog", "rules": rules, "opponent": { "person": true }, "clock": { "base": 600, "increment": 0 },
        });
        let (_, made) = server
            .ask("POST", "/api/games", &tokens[0], body)
            .expect("an answer");
        let id = made["id"].as_str().expect("an id").to_owned();
        let join = format!("/api/games/{id}/join");
        server
            .ask("POST", &join, &tokens[1], Value::Null)
            .expect("an answer");
        Table {
            id,
            tokens,
            acknowledged: Vec::new(),
            clocks: None,
        }
    }

    /// Legal moves of the side to move, from its stream's first line.
    fn legal(&self, server: &Server) -> Option<Vec<String>> {
        let token = &self.tokens[self.acknowledged.len() % 2];
        let mut stream = TcpStream::connect(&server.address).ok()?;
        stream.set_read_timeout(Some(AGES)).ok()?;
        let text = format!(
            "GET /api/bot/game/stream/{} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\r\n",
            self.id
        );
        stream.write_all(text.as_bytes()).ok()?;
        for line in BufReader::new(stream).lines() {
            let line = line.ok()?;
            if line.starts_with('{') {
                let value: Value = serde_json::from_str(&line).ok()?;
                let moves = value["state"]["observation"]["moves"].as_array()?;
                let moves = moves.iter().filter_map(Value::as_str);
                return Some(moves.map(str::to_owned).collect());
            }
        }
        None
    }

    /// Plays one move. False if the server died before it acknowledged it.
    fn step(&mut self, server: &Server, rng: &mut impl Rng) -> bool {
        let Some(moves) = self.legal(server).filter(|moves| !moves.is_empty()) else {
            return false;
        };
        let text = &moves[rng.random_range(0..moves.len())];
        self.play(server, text)
            .is_some_and(|(status, _)| status == 200)
    }

    /// Plays this move and returns the server's response.
    fn play(&mut self, server: &Server, text: &str) -> Option<(u16, Value)> {
        let ply = self.acknowledged.len();
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

    fn ply(&self, server: &Server) -> (usize, bool) {
        let path = format!("/api/games/{}", self.id);
        let (_, info) = server
            .ask("GET", &path, "", Value::Null)
            .expect("an answer");
        let ply = info["ply"].as_u64().expect("a ply") as usize;
        (ply, info["status"] == "over")
    }

    fn clocks(&self, server: &Server) -> Value {
        let (_, list) = server
            .ask("GET", "/api/watch", "", Value::Null)
            .expect("an answer");
        let running = list["running"].as_array().expect("a list").clone();
        let own = running.into_iter().find(|info| info["id"] == *self.id);
        own.map_or(Value::Null, |info| info["clocks"].clone())
    }
}

fn total(clocks: &Value) -> i64 {
    clocks["white"].as_i64().unwrap_or(0) + clocks["black"].as_i64().unwrap_or(0)
}

/// Killed at random moments of a running game and restarted: every acknowledged
/// move is stored, the clocks are unchanged, and both sides play on.
/// `FOGLIGHT_KILLS=50` for the full test.
#[test]
fn a_killed_server_loses_nothing() {
    let kills = std::env::var("FOGLIGHT_KILLS");
    let kills: usize = kills.ok().and_then(|n| n.parse().ok()).unwrap_or(10);
    let folder = tempfile::tempdir().expect("a folder");
    let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(5);
    let mut server = Server::start(folder.path());
    let mut table = Table::new(&server);
    let (mut survived, mut timed) = (0, 0);
    for kill in 0..kills {
        let moves = rng.random_range(3..8);
        for _ in 0..moves {
            table.step(&server, &mut rng);
        }
        table.clocks = Some(table.clocks(&server));
        let before = Instant::now();
        // At a random moment of a request.
        let delay = Duration::from_micros(rng.random_range(0..20_000));
        let pid = server.child.id();
        let killer = std::thread::spawn(move || {
            std::thread::sleep(delay);
            let _ = Command::new("kill").args(["-9", &pid.to_string()]).status();
        });
        while table.step(&server, &mut rng) {}
        killer.join().expect("a killer");
        let lived = before.elapsed().as_millis() as i64;
        server.kill();
        std::thread::sleep(Duration::from_millis(300)); // charged to neither side
        server = Server::start(folder.path());
        let (ply, over) = table.ply(&server);
        let known = table.acknowledged.len();
        assert!(
            ply == known || ply == known + 1,
            "kill {kill}: {known} moves were acknowledged, {ply} are there"
        );
        if over {
            table = Table::new(&server);
            continue;
        }
        if let Some(clocks) = table.clocks.take().filter(|c| !c.is_null()) {
            timed += 1;
            let spent = total(&clocks) - total(&table.clocks(&server));
            assert!(
                (-1000..=lived + 1000).contains(&spent),
                "kill {kill}: the clocks lost {spent} ms while the server lived {lived} ms"
            );
        }
        if ply == known + 1 {
            table.acknowledged.push("?".into()); // stored, but killed before the acknowledgement
        }
        assert!(table.step(&server, &mut rng), "kill {kill}: they play on");
        survived += 1;
    }
    assert!(survived > 0 && timed > 0);
}

/// A full disk: moves are refused with a reason, and after a restart with free
/// space every acknowledged one is stored and the game continues.
#[test]
fn a_full_disk_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start_cramped(folder.path(), 300);
    // Rules without repetition, so that knight moves may fill the disk.
    let mut table = Table::by(&server, "thesis");
    let knights = ["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle();
    let refusal = knights.take(99).find_map(|text| {
        let (status, told) = table.play(&server, text).expect("an answer");
        (status != 200).then_some((status, told))
    });
    let (status, told) = refusal.expect("the disk was full at last");
    assert_eq!(status, 503);
    let text = told["error"].as_str().expect("an error");
    assert!(text.contains("could not be saved"), "{text}");
    let known = table.acknowledged.len();
    assert!(known > 0, "there was room at first");
    assert_eq!(table.ply(&server), (known, false), "nothing was played");
    assert!(table.legal(&server).is_some(), "it can be looked at");
    server.kill();
    let server = Server::start(folder.path());
    assert_eq!(table.ply(&server), (known, false), "all of them are there");
    let next = ["g1f3", "g8f6", "f3g1", "f6g8"][known % 4];
    let (status, _) = table.play(&server, next).expect("an answer");
    assert_eq!(status, 200, "they play on");
}

/// A bare call serves at the default port. The test occupies that port if it
/// can, so that the program must report it as taken; if another process had the
/// port and has released it since, the program serves there.
#[test]
fn a_bare_call_serves() {
    let _kept = TcpListener::bind("127.0.0.1:8080");
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = Command::new(env!("CARGO_BIN_EXE_foglight"))
        .env("XDG_DATA_HOME", folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut line = String::new();
    let out = child.stdout.take().expect("its output");
    BufReader::new(out).read_line(&mut line).expect("a line");
    if !line.is_empty() {
        child.kill().expect("a kill");
        child.wait().expect("an end");
        assert_eq!(line.trim(), "Foglight is at http://127.0.0.1:8080/");
        return;
    }
    let mut trouble = String::new();
    let mut err = child.stderr.take().expect("its errors");
    err.read_to_string(&mut trouble).expect("text");
    assert!(
        trouble.contains("cannot listen on 127.0.0.1:8080"),
        "{trouble}"
    );
    assert_eq!(child.wait().expect("an end").code(), Some(1));
}

/// Games are stored in the user's data folder, and the server stops on a
/// signal.
#[test]
fn it_stops_when_told_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = Command::new(env!("CARGO_BIN_EXE_foglight"));
    program.env("XDG_DATA_HOME", folder.path());
    let mut server = Server::launch(program.args(["serve", "--port", "0"]));
    let (status, _) = server
        .ask("GET", "/api/agents", "", Value::Null)
        .expect("an answer");
    assert_eq!(status, 200);
    let pid = server.child.id().to_string();
    let told = Command::new("kill").args(["-TERM", &pid]).status();
    assert!(told.expect("kill").success());
    assert!(server.child.wait().expect("an end").success());
    assert!(folder.path().join("foglight/foglight.sqlite").exists());
}
