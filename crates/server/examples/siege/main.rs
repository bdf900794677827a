//! Attacks a server of its own with all its might and measures what other
//! players notice. Prints each figure beside what is allowed, and fails if one
//! exceeds it: `cargo run --release -p foglight-server --example siege -- 15`,
//! with the seconds of each attack. Connects to 127.0.0.0/8 only.

mod attacks;
mod client;
mod players;

use std::{
    fs,
    io::{BufRead as _, BufReader},
    net::{IpAddr, SocketAddr},
    process::{Child, Command, Stdio},
    time::Duration,
};

use attacks::Attack;
use client::{Client, Failure};
use foglight_server::{Config, Server};
use players::{Measured, Times};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::time::{Instant, sleep};

/// What is allowed: answers to others, the reply of level 1, memory in MiB, and
/// the memory of an idle socket in KiB.
const ANSWER: Duration = Duration::from_millis(200);
const LEVEL: Duration = Duration::from_millis(1000);
const MEMORY: u64 = 1024;
const SOCKET: u64 = 40;
/// Time after which everything is as before.
const RECOVERY: Duration = Duration::from_secs(30);
/// Files that a server may open at the usual limit.
const USUAL_FILES: u64 = 1024;

/// A server in a process of its own, killed when dropped.
struct Besieged {
    child: Child,
    address: SocketAddr,
    _data: tempfile::TempDir,
}

impl Besieged {
    fn start(files: u64) -> Result<Besieged, Failure> {
        let data = tempfile::tempdir()?;
        let mut child = Command::new(std::env::current_exe()?)
            .args(["serve", &files.to_string()])
            .arg(data.path())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        let out = child.stdout.take().ok_or("no output")?;
        BufReader::new(out).read_line(&mut line)?;
        Ok(Besieged {
            address: line.trim().parse()?,
            child,
            _data: data,
        })
    }

    /// Resident memory in KiB, now and at most.
    fn memory(&self) -> Result<(u64, u64), Failure> {
        let text = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let field = |name: &str| -> Option<u64> {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse().ok()
        };
        let both = field("VmRSS:").zip(field("VmHWM:"));
        both.ok_or_else(|| "no memory figures".into())
    }
}

impl Drop for Besieged {
    fn drop(&mut self) {
        let _ = self.child.kill(); // it may have ended
        let _ = self.child.wait();
    }
}

/// Serves until killed.
fn serve(files: u64, data: &str) -> Result<(), Failure> {
    if files > 0 {
        let limit = Rlimit {
            current: Some(files),
            maximum: Some(files),
        };
        setrlimit(Resource::Nofile, limit)?;
    }
    let config = Config {
        data: Some(data.into()),
        ..Config::default()
    };
    let host = IpAddr::from([127, 0, 0, 1]);
    Server::run_blocking(host, 0, config, |server| println!("{}", server.address()))?;
    Ok(())
}

/// Figures beside what is allowed.
#[derive(Default)]
struct Report {
    failed: usize,
}

impl Report {
    fn row(&mut self, what: &str, measured: u64, allowed: u64, unit: &str) {
        let well = measured <= allowed;
        self.failed += usize::from(!well);
        let verdict = if well { "ok" } else { "TOO MUCH" };
        println!("  {what:<44} {measured:>8} {unit:<4} allowed {allowed:>6}  {verdict}");
    }

    fn times(&mut self, mut measured: Measured) {
        measured.answers.sort();
        let rank = measured.answers.len() * 99 / 100;
        let ms = |time: Option<&Duration>| time.map_or(u64::MAX, |time| time.as_millis() as u64);
        let answer = ms(measured.answers.get(rank));
        let level = ms(measured.level.iter().max());
        let what = format!("99 % of {} answers to others", measured.answers.len());
        self.row(&what, answer, ANSWER.as_millis() as u64, "ms");
        let what = format!("slowest of {} replies of level 1", measured.level.len());
        self.row(&what, level, LEVEL.as_millis() as u64, "ms");
        self.row(
            "broken games of others",
            measured.broken.len() as u64,
            0,
            "",
        );
        for error in measured.broken.iter().take(3) {
            println!("    {error}");
        }
    }
}

