//! `foglight train`: fits the parameters of evaluations to games.

mod belief;
mod data;
mod logistic;
mod network;
mod replies;

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::{Args, Subcommand};
use foglight_engine::eval::{classic::ClassicWeights, ensemble::Ensemble};
use foglight_play::{AnalysisLimit, Rng, seeded};
use foglight_rules::{Game, Position, Termination, notation::pgn};
use foglight_train::{classic, ensemble, selfplay};
use rand::seq::SliceRandom;

pub(super) use self::data::{DataGames, bar};
use self::{
    belief::TrainBelief, data::TrainData, logistic::TrainLogistic, network::TrainNetwork,
    replies::TrainReplies,
};
use crate::{failure::CliError, providers};

/// Fits the parameters of an evaluation.
#[derive(Args)]
pub(crate) struct Train {
    #[command(subcommand)]
    what: TrainCommand,
}

#[derive(Subcommand)]
enum TrainCommand {
    /// Tune the classic evaluation on games (Texel's method)
    Classic(TrainClassic),
    /// Tune the ensemble's weights by evolution
    Ensemble(TrainEnsemble),
    /// Fit models of good moves for dice chess
    Logistic(TrainLogistic),
    /// Play fog games and label their positions
    Data(TrainData),
    /// Train a network on labelled positions
    Network(TrainNetwork),
    /// Train a network to predict hidden pieces
    Belief(TrainBelief),
    /// Fit the model by which a bounded belief weighs the enemy's replies
    Replies(TrainReplies),
}

impl Train {
    /// Runs the selected training.
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match &self.what {
            TrainCommand::Classic(command) => command.run(),
            TrainCommand::Ensemble(command) => command.run(),
            TrainCommand::Logistic(command) => command.run(),
            TrainCommand::Data(command) => command.run(),
            TrainCommand::Network(command) => command.run(),
            TrainCommand::Belief(command) => command.run(),
            TrainCommand::Replies(command) => command.run(),
        }
    }
}

#[derive(Args)]
#[command(after_help = "Example:\n  foglight train classic --games games.pgn --out classic.txt")]
struct TrainClassic {
    /// PGN of plain chess; by default, self-play games
    #[arg(long)]
    games: Option<PathBuf>,

    /// Self-play games, if no PGN is given
    #[arg(long, default_value_t = 500)]
    self_play: usize,

    /// Positions sampled from a game
    #[arg(long, default_value_t = 10)]
    positions: usize,

    /// Fit Stockfish's evaluation of each position after this many nodes
    /// instead of the game's result
    #[arg(long)]
    teacher_nodes: Option<u64>,

    /// Maximum number of positions
    #[arg(long, default_value_t = 1_000_000)]
    most: usize,

    /// Number of epochs
    #[arg(long, default_value_t = 25)]
    epochs: usize,

    /// Pairs of games against the initial weights afterwards
    #[arg(long, default_value_t = 60)]
    pairs: u32,

    /// Nodes a move in games
    #[arg(long, default_value_t = 2500)]
    nodes: u64,

    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Output file of the weights
    #[arg(long)]
    out: PathBuf,
}

impl TrainClassic {
    fn run(&self) -> Result<(), CliError> {
        let start = ClassicWeights::published();
        let mut rng = seeded(self.seed);
        let examples = match &self.games {
            None => classic::self_play(&start, self.self_play, self.nodes, &mut rng),
            Some(path) => self.read_games(path, &mut rng)?,
        };
        if examples.len() < 1000 {
            return Err(CliError::input(
                "expected games with at least 1000 quiet positions",
            ));
        }
        eprintln!("{} positions", examples.len());
        let settings = classic::TexelConfig {
            epochs: self.epochs,
            ..classic::TexelConfig::default()
        };
        let mut told = |epoch, loss| eprintln!("epoch {epoch}: loss {loss:.6}");
        let tuned = classic::tune(&start, examples, &settings, &mut rng, &mut told);
        fs::write(&self.out, tuned.text())?;
        let weights = [&tuned, &start];
        let tally = selfplay::compare(
            &Game::chess(),
            weights,
            self.pairs,
            self.nodes,
            self.seed,
            &mut |_| (),
        );
        println!(
            "tuned against published: {} won, {} drawn, {} lost ({:.1} %)",
            tally.wins,
            tally.draws,
            tally.losses,
            100.0 * tally.share()
        );
        Ok(())
    }
}

