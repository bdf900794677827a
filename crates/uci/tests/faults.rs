//! Every faulty engine of the list gets the right fault, in time, and leaves no
//! process running.

mod common;

use std::{
    fs,
    io::{BufRead, Write},
    process::{Command, exit},
    thread::sleep,
    time::{Duration, Instant},
};

use common::{AGES, engine};
use foglight_play::{Answer, Budget, Fault, Player as _};
use foglight_rules::{Color, Game, State};
use foglight_uci::{
    MONOTONIC,
    client::{EngineConfig, UciEngine},
};

const MOVETIME: Duration = Duration::from_millis(300);
const GRACE: Duration = Duration::from_millis(100);
const FOREVER: Duration = Duration::from_secs(1000);

/// The engine's side of the tests; returns at once when run as a test.
#[test]
fn engine_main() {
    if let Some(role) = common::role() {
        be_faulty(&role);
        exit(0);
    }
}

fn be_faulty(role: &str) {
    match role {
        "exits at start" => exit(3),
        "floods at start" => flood("id name flood"),
        "forks" => {
            for _ in 0..2 {
                let mut command = Command::new("sleep");
                drop(command.arg("1000").spawn().expect("sleep is there"));
            }
        }
        _ => {}
    }
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        match line.split(' ').next().unwrap_or_default() {
            "uci" if role == "never says uciok" => {}
            "uci" => println!("id name mock\nuciok"),
            "isready" if role == "never says readyok" => {}
            "isready" => println!("readyok"),
            "go" => answer(role),
            "stop" if role == "answers only stop" => println!("bestmove e2e4"),
            "quit" if role == "ignores stop and quit" => {}
            "quit" => return,
            _ => {}
        }
    }
    if role == "ignores stop and quit" {
        sleep(FOREVER);
    }
}

fn answer(role: &str) {
    let mut out = std::io::stdout().lock();
    let megabyte = vec![b'x'; 1 << 20];
    match role {
        "exits on go" => exit(4),
        "hangs on go" => sleep(FOREVER),
        "sleeps past its clock" => {
            sleep(MOVETIME + GRACE + Duration::from_millis(200));
            println!("bestmove e2e4");
        }
        "sleeps long past its clock" => {
            sleep(MOVETIME + GRACE + Duration::from_secs(2));
            println!("bestmove e2e4");
        }
        "floods on go" => flood("info string still thinking about it"),
        "prints a lot, then moves" => {
            for _ in 0..1_000_000 {
                out.write_all(b"info string a lot of output, line after line after line\n")
                    .expect("the driver reads");
            }
            println!("bestmove e2e4");
        }
        "prints a line of 100 MB, then moves" => {
            for _ in 0..100 {
                out.write_all(&megabyte).expect("the driver reads");
            }
            println!("\nbestmove e2e4");
        }
        "prints a line without end" => while out.write_all(&megabyte).is_ok() {},
        "answers garbage" => {
            out.write_all(b"\xff\xfe\x00garbage\x1b[2J\nbestmove\n\nbestmove \xffxyzzy\n")
                .expect("the driver reads");
        }
        "answers an illegal move" => println!("bestmove e2e5"),
        "answers no move" => println!("bestmove (none)"),
        "answers two moves" => println!("bestmove e2e4\nbestmove d2d4"),
        "never answers" | "answers only stop" => {}
        _ => println!("bestmove e2e4"),
    }
    out.flush().expect("the driver reads");
}

fn flood(line: &str) {
    let mut out = std::io::stdout().lock();
    let block = format!("{line}\n").repeat(1000);
    while out.write_all(block.as_bytes()).is_ok() {}
}

/// The processes of a group that are alive.
fn living(group: u32) -> Vec<String> {
    let entries = fs::read_dir("/proc").expect("a Linux system").flatten();
    let stats = entries.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    stats
        .filter(|stat| {
            let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
            let mut fields = fields.split(' ');
            let state = fields.next().unwrap_or_default();
            let of_group = fields.nth(1) == Some(&group.to_string());
            of_group && !matches!(state, "Z" | "X")
        })
        .collect()
}

fn no_orphans(group: u32) {
    let deadline = Instant::now() + AGES;
    while !living(group).is_empty() {
        assert!(Instant::now() < deadline, "{:?}", living(group));
        sleep(Duration::from_millis(5));
    }
}

fn first_move(outside: &mut UciEngine, movetime: Duration) -> Result<Answer, Fault> {
    let state = State::start(Game::chess());
    outside.start(state.game(), state.position(), Color::White, 1)?;
    let observation = state.observe(Color::White);
    let budget = Budget::time(movetime, MONOTONIC);
    outside.act(&observation, &budget, Some(movetime + GRACE))
}

/// Launches, requests a move, and returns the result with its duration.
fn verdict(launch: &EngineConfig, movetime: Duration) -> (Result<Answer, Fault>, Duration) {
    let started = Instant::now();
    let mut outside = match UciEngine::launch(launch) {
        Ok(outside) => outside,
        Err(fault) => return (Err(fault), started.elapsed()),
    };
    let group = outside.process_id();
    let started = Instant::now();
    let answer = first_move(&mut outside, movetime);
    let elapsed = started.elapsed();
    if matches!(answer, Err(Fault::Disconnect(_) | Fault::Stall(_))) {
        no_orphans(group);
    }
    drop(outside);
    no_orphans(group);
    (answer, elapsed)
}

fn fault_of(role: &str, movetime: Duration) -> Fault {
    let (answer, elapsed) = verdict(&engine(role), movetime);
    assert!(elapsed < AGES, "{role}: {elapsed:?}");
    answer.expect_err(role)
}

