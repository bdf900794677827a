//! Arguments of a match with fastchess's syntax: a flag with one dash, then its
//! values.

mod book;
mod engine;
pub(crate) mod flag;

use std::path::PathBuf;

use foglight_arena::{
    schedule::{Format, Shard},
    stats::{
        running::KFactor,
        sprt::{Model, Sprt},
    },
};
use foglight_rules::{Color, FogRules, Game, Sight, notation::pgn::Letters};

pub(crate) use self::{book::Book, engine::Engine};
use self::{
    book::book,
    engine::{engine, over},
    flag::{FLAGS, Flag, flags, short},
};
use crate::commands::cluster::{ClusterArgs, share, unit_seconds};

/// Parsed arguments of a match.
#[derive(Clone, Debug)]
pub(crate) struct MatchArgs {
    pub(crate) engines: Vec<Engine>,
    pub(crate) game: Game,
    /// A start other than the standard one.
    pub(crate) fen: Option<String>,
    /// Encounters of each two engines.
    pub(crate) rounds: u64,
    /// Games of each encounter.
    pub(crate) games: u32,
    /// Whether they share their start.
    pub(crate) repeat: bool,
    /// Number of playing threads.
    pub(crate) concurrency: usize,
    /// Book of starting positions.
    pub(crate) book: Option<Book>,
    pub(crate) seed: u64,
    pub(crate) sprt: Option<Sprt>,
    /// The part of the match to be played.
    pub(crate) shard: Shard,
    pub(crate) format: Format,
    /// PGN file of the true games.
    pub(crate) pgnout: Option<PathBuf>,
    /// Piece letters of the PGN.
    pub(crate) letters: Letters,
    pub(crate) jsonout: Option<PathBuf>,
    /// CSV file in the thesis's format.
    pub(crate) csvout: Option<PathBuf>,
    /// Existing journal to resume.
    pub(crate) resume: Option<PathBuf>,
    /// Whether to continue after an engine failed.
    pub(crate) recover: bool,
    /// Full moves after which a game is drawn.
    pub(crate) max_moves: Option<u32>,
    /// Finished games between two interim reports.
    pub(crate) interval: u64,
    /// Whether to print only one JSON object at the end.
    pub(crate) json: bool,
    /// Whether to print only the final report.
    pub(crate) quiet: bool,
    /// A recorded match to play again.
    pub(crate) rerun: Option<PathBuf>,
    /// K-factor of the running Elo in the CSV.
    pub(crate) k: KFactor,
    /// Where workers play the games.
    pub(crate) cluster: ClusterArgs,
}

impl Default for MatchArgs {
    fn default() -> MatchArgs {
        MatchArgs {
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
            k: KFactor::default(),
            cluster: ClusterArgs::default(),
        }
    }
}