/// Runs attacks at once, and measures.
async fn under(
    attacks: &[Attack],
    span: Duration,
    server: &Besieged,
    times: &Times,
    report: &mut Report,
) -> Result<(), Failure> {
    let sizes: Vec<String> = attacks
        .iter()
        .map(|attack| format!("{attack:?} by {} clients", attack.size().0))
        .collect();
    println!("{}, {} s", sizes.join(", "), span.as_secs());
    times.take();
    let running: Vec<_> = attacks
        .iter()
        .map(|attack| attack.start(server.address))
        .collect();
    sleep(span).await;
    report.times(times.take());
    drop(running);
    Ok(())
}

/// The memory of idle sockets, in KiB each.
async fn socket_memory(server: &Besieged, count: u16) -> Result<u64, Failure> {
    let owner = Client::new(server.address, 3, 1);
    let token = owner.token().await?;
    let open = serde_json::json!({ "opponent": { "person": true } });
    let id = owner.game(&token, &open).await?;
    let before = server.memory()?.0;
    let mut sockets = Vec::new();
    for number in 0..count {
        let client = Client::new(server.address, 3, 2 + number % 8);
        let mut socket = client.seat(&id, None).await?;
        socket.hear(&["state"]).await?;
        sockets.push(socket);
    }
    sleep(Duration::from_secs(1)).await;
    let after = server.memory()?.0;
    Ok(after.saturating_sub(before) / u64::from(count))
}

async fn siege(files: u64, span: Duration, report: &mut Report) -> Result<(), Failure> {
    let server = Besieged::start(files)?;
    let sockets = if files == 0 { 1000 } else { 400 };
    let each = socket_memory(&server, sockets).await?;
    let what = format!("memory of each of {sockets} idle sockets");
    report.row(&what, each, SOCKET, "KiB");
    sleep(Duration::from_secs(1)).await;
    let (times, players) = players::start(server.address);
    println!("Nobody attacks, {} s", span.as_secs());
    sleep(span).await;
    report.times(times.take());
    if files == 0 {
        for attack in Attack::ALL {
            under(&[attack], span, &server, &times, report).await?;
        }
        under(&Attack::ALL, 2 * span, &server, &times, report).await?;
    } else {
        let connections = [Attack::Silent, Attack::Idle];
        under(&connections, 2 * span, &server, &times, report).await?;
    }
    println!("Peace again, after {} s", RECOVERY.as_secs());
    sleep(RECOVERY).await;
    times.take();
    sleep(span).await;
    report.times(times.take());
    let (now, most) = server.memory()?;
    report.row("memory at most", most >> 10, MEMORY, "MiB");
    println!("  memory afterwards {} MiB", now >> 10);
    players.iter().for_each(|player| player.abort());
    Ok(())
}

/// Room for the clients' own sockets.
fn raise_own_limit() -> Result<(), Failure> {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(
        Resource::Nofile,
        Rlimit {
            current: limit.maximum,
            maximum: limit.maximum,
        },
    )?;
    Ok(())
}

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [serving, files, data] = &words[..]
        && serving == "serve"
    {
        return serve(files.parse()?, data);
    }
    let seconds: u64 = words.first().map_or(Ok(15), |word| word.parse())?;
    let span = Duration::from_secs(seconds.clamp(2, 60));
    raise_own_limit()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut report = Report::default();
    let began = Instant::now();
    runtime.block_on(async {
        println!("At the file limit of this machine");
        siege(0, span, &mut report).await?;
        println!("At a file limit of {USUAL_FILES}");
        siege(USUAL_FILES, span, &mut report).await
    })?;
    println!("{} s in all", began.elapsed().as_secs());
    match report.failed {
        0 => Ok(()),
        failed => Err(format!("{failed} figures exceed what is allowed").into()),
    }
}
