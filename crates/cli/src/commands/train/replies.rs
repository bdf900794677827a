//! `foglight train replies`: the model of the enemy's replies by which a bounded
//! belief weighs positions.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use clap::Args;
use foglight_arena::journal;
use foglight_engine::belief::{REPLY_EVEN_SHARE, ReplyModel};
use foglight_rules::Variant;
use foglight_train::replies::{ReplyChoice, ReplyTrainConfig, choices, fit, log_losses};

use super::data::bar;
use crate::{failure::CliError, files};

/// Fits the model of the enemy's replies to the fog games of journals: a softmax
/// over cheap scores of moves. Prints the log loss of the moves played in every
/// tenth game, which is held out.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  foglight train replies games.jsonl --out replies.txt\n  foglight train replies games.jsonl --evaluate data/weights/replies.txt"
)]
pub(crate) struct TrainReplies {
    /// Journals of matches (`match -jsonout`)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Number of epochs
    #[arg(long, default_value_t = 20)]
    epochs: u32,

    /// Initial learning rate
    #[arg(long, default_value_t = 0.02)]
    learning_rate: f32,

    /// Strength of the pull of every score to 0
    #[arg(long, default_value_t = 0.0001)]
    decay: f32,

    /// Seed of the order of moves
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Output file of the model
    #[arg(long, required_unless_present = "evaluate")]
    out: Option<PathBuf>,

    /// Train nothing: print the log loss of this model on all games
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    evaluate: Option<PathBuf>,
}

impl TrainReplies {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let games = self.games()?;
        if let Some(path) = &self.evaluate {
            return print(&games.concat(), &read_model(path)?);
        }
        let (mut learnt, mut kept) = (Vec::new(), Vec::new());
        for (i, choices) in games.into_iter().enumerate() {
            match i % 10 {
                9 => kept.extend(choices),
                _ => learnt.extend(choices),
            }
        }
        if kept.is_empty() {
            return Err(CliError::input("expected at least ten games of fog"));
        }
        let config = ReplyTrainConfig {
            epochs: self.epochs,
            rate: self.learning_rate,
            decay: self.decay,
            seed: self.seed,
        };
        let bar = bar(u64::from(self.epochs), "epochs");
        let model = fit(&learnt, &config, &mut |_| bar.inc(1));
        bar.finish_and_clear();
        print(&kept, &model)?;
        let out = self.out.as_ref().expect("required without --evaluate");
        files::write(out, model.text().as_bytes())
    }

    /// The choices in each game.
    fn games(&self) -> Result<Vec<Vec<ReplyChoice>>, CliError> {
        let mut games = Vec::new();
        for path in &self.files {
            let read = journal::read(path).map_err(CliError::input)?;
            let fog = read.iter().map(|game| &game.record);
            let fog = fog.filter(|record| matches!(record.game.variant(), Variant::Fog(_)));
            games.extend(fog.map(choices));
        }
        Ok(games)
    }
}

/// Reads a model that `--out` wrote.
fn read_model(path: &Path) -> Result<ReplyModel, CliError> {
    let model = ReplyModel::parse(&files::read_text(path)?);
    model.map_err(|error| CliError::input(format!("{}: {error}", path.display())))
}

fn print(choices: &[ReplyChoice], model: &ReplyModel) -> Result<(), CliError> {
    let [alone, mixed, even] = log_losses(choices, model, REPLY_EVEN_SHARE);
    writeln!(
        io::stdout(),
        "{} moves: {alone:.3} nats by the model, {mixed:.3} with its even share, {even:.3} if all moves were equally likely",
        choices.len()
    )?;
    Ok(())
}
