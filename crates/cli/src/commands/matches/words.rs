//! The words of a match on the command line, as fastchess has them: a flag with
//! one dash, then its values.

use std::path::PathBuf;

use foglight_arena::{
    openings::Order,
    schedule::{Format, Shard},
    stats::{
        running::Factor,
        sprt::{Model, Sprt},
    },
};
use foglight_play::Limits;
use foglight_rules::{Color, FogRules, Game, Sight, notation::pgn::Letters};

/// Who plays: an agent of ours or a command.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Engine {
    /// The name in the match; the agent's or the command's, if not set.
    pub name: Option<String>,
    /// An agent of the registry.
    pub agent: Option<String>,
    /// A program to start.
    pub cmd: Option<String>,
    /// Its arguments.
    pub args: Option<String>,
    /// The folder to start it in.
    pub dir: Option<PathBuf>,
    /// The protocol it speaks: `uci` or `jsonl`.
    pub proto: Option<String>,
    /// Options to set, `option.NAME=VALUE`.
    pub options: Vec<(String, String)>,
    /// Limits of its moves.
    pub limits: Limits,
}

/// An opening book.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    /// The file.
    pub file: PathBuf,
    /// EPD or PGN.
    pub pgn: bool,
    /// The order of use.
    pub order: Order,
    /// The first entry to use, from 1.
    pub start: usize,
    /// Single moves taken from each game of a PGN; all if not set.
    pub plies: Option<usize>,
}

/// Everything that was said.
#[derive(Clone, Debug)]
pub struct Words {
    /// Who plays.
    pub engines: Vec<Engine>,
    /// The rules.
    pub game: Game,
    /// A start other than the usual.
    pub fen: Option<String>,
    /// Times that each two meet.
    pub rounds: u64,
    /// Games of each meeting.
    pub games: u32,
    /// Do they share their start?
    pub repeat: bool,
    /// Threads that play.
    pub concurrency: usize,
    /// Where games start.
    pub book: Option<Book>,
    /// The seed.
    pub seed: u64,
    /// A sequential test.
    pub sprt: Option<Sprt>,
    /// The part of the match to be played.
    pub shard: Shard,
    /// Who meets whom.
    pub format: Format,
    /// PGN of the truth.
    pub pgnout: Option<PathBuf>,
    /// The signs of the pieces in it.
    pub letters: Letters,
    /// The journal.
    pub jsonout: Option<PathBuf>,
    /// The CSV of the thesis.
    pub csvout: Option<PathBuf>,
    /// A journal to go on with.
    pub resume: Option<PathBuf>,
    /// Go on after an engine went away.
    pub recover: bool,
    /// Full moves after which a game is drawn.
    pub max_moves: Option<u32>,
    /// Finished games between two interim reports.
    pub interval: u64,
    /// One JSON object at the end, nothing else.
    pub json: bool,
    /// Only the final report.
    pub quiet: bool,
    /// A recorded match to play again.
    pub rerun: Option<PathBuf>,
    /// The K of the running Elo in the CSV.
    pub k: Factor,
}

impl Default for Words {
    fn default() -> Words {
        Words {
            engines: Vec::new(),
            game: Game::fog(),
            fen: None,
            rounds: 2,
            games: 2,
            repeat: true,
            concurrency: 1,
            book: None,
            seed: 0,
            sprt: None,
            shard: Shard::WHOLE,
            format: Format::RoundRobin,
            pgnout: None,
            letters: Letters::English,
            jsonout: None,
            csvout: None,
            resume: None,
            recover: false,
            max_moves: None,
            interval: 10,
            json: false,
            quiet: false,
            rerun: None,
            k: Factor::default(),
        }
    }
}

/// A flag and the words that follow it.
struct Phrase<'a> {
    flag: &'a str,
    values: &'a [String],
}

