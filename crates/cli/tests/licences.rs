//! Licences, bans and sources of every crate that is linked in, by `deny.toml`.

mod common;

use std::process::Command;

use common::repository;
use serde::Deserialize;
use toml::Table;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    source: Option<String>,
}

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The crates of a workspace, as its lock file names them.
fn packages(manifest: &str) -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .arg("--manifest-path")
        .arg(repository(manifest))
        .output()
        .expect("cargo");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{manifest}: {errors}");
    let metadata: Metadata = serde_json::from_slice(&output.stdout).expect("metadata");
    metadata.packages
}

fn texts<'a>(table: &'a Table, section: &str, key: &str) -> Vec<&'a str> {
    let list = table[section][key].as_array().expect("a list");
    list.iter()
        .map(|text| text.as_str().expect("text"))
        .collect()
}

/// Whether a licence expression (SPDX, or with the older `/`) allows a use under
/// these licences. `AND` binds closer than `OR`.
fn allows(expression: &str, known: &[&str]) -> bool {
    let spaced = expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    any(&mut rest, known) && rest.is_empty()
}

fn any(words: &mut &[&str], known: &[&str]) -> bool {
    let mut found = all(words, known);
    while words.first() == Some(&"OR") {
        *words = &words[1..];
        found |= all(words, known);
    }
    found
}

fn all(words: &mut &[&str], known: &[&str]) -> bool {
    let mut found = one(words, known);
    while words.first() == Some(&"AND") {
        *words = &words[1..];
        found &= one(words, known);
    }
    found
}

fn one(words: &mut &[&str], known: &[&str]) -> bool {
    let Some((first, rest)) = words.split_first() else {
        return false;
    };
    *words = rest;
    if *first == "(" {
        let found = any(words, known);
        *words = words.get(1..).unwrap_or_default(); // the closing one
        return found;
    }
    let mut name = (*first).to_owned();
    if let ["WITH", exception, rest @ ..] = *words {
        name = format!("{name} WITH {exception}");
        *words = rest;
    }
    known.contains(&name.as_str())
}

#[test]
fn every_crate_is_allowed() {
    let text = std::fs::read_to_string(repository("deny.toml")).expect("deny.toml");
    let deny: Table = text.parse().expect("TOML");
    let licences = texts(&deny, "licenses", "allow");
    let banned = texts(&deny, "bans", "deny");
    for key in ["unknown-registry", "unknown-git"] {
        assert_eq!(deny["sources"][key].as_str(), Some("deny"));
    }
    for manifest in ["Cargo.toml", "fuzz/Cargo.toml"] {
        let packages = packages(manifest);
        assert!(packages.len() > 10, "{manifest}");
        for package in packages {
            let what = format!("{} {} of {manifest}", package.name, package.version);
            let licence = package.license.as_deref();
            assert!(
                licence.is_some_and(|text| allows(text, &licences)),
                "{what}: licence {licence:?}"
            );
            assert!(!banned.contains(&package.name.as_str()), "{what} is banned");
            let source = package.source.as_deref();
            assert!(
                source.is_none_or(|source| source == REGISTRY),
                "{what}: {source:?}"
            );
        }
    }
}

#[test]
fn expressions() {
    let known = ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"];
    for good in [
        "MIT",
        "MIT OR GPL-2.0",
        "GPL-2.0/MIT",
        "MIT AND ISC",
        "(MIT OR GPL-2.0) AND ISC",
        "Apache-2.0 WITH LLVM-exception",
        "GPL-2.0 AND BSD OR MIT",
    ] {
        assert!(allows(good, &known), "{good}");
    }
    for bad in ["GPL-2.0", "MIT AND GPL-2.0", "Apache-2.0", "", "MIT MIT"] {
        assert!(!allows(bad, &known), "{bad}");
    }
}
