//! Flags with one dash and their values, as in fastchess.

/// A flag and its values.
pub(crate) struct Flag<'a> {
    pub(crate) name: &'a str,
    pub(crate) values: &'a [String],
}

impl<'a> Flag<'a> {
    pub(crate) fn one(&self) -> Result<&'a str, String> {
        match self.values {
            [value] => Ok(value),
            _ => Err(format!(
                "-{}: expected one value, found {}",
                self.name,
                self.values.len()
            )),
        }
    }

    pub(crate) fn number<T: std::str::FromStr>(&self, expected: &str) -> Result<T, String> {
        let value = self.one()?;
        value
            .parse()
            .map_err(|_| format!("-{} {}: expected {expected}", self.name, short(value)))
    }

    /// Its value as `read` parses it.
    pub(super) fn read<T>(&self, read: fn(&str) -> Result<T, String>) -> Result<T, String> {
        let value = self.one()?;
        read(value).map_err(|why| format!("-{} {}: {why}", self.name, short(value)))
    }

    pub(super) fn pairs(&self) -> Result<Vec<(&'a str, &'a str)>, String> {
        let pair = |word: &'a String| {
            word.split_once('=').ok_or_else(|| {
                format!(
                    "-{} {}: expected words of the form key=value",
                    self.name,
                    short(word)
                )
            })
        };
        self.values.iter().map(pair).collect()
    }

    pub(super) fn unknown(&self, key: &str, valid: &str) -> String {
        format!(
            "-{}: no key '{}'; expected one of {valid}",
            self.name,
            short(key)
        )
    }
}

pub(crate) fn short(text: &str) -> String {
    text.chars().take(60).collect()
}

pub(super) const FLAGS: &str = "-engine -each -game -rules -fen -sight -halfmovelimit -rounds -games -repeat \
-concurrency -openings -srand -sprt -shard -tournament -pgnout -jsonout -csvout -resume -recover \
-maxmoves -ratinginterval -k -cluster -audit -unit-seconds -quiet --json --rerun";

/// Whether this word is a flag rather than a value such as -5.
fn is_flag(word: &str) -> bool {
    word.starts_with('-')
        && word
            .trim_start_matches('-')
            .starts_with(|c: char| c.is_alphabetic())
}

pub(crate) fn flags<'a>(words: &'a [String], known: &str) -> Result<Vec<Flag<'a>>, String> {
    let mut flags = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if !is_flag(&words[at]) {
            return Err(format!("'{}': expected one of {known}", short(&words[at])));
        }
        let length = words[at + 1..]
            .iter()
            .take_while(|word| !is_flag(word))
            .count();
        flags.push(Flag {
            name: words[at].trim_start_matches('-'),
            values: &words[at + 1..at + 1 + length],
        });
        at += 1 + length;
    }
    Ok(flags)
}