impl<'a> Phrase<'a> {
    fn one(&self) -> Result<&'a str, String> {
        match self.values {
            [value] => Ok(value),
            _ => Err(format!(
                "-{}: expected one value, found {}",
                self.flag,
                self.values.len()
            )),
        }
    }

    fn number<T: std::str::FromStr>(&self, expected: &str) -> Result<T, String> {
        let value = self.one()?;
        value
            .parse()
            .map_err(|_| format!("-{} {}: expected {expected}", self.flag, short(value)))
    }

    fn pairs(&self) -> Result<Vec<(&'a str, &'a str)>, String> {
        let pair = |word: &'a String| {
            word.split_once('=').ok_or_else(|| {
                format!(
                    "-{} {}: expected words of the form key=value",
                    self.flag,
                    short(word)
                )
            })
        };
        self.values.iter().map(pair).collect()
    }

    fn unknown(&self, key: &str, valid: &str) -> String {
        format!(
            "-{}: no key '{}'; expected one of {valid}",
            self.flag,
            short(key)
        )
    }
}

fn short(text: &str) -> String {
    text.chars().take(60).collect()
}

const FLAGS: &str = "-engine -each -game -rules -fen -sight -quietplies -rounds -games -repeat \
-concurrency -openings -srand -sprt -shard -tournament -pgnout -jsonout -csvout -resume -recover \
-maxmoves -ratinginterval -k -quiet --json --rerun";

/// Is this word a flag, rather than a value such as -5?
fn is_flag(word: &str) -> bool {
    word.starts_with('-')
        && word
            .trim_start_matches('-')
            .starts_with(|c: char| c.is_alphabetic())
}

fn phrases(words: &[String]) -> Result<Vec<Phrase<'_>>, String> {
    let mut phrases = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if !is_flag(&words[at]) {
            return Err(format!("'{}': expected one of {FLAGS}", short(&words[at])));
        }
        let length = words[at + 1..]
            .iter()
            .take_while(|word| !is_flag(word))
            .count();
        phrases.push(Phrase {
            flag: words[at].trim_start_matches('-'),
            values: &words[at + 1..at + 1 + length],
        });
        at += 1 + length;
    }
    Ok(phrases)
}

impl Words {
    /// Reads the words; the error says what was expected.
    pub fn parse(words: &[String]) -> Result<Words, String> {
        let mut read = Words::default();
        let mut each = Vec::new();
        let (mut game, mut rules) = ("fog".to_owned(), None);
        let mut sights = Vec::new();
        let mut quiet_plies = None;
        for phrase in phrases(words)? {
            match phrase.flag {
                "game" | "variant" => game = phrase.one()?.to_owned(),
                "rules" => rules = Some(phrase.one()?.to_owned()),
                "sight" => sights.extend(phrase.values.iter().cloned()),
                "quietplies" => quiet_plies = Some(phrase.one()?.to_owned()),
                "each" => each.extend(phrase.pairs()?),
                _ => read.take(&phrase)?,
            }
        }
        read.game = game_of(&game, rules.as_deref(), &sights, quiet_plies.as_deref())?;
        for engine in &mut read.engines {
            let own = engine.limits;
            for (key, value) in &each {
                engine.set(key, value, "each")?;
            }
            engine.limits = over(own, engine.limits);
        }
        read.check()?;
        Ok(read)
    }

