//! A real NATS server, a connection that can be cut, and processes of a cluster.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// Whether the server is installed; on CI it has to be.
pub fn is_installed() -> bool {
    let found = Command::new("nats-server")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    if found.is_ok() {
        return true;
    }
    let needed = "nats-server (Debian: apt-get install nats-server)";
    assert!(std::env::var_os("CI").is_none(), "expected {needed}");
    eprintln!("skipped: expected {needed}");
    false
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// A server with a store of its own; it ends with this value.
pub struct Server {
    pub port: u16,
    pub dir: PathBuf,
    config: String,
    child: Child,
}

impl Server {
    /// A server with JetStream.
    pub fn start(name: &str) -> Server {
        Server::with(name, "jetstream { store_dir: \"DIR\" }")
    }

    /// A server with this configuration, in which `DIR` is its folder.
    pub fn with(name: &str, config: &str) -> Server {
        let dir = std::env::temp_dir().join(format!("foglight-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a folder");
        let port = free_port();
        let config = config.replace("DIR", dir.join("store").to_str().expect("a path"));
        let config = format!("listen: \"127.0.0.1:{port}\"\n{config}\n");
        let child = run(&dir, &config, port);
        Server {
            port,
            dir,
            config,
            child,
        }
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub fn path(&self, name: &str) -> String {
        self.dir.join(name).to_str().expect("a path").to_owned()
    }

    /// Kills the server and starts it again with its store.
    pub fn restart(&mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("it ends");
        self.child = run(&self.dir, &self.config, self.port);
    }

    /// Publishes a message.
    pub fn publish(&self, subject: &str, text: &str) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let mut lines = BufReader::new(stream.try_clone().expect("a connection"));
        let mut line = String::new();
        lines.read_line(&mut line).expect("INFO");
        let message = format!(
            "CONNECT {{\"verbose\":false}}\r\nPUB {subject} {}\r\n{text}\r\nPING\r\n",
            text.len()
        );
        stream.write_all(message.as_bytes()).expect("written");
        while line.trim() != "PONG" {
            line.clear();
            lines.read_line(&mut line).expect("PONG");
        }
    }

    pub fn delete_stream(&self) {
        self.publish("$JS.API.STREAM.DELETE.FOGLIGHT", "");
    }
}

fn run(dir: &Path, config: &str, port: u16) -> Child {
    let file = dir.join("nats.conf");
    std::fs::write(&file, config).expect("written");
    let child = Command::new("nats-server")
        .arg("-c")
        .arg(&file)
        .stderr(Stdio::null())
        .spawn()
        .expect("the server starts");
    let start = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(start.elapsed() < Duration::from_secs(20), "no server");
        thread::sleep(Duration::from_millis(50));
    }
    child
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended, and the folder may be gone.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// A connection to a port that can be cut: then it stands still.
pub struct Proxy {
    pub port: u16,
    cut: Arc<AtomicBool>,
}

impl Proxy {
    pub fn start(to: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let cut = Arc::new(AtomicBool::new(false));
        let halted = cut.clone();
        thread::spawn(move || {
            for one in listener.incoming().flatten() {
                let Ok(other) = TcpStream::connect(("127.0.0.1", to)) else {
                    continue;
                };
                let pairs = [(one.try_clone(), other.try_clone()), (Ok(other), Ok(one))];
                for (from, to) in pairs {
                    let (from, to) = (from.expect("a stream"), to.expect("a stream"));
                    let halted = halted.clone();
                    thread::spawn(move || forward(from, to, &halted));
                }
            }
        });
        Proxy { port, cut }
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub fn cut(&self, cut: bool) {
        self.cut.store(cut, Ordering::Relaxed);
    }
}

fn forward(mut from: TcpStream, mut to: TcpStream, halted: &AtomicBool) {
    let mut buffer = [0; 1 << 16];
    while let Ok(n @ 1..) = from.read(&mut buffer) {
        while halted.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(20));
        }
        if to.write_all(&buffer[..n]).is_err() {
            break;
        }
    }
    // The other direction ends by it.
    let _ = to.shutdown(std::net::Shutdown::Both);
}

/// A process that is killed with this value.
pub struct Process(pub Child);

impl Process {
    pub fn start(words: &[&str]) -> Process {
        let child = Command::new(env!("CARGO_BIN_EXE_foglight"))
            .args(words)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        Process(child.expect("the program starts"))
    }

    pub fn worker(url: &str, name: &str, more: &[&str]) -> Process {
        let mut words = vec!["worker", url, "-name", name];
        words.extend(more);
        Process::start(&words)
    }

    pub fn kill(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        self.0.wait().expect("it ends");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