impl MatchArgs {
    /// Parses the arguments; the error says what was expected.
    pub(crate) fn parse(words: &[String]) -> Result<MatchArgs, String> {
        let mut read = MatchArgs::default();
        let mut each = Vec::new();
        let (mut game, mut rules) = ("fog".to_owned(), None);
        let mut sights = Vec::new();
        let mut halfmove_limit = None;
        for flag in flags(words, FLAGS)? {
            match flag.name {
                "game" | "variant" => game = flag.one()?.to_owned(),
                "rules" => rules = Some(flag.one()?.to_owned()),
                "sight" => sights.extend(flag.values.iter().cloned()),
                "halfmovelimit" => halfmove_limit = Some(flag.one()?.to_owned()),
                "each" => each.extend(flag.pairs()?),
                _ => read.take(&flag)?,
            }
        }
        read.game = game_of(&game, rules.as_deref(), &sights, halfmove_limit.as_deref())?;
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

    fn take(&mut self, flag: &Flag<'_>) -> Result<(), String> {
        let path = |flag: &Flag<'_>| -> Result<PathBuf, String> {
            let value = flag.one()?;
            Ok(value.strip_prefix("file=").unwrap_or(value).into())
        };
        match flag.name {
            "engine" => self.engines.push(engine(flag)?),
            "fen" => self.fen = Some(flag.values.join(" ")),
            "rounds" => self.rounds = flag.number("a number of rounds")?,
            "games" => self.games = flag.number("1 or 2")?,
            "repeat" => self.repeat = true,
            "norepeat" => self.repeat = false,
            "concurrency" => self.concurrency = flag.number("a number of threads")?,
            "openings" => self.book = Some(book(flag)?),
            "srand" | "seed" => self.seed = flag.number("a whole number")?,
            "sprt" => self.sprt = Some(sprt(flag)?),
            "shard" => {
                let text = flag.one()?;
                let wrong = |error| format!("-shard {}: {error}", short(text));
                self.shard = text.parse().map_err(wrong)?;
            }
            "tournament" => {
                self.format = match flag.one()? {
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
            "pgnout" => self.pgnout(flag)?,
            "jsonout" => self.jsonout = Some(path(flag)?),
            "csvout" => self.csvout = Some(path(flag)?),
            "resume" => self.resume = Some(path(flag)?),
            "recover" => self.recover = true,
            "maxmoves" => self.max_moves = Some(flag.number("a number of full moves")?),
            "ratinginterval" => self.interval = flag.number("a number of games")?,
            "cluster" => self.cluster.url = Some(flag.one()?.to_owned()),
            "audit" => self.cluster.audit = flag.read(share)?,
            "unit-seconds" => self.cluster.unit_seconds = flag.read(unit_seconds)?,
            "k" => self.k = flag.one()?.parse().map_err(|e| format!("-k: {e}"))?,
            "json" => self.json = true,
            "quiet" => self.quiet = true,
            "rerun" => self.rerun = Some(path(flag)?),
            other => return Err(format!("-{}: expected one of {FLAGS}", short(other))),
        }
        Ok(())
    }

    /// Parses a bare file name, or fastchess's `file=` and `notation=`.
    fn pgnout(&mut self, flag: &Flag<'_>) -> Result<(), String> {
        if let [name] = flag.values
            && !name.contains('=')
        {
            self.pgnout = Some(name.into());
            return Ok(());
        }
        for (key, value) in flag.pairs()? {
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
                _ => return Err(flag.unknown(key, "file, notation")),
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

/// Parses a share such as `2%`.
fn game_of(
    name: &str,
    rules: Option<&str>,
    sights: &[String],
    halfmove_limit: Option<&str>,
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
    match halfmove_limit {
        None => Ok(game),
        Some("off") => Ok(game.with_halfmove_limit(None)),
        Some(text) => match text.parse() {
            Ok(plies @ 1..=1023) => Ok(game.with_halfmove_limit(Some(plies))),
            _ => Err(format!(
                "-halfmovelimit {}: expected 1 to 1023 or off",
                short(text)
            )),
        },
    }
}

/// Parses the values of `-sprt`.
pub(crate) fn read_sprt(values: &[String]) -> Result<Sprt, String> {
    let name = "sprt";
    sprt(&Flag { name, values })
}

fn sprt(flag: &Flag<'_>) -> Result<Sprt, String> {
    let (mut elo0, mut elo1, mut alpha, mut beta) = (0.0, 5.0, 0.05, 0.05);
    let mut model = Model::default();
    for (key, value) in flag.pairs()? {
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
            _ => return Err(flag.unknown(key, "elo0, elo1, alpha, beta, model")),
        }
    }
    Sprt::new(elo0, elo1, alpha, beta, model).map_err(|e| format!("-sprt: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<MatchArgs, String> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        MatchArgs::parse(&words)
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
            (&format!("{two}-audit 2"), "such as 2%"),
            (&format!("{two}-audit 101%"), "such as 2%"),
            (&format!("{two}-unit-seconds 0"), "0.1 to 3600"),
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