    fn take(&mut self, phrase: &Phrase<'_>) -> Result<(), String> {
        let path = |phrase: &Phrase<'_>| -> Result<PathBuf, String> {
            let value = phrase.one()?;
            Ok(value.strip_prefix("file=").unwrap_or(value).into())
        };
        match phrase.flag {
            "engine" => self.engines.push(engine(phrase)?),
            "fen" => self.fen = Some(phrase.values.join(" ")),
            "rounds" => self.rounds = phrase.number("a number of rounds")?,
            "games" => self.games = phrase.number("1 or 2")?,
            "repeat" => self.repeat = true,
            "norepeat" => self.repeat = false,
            "concurrency" => self.concurrency = phrase.number("a number of threads")?,
            "openings" => self.book = Some(book(phrase)?),
            "srand" | "seed" => self.seed = phrase.number("a whole number")?,
            "sprt" => self.sprt = Some(sprt(phrase)?),
            "shard" => {
                let text = phrase.one()?;
                let wrong = |error| format!("-shard {}: {error}", short(text));
                self.shard = text.parse().map_err(wrong)?;
            }
            "tournament" => {
                self.format = match phrase.one()? {
                    "roundrobin" => Format::RoundRobin,
                    "gauntlet" => Format::Gauntlet,
                    other => {
                        return Err(format!(
                            "-tournament {}: expected roundrobin or gauntlet",
                            short(other)
                        ));
                    }
                }
            }
            "pgnout" => self.pgnout(phrase)?,
            "jsonout" => self.jsonout = Some(path(phrase)?),
            "csvout" => self.csvout = Some(path(phrase)?),
            "resume" => self.resume = Some(path(phrase)?),
            "recover" => self.recover = true,
            "maxmoves" => self.max_moves = Some(phrase.number("a number of full moves")?),
            "ratinginterval" => self.interval = phrase.number("a number of games")?,
            "k" => self.k = phrase.one()?.parse().map_err(|e| format!("-k: {e}"))?,
            "json" => self.json = true,
            "quiet" => self.quiet = true,
            "rerun" => self.rerun = Some(path(phrase)?),
            other => return Err(format!("-{}: expected one of {FLAGS}", short(other))),
        }
        Ok(())
    }

    /// A name alone, or fastchess's `file=` and `notation=`.
    fn pgnout(&mut self, phrase: &Phrase<'_>) -> Result<(), String> {
        if let [name] = phrase.values
            && !name.contains('=')
        {
            self.pgnout = Some(name.into());
            return Ok(());
        }
        for (key, value) in phrase.pairs()? {
            match (key, value) {
                ("file", _) => self.pgnout = Some(value.into()),
                ("notation", "san") => self.letters = Letters::English,
                ("notation", "figurine") => self.letters = Letters::Figurines,
                ("notation", _) => {
                    let found = short(value);
                    return Err(format!(
                        "-pgnout notation={found}: expected san or figurine"
                    ));
                }
                _ => return Err(phrase.unknown(key, "file, notation")),
            }
        }
        match self.pgnout {
            Some(_) => Ok(()),
            None => Err("-pgnout: expected file=FILE".to_owned()),
        }
    }

    fn check(&mut self) -> Result<(), String> {
        if self.rerun.is_none() && self.engines.len() < 2 {
            return Err("expected at least two -engine".to_owned());
        }
        if !(1..=2).contains(&self.games) {
            return Err(format!("-games {}: expected 1 or 2", self.games));
        }
        if self.rounds == 0 || self.concurrency == 0 || self.interval == 0 {
            return Err(
                "-rounds, -concurrency and -ratinginterval: expected at least 1".to_owned(),
            );
        }
        if self.sprt.is_some() && (self.engines.len() != 2 || self.games != 2) {
            return Err("-sprt: expected two engines and -games 2".to_owned());
        }
        if self.sprt.is_some() && self.shard != Shard::WHOLE {
            return Err(
                "-sprt and -shard: expected one of them, as a shard does not see the pairs of \
                 the others; foglight merge --sprt tells what the whole says"
                    .to_owned(),
            );
        }
        let (resume, jsonout) = (&self.resume, &self.jsonout);
        if let (Some(resume), Some(jsonout)) = (resume, jsonout)
            && resume != jsonout
        {
            return Err("-resume and -jsonout: expected the same file".to_owned());
        }
        Ok(())
    }
}

/// The limits of an engine, its own before those of all.
fn over(own: Limits, all: Limits) -> Limits {
    let timed = own.clock.is_some() || own.movetime.is_some() || own.nodes.is_some();
    Limits {
        clock: if timed { own.clock } else { all.clock },
        movetime: if timed { own.movetime } else { all.movetime },
        nodes: if timed { own.nodes } else { all.nodes },
        depth: own.depth.or(all.depth),
        margin: if own.margin.is_zero() {
            all.margin
        } else {
            own.margin
        },
    }
}

