//! `foglight train logistic`: models of good moves from games.

use std::{
    fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use foglight_rules::notation::pgn;
use foglight_train::{
    dice_games::self_play,
    logistic::{Examples, TrainConfig, TrainingGame, Validation, train, validate},
};
use indicatif::ProgressBar;

use crate::commands::matches::on_terminal;
use crate::{failure::CliError, files::read_text};

/// Fits the twelve models of good moves of the Maastricht paper to games: good
/// moves are those that the winner played, bad ones its alternatives. Prints
/// accuracy and precision of each model on every tenth game, which is held out.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  foglight train logistic games.pgn --games 5000 --out weights.bin\n  xz -dc games.pgn.xz | foglight train logistic -\n  foglight train logistic --self-play 3000 --nodes 2000 --out weights.bin"
)]
pub(crate) struct TrainLogistic {
    /// PGN file of plain or dice chess; `-` for standard input
    #[arg(required_unless_present = "self_play", conflicts_with = "self_play")]
    pgn: Option<PathBuf>,

    /// Train on this many games of `dice` against itself instead
    #[arg(long)]
    self_play: Option<u64>,

    /// Nodes a move in self-play
    #[arg(long, default_value_t = 2000)]
    nodes: u64,

    /// Maximum number of games to read; every tenth is held out
    #[arg(long, default_value_t = 5000)]
    games: usize,

    /// Hidden units of a network; 0 for logistic regression
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=64))]
    hidden: u8,

    /// Number of epochs
    #[arg(long, default_value_t = 3)]
    epochs: u32,

    /// Initial learning rate
    #[arg(long, default_value_t = 0.02)]
    learning_rate: f32,

    /// Seed of the order and of the initial weights
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Output file of the weights
    #[arg(long)]
    out: Option<PathBuf>,
}

/// Seed of the games that the default self-play model was trained on.
const SELF_PLAY_SEED: u64 = 77;

/// Maximum number of bytes read from standard input.
const MAX_BYTES: u64 = 256 << 20;

impl TrainLogistic {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let (learned, kept) = self.examples()?;
        if learned.is_empty() {
            return Err(CliError::input("expected games with a winner"));
        }
        let course = TrainConfig {
            hidden: usize::from(self.hidden),
            passes: self.epochs,
            rate: self.learning_rate,
            seed: self.seed,
        };
        let bar = progress(12);
        let model = train(&learned, course, &mut |done| bar.set_position(done as u64));
        bar.finish_and_clear();
        print(&validate(&model, &kept), learned.len())?;
        if let Some(out) = &self.out {
            fs::write(out, model.to_bytes())?;
        }
        Ok(())
    }

    /// The training examples and the held-out ones.
    fn examples(&self) -> Result<(Examples, Examples), CliError> {
        let (mut learned, mut kept) = (Examples::default(), Examples::default());
        let mut add = |(i, lesson): (usize, TrainingGame)| match i % 10 {
            9 => kept.add(&lesson),
            _ => learned.add(&lesson),
        };
        match (&self.pgn, self.self_play) {
            (Some(path), _) => {
                let text = text_of(path)?;
                let games = pgn::read(&text).with_limit(text.len() + 1).take(self.games);
                let lessons = games.filter_map(|game| TrainingGame::of_pgn(&game.ok()?));
                lessons.enumerate().for_each(&mut add);
            }
            (None, games) => {
                let games = games.unwrap_or(0);
                let bar = progress(games);
                let records = (0..games).map(|index| {
                    bar.inc(1);
                    self_play(index, self.nodes, SELF_PLAY_SEED)
                });
                let lessons = records.filter_map(|record| TrainingGame::of(&record));
                lessons.enumerate().for_each(&mut add);
                bar.finish_and_clear();
            }
        }
        Ok((learned, kept))
    }
}

fn text_of(path: &Path) -> Result<String, CliError> {
    if path != Path::new("-") {
        return read_text(path);
    }
    let mut text = String::new();
    io::stdin().take(MAX_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

/// A progress bar on a terminal; hidden elsewhere.
fn progress(length: u64) -> ProgressBar {
    match on_terminal() {
        true => ProgressBar::new(length),
        false => ProgressBar::hidden(),
    }
}

/// Prints a line for each model, validated on the held-out games.
fn print(validation: &[Validation], moves: usize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "trained on {moves} moves")?;
    writeln!(out, "model    good     bad  accuracy  balanced  precision")?;
    for (letter, validation) in "PNBRQKpnbrqk".chars().zip(validation) {
        let (good, bad) = (validation.good, validation.bad);
        let share = |value: f64| match good + bad {
            0 => "-".to_owned(),
            _ => format!("{:.1}%", 100.0 * value),
        };
        let (accuracy, balanced) = (share(validation.accuracy), share(validation.balanced));
        let precision = share(validation.precision);
        writeln!(
            out,
            "{letter:>5} {good:7} {bad:7} {accuracy:>9} {balanced:>9} {precision:>10}"
        )?;
    }
    Ok(())
}
