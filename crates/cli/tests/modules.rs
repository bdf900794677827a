//! The shape of the sources: modules without cycles, types with names of their
//! own, functions and files of a size to be read.

mod common;
mod source;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::Path,
};

use common::repository;
use source::{Source, sources};

/// The most lines of a function, and of a file without its tests.
const LONGEST: (usize, usize) = (60, 500);

/// For each top-level module of a crate those that it names.
type Graph = BTreeMap<String, BTreeSet<String>>;

fn crates() -> Vec<String> {
    let entries = fs::read_dir(repository("crates")).expect("the crates");
    let names = entries.map(|entry| entry.expect("a crate").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.into_string().expect("text"))
        .collect();
    names.sort();
    names
}

fn folder(name: &str) -> std::path::PathBuf {
    repository(&format!("crates/{name}/src"))
}

/// A path as it is in the repository.
fn shown(path: &Path) -> String {
    let inside = path.strip_prefix(repository("")).expect("a file of ours");
    inside.display().to_string()
}

/// The module of a file: its parts below the crate's root; none for the root.
fn module(folder: &Path, path: &Path) -> Vec<String> {
    let parts = path.strip_prefix(folder).expect("a file of the crate");
    let parts = parts.iter().map(|part| part.to_string_lossy());
    let parts = parts.map(|part| part.trim_end_matches(".rs").to_owned());
    parts
        .filter(|part| !["mod", "lib", "main"].contains(&part.as_str()))
        .collect()
}

/// The first words of the paths at `at`: of `{a, b::c}` they are `a` and `b`.
fn first_words(source: &Source, at: usize) -> Vec<String> {
    if source.text(at) != "{" {
        return vec![source.text(at).to_owned()];
    }
    let (mut words, mut i, end) = (Vec::new(), at + 1, source.closing(at));
    while i < end {
        words.extend(first_words(source, i));
        while i < end && source.text(i) != "," {
            i = match source.text(i) {
                "{" => source.closing(i) + 1,
                _ => i + 1,
            };
        }
        i += 1;
    }
    words
}

/// What a file names at the root of its crate, by `crate::` or by `super::`.
fn named_at_root(source: &Source, depth: usize) -> Vec<String> {
    let mut named = Vec::new();
    for at in 0..source.tokens.len() {
        let inside = at > 0 && source.text(at - 1) == "::";
        if inside {
            continue;
        }
        if source.starts_with(at, &["crate", "::"]) {
            named.extend(first_words(source, at + 2));
        }
        let ups = (0..).take_while(|k| source.starts_with(at + 2 * k, &["super", "::"]));
        if depth > 0 && ups.count() == depth {
            named.extend(first_words(source, at + 2 * depth));
        }
    }
    named
}

/// Which module each name comes from that the root takes in with `use`.
fn taken_in(root: &Source) -> BTreeMap<String, String> {
    let mut from = BTreeMap::new();
    for at in 0..root.tokens.len() {
        if root.text(at) != "use" {
            continue;
        }
        let end = (at..root.tokens.len()).find(|&i| root.text(i) == ";");
        let first = match root.starts_with(at + 1, &["self", "::"]) {
            true => at + 3,
            false => at + 1,
        };
        for i in first..end.unwrap_or(at) {
            if !["::", "{"].contains(&root.text(i + 1)) {
                from.insert(root.text(i).to_owned(), root.text(first).to_owned());
            }
        }
    }
    from
}

fn graph(folder: &Path) -> Graph {
    let files = sources(folder);
    let top = |source: &Source| module(folder, &source.path).first().cloned();
    let mut graph: Graph = files
        .iter()
        .filter_map(top)
        .map(|m| (m, BTreeSet::new()))
        .collect();
    let root = files.iter().find(|source| top(source).is_none());
    let from = taken_in(root.expect("the root of a crate"));
    for source in &files {
        let Some(own) = top(source) else { continue };
        for word in named_at_root(source, module(folder, &source.path).len()) {
            let word = from.get(&word).unwrap_or(&word);
            if graph.contains_key(word) && *word != own {
                graph.get_mut(&own).expect("a module").insert(word.clone());
            }
        }
    }
    graph
}

/// Modules so that each stands behind those that it names; then those of cycles.
fn in_order(graph: &Graph) -> (Vec<&String>, Vec<&String>) {
    let mut order: Vec<&String> = Vec::new();
    loop {
        let free = |(name, named): &(&String, &BTreeSet<String>)| {
            !order.contains(name) && named.iter().all(|known| order.contains(&known))
        };
        match graph.iter().find(free) {
            Some((name, _)) => order.push(name),
            None => break,
        }
    }
    let rest = graph.keys().filter(|name| !order.contains(name)).collect();
    (order, rest)
}

