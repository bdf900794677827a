//! `foglight train network`: a network trained on labelled positions.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use foglight_arena::report::chart::{Ink, Plot, PlotLayer, Stroke};
use foglight_engine::eval::{
    evaluate,
    network::{Network, NetworkWeights},
};
use foglight_play::seeded;
use foglight_train::network::{NetworkExample, NetworkTrainConfig, NetworkTrainer, wdl};

use rand::Rng as _;

use crate::failure::CliError;

/// Trains a network on labelled positions.
#[derive(Args)]
#[command(
    after_help = "Example:\n  foglight train network positions.bin --epochs 10 --out network.bin"
)]
pub(crate) struct TrainNetwork {
    /// Files of `foglight train data`
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// Number of epochs
    #[arg(long, default_value_t = 10)]
    epochs: u32,

    /// Positions per batch
    #[arg(long, default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    batch: u32,

    /// Learning rate at the start
    #[arg(long, default_value_t = 0.001)]
    learning_rate: f32,

    /// Weight of the result in the target; the rest is the score
    #[arg(long, default_value_t = 0.0)]
    lambda: f32,

    /// Share of noisy positions used for training
    #[arg(long, default_value_t = 0.0)]
    noisy: f64,

    /// Threads; the network does not depend on them
    #[arg(long, default_value_t = 2)]
    threads: usize,

    /// Seed of the initial weights and of the order
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Output file of the network; beside it a `.state` to resume from and a
    /// `.svg` of the losses
    #[arg(long, required_unless_present = "evaluate")]
    out: Option<PathBuf>,

    /// Train nothing: fit the WDL model of this network to the results
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    evaluate: Option<PathBuf>,

    /// Resume from the existing `.state`
    #[arg(long)]
    resume: bool,

    /// Initialise with this network, or with the `.state` of another training
    #[arg(long, conflicts_with = "resume")]
    init: Option<PathBuf>,

    /// Also add inputs for each side's visible squares
    #[arg(long)]
    sight: bool,
}

/// One game in this many is held out for validation.
const KEPT: u32 = 20;

impl TrainNetwork {
    /// Trains epoch by epoch; writes the network after each.
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match (&self.evaluate, &self.out) {
            (Some(path), _) => tell_map(&read_weights(path)?, &self.read()?),
            (None, Some(out)) => self.teach(out),
            (None, None) => Err(CliError::input("expected --out or --evaluate")),
        }
    }

    fn teach(&self, out: &Path) -> Result<(), CliError> {
        let (kept, learnt): (Vec<NetworkExample>, Vec<NetworkExample>) = self
            .read()?
            .into_iter()
            .partition(|e| e.game % KEPT == KEPT - 1);
        if learnt.is_empty() || kept.is_empty() {
            return Err(CliError::input(format!(
                "too few positions; expected those of at least {KEPT} games"
            )));
        }
        let settings = NetworkTrainConfig {
            batch: self.batch as usize,
            epochs: self.epochs,
            rate: self.learning_rate,
            result: self.lambda,
            seed: self.seed,
            threads: self.threads,
        };
        let mut trainer = self.begin(out)?;
        eprintln!(
            "{} training positions, {} for validation",
            learnt.len(),
            kept.len()
        );
        let mut losses = Vec::new();
        while trainer.epoch < self.epochs {
            let start = std::time::Instant::now();
            let loss = trainer.run_epoch(&learnt, &settings);
            let speed = learnt.len() as f64 / start.elapsed().as_secs_f64();
            let validation = trainer.loss(&kept, &settings);
            losses.push((f64::from(trainer.epoch), loss, validation));
            writeln!(
                io::stdout(),
                "epoch {}: loss {loss:.6}, validation {validation:.6}, {speed:.0} positions a second",
                trainer.epoch
            )?;
            fs::write(out.with_extension("state"), trainer.to_bytes())?;
            fs::write(out, NetworkWeights::quantised(&trainer.floats).to_bytes())?;
            fs::write(out.with_extension("svg"), curve(&losses))?;
        }
        tell_map(&NetworkWeights::quantised(&trainer.floats), &kept)
    }

    fn read(&self) -> Result<Vec<NetworkExample>, CliError> {
        let mut examples = Vec::new();
        for path in &self.data {
            examples.extend(read_examples(path)?);
        }
        let mut rng = seeded(self.seed);
        let loud = self.noisy.clamp(0.0, 1.0);
        examples.retain(|example| example.is_still() || rng.random_bool(loud));
        Ok(examples)
    }

    fn begin(&self, out: &Path) -> Result<NetworkTrainer, CliError> {
        if self.resume {
            return read_state(&out.with_extension("state"));
        }
        let floats = match &self.init {
            Some(path) if path.extension().is_some_and(|end| end == "state") => {
                read_state(path)?.floats
            }
            Some(path) => read_weights(path)?.floats(),
            None => NetworkTrainer::new(self.seed).floats,
        };
        let floats = if self.sight {
            floats.with_sight()
        } else {
            floats
        };
        Ok(NetworkTrainer::from_floats(floats))
    }
}

