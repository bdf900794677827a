//! `foglight report`: a page of tables and figures from match records.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::Context;
use clap::Args;
use foglight_arena::{
    luck,
    record::GameRecord,
    report::{MatchReport as Made, ReportOptions, Source, report},
};

use crate::{failure::CliError, files};

/// Makes one self-contained HTML page from games, of matches or in PGN: cross
/// table, ratings, results by colour and agent, lengths, terminations, beliefs.
#[derive(Args)]
#[command(
    after_help = "Example:\n  foglight report out.jsonl --out report.html --figures figures/\n  foglight report out.jsonl --beliefs=200000"
)]
pub(crate) struct Report {
    /// Journals of matches (JSON lines, as -jsonout writes them), or games in
    /// PGN (.pgn)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The page to write; `-` for standard output
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    out: PathBuf,

    /// A folder for the figures as SVG files, created if missing
    #[arg(long, value_name = "DIR")]
    figures: Option<PathBuf>,

    /// Compute the exact belief of both sides in every fog game, each until it
    /// exceeds CAP positions: its size by move, beside the length of games
    #[arg(long, value_name = "CAP", num_args = 0..=1, default_missing_value = "100000", require_equals = true)]
    beliefs: Option<usize>,
}

impl Report {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        self.refuse_doubles()?;
        let names: Vec<String> = self.files.iter().map(|path| shown(path)).collect();
        let journals = self
            .files
            .iter()
            .map(|path| files::read_games(path))
            .collect::<Result<Vec<Vec<GameRecord>>, CliError>>()?;
        let sources: Vec<Source> = names
            .iter()
            .zip(&journals)
            .map(|(name, records)| Source { name, records })
            .collect();
        let options = ReportOptions {
            luck: Some(&|game: &GameRecord| luck::of_white(&game.record)),
            beliefs: self.beliefs,
            figures: None,
        };
        self.write(&report(&sources, &options))
    }

    /// Rejects a file given twice, whose games would count twice.
    fn refuse_doubles(&self) -> Result<(), CliError> {
        let mut known: Vec<PathBuf> = Vec::new();
        for path in &self.files {
            let real = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
            if known.contains(&real) {
                let message = format!("{}: given twice; expected each file once", path.display());
                return Err(CliError::Input(message));
            }
            known.push(real);
        }
        let out = fs::canonicalize(&self.out).ok();
        if out.is_some_and(|out| known.contains(&out)) {
            let message = format!(
                "--out {}: is one of the journals; expected another name",
                self.out.display()
            );
            return Err(CliError::Input(message));
        }
        Ok(())
    }

    fn write(&self, made: &Made) -> Result<(), CliError> {
        if let Some(folder) = &self.figures {
            fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
            for figure in &made.figures {
                save(&folder.join(format!("{}.svg", figure.name)), &figure.svg)?;
            }
        }
        let mut out = io::stdout().lock();
        if self.out == Path::new("-") {
            out.write_all(made.html.as_bytes())?;
            return Ok(());
        }
        save(&self.out, &made.html)?;
        writeln!(out, "{}", self.out.display())?;
        if let Some(folder) = &self.figures {
            writeln!(
                out,
                "{} figures in {}",
                made.figures.len(),
                folder.display()
            )?;
        }
        Ok(())
    }
}

fn shown(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

fn save(path: &Path, text: &str) -> Result<(), CliError> {
    fs::write(path, text).with_context(|| format!("writing {}", path.display()))?;
    Ok(())
}
