//! UCI for plain chess through python-chess's engine module: `python_chess.py`
//! is the client.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn run(program: &Path, args: &[&str]) -> Result<Output, String> {
    let name = program.display();
    let output = Command::new(program).args(args).output();
    let output = output.map_err(|error| format!("{name}: {error}"))?;
    match output.status.success() {
        true => Ok(output),
        false => Err(format!(
            "{name} {args:?}: {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// A Python with python-chess: the system's, or one in a virtual environment
/// created once. The error says what is missing.
fn python() -> Result<PathBuf, String> {
    let system = PathBuf::from("python3");
    if run(&system, &["-c", "import chess.engine"]).is_ok() {
        return Ok(system);
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python-chess");
    let own = folder.join("bin/python3");
    if run(&own, &["-c", "import chess.engine"]).is_ok() {
        return Ok(own);
    }
    let path = folder.to_str().ok_or("the target folder is not UTF-8")?;
    run(&system, &["-m", "venv", path])?;
    run(&own, &["-m", "pip", "install", "-q", "chess==1.11.2"])?;
    Ok(own)
}

#[test]
fn python_chess_finds_a_good_engine() {
    let python = match python() {
        Ok(python) => python,
        Err(missing) => {
            assert!(
                std::env::var_os("CI").is_none(),
                "continuous integration needs python3 with venv and pip: {missing}"
            );
            eprintln!("skipped: python3 with python-chess could not be had: {missing}");
            return;
        }
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python_chess.py");
    let script = script.to_str().expect("a path in UTF-8");
    let output = run(&python, &[script, env!("CARGO_BIN_EXE_foglight")]);
    let output = output.unwrap_or_else(|error| panic!("{error}"));
    let told = String::from_utf8_lossy(&output.stdout);
    assert_eq!(told.matches("is good").count(), 6, "{told}");
}
