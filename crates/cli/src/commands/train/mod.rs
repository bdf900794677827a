//! `foglight train`: fits the numbers of evaluations to games.

mod belief;
mod data;
mod logistic;
mod network;

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

use self::{belief::TrainBelief, data::TrainData, logistic::TrainLogistic, network::TrainNetwork};
use crate::{failure::CliError, providers};

/// Fits the numbers of an evaluation.
#[derive(Args)]
pub(crate) struct Train {
    #[command(subcommand)]
    what: TrainCommand,
}

#[derive(Subcommand)]
enum TrainCommand {
    /// Tune the classic evaluation on games (Texel's method)
    Classic(TrainClassic),
    /// Learn the ensemble's weights by evolution
    Ensemble(TrainEnsemble),
    /// Fit models of good moves for dice chess
    Logistic(TrainLogistic),
    /// Play fog games and label their positions
    Data(TrainData),
    /// Teach a network on labelled positions
    Network(TrainNetwork),
    /// Teach a network where hidden men are
    Belief(TrainBelief),
}

impl Train {
    /// Runs the training asked for.
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match &self.what {
            TrainCommand::Classic(command) => command.run(),
            TrainCommand::Ensemble(command) => command.run(),
            TrainCommand::Logistic(command) => command.run(),
            TrainCommand::Data(command) => command.run(),
            TrainCommand::Network(command) => command.run(),
            TrainCommand::Belief(command) => command.run(),
        }
    }
}

#[derive(Args)]
#[command(after_help = "Example:\n  foglight train classic --games games.pgn --out classic.txt")]
struct TrainClassic {
    /// PGN of plain chess; without it, games of self-play
    #[arg(long)]
    games: Option<PathBuf>,

    /// Games of self-play, where no PGN is given
    #[arg(long, default_value_t = 500)]
    self_play: usize,

    /// Positions taken from a game
    #[arg(long, default_value_t = 10)]
    positions: usize,

    /// Learn what Stockfish says of each position after so many nodes, not how
    /// the game ended
    #[arg(long)]
    teacher_nodes: Option<u64>,

    /// At most so many positions
    #[arg(long, default_value_t = 1_000_000)]
    most: usize,

    /// Times that all positions are gone through
    #[arg(long, default_value_t = 25)]
    epochs: usize,

    /// Pairs of games against the starting weights afterwards
    #[arg(long, default_value_t = 60)]
    pairs: u32,

    /// Nodes a move in games
    #[arg(long, default_value_t = 2500)]
    nodes: u64,

    /// Seed of all chances
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Where the weights go
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
                "expected games with at least 1000 still positions",
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
    /// Still positions of games, with the result or the teacher's word.
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

/// The same positions with what Stockfish expects in the place of the result.
fn taught(still: Vec<(Position, f32)>, nodes: u64) -> Result<Vec<(Position, f32)>, CliError> {
    const BATCH: usize = 5000;
    let start = providers::all().stockfish;
    let start = start.ok_or_else(|| CliError::input("no outside engine can be started here"))?;
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
        eprintln!("{} of {} positions taught", told.len(), still.len());
    }
    Ok(told)
}

#[derive(Args)]
#[command(after_help = "Example:\n  foglight train ensemble --generations 12 --out ensemble.txt")]
struct TrainEnsemble {
    /// Rounds of mutation and selection
    #[arg(long, default_value_t = 12)]
    generations: u32,

    /// Children a round
    #[arg(long, default_value_t = 4)]
    children: u32,

    /// Pairs of games of each child against its parent
    #[arg(long, default_value_t = 6)]
    pairs: u32,

    /// Moves of each side looked ahead in those games, as the agent's `depth`
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=3))]
    depth: u32,

    /// Pairs of games against equal weights afterwards
    #[arg(long, default_value_t = 60)]
    against: u32,

    /// Seed of all chances
    #[arg(long, default_value_t = 11)]
    seed: u64,

    /// Where the weights go
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
            "learnt against equal: {} won, {} drawn, {} lost ({:.1} %)",
            tally.wins,
            tally.draws,
            tally.losses,
            100.0 * tally.share()
        );
        Ok(())
    }
}
