//! `foglight train belief`: a network trained on self-play games to predict
//! hidden pieces, and a comparison of beliefs by log loss.

use std::{
    fs,
    io::{self, Write as _},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    thread,
};

use clap::Args;
use foglight_engine::{
    belief::{
        BeliefKind, BeliefNetwork,
        network::{self, BeliefWeights, WeightedBelief},
    },
    registry,
};
use foglight_play::Spec;
use foglight_rules::{Action, Game};
use foglight_train::belief::{
    BeliefExample, BeliefTrainConfig, BeliefTrainer,
    games::{self, BeliefGames},
    log_loss::{BeliefComparison, KINDS, LogLoss, MeanLogLoss},
};

use super::data::bar;
use crate::{failure::CliError, providers};

/// Trains the belief network on self-play games, or compares beliefs.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  foglight train belief --games 1500 --out belief.bin\n  foglight train belief --evaluate --games 100\n  foglight train belief --evaluate --games 100 --weights belief.bin"
)]
pub(crate) struct TrainBelief {
    /// Number of games to play
    #[arg(long, default_value_t = 1500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,

    /// Agent of both sides
    #[arg(
        long,
        default_value = "pbsa:worlds=6,nodes-per-board=300,top=2,max-positions=2000"
    )]
    agent: String,

    /// Nodes per move of a player
    #[arg(long, default_value_t = 2000)]
    nodes: u64,

    /// Number of epochs
    #[arg(long, default_value_t = 8)]
    epochs: u32,

    /// Views per batch
    #[arg(long, default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    batch: u32,

    /// Learning rate at the start
    #[arg(long, default_value_t = 0.002)]
    learning_rate: f32,

    /// Weight decay
    #[arg(long, default_value_t = 0.05)]
    weight_decay: f32,

    /// Threads; neither games nor network depend on them
    #[arg(long, default_value_t = 2)]
    threads: usize,

    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Output file of the network
    #[arg(long, required_unless_present = "evaluate")]
    out: Option<PathBuf>,

    /// Train nothing: print the log loss of each belief on games outside of any
    /// training with the same seed
    #[arg(long, conflicts_with = "out")]
    evaluate: bool,

    /// The network to evaluate instead of the default one
    #[arg(long, requires = "evaluate")]
    weights: Option<PathBuf>,

    /// Maximum size of exact beliefs during the evaluation
    #[arg(long, default_value_t = 20_000)]
    max_positions: usize,

    /// Exponent of the weights that the network gives to exact positions
    #[arg(long, default_value_t = WeightedBelief::POWER)]
    power: f64,
}

/// One game in this many is held out for validation.
const KEPT: u32 = 20;
/// First number of the evaluation games, beyond all training games.
const FIRST_TEST_GAME: u32 = 1_000_000;