/// Prints the centipawns of the network that correspond to odds of ten to one,
/// by the results of games.
fn tell_map(weights: &NetworkWeights, examples: &[NetworkExample]) -> Result<(), CliError> {
    let mut network = Network::new(Arc::new(weights.clone()));
    let ended = examples.iter().filter_map(|example| {
        let result = example.outcome()?;
        let position = example.packed.unpack();
        Some((evaluate(&mut network, &position), result))
    });
    let ended: Vec<(i32, f64)> = ended.collect();
    if let Some((scale, loss)) = wdl::fit(&ended) {
        writeln!(
            io::stdout(),
            "WDL model: {scale:.0} centipawns are ten to one, by {} positions with a result (log-loss {loss:.4})",
            ended.len()
        )?;
    }
    Ok(())
}

fn read_weights(path: &Path) -> Result<NetworkWeights, CliError> {
    let named = |error: String| CliError::input(format!("'{}': {error}", path.display()));
    let bytes = fs::read(path).map_err(|error| named(error.to_string()))?;
    NetworkWeights::from_bytes(&bytes).map_err(|error| named(error.to_string()))
}

fn read_state(path: &Path) -> Result<NetworkTrainer, CliError> {
    let bytes = fs::read(path)
        .map_err(|error| CliError::input(format!("'{}': {error}", path.display())))?;
    NetworkTrainer::from_bytes(&bytes).ok_or_else(|| {
        CliError::input(format!(
            "'{}' is not the state of a training; expected one that this command wrote",
            path.display()
        ))
    })
}

fn read_examples(path: &Path) -> Result<Vec<NetworkExample>, CliError> {
    let named = |error: String| CliError::input(format!("'{}': {error}", path.display()));
    let bytes = fs::read(path).map_err(|error| named(error.to_string()))?;
    NetworkExample::read(&bytes).map_err(|error| named(error.to_string()))
}

/// Chart of the losses.
fn curve(losses: &[(f64, f64, f64)]) -> String {
    let line = |points: Vec<(f64, f64)>, series| PlotLayer::Line {
        points,
        stroke: Stroke::solid(Ink::Series(series), 1.8),
    };
    let learnt = losses
        .iter()
        .map(|&(epoch, loss, _)| (epoch, loss))
        .collect();
    let kept = losses
        .iter()
        .map(|&(epoch, _, loss)| (epoch, loss))
        .collect();
    let legend = |series, name: &str| (Stroke::solid(Ink::Series(series), 1.8), name.to_owned());
    let plot = Plot {
        title: "Loss of the network".to_owned(),
        x: "epoch".to_owned(),
        y: "squared error of the win probability".to_owned(),
        layers: vec![line(learnt, 0), line(kept, 1)],
        legend: vec![legend(0, "training"), legend(1, "validation")],
        ..Plot::default()
    };
    plot.svg().finish("Loss of the network by epoch", true)
}
