//! `foglight train data` and `foglight train network`: positions of fog games
//! with labels, and a network taught on them.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, IsTerminal as _, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

use clap::{Args, ValueEnum};
use foglight_arena::report::chart::{Ink, Layer, Plot, Stroke};
use foglight_engine::{
    Spec,
    eval::network::Weights,
    judge::Judge,
    registry,
    train::network::{
        Example, Settings, Trainer,
        harvest::{Harvest, Labels},
    },
};
use foglight_rules::{Game, Packed};
use indicatif::{ProgressBar, ProgressStyle};

use crate::{failure::Failure, providers};

/// Who labels positions.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Label {
    /// Stockfish at depth 1, every move
    Stockfish,
    /// Our own search
    Search,
}

/// Plays fog games and labels their positions and the worlds of their beliefs.
#[derive(Args)]
#[command(
    after_help = "Example:\n  foglight train data --games 2000 --out positions.bin\n  foglight train data --games 4000 --out positions.bin --resume"
)]
pub struct TrainData {
    /// Games to play
    #[arg(long, default_value_t = 1000)]
    games: u32,

    /// Who plays both sides
    #[arg(long, default_value = "pbsa:samples=6,each=300,top=2,cap=2000")]
    agent: String,

    /// Who labels
    #[arg(long, value_enum, default_value_t = Label::Stockfish)]
    label: Label,

    /// Nodes of a player's move
    #[arg(long, default_value_t = 5000)]
    nodes: u64,

    /// Nodes of a label by our own search
    #[arg(long, default_value_t = 1000)]
    label_nodes: u64,

    /// Worlds of the mover's belief taken at each single move
    #[arg(long, default_value_t = 2)]
    worlds: usize,

    /// Positions one move further that are labelled too
    #[arg(long, default_value_t = 6)]
    children: usize,

    /// Threads; the data do not depend on them
    #[arg(long, default_value_t = 2)]
    threads: usize,

    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Where the examples go
    #[arg(long)]
    out: PathBuf,

    /// Go on with a file that is there
    #[arg(long)]
    resume: bool,
}

impl TrainData {
    /// Plays, labels and writes, some games at a time.
    pub fn run(&self) -> Result<(), Failure> {
        let spec = self.agent.parse::<Spec>().map_err(Failure::input)?;
        registry::check(&spec).map_err(Failure::input)?;
        let judges = (0..self.threads.max(1)).map(|_| self.judge());
        let judges = judges.collect::<Result<Vec<_>, _>>()?;
        let (mut first, mut known) = self.begin()?;
        let mut file = File::options().append(true).create(true).open(&self.out)?;
        let bar = bar(u64::from(self.games), "games");
        while first < self.games {
            bar.set_position(u64::from(first));
            let until = (first + 4 * judges.len() as u32).min(self.games);
            for examples in self.play(&spec, &judges, first..until)? {
                let new = examples.iter().filter(|e| known.insert(e.packed));
                let bytes: Vec<u8> = new.flat_map(Example::to_bytes).collect();
                file.write_all(&bytes)?;
            }
            file.flush()?;
            first = until;
        }
        bar.finish_and_clear();
        writeln!(
            io::stdout(),
            "{} positions of {} games in {}",
            known.len(),
            self.games,
            self.out.display()
        )?;
        Ok(())
    }

    fn judge(&self) -> Result<Option<Arc<dyn Judge>>, Failure> {
        let start = providers::all()
            .stockfish
            .filter(|_| self.label == Label::Stockfish);
        start
            .map(|start| start().map_err(|reason| Failure::Run(anyhow::anyhow!(reason))))
            .transpose()
    }

    /// The first game to play, and the positions that are there already. The
    /// last game of a file may be cut off: it is played again.
    fn begin(&self) -> Result<(u32, HashSet<Packed>), Failure> {
        if !self.out.exists() {
            return Ok((0, HashSet::new()));
        }
        if !self.resume {
            return Err(Failure::input(format!(
                "'{}' is there already; expected another name, or --resume",
                self.out.display()
            )));
        }
        let mut bytes = fs::read(&self.out)?;
        bytes.truncate(bytes.len() / Example::BYTES * Example::BYTES);
        let mut examples = Example::read(&bytes).map_err(|e| Failure::input(e.to_string()))?;
        let last = examples.last().map_or(0, |example| example.game);
        examples.retain(|example| example.game < last);
        bytes.truncate(examples.len() * Example::BYTES);
        fs::write(&self.out, bytes)?;
        Ok((
            last,
            examples.iter().map(|example| example.packed).collect(),
        ))
    }

