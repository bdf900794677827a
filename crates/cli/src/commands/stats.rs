//! `foglight stats`: statistics of fog games, as defined by the thesis.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use foglight_research::{
    complexity::{BranchingFactor, Complexity},
    game_stats::{GameStats, PlayerStats},
};
use foglight_rules::{ByColor, Color, Record};

use crate::{
    failure::CliError,
    files,
    options::{GameOptions, read_position},
};

/// Counts over games: results by colour, captures of a more valuable piece by a
/// less valuable one when possible, dark pins, mates, shuffling pieces, and
/// bishops and knights given for pawns on their start squares.
/// Reads journals of matches (.jsonl), PGN (.pgn, such as the export of the
/// user test) and lists with one game a line: `name ; FEN-or-startpos ; moves`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  foglight stats user-test.pgn\n  foglight stats data/thesis/games.txt --game fog --rules thesis"
)]
pub(crate) struct Stats {
    /// The files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Also print the size of the game by its moves and views, beside published
    /// estimates; games with dice are left out
    #[arg(long)]
    complexity: bool,

    /// Rules of list files; journals and PGN name their own
    #[command(flatten)]
    game: GameOptions,
}

/// A game and its players.
type Named = (ByColor<String>, Record);

impl Stats {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let mut events = GameStats::default();
        let mut breadths = Vec::new();
        for path in &self.files {
            for (i, (names, record)) in self.read(path)?.into_iter().enumerate() {
                let counted = events.add(&names, &record);
                counted.map_err(|e| at(path, &format!("game {}: {e}", i + 1)))?;
                if self.complexity {
                    breadths.extend(BranchingFactor::of(&record));
                }
            }
        }
        let mut out = io::stdout().lock();
        writeln!(out, "{} games", events.games)?;
        writeln!(
            out,
            "{:<40} {:>6} {:>6} {:>8} {:>8} {:>6} {:>13} {:>9} {:>6} {:>10} {:>13}",
            "player",
            "games",
            "won",
            "as White",
            "as Black",
            "drawn",
            "good captures",
            "dark pins",
            "mated",
            "shuffled",
            "minors given"
        )?;
        for (name, tally) in &events.players {
            write_tally(&mut out, name, tally)?;
        }
        if let Some(found) = Complexity::of(&breadths) {
            writeln!(out, "\n{}", found.table())?;
        }
        Ok(())
    }

    fn read(&self, path: &Path) -> Result<Vec<Named>, CliError> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        if matches!(ending, Some("jsonl" | "pgn")) {
            let games = files::read_games(path)?.into_iter().map(|game| {
                let names = ByColor::new_with(|side| game.players.get(side).name.clone());
                (names, game.record)
            });
            return Ok(games.collect());
        }
        let text = fs::read_to_string(path).map_err(|e| at(path, &e.to_string()))?;
        self.read_list(path, &text)
    }

    fn read_list(&self, path: &Path, text: &str) -> Result<Vec<Named>, CliError> {
        let game = self.game.game()?;
        let lines = text.lines().enumerate();
        let lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        lines
            .map(|(i, line)| {
                let wrong = |what: String| at(path, &format!("line {}: {what}", i + 1));
                let mut parts = line.splitn(3, ';');
                let (Some(_), Some(start), Some(moves)) =
                    (parts.next(), parts.next(), parts.next())
                else {
                    return Err(wrong("expected 'name ; FEN ; moves'".into()));
                };
                let start = read_position(&game, start).map_err(wrong)?;
                let record = Record::parse(game, start, moves.split_whitespace());
                let names =
                    ByColor::new_with(|side: Color| side.fold_wb("White", "Black").to_owned());
                Ok((names, record.map_err(|e| wrong(e.to_string()))?))
            })
            .collect()
    }
}

fn at(path: &Path, what: &str) -> CliError {
    CliError::Input(format!("{}: {what}", path.display()))
}

fn write_tally(out: &mut impl Write, name: &str, tally: &PlayerStats) -> io::Result<()> {
    let both = |count: &ByColor<u32>| count.white + count.black;
    let dearer = format!("{} of {}", tally.used, tally.chances);
    writeln!(
        out,
        "{name:<40} {:>6} {:>6} {:>8} {:>8} {:>6} {dearer:>13} {:>9} {:>6} {:>10} {:>13}",
        both(&tally.games),
        both(&tally.won),
        tally.won.white,
        tally.won.black,
        both(&tally.drawn),
        tally.dark_pins,
        tally.mated,
        tally.shuffled,
        tally.given
    )
}