impl TrainClassic {
    /// Quiet positions of games, labelled by the result or by Stockfish.
    fn read_games(
        &self,
        path: &Path,
        rng: &mut Rng,
    ) -> Result<Vec<classic::TexelExample>, CliError> {
        let text = fs::read_to_string(path)
            .map_err(|error| CliError::input(format!("games '{}': {error}", path.display())))?;
        let games = pgn::read(&text)
            .with_limit(text.len() + 1)
            .of_game(Game::chess());
        let timeout = |game: &foglight_rules::PgnGame| {
            game.result
                .is_some_and(|end| end.reason == Some(Termination::Timeout))
        };
        let mut still: Vec<(Position, f32)> = games
            .flatten()
            .filter(|game| self.teacher_nodes.is_some() || !timeout(game))
            .flat_map(|game| classic::still_positions(&game, self.positions, rng))
            .collect();
        still.shuffle(rng);
        still.truncate(self.most);
        if let Some(nodes) = self.teacher_nodes {
            still = taught(still, nodes)?;
        }
        let examples = still.iter();
        Ok(examples
            .map(|(position, result)| classic::example(position, *result))
            .collect())
    }
}

/// The same positions labelled by Stockfish's evaluation instead of the result.
fn taught(still: Vec<(Position, f32)>, nodes: u64) -> Result<Vec<(Position, f32)>, CliError> {
    const BATCH: usize = 5000;
    let start = providers::all().stockfish;
    let start = start.ok_or_else(|| CliError::input("no external engine can be started here"))?;
    let teacher = start().map_err(CliError::input)?;
    let mut told = Vec::with_capacity(still.len());
    for batch in still.chunks(BATCH) {
        let positions: Vec<Position> = batch.iter().map(|(position, _)| *position).collect();
        let opinions = teacher.analyse(&Game::chess(), &positions, AnalysisLimit::nodes(nodes));
        for (position, opinion) in positions.into_iter().zip(opinions) {
            let Some(score) = opinion.and_then(|opinion| opinion.centipawns()) else {
                continue;
            };
            let white = if position.turn().is_white() {
                score
            } else {
                -score
            };
            told.push((position, classic::lesson(white)));
        }
        eprintln!("{} of {} positions labelled", told.len(), still.len());
    }
    Ok(told)
}

#[derive(Args)]
#[command(after_help = "Example:\n  foglight train ensemble --generations 12 --out ensemble.txt")]
struct TrainEnsemble {
    /// Generations of mutation and selection
    #[arg(long, default_value_t = 12)]
    generations: u32,

    /// Children per generation
    #[arg(long, default_value_t = 4)]
    children: u32,

    /// Pairs of games of each child against its parent
    #[arg(long, default_value_t = 6)]
    pairs: u32,

    /// Search depth in moves of each side in those games, as the agent's
    /// `depth`
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=3))]
    depth: u32,

    /// Pairs of games against equal weights afterwards
    #[arg(long, default_value_t = 60)]
    against: u32,

    /// Seed of all random choices
    #[arg(long, default_value_t = 11)]
    seed: u64,

    /// Output file of the weights
    #[arg(long)]
    out: PathBuf,
}

impl TrainEnsemble {
    fn run(&self) -> Result<(), CliError> {
        let settings = ensemble::EvolutionConfig {
            generations: self.generations,
            children: self.children,
            pairs: self.pairs,
            depth: 2 * self.depth,
        };
        let mut told = |generation, _: &Ensemble, tally: selfplay::Tally| {
            eprintln!(
                "generation {generation}: best child {:.1} %",
                100.0 * tally.share()
            );
        };
        let learnt = ensemble::evolve(&Ensemble::EQUAL, &settings, self.seed, &mut told);
        fs::write(&self.out, learnt.text())?;
        let tally = ensemble::compare(
            &learnt,
            &Ensemble::EQUAL,
            self.against,
            settings.depth,
            self.seed + 88,
        );
        println!(
            "tuned against equal: {} won, {} drawn, {} lost ({:.1} %)",
            tally.wins,
            tally.draws,
            tally.losses,
            100.0 * tally.share()
        );
        Ok(())
    }
}
