//! What many workers cost the caller and the server, measured: a real NATS
//! server, a caller in this process, and simulated workers in another one, whose
//! results take two seconds each and have the size of a game.
//!
//! `cargo run --release -p foglight-cluster --example thousand -- 1000 120`

use std::{
    collections::BTreeMap,
    env, fs,
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    ops::ControlFlow,
    path::Path,
    process::{Child, Command, Stdio},
    sync::{Arc, atomic::AtomicBool},
    thread,
    time::{Duration, Instant},
};

use foglight_arena::queue::{RemoteJob, RemoteWork, Task, Work, WorkEvent, WorkQueue as _};
use foglight_cluster::{
    ClusterQueue, FullTask, Identity, OpenJob, QueueOptions, ServeOptions, serve,
};

/// Time and bytes of a result.
const SECONDS: f64 = 2.0;
const BYTES: usize = 3000;
/// Seconds of work in a unit.
const UNIT_SECONDS: f64 = 30.0;

/// Results that take their time and none of the processor's.
struct Naps;

impl Work for Naps {
    type Output = String;
    type Tools = ();

    fn tools(&self) {}

    fn do_item(&self, item: u64, (): &mut (), stopped: &dyn Fn() -> bool) -> Option<String> {
        thread::sleep(Duration::from_secs_f64(SECONDS));
        (!stopped()).then(|| format!("{item:0BYTES$}"))
    }
}

impl RemoteWork for Naps {
    fn task(&self) -> Task {
        Task {
            kind: "naps".to_owned(),
            text: String::new(),
        }
    }

    fn encode(&self, output: &String) -> String {
        output.clone()
    }

    fn decode(&self, (): &(), item: u64, text: &str) -> Result<String, String> {
        match text.parse() == Ok(item) {
            true => Ok(text.to_owned()),
            false => Err("another item".to_owned()),
        }
    }

    fn repeats(&self) -> bool {
        false
    }

    fn same(&self, one: &String, other: &String) -> bool {
        one == other
    }
}

struct Opener;

impl OpenJob for Opener {
    fn open(&self, _: &FullTask) -> Result<Arc<dyn RemoteJob>, String> {
        Ok(Arc::new(Naps))
    }
}

fn identity() -> Identity {
    Identity {
        version: "0".to_owned(),
        signature: "0".to_owned(),
        speed: 1.0,
    }
}

/// The workers, until the process is killed.
fn work(url: &str, workers: usize) {
    thread::scope(|scope| {
        for number in 0..workers {
            let options = ServeOptions {
                name: format!("w{number}"),
                identity: identity(),
                slots: 1,
                longest: Duration::from_secs(3600),
            };
            scope.spawn(move || {
                let never = AtomicBool::new(false);
                let served = serve(url, &options, Arc::new(Opener), &never, &|_| {});
                served.expect("a server");
            });
            thread::sleep(Duration::from_millis(5));
        }
    });
}

/// A figure of the server's monitoring page.
fn figure(port: u16, name: &str) -> f64 {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the monitoring port");
    stream
        .write_all(b"GET /varz HTTP/1.0\r\n\r\n")
        .expect("a request");
    let mut page = String::new();
    stream.read_to_string(&mut page).expect("a page");
    let (_, after) = page.split_once(&format!("\"{name}\": ")).expect("a figure");
    let digits = after.split(|c: char| !c.is_ascii_digit()).next();
    digits
        .and_then(|digits| digits.parse().ok())
        .expect("digits")
}

