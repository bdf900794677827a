//! `foglight train data`: labelled positions of fog games, or of recorded
//! games.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, IsTerminal as _, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Instant,
};

use clap::{Args, ValueEnum};
use foglight_arena::journal;
use foglight_engine::{dice::PieceSquareValues, registry};
use foglight_play::{Analyser, Spec};
use foglight_rules::{Game, PackedPosition, notation::pgn};
use foglight_train::network::{
    NetworkExample,
    datagen::{DataGen, LabelledGame, Labels},
    dice_datagen::DiceDataGen,
};
use indicatif::{ProgressBar, ProgressStyle};

use crate::{failure::CliError, files, providers};

/// Method that labels positions.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Label {
    /// Stockfish at depth 1, every move
    Stockfish,
    /// Our own search
    Search,
}

/// Plays fog games, or reads games, and labels their positions and the worlds
/// of their beliefs.
#[derive(Args)]
#[command(
    after_help = "Example:\n  foglight train data --games 2000 --out positions.bin\n  foglight train data --games 4000 --out positions.bin --resume\n  foglight train data --pgn games.pgn --games 20000 --out chess.bin"
)]
pub(crate) struct TrainData {
    /// Games to play, or to read from the file
    #[arg(long, default_value_t = 1000)]
    games: u32,

    /// Use the games of this PGN of plain chess and play none
    #[arg(long)]
    pgn: Option<PathBuf>,

    /// Use the games of this journal of a match (`match -jsonout`) and play
    /// none
    #[arg(long, conflicts_with = "pgn")]
    journal: Option<PathBuf>,

    /// Play one-die chess, `dice` against itself, and label by its search
    #[arg(long, conflicts_with_all = ["pgn", "journal"])]
    dice: bool,

    /// Positions sampled from a game of the PGN or journal
    #[arg(long, default_value_t = 24)]
    positions: usize,

    /// Maximum number of random plies played from each of these positions first
    #[arg(long, default_value_t = 0)]
    random_plies: usize,

    /// Agent of both sides
    #[arg(
        long,
        default_value = "pbsa:worlds=6,nodes-per-board=300,top=2,max-positions=2000"
    )]
    agent: String,

    /// Source of the labels
    #[arg(long, value_enum, default_value_t = Label::Stockfish)]
    label: Label,

    /// Nodes per move of a player
    #[arg(long, default_value_t = 5000)]
    nodes: u64,

    /// Nodes per label by our own search
    #[arg(long, default_value_t = 1000)]
    label_nodes: u64,

    /// Worlds of the mover's belief sampled at each ply
    #[arg(long, default_value_t = 2)]
    worlds: usize,

    /// Positions one ply further that are labelled too
    #[arg(long, default_value_t = 6)]
    children: usize,

    /// Probability of keeping a noisy position one ply further
    #[arg(long, default_value_t = 0.25)]
    noisy: f64,

    /// Threads; the data do not depend on them
    #[arg(long, default_value_t = 2)]
    threads: usize,

    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Output file of the examples
    #[arg(long)]
    out: PathBuf,

    /// Resume an existing file
    #[arg(long)]
    resume: bool,
}

/// Origin of the labelled games.
enum Source {
    /// Self-play of this agent.
    Played(Spec),
    /// Self-play of one-die chess.
    Rolled,
    /// Games read from a file.
    Recorded(Vec<LabelledGame>),
}

/// A labeller for each thread: an external engine, or none.
type Analysers = [Option<Arc<dyn Analyser>>];

/// The number of a game, and its examples.
type Numbered = (u32, Vec<NetworkExample>);

