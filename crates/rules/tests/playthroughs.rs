//! The playthroughs of `data/playthroughs/` match the code, and every game has
//! one.

#[path = "common/playthroughs.rs"]
mod playthroughs;

use std::{collections::BTreeSet, fs, path::PathBuf};

use foglight_rules::{Game, State};
use playthroughs::file_name;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/playthroughs")
}

#[test]
fn stored_playthroughs_are_those_of_the_code() {
    for game in Game::ALL {
        let path = folder().join(file_name(&game));
        let stored = fs::read_to_string(&path).unwrap_or_else(|e| {
            panic!("{game} has no playthrough ({e}); see examples/playthroughs.rs")
        });
        let now = playthroughs::text(&game);
        let differing = stored.lines().zip(now.lines()).position(|(a, b)| a != b);
        if let Some(i) = differing {
            let at = |text: &str| text.lines().nth(i).unwrap_or_default().to_owned();
            panic!("{game}, line {}:\n{}\n{}", i + 1, at(&stored), at(&now));
        }
        assert_eq!(stored, now, "{game}: one text is longer");
    }
}

#[test]
fn every_file_belongs_to_a_game() {
    let stored: BTreeSet<String> = fs::read_dir(folder())
        .expect("a folder of playthroughs")
        .map(|entry| {
            entry
                .expect("a file")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .collect();
    let games: BTreeSet<String> = Game::ALL.iter().map(file_name).collect();
    assert_eq!(stored, games);
}

/// The stored lines are sufficient to replay the game.
#[test]
fn stored_actions_lead_to_the_stored_positions() {
    for game in Game::ALL {
        let text = fs::read_to_string(folder().join(file_name(&game))).expect("a playthrough");
        let mut state = State::start(game);
        let mut actions = 0;
        for line in text.lines() {
            match line.split_once(": ") {
                Some(("fen", fen)) => assert_eq!(game.fen(state.position()), fen, "{game}"),
                Some(("action", action)) => {
                    let action = state.parse_action(action).expect("a legal action");
                    state.play(action).expect("a legal action");
                    actions += 1;
                }
                Some(("result", result)) => {
                    let outcome = state.outcome().expect("an outcome");
                    assert_eq!(outcome.to_string(), result, "{game}");
                }
                _ => {}
            }
        }
        assert!(actions >= 20, "{game} has {actions} actions");
    }
}

/// The seeds were chosen so that these events occur in the fog games.
#[test]
fn something_happens_in_them() {
    let texts: Vec<String> = Game::ALL.iter().map(playthroughs::text).collect();
    let all = texts.concat();
    for sighting in [
        "known",
        "retreat",
        "surprise",
        "dark",
        "semi-retreat",
        "adverse surprise",
    ] {
        let white = format!("to white it was: {sighting}\n");
        let black = format!("to black it was: {sighting}\n");
        assert!(all.contains(&white) || all.contains(&black), "{sighting}");
    }
    for text in ["king_captured", "checkmate", "action: e1g1", "lost pawn on"] {
        assert!(all.contains(text), "{text}");
    }
}