fn game_of(
    name: &str,
    rules: Option<&str>,
    sights: &[String],
    quiet_plies: Option<&str>,
) -> Result<Game, String> {
    let mut game = Game::from_name(name, rules).ok_or_else(|| {
        format!(
            "-game {} -rules {}: expected chess, fog, dice1 or dice3; in fog one of the rules {}",
            short(name),
            short(rules.unwrap_or("(none)")),
            FogRules::ALL.map(FogRules::name).join(", ")
        )
    })?;
    for sight in sights {
        let side = match sight.as_str() {
            "white=full" => Color::White,
            "black=full" => Color::Black,
            other => {
                return Err(format!(
                    "-sight {}: expected white=full or black=full",
                    short(other)
                ));
            }
        };
        game = game.with_sight(side, Sight::Full);
    }
    match quiet_plies {
        None => Ok(game),
        Some("off") => Ok(game.with_quiet_plies(None)),
        Some(text) => match text.parse() {
            Ok(plies @ 1..=1023) => Ok(game.with_quiet_plies(Some(plies))),
            _ => Err(format!(
                "-quietplies {}: expected 1 to 1023 or off",
                short(text)
            )),
        },
    }
}

impl Engine {
    fn set(&mut self, key: &str, value: &str, flag: &str) -> Result<(), String> {
        let text = Some(value.to_owned());
        match key {
            "name" if flag == "engine" => self.name = text,
            "agent" if flag == "engine" => self.agent = text,
            "cmd" if flag == "engine" => self.cmd = text,
            "args" => self.args = text,
            "dir" => self.dir = Some(value.into()),
            "proto" if ["uci", "jsonl"].contains(&value) => self.proto = text,
            "proto" => return Err(format!("proto={}: expected uci or jsonl", short(value))),
            _ => match key.strip_prefix("option.") {
                Some(option) => self.options.push((option.to_owned(), value.to_owned())),
                None => {
                    let known = self
                        .limits
                        .set(key, value)
                        .map_err(|e| format!("-{flag} {e}"))?;
                    if !known {
                        return Err(format!(
                            "-{flag}: no key '{}'; expected one of agent, name, cmd, args, dir, \
                             proto, option.NAME, tc, st, nodes, depth, timemargin",
                            short(key)
                        ));
                    }
                }
            },
        }
        Ok(())
    }

    /// The name in the match.
    pub fn shown_name(&self) -> String {
        let named = self
            .name
            .as_ref()
            .or(self.agent.as_ref())
            .or(self.cmd.as_ref());
        named.cloned().unwrap_or_default()
    }
}

fn engine(phrase: &Phrase<'_>) -> Result<Engine, String> {
    let mut engine = Engine::default();
    for (key, value) in phrase.pairs()? {
        engine.set(key, value, "engine")?;
    }
    match (&engine.agent, &engine.cmd) {
        (Some(_), None) | (None, Some(_)) => Ok(engine),
        _ => Err("-engine: expected either agent=AGENT or cmd=PROGRAM".to_owned()),
    }
}

fn book(phrase: &Phrase<'_>) -> Result<Book, String> {
    let mut book = Book {
        file: PathBuf::new(),
        pgn: false,
        order: Order::Sequential,
        start: 1,
        plies: None,
    };
    for (key, value) in phrase.pairs()? {
        let wrong =
            |expected: &str| format!("-openings {key}={}: expected {expected}", short(value));
        match (key, value) {
            ("file", _) => {
                book.file = value.into();
                book.pgn |= value.ends_with(".pgn") || value.ends_with(".pgn.gz");
            }
            ("format", "epd") => book.pgn = false,
            ("format", "pgn") => book.pgn = true,
            ("format", _) => return Err(wrong("epd or pgn")),
            ("order", "random") => book.order = Order::Random,
            ("order", "sequential") => book.order = Order::Sequential,
            ("order", _) => return Err(wrong("random or sequential")),
            ("start", _) => book.start = value.parse().map_err(|_| wrong("a number from 1"))?,
            ("plies", _) => book.plies = Some(value.parse().map_err(|_| wrong("a number"))?),
            _ => return Err(phrase.unknown(key, "file, format, order, start, plies")),
        }
    }
    if book.file.as_os_str().is_empty() {
        return Err("-openings: expected file=BOOK".to_owned());
    }
    Ok(book)
}