    /// The examples of some games, in their order.
    fn play(
        &self,
        spec: &Spec,
        judges: &[Option<Arc<dyn Judge>>],
        games: std::ops::Range<u32>,
    ) -> Result<Vec<Vec<Example>>, Failure> {
        let harvest = Harvest {
            nodes: self.nodes,
            worlds: self.worlds,
            children: self.children,
            seed: self.seed,
            ..Harvest::default()
        };
        let game = Game::fog();
        let run = |judge: &Option<Arc<dyn Judge>>, numbers: Vec<u32>| {
            let providers = providers::all();
            let mut each = Vec::new();
            for number in numbers {
                let mut white = registry::build(spec, &game, &providers)?;
                let mut black = registry::build(spec, &game, &providers)?;
                let labels = match judge {
                    Some(judge) => Labels::Outside(judge.as_ref()),
                    None => Labels::Search(self.label_nodes),
                };
                let players = [&mut white as _, &mut black as _];
                each.push((number, harvest.game(&game, players, number, &labels)));
            }
            Ok::<_, foglight_engine::SpecError>(each)
        };
        let mut all = Vec::new();
        let results = thread::scope(|scope| {
            let jobs: Vec<_> = judges
                .iter()
                .enumerate()
                .map(|(i, judge)| {
                    let numbers = games.clone().skip(i).step_by(judges.len()).collect();
                    let run = &run;
                    scope.spawn(move || run(judge, numbers))
                })
                .collect();
            jobs.into_iter()
                .map(|job| job.join().expect("a game does not panic"))
                .collect::<Vec<_>>()
        });
        for result in results {
            all.extend(result.map_err(Failure::input)?);
        }
        all.sort_by_key(|(number, _)| *number);
        Ok(all.into_iter().map(|(_, examples)| examples).collect())
    }
}

/// Teaches a network on labelled positions.
#[derive(Args)]
#[command(
    after_help = "Example:\n  foglight train network positions.bin --epochs 10 --out network.bin"
)]
pub struct TrainNetwork {
    /// Files of `foglight train data`
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// Times that all positions are gone through
    #[arg(long, default_value_t = 10)]
    epochs: u32,

    /// Positions to a step
    #[arg(long, default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    batch: u32,

    /// Learning rate at the start
    #[arg(long, default_value_t = 0.001)]
    rate: f32,

    /// The share of the result in the target, the rest is the score
    #[arg(long, default_value_t = 0.0)]
    result: f32,

    /// Threads; the network does not depend on them
    #[arg(long, default_value_t = 2)]
    threads: usize,

    /// Seed of the first numbers and of the order
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Where the network goes; beside it a `.state` to go on from and a
    /// `.svg` of the losses
    #[arg(long)]
    out: PathBuf,

    /// Go on from the `.state` that is there
    #[arg(long)]
    resume: bool,
}

/// Every so many games one is kept for judging.
const KEPT: u32 = 20;

impl TrainNetwork {
    /// Trains, epoch by epoch; each leaves its network behind.
    pub fn run(&self) -> Result<(), Failure> {
        let (kept, learnt): (Vec<Example>, Vec<Example>) = self
            .read()?
            .into_iter()
            .partition(|e| e.game % KEPT == KEPT - 1);
        if learnt.is_empty() || kept.is_empty() {
            return Err(Failure::input(format!(
                "too few positions; expected those of at least {KEPT} games"
            )));
        }
        let settings = Settings {
            batch: self.batch as usize,
            epochs: self.epochs,
            rate: self.rate,
            result: self.result,
            seed: self.seed,
            threads: self.threads,
        };
        let mut trainer = self.begin()?;
        eprintln!(
            "{} positions to learn from, {} to judge by",
            learnt.len(),
            kept.len()
        );
        let mut losses = Vec::new();
        while trainer.epoch < self.epochs {
            let start = std::time::Instant::now();
            let loss = trainer.run_epoch(&learnt, &settings);
            let speed = learnt.len() as f64 / start.elapsed().as_secs_f64();
            let judged = trainer.loss(&kept, &settings);
            losses.push((f64::from(trainer.epoch), loss, judged));
            writeln!(
                io::stdout(),
                "epoch {}: loss {loss:.6}, on games kept apart {judged:.6}, {speed:.0} positions a second",
                trainer.epoch
            )?;
            fs::write(self.beside("state"), trainer.to_bytes())?;
            fs::write(&self.out, Weights::quantised(&trainer.floats).to_bytes())?;
            fs::write(self.beside("svg"), curve(&losses))?;
        }
        Ok(())
    }

    fn beside(&self, ending: &str) -> PathBuf {
        self.out.with_extension(ending)
    }

    fn read(&self) -> Result<Vec<Example>, Failure> {
        let mut examples = Vec::new();
        for path in &self.data {
            examples.extend(read_examples(path)?);
        }
        Ok(examples)
    }

    fn begin(&self) -> Result<Trainer, Failure> {
        if !self.resume {
            return Ok(Trainer::new(self.seed));
        }
        let path = self.beside("state");
        let bytes = fs::read(&path)
            .map_err(|error| Failure::input(format!("'{}': {error}", path.display())))?;
        Trainer::from_bytes(&bytes).ok_or_else(|| {
            Failure::input(format!(
                "'{}' is not the state of a training; expected one that this command wrote",
                path.display()
            ))
        })
    }
}

fn read_examples(path: &Path) -> Result<Vec<Example>, Failure> {
    let named = |error: String| Failure::input(format!("'{}': {error}", path.display()));
    let bytes = fs::read(path).map_err(|error| named(error.to_string()))?;
    Example::read(&bytes).map_err(|error| named(error.to_string()))
}

/// The losses as a picture.
fn curve(losses: &[(f64, f64, f64)]) -> String {
    let line = |points: Vec<(f64, f64)>, series| Layer::Line {
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
        legend: vec![legend(0, "learnt from"), legend(1, "kept apart")],
        ..Plot::default()
    };
    plot.svg().finish("Loss of the network by epoch", true)
}

fn bar(total: u64, what: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}, {eta} left");
    ProgressBar::new(total)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_message(what.to_owned())
}
