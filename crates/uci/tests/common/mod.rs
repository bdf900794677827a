//! Engines for the tests: this very program, started again as one of its tests
//! with a variable that says what to be. Works under every test runner.

use std::{env, time::Duration};

use foglight_uci::client::EngineConfig;

/// No answer takes so long, however loaded the machine is.
pub const AGES: Duration = Duration::from_secs(120);

/// The variable that tells the started program what to be.
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

/// The role that this program was started in, if it is an engine.
pub fn role() -> Option<String> {
    let role = env::var(ROLE).ok()?;
    // The test runner has begun a line of its own.
    println!();
    Some(role)
}