impl TrainData {
    /// Plays or reads, labels and writes, several games at a time.
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let source = self.source()?;
        let games = match &source {
            Source::Played(_) | Source::Rolled => self.games,
            Source::Recorded(records) => records.len() as u32,
        };
        let analysers = (0..self.threads.max(1)).map(|_| self.analyser());
        let analysers = analysers.collect::<Result<Vec<_>, _>>()?;
        let (mut first, mut known) = self.begin()?;
        let (before, start) = (known.len(), Instant::now());
        let mut file = File::options().append(true).create(true).open(&self.out)?;
        let bar = bar(u64::from(games), "games");
        while first < games {
            bar.set_position(u64::from(first));
            let until = (first + 8 * analysers.len() as u32).min(games);
            for (_, examples) in self.label(&source, &analysers, first..until)? {
                let new = examples.iter().filter(|e| known.insert(e.packed));
                let bytes: Vec<u8> = new.flat_map(NetworkExample::to_bytes).collect();
                file.write_all(&bytes)?;
            }
            file.flush()?;
            first = until;
        }
        bar.finish_and_clear();
        writeln!(
            io::stdout(),
            "{} positions of {games} games in {}, {:.0} a second",
            known.len(),
            self.out.display(),
            (known.len() - before) as f64 / start.elapsed().as_secs_f64()
        )?;
        Ok(())
    }

    fn source(&self) -> Result<Source, CliError> {
        if self.dice {
            return Ok(Source::Rolled);
        }
        let (path, games) = match (&self.pgn, &self.journal) {
            (Some(path), _) => (path, games_of_pgn(path)?),
            (None, Some(path)) => (path, games_of_journal(path)?),
            (None, None) => {
                let spec = self.agent.parse::<Spec>().map_err(CliError::input)?;
                registry::check(&spec).map_err(CliError::input)?;
                return Ok(Source::Played(spec));
            }
        };
        if games.is_empty() {
            return Err(CliError::input(format!(
                "'{}' has no game; expected a PGN of plain chess, or a journal",
                path.display()
            )));
        }
        let first = games.into_iter().take(self.games as usize);
        Ok(Source::Recorded(first.collect()))
    }

    fn analyser(&self) -> Result<Option<Arc<dyn Analyser>>, CliError> {
        let start = providers::all()
            .stockfish
            .filter(|_| self.label == Label::Stockfish && !self.dice);
        start
            .map(|start| start().map_err(|reason| CliError::Run(anyhow::anyhow!(reason))))
            .transpose()
    }

    /// The first game to play, and the positions already in the file. The last
    /// game of a file may be truncated: it is played again.
    fn begin(&self) -> Result<(u32, HashSet<PackedPosition>), CliError> {
        if !self.out.exists() {
            return Ok((0, HashSet::new()));
        }
        if !self.resume {
            return Err(CliError::input(format!(
                "'{}' is there already; expected another name, or --resume",
                self.out.display()
            )));
        }
        let mut bytes = fs::read(&self.out)?;
        bytes.truncate(bytes.len() / NetworkExample::BYTES * NetworkExample::BYTES);
        let mut examples =
            NetworkExample::read(&bytes).map_err(|e| CliError::input(e.to_string()))?;
        let last = examples.last().map_or(0, |example| example.game);
        examples.retain(|example| example.game < last);
        bytes.truncate(examples.len() * NetworkExample::BYTES);
        fs::write(&self.out, bytes)?;
        Ok((
            last,
            examples.iter().map(|example| example.packed).collect(),
        ))
    }

    /// The examples of several games, in their order, on a thread for each
    /// labeller.
    fn label(
        &self,
        source: &Source,
        analysers: &Analysers,
        games: std::ops::Range<u32>,
    ) -> Result<Vec<Numbered>, CliError> {
        let harvest = DataGen {
            nodes: self.nodes,
            worlds: self.worlds,
            children: self.children,
            noisy: self.noisy.clamp(0.0, 1.0),
            random_plies: self.random_plies,
            seed: self.seed,
            ..DataGen::default()
        };
        let shares = thread::scope(|scope| {
            let jobs: Vec<_> = analysers
                .iter()
                .enumerate()
                .map(|(i, analyser)| {
                    let numbers = games.clone().skip(i).step_by(analysers.len());
                    let labels = match analyser {
                        Some(analyser) => Labels::Outside(analyser.as_ref()),
                        None => Labels::Search(self.label_nodes),
                    };
                    let harvest = &harvest;
                    scope.spawn(move || {
                        let each = numbers.map(|number| {
                            self.examples(source, harvest, number, &labels)
                                .map(|examples| (number, examples))
                        });
                        each.collect::<Result<Vec<Numbered>, CliError>>()
                    })
                })
                .collect();
            let joined = jobs.into_iter().map(|job| job.join());
            joined
                .map(|share| share.expect("a game does not panic"))
                .collect::<Result<Vec<_>, CliError>>()
        })?;
        let mut all: Vec<Numbered> = shares.into_iter().flatten().collect();
        all.sort_by_key(|(number, _)| *number);
        Ok(all)
    }

    fn examples(
        &self,
        source: &Source,
        harvest: &DataGen,
        number: u32,
        labels: &Labels,
    ) -> Result<Vec<NetworkExample>, CliError> {
        match source {
            Source::Recorded(records) => {
                let record = &records[number as usize];
                Ok(harvest.record(record, self.positions, number, labels))
            }
            Source::Rolled => {
                let rolls = DiceDataGen {
                    nodes: self.nodes,
                    seed: self.seed,
                    ..DiceDataGen::default()
                };
                Ok(rolls.game(PieceSquareValues::default_values(), number))
            }
            Source::Played(spec) => {
                let (game, providers) = (Game::fog(), providers::all());
                let build = || registry::build(spec, &game, &providers).map_err(CliError::input);
                let (mut white, mut black) = (build()?, build()?);
                let players = [&mut white as _, &mut black as _];
                Ok(harvest.game(&game, players, number, labels))
            }
        }
    }
}

fn games_of_pgn(path: &Path) -> Result<Vec<LabelledGame>, CliError> {
    let text = files::read_text(path)?;
    let games = pgn::read(&text)
        .with_limit(text.len() + 1)
        .of_game(Game::chess());
    Ok(games.flatten().map(LabelledGame::from).collect())
}

fn games_of_journal(path: &Path) -> Result<Vec<LabelledGame>, CliError> {
    let records = journal::read(path).map_err(CliError::input)?;
    let records = records
        .into_iter()
        .map(|game| LabelledGame::from(game.record));
    Ok(records.collect())
}

/// A progress bar on a terminal; hidden elsewhere.
pub(in crate::commands) fn bar(total: u64, what: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}, {eta} left");
    ProgressBar::new(total)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_message(what.to_owned())
}
