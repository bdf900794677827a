//! Engines for the tests: this program, started again as one of its tests with
//! an environment variable that names its role. Works under every test runner.

use std::{env, time::Duration};

use foglight_uci::client::EngineConfig;

/// Upper bound on the time of any answer on a loaded machine.
pub const AGES: Duration = Duration::from_secs(120);

/// Environment variable with the role of the started program.
pub const ROLE: &str = "FOGLIGHT_TEST_ENGINE";

/// This program, started as its test `engine_main` in a role.
pub fn engine(role: &str) -> EngineConfig {
    let program = env::current_exe().expect("tests know their program");
    let program = program.to_str().expect("a path in UTF-8").to_owned();
    let args = [
        &format!("{ROLE}={role}"),
        &program,
        "--exact",
        "engine_main",
        "--nocapture",
    ];
    EngineConfig {
        command: "env".to_owned(),
        args: args.map(str::to_owned).to_vec(),
        startup: AGES,
        ..EngineConfig::default()
    }
}

/// The role of this process, if it is an engine.
pub fn role() -> Option<String> {
    let role = env::var(ROLE).ok()?;
    // The test runner has begun a line of its own.
    println!();
    Some(role)
}
