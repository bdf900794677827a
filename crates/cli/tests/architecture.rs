//! Architecture: documents name paths that exist, and crates depend only on
//! crates to their left.

mod common;

use std::fs;

use common::repository;

/// Crates to the left must not depend on those to the right.
const ARROWS: [&str; 11] = [
    "rules", "play", "solver", "engine", "uci", "arena", "cluster", "research", "server", "train",
    "cli",
];

#[test]
fn the_documents_name_paths_that_exist() {
    for (document, least) in [("ARCHITECTURE.md", 20), ("CONTRIBUTING.md", 3)] {
        let text = fs::read_to_string(repository(document)).expect("a document");
        let paths: Vec<&str> = text
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|code| code.contains('/') && !code.contains([' ', '<', ':']))
            .collect();
        assert!(paths.len() >= least, "{document} names only {paths:?}");
        for path in paths {
            assert!(repository(path).exists(), "{document} names {path}");
        }
    }
}

fn dependencies(name: &str) -> Vec<String> {
    let path = repository(&format!("crates/{name}/Cargo.toml"));
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let manifest: toml::Table = text.parse().expect("a manifest");
    let tables = ["dependencies", "build-dependencies"];
    let tables = tables
        .iter()
        .filter_map(|table| manifest.get(*table)?.as_table());
    tables.flat_map(|table| table.keys().cloned()).collect()
}

#[test]
fn crates_know_only_what_stands_to_their_left() {
    for (place, name) in ARROWS.iter().enumerate() {
        let known = dependencies(name);
        for right in &ARROWS[place..] {
            let forbidden = format!("foglight-{right}");
            assert!(!known.contains(&forbidden), "{name} must not know {right}");
        }
    }
}

#[test]
fn every_crate_has_a_place() {
    for entry in fs::read_dir(repository("crates")).expect("the crates") {
        let name = entry.expect("a folder").file_name();
        let name = name.to_str().expect("a name");
        assert!(
            ARROWS.contains(&name) || name == "python",
            "where does {name} stand?"
        );
    }
}

/// The solver is to be published separately, and a node budget must repeat
/// exactly.
#[test]
fn the_solver_knows_none_of_our_crates_and_no_clock() {
    let known = dependencies("solver");
    let ours = |name: &String| name.starts_with("foglight");
    assert!(!known.iter().any(ours), "the solver knows {known:?}");
    let mut read = 0;
    let mut folders = vec![repository("crates/solver/src")];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(folder).expect("the sources");
        let paths: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
        let (inner, files): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| path.is_dir());
        folders.extend(inner);
        for path in files {
            let source = fs::read_to_string(&path).expect("a source");
            for clock in ["std::time", "Instant", "SystemTime"] {
                assert!(!source.contains(clock), "{} has {clock}", path.display());
            }
            read += 1;
        }
    }
    assert!(read >= 10, "only {read} files were read");
}

#[test]
fn the_rules_touch_nothing_outside() {
    let known = dependencies("rules");
    for heavy in [
        "tokio",
        "axum",
        "rayon",
        "clap",
        "serde_json",
        "rand_xoshiro",
    ] {
        assert!(
            !known.iter().any(|name| name == heavy),
            "rules must not know {heavy}"
        );
    }
}
