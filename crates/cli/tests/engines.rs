//! External engines end with the program that runs them, however it ends.

#![cfg(target_os = "linux")]

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

/// Upper bound on the time of anything on a loaded machine.
const AGES: Duration = Duration::from_secs(300);

fn until<T>(mut ready: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + AGES;
    loop {
        if let Some(found) = ready() {
            return found;
        }
        assert!(Instant::now() < deadline, "it never came");
        sleep(Duration::from_millis(10));
    }
}

fn runs(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    !state.is_empty() && !state.starts_with(['Z', 'X'])
}

/// Starts a match of an engine that tells its process id and then plays on.
fn start(folder: &Path) -> std::process::Child {
    let program = env!("CARGO_BIN_EXE_foglight");
    let script = folder.join("engine.sh");
    let text = format!(
        "#!/bin/sh\necho $$ > {}/pid-$$\nexec {program} uci\n",
        folder.display()
    );
    fs::write(&script, text).expect("a script");
    Command::new(program)
        .args([
            "match",
            "-engine",
            "cmd=sh",
            &format!("args={}", script.display()),
        ])
        .args(["name=A", "-engine", "agent=random", "name=B"])
        .args([
            "-game",
            "fog",
            "-rounds",
            "100000",
            "-each",
            "nodes=1",
            "-concurrency",
            "2",
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a match")
}

fn pids(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names
        .filter_map(|name| Some(name.strip_prefix("pid-")?.to_owned()))
        .collect()
}

/// Killed without any chance to clean up, the runner leaves no engine behind.
#[test]
fn engines_end_with_a_killed_runner() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut runner = start(folder.path());
    let engines = until(|| Some(pids(folder.path())).filter(|pids| pids.len() == 2));
    assert!(engines.iter().all(|pid| runs(pid)));
    runner.kill().expect("a kill");
    runner.wait().expect("an end");
    until(|| engines.iter().all(|pid| !runs(pid)).then_some(()));
}

/// The launcher does not hide that a program is missing.
#[test]
fn a_missing_engine_is_named() {
    let output = Command::new(env!("CARGO_BIN_EXE_foglight"))
        .args(["match", "-engine", "cmd=no-such-engine", "name=A"])
        .args([
            "-engine",
            "agent=random",
            "name=B",
            "-game",
            "fog",
            "-rounds",
            "1",
        ])
        .output()
        .expect("the program");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(
        told.contains("no-such-engine") && told.contains("could not be started"),
        "{told}"
    );
}
