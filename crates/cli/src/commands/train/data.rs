//! `foglight train data`: labelled positions of fog games, or of recorded
//! games.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, IsTerminal as _, Write as _},
    path::PathBuf,
    sync::Arc,
    time::Instant,
};

use clap::{Args, ValueEnum};
use foglight_arena::{
    queue::{InOrder, JsonWork, Work},
    record::GameRecord,
    remote::agent_repeats,
};
use foglight_engine::{dice::PieceSquareValues, registry};
use foglight_play::{Analyser, Limits, Spec};
use foglight_rules::{Game, PackedPosition, notation::pgn};
use foglight_train::network::{
    NetworkExample,
    datagen::{DataGen, LabelledGame, Labels},
    dice_datagen::DiceDataGen,
};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use crate::{
    commands::{
        cluster::{ClusterArgs, Hands, Host, Listed},
        matches::interrupt_flag,
    },
    failure::CliError,
};

/// Method that labels positions.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
enum Label {
    /// Stockfish at depth 1, every move
    Stockfish,
    /// Our own search
    Search,
}

/// Plays fog games, or reads games, and labels their positions and the worlds
/// of their beliefs.
#[derive(Args, Clone, Serialize, Deserialize)]
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
    #[serde(skip)]
    threads: usize,

    #[command(flatten)]
    #[serde(skip)]
    cluster: ClusterArgs,

    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Output file of the examples
    #[arg(long)]
    #[serde(skip)]
    out: PathBuf,

    /// Resume an existing file
    #[arg(long)]
    #[serde(skip)]
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

/// Games whose positions are labelled.
pub(in crate::commands) struct DataGames {
    options: TrainData,
    source: Source,
    host: Host,
}

/// The examples of a game as bytes, in hexadecimal digits; or the failure.
type Labelled = Result<String, String>;

/// A labeller: an external engine, or none.
type Labeller = Option<Arc<dyn Analyser>>;

impl Listed for DataGames {
    fn open(options: TrainData, host: Host) -> Result<DataGames, CliError> {
        let source = options.source(&host)?;
        options.labeller(&host)?;
        Ok(DataGames {
            options,
            source,
            host,
        })
    }
}

impl JsonWork for DataGames {
    const KIND: &'static str = "train data";
    type Options = TrainData;

    fn options(&self) -> &TrainData {
        &self.options
    }

    fn repeats(&self) -> bool {
        let limits = Limits {
            nodes: Some(self.options.nodes),
            ..Limits::default()
        };
        let players = match &self.source {
            Source::Played(spec) => agent_repeats(spec, &limits),
            Source::Rolled | Source::Recorded(_) => true,
        };
        players && self.options.label == Label::Search
    }

    fn check(&self, item: u64, labelled: &Labelled) -> Result<(), String> {
        let Ok(digits) = labelled else { return Ok(()) };
        let examples = NetworkExample::read(&bytes_of(digits)?).map_err(|e| e.to_string())?;
        match examples
            .iter()
            .all(|example| u64::from(example.game) == item)
        {
            true => Ok(()),
            false => Err("examples of another game".to_owned()),
        }
    }

    fn same(&self, one: &Labelled, other: &Labelled) -> bool {
        one == other
    }
}

impl Work for DataGames {
    type Output = Labelled;
    type Tools = Option<Labeller>;

    fn tools(&self) -> Option<Labeller> {
        None
    }

    fn do_item(
        &self,
        item: u64,
        labeller: &mut Option<Labeller>,
        _: &dyn Fn() -> bool,
    ) -> Option<Labelled> {
        let examples = self.examples(item as u32, labeller);
        let digits = examples.map(|examples| {
            let bytes = examples.iter().flat_map(NetworkExample::to_bytes);
            bytes.map(|byte| format!("{byte:02x}")).collect()
        });
        Some(digits.map_err(|error| error.to_string()))
    }
}

impl DataGames {
    fn len(&self) -> u32 {
        match &self.source {
            Source::Played(_) | Source::Rolled => self.options.games,
            Source::Recorded(records) => records.len() as u32,
        }
    }