/// Both ways to name a module count, in trees too; what only tests name does not.
#[test]
fn a_cycle_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let write =
        |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    write(
        "lib.rs",
        "mod a;\nmod b;\nmod c;\npub use c::Gone;\n#[cfg(test)]\nmod d;",
    );
    write("a.rs", "use crate::{b::{X, Y}, Gone}; // crate::e");
    write(
        "b.rs",
        "fn f(s: &'static str) -> char { super::a::g(\"crate::c\"); '\"' }",
    );
    write("c.rs", "#[cfg(test)]\nmod tests {\n    use crate::a;\n}");
    write("d.rs", "use crate::a;");
    let graph = graph(folder.path());
    let named = |name: &str| graph[name].iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(
        (named("a"), named("b"), named("c")),
        (vec!["b", "c"], vec!["a"], vec![])
    );
    assert_eq!(
        in_order(&graph),
        (
            vec![&"c".to_owned()],
            vec![&"a".to_owned(), &"b".to_owned()]
        )
    );
}

#[test]
fn modules_know_each_other_in_one_direction() {
    for name in crates() {
        let graph = graph(&folder(&name));
        let (_, knot) = in_order(&graph);
        assert!(knot.is_empty(), "{name}: {knot:?} of {graph:#?}");
    }
}

fn picture() -> String {
    let mut text = String::new();
    for name in crates() {
        let graph = graph(&folder(&name));
        let (order, knot) = in_order(&graph);
        let width = graph.keys().map(String::len).max().unwrap_or(0);
        let _ = writeln!(text, "{name}");
        for module in order.into_iter().chain(knot) {
            let named: Vec<&str> = graph[module].iter().map(String::as_str).collect();
            let line = format!("  {module:width$}  {}", named.join(" "));
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
    text
}

/// `FOGLIGHT_WRITE=1 cargo test -p foglight-cli --test modules` draws it anew.
#[test]
fn the_architecture_holds_the_picture_of_the_modules() {
    let path = repository("ARCHITECTURE.md");
    let text = fs::read_to_string(&path).expect("the document");
    let (before, rest) = text.split_once("<!-- modules\n-->\n").expect("a beginning");
    let (_, after) = rest.split_once("<!-- end of modules\n-->").expect("an end");
    let drawn = format!(
        "{before}<!-- modules\n-->\n```\n{}```\n<!-- end of modules\n-->{after}",
        picture()
    );
    if std::env::var_os("FOGLIGHT_WRITE").is_some() {
        fs::write(&path, &drawn).expect("written");
    } else {
        assert!(text == drawn, "ARCHITECTURE.md: the modules have changed");
    }
}

/// A type's name is enough to find it. Programs have no public types.
#[test]
fn no_public_type_shares_its_name() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in crates() {
        let files = sources(&folder(&name));
        if files
            .iter()
            .any(|source| source.path.ends_with("src/main.rs"))
        {
            continue;
        }
        for source in &files {
            for at in 0..source.tokens.len() {
                let types = ["struct", "enum", "trait", "type", "union"];
                if source.text(at) == "pub" && types.contains(&source.text(at + 1)) {
                    let place = format!("{}:{}", shown(&source.path), source.tokens[at].line);
                    let known = places.entry(source.text(at + 2).to_owned()).or_default();
                    known.push(place);
                }
            }
        }
    }
    assert!(places.len() > 200, "only {} types were found", places.len());
    places.retain(|_, places| places.len() > 1);
    assert!(places.is_empty(), "{places:#?}");
}

/// The lines of each function, by its name.
fn functions(source: &Source) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for at in (0..source.tokens.len()).filter(|&at| source.text(at) == "fn") {
        let mut body = at;
        while !["{", ";", ""].contains(&source.text(body)) {
            body = match source.text(body) {
                "(" | "[" => source.closing(body) + 1,
                _ => body + 1,
            };
        }
        let last = source.tokens.get(source.closing(body));
        if let (Some(last), "{") = (last, source.text(body)) {
            let lines = last.line - source.tokens[at].line + 1;
            found.push((source.text(at + 1).to_owned(), lines));
        }
    }
    found
}

#[test]
fn functions_and_files_can_be_read() {
    let mut long = BTreeSet::new();
    let mut count = 0;
    for source in crates().iter().flat_map(|name| sources(&folder(name))) {
        let path = shown(&source.path);
        for (name, lines) in functions(&source) {
            count += 1;
            if lines > LONGEST.0 {
                long.insert(format!("{path}: {name}"));
            }
        }
        if source.lines > LONGEST.1 {
            long.insert(path);
        }
    }
    assert!(count > 2000, "only {count} functions were found");
    assert!(long.is_empty(), "too long: {long:#?}");
}