/// A sequential test in the words of `-sprt`.
pub fn read_sprt(values: &[String]) -> Result<Sprt, String> {
    let flag = "sprt";
    sprt(&Phrase { flag, values })
}

fn sprt(phrase: &Phrase<'_>) -> Result<Sprt, String> {
    let (mut elo0, mut elo1, mut alpha, mut beta) = (0.0, 5.0, 0.05, 0.05);
    let mut model = Model::default();
    for (key, value) in phrase.pairs()? {
        let number = || {
            let number = value.parse();
            number.map_err(|_| format!("-sprt {key}={}: expected a number", short(value)))
        };
        match key {
            "elo0" => elo0 = number()?,
            "elo1" => elo1 = number()?,
            "alpha" => alpha = number()?,
            "beta" => beta = number()?,
            "model" => model = value.parse().map_err(|e| format!("-sprt: {e}"))?,
            _ => return Err(phrase.unknown(key, "elo0, elo1, alpha, beta, model")),
        }
    }
    Sprt::new(elo0, elo1, alpha, beta, model).map_err(|e| format!("-sprt: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Words, String> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        Words::parse(&words)
    }

    #[test]
    fn the_example_of_the_manual_is_understood() {
        let words = parse(
            "-engine agent=greedy:style=plain name=A -engine cmd=./other name=B -each tc=10+0.1 \
             -game fog -rounds 500 -games 2 -repeat -concurrency 2 \
             -openings file=book.epd format=epd order=random -srand 7 \
             -sprt elo0=0 elo1=10 alpha=0.05 beta=0.05 -tournament roundrobin \
             -pgnout file=out.pgn -jsonout file=out.jsonl -csvout file=out.csv \
             -resume out.jsonl -recover -maxmoves 200",
        )
        .expect("understood");
        assert_eq!(words.engines.len(), 2);
        assert_eq!(
            words.engines[0].agent.as_deref(),
            Some("greedy:style=plain")
        );
        assert_eq!(words.engines[1].shown_name(), "B");
        assert_eq!(words.engines[1].limits.to_string(), "tc=10+0.1");
        assert_eq!(
            (words.rounds, words.seed, words.max_moves),
            (500, 7, Some(200))
        );
        assert!(words.recover && words.sprt.is_some());
    }

    #[test]
    fn wrong_words_are_named() {
        let two = "-engine agent=random -engine agent=greedy ";
        for (text, expected) in [
            ("", "two -engine"),
            (
                "-engine name=x -engine agent=random",
                "agent=AGENT or cmd=PROGRAM",
            ),
            ("hello", "expected one of -engine"),
            (&format!("{two}-rounds x"), "number of rounds"),
            (&format!("{two}-games 3"), "1 or 2"),
            (&format!("{two}-wonder"), "expected one of -engine"),
            (&format!("{two}-each tc=fast"), "10+0.1"),
            (&format!("{two}-game go"), "chess, fog, dice1 or dice3"),
            (
                &format!("{two}-game dice1 -rules thesis"),
                "chess, fog, dice1 or dice3",
            ),
            (&format!("{two}-sprt elo0=5 elo1=0"), "-sprt"),
            (
                &format!("{two}-sprt elo0=-9000 elo1=0"),
                "from -2500 to 2500",
            ),
            (&format!("{two}-shard 3/2"), "K/N with K from 1 to N"),
            (&format!("{two}-shard 2"), "K/N with K from 1 to N"),
            (&format!("{two}-shard 1/2 -sprt elo1=5"), "foglight merge"),
            (&format!("{two}-resume a -jsonout file=b"), "same file"),
            (&format!("{two}-k chess"), "at most 1000, or fide"),
            (&format!("{two}-pgnout notation=san"), "file=FILE"),
            (
                &format!("{two}-pgnout file=a notation=lan"),
                "san or figurine",
            ),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