fn is_first_move(answer: Result<Answer, Fault>) {
    assert_eq!(answer.expect("a move").m.to_string(), "e2e4");
}

#[test]
fn a_program_that_is_not_there() {
    let launch = EngineConfig {
        command: "no-such-engine".to_owned(),
        ..EngineConfig::default()
    };
    let Err(Fault::Disconnect(reason)) = UciEngine::launch(&launch) else {
        panic!("a disconnect");
    };
    assert!(reason.contains("could not be started"), "{reason}");
}

#[test]
fn exits() {
    let cases = [
        ("exits at start", "status: 3"),
        ("exits on go", "status: 4"),
    ];
    for (role, part) in cases {
        let fault = fault_of(role, AGES);
        let Fault::Disconnect(reason) = &fault else {
            panic!("{role}: {fault:?}");
        };
        assert!(reason.contains(part), "{role}: {reason}");
    }
}

#[test]
fn never_says_what_is_waited_for() {
    for role in ["never says uciok", "never says readyok", "floods at start"] {
        let launch = EngineConfig {
            startup: Duration::from_millis(700),
            ..engine(role)
        };
        let (answer, elapsed) = verdict(&launch, MOVETIME);
        assert!(matches!(answer, Err(Fault::Stall(_))), "{role}: {answer:?}");
        assert!(elapsed < AGES, "{role}: {elapsed:?}");
    }
}

#[test]
fn late_and_silent_engines() {
    for role in [
        "sleeps past its clock",
        "sleeps long past its clock",
        "never answers",
        "answers only stop",
    ] {
        assert_eq!(fault_of(role, MOVETIME), Fault::Timeout, "{role}");
    }
    for role in ["hangs on go", "floods on go", "prints a line without end"] {
        let launch = EngineConfig {
            startup: Duration::from_secs(1),
            ..engine(role)
        };
        let (answer, _) = verdict(&launch, MOVETIME);
        assert!(matches!(answer, Err(Fault::Stall(_))), "{role}: {answer:?}");
    }
}

#[test]
fn output_without_measure_does_no_harm() {
    for role in [
        "prints a lot, then moves",
        "prints a line of 100 MB, then moves",
    ] {
        is_first_move(verdict(&engine(role), AGES).0);
    }
    let status = fs::read_to_string("/proc/self/status").expect("a Linux system");
    let peak = status.lines().find(|line| line.starts_with("VmHWM"));
    let peak = peak.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    assert!(peak.expect("a size in kB") < 80_000, "{peak:?} kB");
}

#[test]
fn moves_that_are_none() {
    for (role, text) in [
        ("answers garbage", "'\u{fffd}xyzzy'"),
        ("answers an illegal move", "'e2e5'"),
        ("answers no move", "no move"),
    ] {
        assert_eq!(
            fault_of(role, AGES),
            Fault::Illegal(text.to_owned()),
            "{role}"
        );
    }
}

#[test]
fn the_first_of_two_moves_counts_and_the_second_is_forgotten() {
    let mut outside = UciEngine::launch(&engine("answers two moves")).expect("it starts");
    for _ in 0..5 {
        is_first_move(first_move(&mut outside, AGES));
    }
    outside.quit();
}

#[test]
fn a_late_engine_plays_its_next_game() {
    let mut outside = UciEngine::launch(&engine("sleeps past its clock")).expect("it starts");
    assert_eq!(first_move(&mut outside, MOVETIME), Err(Fault::Timeout));
    is_first_move(first_move(&mut outside, AGES));
    outside.quit();
}

#[test]
fn ignores_stop_and_quit() {
    let mut outside = UciEngine::launch(&engine("ignores stop and quit")).expect("it starts");
    let group = outside.process_id();
    is_first_move(first_move(&mut outside, AGES));
    let started = Instant::now();
    outside.quit();
    assert!(started.elapsed() < AGES);
    no_orphans(group);
}

#[test]
fn children_of_the_engine_go_with_it() {
    for quits in [true, false] {
        let mut outside = UciEngine::launch(&engine("forks")).expect("it starts");
        let group = outside.process_id();
        is_first_move(first_move(&mut outside, AGES));
        assert_eq!(living(group).len(), 3);
        match quits {
            true => outside.quit(),
            false => drop(outside),
        }
        no_orphans(group);
    }
}

#[test]
fn closes_its_output_but_lives() {
    let script = "read a; echo uciok; read a; echo readyok; exec 1>&-; sleep 1000";
    let launch = EngineConfig {
        command: "sh".to_owned(),
        args: vec!["-c".to_owned(), script.to_owned()],
        ..EngineConfig::default()
    };
    let (answer, elapsed) = verdict(&launch, AGES);
    let closed = "closed its output and went on".to_owned();
    assert_eq!(answer, Err(Fault::Disconnect(closed)));
    assert!(elapsed < AGES);
}

#[test]
fn an_engine_that_reads_nothing_cannot_block_us() {
    let script = "read a; echo uciok; sleep 1000";
    let launch = EngineConfig {
        command: "sh".to_owned(),
        args: vec!["-c".to_owned(), script.to_owned()],
        startup: Duration::from_secs(1),
        options: vec![("Text".to_owned(), "x".repeat(1 << 20))],
        ..EngineConfig::default()
    };
    let started = Instant::now();
    let fault = UciEngine::launch(&launch).err();
    assert!(matches!(fault, Some(Fault::Stall(_))), "{fault:?}");
    assert!(started.elapsed() < AGES);
}

#[test]
fn options_with_line_breaks_stay_on_their_line() {
    let launch = EngineConfig {
        options: vec![("A\nquit".to_owned(), "b\r\nquit".to_owned())],
        ..engine("is fine")
    };
    is_first_move(verdict(&launch, AGES).0);
}