/// The most memory of this process, in MiB.
fn own_memory() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB"));
    kib.and_then(|kib| kib.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

/// Processor seconds of a process.
fn processor(id: u32) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after.split_whitespace().skip(11).take(2);
    ticks
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum::<f64>()
        / 100.0
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

fn start_server(dir: &Path, port: u16, monitor: u16) -> Child {
    let store = dir.join("store");
    let config = format!(
        "listen: \"127.0.0.1:{port}\"\nhttp: \"127.0.0.1:{monitor}\"\njetstream {{ store_dir: {store:?} }}\n"
    );
    let file = dir.join("nats.conf");
    fs::write(&file, config).expect("written");
    let mut command = Command::new("nats-server");
    command.arg("-c").arg(&file).stderr(Stdio::null());
    let child = command.spawn().expect("nats-server is installed");
    while TcpStream::connect(("127.0.0.1", monitor)).is_err() {
        thread::sleep(Duration::from_millis(50));
    }
    child
}

/// Does the work, with the figures before and after it.
fn measure(url: &str, monitor: u16, server: u32, workers: usize, seconds: f64) {
    let items = (workers as f64 * seconds / SECONDS) as u64;
    let options = QueueOptions {
        title: "naps".to_owned(),
        identity: identity(),
        files: BTreeMap::new(),
        unit_seconds: UNIT_SECONDS,
        audit: 0.0,
    };
    let queue = ClusterQueue::open(url, options, |notice| println!("{notice}")).expect("a queue");
    const NAMES: [&str; 4] = ["in_msgs", "in_bytes", "out_msgs", "out_bytes"];
    let before = NAMES.map(|name| figure(monitor, name));
    let (idle, used) = (
        own_memory(),
        [processor(std::process::id()), processor(server)],
    );
    let (mut done, mut memory, start) = (0u64, 0f64, Instant::now());
    let mut looked = start;
    let ran = queue.run(&Naps, &mut (0..items), &|| false, &mut |event| {
        if let WorkEvent::Finished(..) = event {
            done += 1;
        }
        if looked.elapsed() > Duration::from_secs(2) {
            looked = Instant::now();
            memory = memory.max(figure(monitor, "mem"));
        }
        ControlFlow::Continue(())
    });
    ran.expect("no failure");
    let took = start.elapsed().as_secs_f64();
    assert_eq!(done, items, "every item once");
    println!(
        "{workers} workers: {items} results in {took:.0} s ({seconds:.0} s without any delay)"
    );
    for (name, before) in NAMES.iter().zip(before) {
        println!(
            "server {name}: {:.0} a second",
            (figure(monitor, name) - before) / took
        );
    }
    println!(
        "server memory: at most {:.0} MiB",
        memory / f64::from(1 << 20)
    );
    println!("caller memory: {:.0} MiB, {idle:.0} before", own_memory());
    let now = [processor(std::process::id()), processor(server)];
    let share = |i: usize| 100.0 * (now[i] - used[i]) / took;
    println!(
        "processor: caller {:.0} %, server {:.0} %",
        share(0),
        share(1)
    );
}

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let number = |at: usize, usual: f64| {
        words
            .get(at)
            .map_or(usual, |n| n.parse().expect("a number"))
    };
    if let Some(url) = words.get(2) {
        return work(url, number(0, 0.0) as usize);
    }
    let (workers, seconds) = (number(0, 1000.0), number(1, 120.0));
    let dir = env::temp_dir().join(format!("foglight-thousand-{}", std::process::id()));
    fs::create_dir_all(&dir).expect("a folder");
    let (port, monitor) = (free_port(), free_port());
    let mut server = start_server(&dir, port, monitor);
    let url = format!("nats://127.0.0.1:{port}");
    let program = env::current_exe().expect("this program");
    let mut swarm = Command::new(program);
    swarm.args([workers.to_string(), "0".to_owned(), url.clone()]);
    let mut swarm = swarm.spawn().expect("a process of workers");
    thread::sleep(Duration::from_secs_f64(5.0 + workers / 100.0));
    measure(&url, monitor, server.id(), workers as usize, seconds);
    for child in [&mut swarm, &mut server] {
        // They may have ended.
        let _ = child.kill();
        let _ = child.wait();
    }
    let _ = fs::remove_dir_all(&dir);
}
