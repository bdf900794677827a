//! Rust sources as tokens: enough of the language to find the modules a file
//! names, its public types, and the length of its functions.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// A word or a symbol, with its line from 1.
pub struct Token {
    pub text: String,
    pub line: usize,
}

/// A source file without its tests.
pub struct Source {
    pub path: PathBuf,
    pub tokens: Vec<Token>,
    pub lines: usize,
}

/// All sources of a folder except those used by tests only.
pub fn sources(folder: &Path) -> Vec<Source> {
    let mut paths = Vec::new();
    collect(folder, &mut paths);
    paths.sort();
    let mut sources: Vec<Source> = paths.into_iter().map(Source::read).collect();
    let tests: BTreeSet<String> = sources.iter_mut().flat_map(Source::cut_tests).collect();
    sources.retain(|source| {
        let parts = source.path.strip_prefix(folder).expect("a file of it");
        let mut names = parts.iter().map(|part| part.to_string_lossy());
        !names.any(|name| tests.contains(name.trim_end_matches(".rs")))
    });
    sources
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            paths.push(path);
        }
    }
}

impl Source {
    fn read(path: PathBuf) -> Source {
        let text = fs::read_to_string(&path).expect("a source");
        Source {
            tokens: tokens(&text),
            lines: text.lines().count(),
            path,
        }
    }

    pub fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &token.text)
    }

    pub fn starts_with(&self, at: usize, words: &[&str]) -> bool {
        let mut words = words.iter().enumerate();
        words.all(|(i, word)| self.text(at + i) == *word)
    }

    /// Index of the bracket that closes the one at `open`.
    pub fn closing(&self, open: usize) -> usize {
        let mut depth = 0;
        for at in open..self.tokens.len() {
            match self.text(at) {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return at;
            }
        }
        self.tokens.len()
    }

    /// Removes modules behind `#[cfg(test)]`; returns the names of those in
    /// files of their own. A file of tests alone may be long.
    fn cut_tests(&mut self) -> Vec<String> {
        const TEST: [&str; 8] = ["#", "[", "cfg", "(", "test", ")", "]", "mod"];
        let mut files = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            if !self.starts_with(at, &TEST) {
                at += 1;
                continue;
            }
            let end = at + TEST.len() + 1;
            if self.text(end) == "{" {
                let last = self.closing(end);
                let of = |at: usize| self.tokens.get(at).map_or(self.lines, |t| t.line);
                self.lines -= of(last) - of(at) + 1;
                self.tokens.drain(at..=last.min(self.tokens.len() - 1));
            } else {
                files.push(self.text(end - 1).to_owned());
                at = end;
            }
        }
        files
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let (mut tokens, mut at, mut line) = (Vec::new(), 0, 1);
    while at < chars.len() {
        let length = length(&chars[at..]);
        let word: String = chars[at..at + length].iter().collect();
        let silent = word.starts_with(char::is_whitespace) || word.starts_with("//");
        if !silent && !word.starts_with("/*") {
            let text = match is_text(&word) {
                true => "\"".to_owned(),
                false => word.clone(),
            };
            tokens.push(Token { text, line });
        }
        line += word.matches('\n').count();
        at += length;
    }
    tokens
}

fn is_text(word: &str) -> bool {
    let bare = word.trim_start_matches(['b', 'r', 'c', '#']);
    bare.starts_with('"') || (word.len() > 2 && word.starts_with('\'') && word.ends_with('\''))
}

/// Length of the next token in characters.
fn length(rest: &[char]) -> usize {
    let up_to = |end: &dyn Fn(usize) -> bool| (1..rest.len()).find(|&i| end(i));
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let prefix = rest.iter().take_while(|c| "brc".contains(**c)).count();
    let hashes = rest[prefix..].iter().take_while(|c| **c == '#').count();
    let raw = rest[..prefix].contains(&'r') && rest.get(prefix + hashes) == Some(&'"');
    if raw {
        let from = prefix + hashes + 1;
        let closes =
            |i: &usize| rest[*i] == '"' && (1..=hashes).all(|k| rest.get(i + k) == Some(&'#'));
        let close = (from..rest.len()).find(closes);
        return close.map_or(rest.len(), |i| i + 1 + hashes);
    }
    match rest {
        ['/', '/', ..] => up_to(&|i| rest[i] == '\n').unwrap_or(rest.len()),
        ['/', '*', ..] => {
            let close = up_to(&|i| i > 2 && rest[i - 1] == '*' && rest[i] == '/');
            close.map_or(rest.len(), |i| i + 1)
        }
        [':', ':', ..] => 2,
        ['"', ..] => quoted(rest, 1),
        ['b' | 'c', '"', ..] => quoted(rest, 2),
        ['\'', '\\', ..] => up_to(&|i| i > 2 && rest[i] == '\'').map_or(1, |i| i + 1),
        ['\'', _, '\'', ..] => 3,
        [c, ..] if is_word(*c) => up_to(&|i| !is_word(rest[i])).unwrap_or(rest.len()),
        _ => 1,
    }
}

/// Length of a string literal whose first character is at `from`.
fn quoted(rest: &[char], from: usize) -> usize {
    let mut at = from;
    while at < rest.len() && rest[at] != '"' {
        at += if rest[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}
