//! `foglight train logistic`: models of good moves from games.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;
use foglight_engine::train::logistic::{Course, Examples, Judgement, Lesson, judge, train};
use foglight_rules::notation::pgn;

use crate::{failure::Failure, files::read_text};

/// Fits the twelve models of good moves of the Maastricht paper to the games of
/// a PGN file: good is what the winner played, bad what else he could have.
#[derive(Args)]
#[command(
    after_help = "Example:\n  foglight train logistic games.pgn --games 5000 --out weights.bin"
)]
pub struct TrainLogistic {
    /// PGN file of plain or dice chess
    pgn: PathBuf,

    /// Games to read at most; every tenth is kept for judging
    #[arg(long, default_value_t = 5000)]
    games: usize,

    /// Hidden units of a network; 0 for logistic regression
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=64))]
    hidden: u8,

    /// Passes over the moves
    #[arg(long, default_value_t = 3)]
    passes: u32,

    /// Length of the first steps
    #[arg(long, default_value_t = 0.02)]
    rate: f32,

    /// Seed of the order and the start
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Where to write the weights
    #[arg(long)]
    out: Option<PathBuf>,
}

impl TrainLogistic {
    pub fn run(&self) -> Result<(), Failure> {
        let text = read_text(&self.pgn)?;
        let (mut learned, mut kept) = (Examples::default(), Examples::default());
        let games = pgn::read(&text).take(self.games);
        let lessons = games.filter_map(|game| Lesson::of_pgn(&game.ok()?));
        for (i, lesson) in lessons.enumerate() {
            if i % 10 == 9 {
                kept.add(&lesson);
            } else {
                learned.add(&lesson);
            }
        }
        if learned.is_empty() {
            let path = self.pgn.display();
            return Err(Failure::input(format!(
                "{path}: expected games with a winner"
            )));
        }
        let course = Course {
            hidden: usize::from(self.hidden),
            passes: self.passes,
            rate: self.rate,
            seed: self.seed,
        };
        let model = train(&learned, course, &mut |_| {});
        print(&judge(&model, &kept), learned.len())?;
        if let Some(out) = &self.out {
            fs::write(out, model.to_bytes())?;
        }
        Ok(())
    }
}

/// A line for each model, judged on the games that were kept.
fn print(judged: &[Judgement], moves: usize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "trained on {moves} moves")?;
    writeln!(out, "model    good     bad  accuracy  balanced  precision")?;
    for (letter, judged) in "PNBRQKpnbrqk".chars().zip(judged) {
        writeln!(
            out,
            "{letter:>5} {:7} {:7} {:8.1}% {:8.1}% {:9.1}%",
            judged.good,
            judged.bad,
            100.0 * judged.accuracy,
            100.0 * judged.balanced,
            100.0 * judged.precision,
        )?;
    }
    Ok(())
}