impl TrainBelief {
    /// Plays, then trains or evaluates.
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let spec = self.agent.parse::<Spec>().map_err(CliError::input)?;
        registry::check(&spec).map_err(CliError::input)?;
        match &self.out {
            Some(out) => self.teach(&spec, out),
            None => self.compare(&spec),
        }
    }

    fn teach(&self, spec: &Spec, out: &PathBuf) -> Result<(), CliError> {
        let (mut learnt, mut kept) = (Vec::new(), Vec::new());
        let played = self.each_game(0, |number| {
            let actions = self.play(spec, number)?;
            Ok(games::examples(&Game::fog(), &actions))
        })?;
        for (number, examples) in played.into_iter().enumerate() {
            match number as u32 % KEPT == KEPT - 1 {
                true => kept.extend(examples),
                false => learnt.extend(examples),
            }
        }
        if kept.is_empty() {
            return Err(CliError::input(format!(
                "too few games; expected at least {KEPT}"
            )));
        }
        eprintln!(
            "{} training views, {} for validation",
            learnt.len(),
            kept.len()
        );
        let trainer = self.learn(&learnt, &kept)?;
        fs::write(out, BeliefWeights::quantised(&trainer.floats).to_bytes())?;
        Ok(())
    }

    fn learn(
        &self,
        learnt: &[BeliefExample],
        kept: &[BeliefExample],
    ) -> Result<BeliefTrainer, CliError> {
        let settings = BeliefTrainConfig {
            batch: self.batch as usize,
            epochs: self.epochs,
            rate: self.learning_rate,
            decay: self.weight_decay,
            seed: self.seed,
            threads: self.threads,
        };
        let mut trainer = BeliefTrainer::new(self.seed);
        writeln!(
            io::stdout(),
            "before: validation {:.5}",
            trainer.loss(kept, &settings)
        )?;
        let steps = learnt.len().div_ceil(settings.batch) as u64;
        let bar = bar(steps * u64::from(self.epochs), "steps");
        for epoch in 1..=self.epochs {
            let loss = trainer.run_epoch(learnt, &settings, &mut || bar.inc(1));
            let validation = trainer.loss(kept, &settings);
            bar.suspend(|| {
                writeln!(
                    io::stdout(),
                    "epoch {epoch}: loss of a hidden square {loss:.5}, validation {validation:.5}"
                )
            })?;
        }
        bar.finish_and_clear();
        Ok(trainer)
    }

    fn compare(&self, spec: &Spec) -> Result<(), CliError> {
        let comparison = BeliefComparison {
            network: self.network()?,
            power: self.power,
            cap: self.max_positions,
        };
        let bills = self.each_game(FIRST_TEST_GAME, |number| {
            let actions = self.play(spec, number)?;
            Ok(comparison.game(&Game::fog(), &actions, u64::from(number)))
        })?;
        let mut out = io::stdout();
        writeln!(
            out,
            "| belief | of a hidden square | of a hidden piece | of the king |"
        )?;
        writeln!(out, "|---|---|---|---|")?;
        for (i, kind) in KINDS.into_iter().enumerate() {
            let bills: Vec<LogLoss> = bills.iter().map(|game| game[i]).collect();
            let cell = |part: fn(&LogLoss) -> MeanLogLoss| {
                let parts: Vec<MeanLogLoss> = bills.iter().map(part).collect();
                let (mean, error) = with_error(&parts);
                format!("{mean:.4} +/- {error:.4}")
            };
            writeln!(
                out,
                "| {} | {} | {} | {} |",
                name(kind),
                cell(|bill| bill.squares),
                cell(|bill| bill.men),
                cell(|bill| bill.king)
            )?;
        }
        let squares: u64 = bills.iter().map(|game| game[0].squares.count).sum();
        writeln!(
            out,
            "{} games, {squares} hidden squares; two standard errors over games; nats\nAgain: `{}`",
            self.games,
            self.command()
        )?;
        Ok(())
    }

    /// The command that repeats a comparison.
    fn command(&self) -> String {
        let weights = self.weights.as_ref();
        let weights = weights.map_or(String::new(), |path| {
            format!(" --weights {}", path.display())
        });
        format!(
            "foglight train belief --evaluate --games {} --agent {} --nodes {} --max-positions {} --power {} --seed {}{weights}",
            self.games, self.agent, self.nodes, self.max_positions, self.power, self.seed
        )
    }

    fn network(&self) -> Result<Arc<BeliefNetwork>, CliError> {
        let Some(path) = &self.weights else {
            return Ok(network::default_network());
        };
        let named = |error: String| CliError::input(format!("'{}': {error}", path.display()));
        let bytes = fs::read(path).map_err(|error| named(error.to_string()))?;
        let weights =
            BeliefWeights::from_bytes(&bytes).map_err(|error| named(error.to_string()))?;
        Ok(Arc::new(BeliefNetwork::new(&weights)))
    }

    fn play(&self, spec: &Spec, number: u32) -> Result<Vec<Action>, CliError> {
        let (game, providers) = (Game::fog(), providers::all());
        let build = || registry::build(spec, &game, &providers).map_err(CliError::input);
        let (mut white, mut black) = (build()?, build()?);
        let play = BeliefGames {
            nodes: self.nodes,
            seed: self.seed,
            ..BeliefGames::default()
        };
        Ok(play.game(&game, [&mut white as _, &mut black as _], number))
    }

    /// Maps each game's number on all threads; results in the order of the
    /// games.
    fn each_game<T: Send>(
        &self,
        first: u32,
        make: impl Fn(u32) -> Result<T, CliError> + Sync,
    ) -> Result<Vec<T>, CliError> {
        let (next, bar) = (AtomicU32::new(0), bar(u64::from(self.games), "games"));
        let work = || {
            let mut made = Vec::new();
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                if i >= self.games {
                    return Ok(made);
                }
                made.push((i, make(first + i)?));
                bar.inc(1);
            }
        };
        let shares = thread::scope(|scope| {
            let jobs: Vec<_> = (0..self.threads.max(1))
                .map(|_| scope.spawn(work))
                .collect();
            let joined = jobs.into_iter().map(|job| job.join());
            joined
                .map(|share| share.expect("a game does not panic"))
                .collect::<Result<Vec<_>, CliError>>()
        })?;
        bar.finish_and_clear();
        let mut all: Vec<(u32, T)> = shares.into_iter().flatten().collect();
        all.sort_by_key(|(i, _)| *i);
        Ok(all.into_iter().map(|(_, made)| made).collect())
    }
}

fn name(kind: BeliefKind) -> &'static str {
    match kind {
        BeliefKind::Uniform => "even (UBSA)",
        BeliefKind::Tensor => "progressive tensor (PBSA)",
        BeliefKind::Exact => "exact, uniform",
        BeliefKind::Network => "network",
        BeliefKind::Weighted => "exact, weighted by the network",
    }
}

/// The mean over all terms, and two standard errors: the terms of a game are
/// correlated, games are independent.
fn with_error(games: &[MeanLogLoss]) -> (f64, f64) {
    let sum: f64 = games.iter().map(|game| game.sum).sum();
    let count: u64 = games.iter().map(|game| game.count).sum();
    let mean = sum / count.max(1) as f64;
    let rest = |game: &MeanLogLoss| game.sum - mean * game.count as f64;
    let variance: f64 = games.iter().map(|game| rest(game).powi(2)).sum();
    (mean, 2.0 * variance.sqrt() / count.max(1) as f64)
}