    fn examples(
        &self,
        number: u32,
        labeller: &mut Option<Labeller>,
    ) -> Result<Vec<NetworkExample>, CliError> {
        let options = &self.options;
        if labeller.is_none() {
            *labeller = Some(options.labeller(&self.host)?);
        }
        let labels = match labeller.as_ref() {
            Some(Some(analyser)) => Labels::Outside(analyser.as_ref()),
            _ => Labels::Search(options.label_nodes),
        };
        let harvest = DataGen {
            nodes: options.nodes,
            worlds: options.worlds,
            children: options.children,
            noisy: options.noisy.clamp(0.0, 1.0),
            random_plies: options.random_plies,
            seed: options.seed,
            ..DataGen::default()
        };
        match &self.source {
            Source::Recorded(records) => {
                let record = &records[number as usize];
                Ok(harvest.record(record, options.positions, number, &labels))
            }
            Source::Rolled => {
                let rolls = DiceDataGen {
                    nodes: options.nodes,
                    seed: options.seed,
                    ..DiceDataGen::default()
                };
                Ok(rolls.game(PieceSquareValues::default_values(), number))
            }
            Source::Played(spec) => {
                let (game, providers) = (Game::fog(), self.host.providers());
                let build = || registry::build(spec, &game, providers).map_err(CliError::input);
                let (mut white, mut black) = (build()?, build()?);
                let players = [&mut white as _, &mut black as _];
                Ok(harvest.game(&game, players, number, &labels))
            }
        }
    }
}

/// The bytes of hexadecimal digits.
fn bytes_of(digits: &str) -> Result<Vec<u8>, String> {
    let wrong = || "expected hexadecimal digits".to_owned();
    let pairs = digits.as_bytes().chunks(2);
    pairs
        .map(|pair| {
            let text = std::str::from_utf8(pair)
                .ok()
                .filter(|text| text.len() == 2);
            text.and_then(|text| u8::from_str_radix(text, 16).ok())
                .ok_or_else(wrong)
        })
        .collect()
}

impl TrainData {
    /// Plays or reads, labels and writes, several games at a time; the games are
    /// written in their order.
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let stop = interrupt_flag()?;
        let list = DataGames::open(self.clone(), Host::here(self.cluster.url.is_some()))?;
        let files = || Ok(list.host.files());
        let title = "train data".to_owned();
        let hands = Hands::open(&self.cluster, self.threads.max(1), title, files)?;
        let (games, (first, mut known)) = (list.len(), self.begin()?);
        let (before, start) = (known.len(), Instant::now());
        let mut file = File::options().append(true).create(true).open(&self.out)?;
        let bar = bar(u64::from(games), "games");
        bar.set_position(u64::from(first));
        let mut order = InOrder::from(u64::from(first));
        let items = u64::from(first)..u64::from(games);
        hands.each(&list, items, &stop, |item, labelled| {
            let digits = labelled.map_err(|why| CliError::Run(anyhow::anyhow!(why)))?;
            for (_, digits) in order.add(item, digits) {
                let bytes = bytes_of(&digits).map_err(CliError::input)?;
                let examples = NetworkExample::read(&bytes).map_err(CliError::input)?;
                let new = examples.iter().filter(|e| known.insert(e.packed));
                let bytes: Vec<u8> = new.flat_map(NetworkExample::to_bytes).collect();
                file.write_all(&bytes)?;
                bar.inc(1);
            }
            Ok(())
        })?;
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

    fn source(&self, host: &Host) -> Result<Source, CliError> {
        if self.dice {
            return Ok(Source::Rolled);
        }
        let (path, games) = match (&self.pgn, &self.journal) {
            (Some(path), _) => (path, games_of_pgn(&host.text(path)?)),
            (None, Some(path)) => (path, games_of_journal(host.games(path)?)),
            (None, None) => return Ok(Source::Played(host.spec(&self.agent, &Game::fog())?)),
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

    fn labeller(&self, host: &Host) -> Result<Labeller, CliError> {
        if self.label == Label::Search || self.dice {
            return Ok(None);
        }
        let start = host.providers().stockfish.as_ref();
        let missing =
            || CliError::input("Stockfish is not allowed here; expected -allow stockfish");
        let started = start.ok_or_else(missing)?();
        started
            .map(Some)
            .map_err(|reason| CliError::Run(anyhow::anyhow!(reason)))
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
}

fn games_of_pgn(text: &str) -> Vec<LabelledGame> {
    let games = pgn::read(text)
        .with_limit(text.len() + 1)
        .of_game(Game::chess());
    games.flatten().map(LabelledGame::from).collect()
}

fn games_of_journal(games: Vec<GameRecord>) -> Vec<LabelledGame> {
    let records = games.into_iter();
    records
        .map(|game| LabelledGame::from(game.record))
        .collect()
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
