//! The examples of the README print what it says, its links are valid, and the
//! drawn board of the documents is the program's.

mod common;

use common::{repository, stdout};

/// The words of a command line; quotes group words.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('\'').enumerate() {
        match i % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

#[test]
fn examples_print_what_the_readme_says() {
    let readme = std::fs::read_to_string(repository("README.md")).expect("a README");
    let mut examples = 0;
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().expect("a block ends");
        for example in block.split("$ foglight").skip(1) {
            let (line, expected) = example.split_once('\n').expect("a line ends");
            let words = words(line);
            let arguments: Vec<&str> = words.iter().map(String::as_str).collect();
            assert_eq!(stdout(&arguments), expected, "foglight{line}");
            examples += 1;
        }
    }
    assert!(examples >= 2, "the README has examples");
}

#[test]
fn every_command_has_a_row() {
    let readme = std::fs::read_to_string(repository("README.md")).expect("a README");
    let help = stdout(&["--help"]);
    let list = help
        .split("Commands:\n")
        .nth(1)
        .and_then(|rest| rest.split("\n\n").next());
    let commands: Vec<&str> = list
        .expect("a list of commands")
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .filter(|&name| name != "help")
        .collect();
    assert!(commands.len() > 15, "{commands:?}");
    for name in commands {
        assert!(
            readme.contains(&format!("\n| `foglight {name}` |")),
            "the README has no row for `foglight {name}`"
        );
    }
}

#[test]
fn links_lead_somewhere() {
    let readme = std::fs::read_to_string(repository("README.md")).expect("a README");
    let mut links = 0;
    for link in readme.split("](").skip(1) {
        let link = link.split([')', '#']).next().expect("a link ends");
        assert!(repository(link).exists(), "the README links to {link}");
        links += 1;
    }
    assert!(links > 15, "only {links} links");
}

#[test]
fn the_set_up_stands_before_the_first_example() {
    let readme = std::fs::read_to_string(repository("README.md")).expect("a README");
    let example = readme.find("\n$ foglight").expect("an example");
    let before = &readme[..example];
    for needed in ["Rust 1.95", "C compiler", "npm", "Linux", "minutes"] {
        assert!(before.contains(needed), "{needed} comes too late");
    }
    assert!(before.contains("cargo install --path crates/cli"));
    let manifest = std::fs::read_to_string(repository("Cargo.toml")).expect("a manifest");
    assert!(
        manifest.contains("rust-version = \"1.95\""),
        "the README says 1.95"
    );
}

#[test]
fn the_picture_is_drawn_by_the_program() {
    let committed = std::fs::read_to_string(repository("docs/board.svg")).expect("a picture");
    let fen = "r1bqkb1r/ppp2ppp/2n2n2/3pp3/4P3/3P1N2/PPP1BPPP/RNBQK2R w KQkq - 0 5";
    let drawn = stdout(&[
        "draw", "--game", "fog", "--fen", fen, "--side", "white", "--size", "48",
    ]);
    assert_eq!(drawn, committed, "docs/board.svg: draw it again");
}
