//! Every agent plays whole games of all that it plays, in a build with debug
//! assertions.

mod common;

use common::{command, repository};
use serde_json::Value;

fn output(arguments: &[&str]) -> String {
    let output = command(arguments).output().expect("the program");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// Assertions are on in the program that this tests, not only in the test.
#[test]
fn the_build_asserts() {
    let manifest = std::fs::read_to_string(repository("Cargo.toml")).expect("Cargo.toml");
    assert!(cfg!(debug_assertions) && !manifest.contains("debug-assertions"));
}

#[test]
fn every_agent_plays_every_game_it_knows() {
    let agents: Value = serde_json::from_str(&output(&["agents", "--json"])).expect("JSON");
    let agents = agents.as_array().expect("a list");
    assert!(agents.len() > 5);
    for agent in agents {
        let name = agent["name"].as_str().expect("a name");
        for game in agent["games"].as_array().expect("games") {
            let game = game.as_str().expect("a name");
            let told = output(&[
                "match",
                "-engine",
                &format!("agent={name}"),
                "name=A",
                "-engine",
                "agent=random",
                "name=B",
                "-each",
                "nodes=100",
                "st=0.1",
                "-game",
                game,
                "-rounds",
                "1",
                "-games",
                "2",
                "-repeat",
                "-maxmoves",
                "20",
                "-srand",
                "5",
            ]);
            let finished = told.matches("Finished game ").count();
            assert_eq!(finished, 2, "{name} in {game}: {told}");
            for fault in ["disconnects", "stalls", "illegal move"] {
                assert!(!told.contains(fault), "{name} in {game}: {told}");
            }
        }
    }
}
