//! `foglight verify belief`: laws of the exact belief, checked over many games.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use foglight_arena::{
    queue::{JsonWork, Work},
    remote::agent_repeats,
};
use foglight_engine::{belief::BeliefReplay, registry};
use foglight_play::{Agent, GameConfig, Limits, Session, Spec, rng::derive, session::play_agents};
use foglight_rules::{ByColor, Color, FogRules, Game, Record};
use foglight_uci::MONOTONIC;
use serde::{Deserialize, Serialize};

use crate::{
    commands::{
        cluster::{ClusterArgs, Hands, Host, Listed},
        matches::interrupt_flag,
    },
    failure::CliError,
};

/// Follows the exact belief of both sides through games between agents, and
/// through recorded games of other programs: at every ply it contains the true
/// position, and its members give the same view and the same moves. A side is
/// followed until its belief exceeds --max-positions positions.
#[derive(Args, Clone, Serialize, Deserialize)]
#[command(
    after_help = "Example:\n  foglight verify belief --games 300 --oracles data/oracles\n  foglight verify belief --games 6 --max-positions 20000"
)]
pub(in crate::commands) struct VerifyBelief {
    /// Games between the agents, distributed over all pairs of them
    #[arg(long, default_value_t = 300)]
    games: u64,

    /// The agents; node budgets repeat exactly
    #[arg(long, value_delimiter = ' ', default_values_t = ["greedy".to_owned(), "pbsa:nodes=4000".to_owned(), "thesis".to_owned()])]
    agents: Vec<String>,

    /// The folder of recorded games, as `data/oracles`; none by default
    #[arg(long, value_name = "DIR")]
    oracles: Option<PathBuf>,

    /// Use every n-th recorded game
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    stride: u64,

    /// Maximum size of a belief; beyond it a side is not followed
    #[arg(long, default_value_t = 500_000)]
    max_positions: usize,

    /// Members checked at each ply, spread evenly; all if fewer
    #[arg(long, default_value_t = 1000)]
    sample: usize,

    /// Games at a time
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=256))]
    #[serde(skip)]
    threads: u64,

    #[command(flatten)]
    #[serde(skip)]
    cluster: ClusterArgs,

    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Print one JSON object
    #[arg(long)]
    #[serde(skip)]
    json: bool,
}

/// Recorded games, with their rules.
const ORACLES: [(&str, FogRules); 3] = [
    ("open_spiel_4x4.jsonl.gz", FogRules::OpenSpiel),
    ("open_spiel_8x8.jsonl.gz", FogRules::OpenSpiel),
    ("pyffish_8x8.jsonl.gz", FogRules::PyChess),
];

/// Plies after which a game between agents is abandoned.
const MAX_PLIES: u32 = 400;

/// Counts and violations of a verification.
#[derive(Default, PartialEq, Serialize, Deserialize)]
pub(in crate::commands) struct Tally {
    what: String,
    games: usize,
    sides: usize,
    plies: usize,
    members: usize,
    /// Sides whose belief exceeded the limit.
    passed: usize,
    largest: usize,
    faults: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.games += other.games;
        self.sides += other.sides;
        self.plies += other.plies;
        self.members += other.members;
        self.passed += other.passed;
        self.largest = self.largest.max(other.largest);
        self.faults.extend(other.faults);
    }
}

/// The games of a verification: those of the agents, then the recorded ones.
pub(in crate::commands) struct BeliefGames {
    options: VerifyBelief,
    host: Host,
    specs: Vec<Spec>,
    /// Name and games of each file.
    recorded: Vec<(&'static str, Vec<Record>)>,
}

impl Listed for BeliefGames {
    fn open(options: VerifyBelief, host: Host) -> Result<BeliefGames, CliError> {
        let agents = options.agents.iter();
        let specs = match options.games {
            0 => Vec::new(),
            _ => agents
                .map(|agent| host.spec(agent, &Game::fog()))
                .collect::<Result<_, _>>()?,
        };
        let mut recorded = Vec::new();
        for (file, rules) in ORACLES {
            let Some(dir) = &options.oracles else { break };
            let path = dir.join(file);
            let games = read_oracles(&path, &host.text(&path)?, Game::fog_with(rules))?;
            let taken = games.into_iter().step_by(options.stride as usize);
            recorded.push((file, taken.collect()));
        }
        Ok(BeliefGames {
            options,
            host,
            specs,
            recorded,
        })
    }
}

impl JsonWork for BeliefGames {
    const KIND: &'static str = "verify belief";
    type Options = VerifyBelief;

    fn options(&self) -> &VerifyBelief {
        &self.options
    }

    fn repeats(&self) -> bool {
        let limits = Limits::default();
        self.specs.iter().all(|spec| agent_repeats(spec, &limits))
    }

    fn same(&self, one: &Tally, other: &Tally) -> bool {
        one == other
    }
}

impl Work for BeliefGames {
    type Output = Tally;
    type Tools = ();

    fn tools(&self) {}

    fn do_item(&self, item: u64, (): &mut (), _: &dyn Fn() -> bool) -> Option<Tally> {
        let mut tally = Tally {
            games: 1,
            ..Tally::default()
        };
        let (file, number) = self.place(item);
        let played = match file {
            None => self.agents_game(number),
            Some(file) => self.recorded[file].1[number as usize].clone(),
        };
        for side in Color::ALL {
            tally.add(self.options.follow(&played, side));
        }
        Some(tally)
    }
}

impl BeliefGames {
    fn len(&self) -> u64 {
        let recorded = self.recorded.iter().map(|(_, games)| games.len() as u64);
        self.options.games + recorded.sum::<u64>()
    }

    /// The file of an item, if it is a recorded game, and the number within.
    fn place(&self, item: u64) -> (Option<usize>, u64) {
        let Some(mut number) = item.checked_sub(self.options.games) else {
            return (None, item);
        };
        for (file, (_, games)) in self.recorded.iter().enumerate() {
            match number.checked_sub(games.len() as u64) {
                None => return (Some(file), number),
                Some(rest) => number = rest,
            }
        }
        unreachable!("an item of the list")
    }

    /// The game with this number: every agent meets every other, and itself,
    /// with both colours.
    fn agents_game(&self, number: u64) -> Record {
        let (game, specs) = (Game::fog(), &self.specs);
        let n = specs.len() as u64;
        let pair = [number / n % n, number % n];
        let [mut white, mut black] = pair.map(|i| {
            let built = registry::build(&specs[i as usize], &game, self.host.providers());
            built.expect("a spec that was built before")
        });
        let seed = |i| derive(self.options.seed, 2 * number + i);
        let config = GameConfig {
            agent_seeds: ByColor {
                white: seed(0),
                black: seed(1),
            },
            time: MONOTONIC,
            ..GameConfig::new(game, game.start(), self.options.seed, 0)
        };
        let session = Session::new(game, game.start(), Some(MAX_PLIES));
        let agents: ByColor<&mut dyn Agent> = ByColor {
            white: &mut white,
            black: &mut black,
        };
        play_agents(session, &config, agents, &|_| false)
    }
}

impl VerifyBelief {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let stop = interrupt_flag()?;
        let host = Host::here(self.cluster.url.is_some());
        let games = BeliefGames::open(self.clone(), host)?;
        let files = || Ok(games.host.files());
        let title = "verify belief".to_owned();
        let hands = Hands::open(&self.cluster, self.threads as usize, title, files)?;
        let mut done = BTreeMap::new();
        hands.each(&games, 0..games.len(), &stop, |item, tally| {
            done.insert(item, tally);
            Ok(())
        })?;
        let mut tallies: BTreeMap<Option<usize>, Tally> = BTreeMap::new();
        for (item, tally) in done {
            tallies.entry(games.place(item).0).or_default().add(tally);
        }
        for (file, tally) in &mut tallies {
            tally.what = match file {
                None => format!("games of {}", self.agents.join(", ")),
                Some(file) => games.recorded[*file].0.to_owned(),
            };
        }
        let tallies: Vec<Tally> = tallies.into_values().collect();
        self.print(&tallies)?;
        match tallies.iter().all(|tally| tally.faults.is_empty()) {
            true => Ok(()),
            false => Err(CliError::Run(anyhow::anyhow!("the law was broken"))),
        }
    }

    /// Follows one side through a game.
    fn follow(&self, played: &Record, side: Color) -> Tally {
        let mut tally = Tally {
            sides: 1,
            ..Tally::default()
        };
        let mut replay = played.replay();
        let mut trace = BeliefReplay::new(replay.state(), side, None, 0);
        while let Some(Ok(_)) = replay.step() {
            let state = replay.state();
            let followed = trace.follow(state);
            let row = trace.row(state);
            let fault = match followed {
                Err(error) => Some(error.to_string()),
                Ok(()) if !row.truth => Some("the true position is missing".to_owned()),
                Ok(()) if !trace.is_honest(state, self.sample) => {
                    Some("a member looks different".to_owned())
                }
                Ok(()) => None,
            };
            if let Some(fault) = fault {
                let fen = state.game().fen(state.position());
                tally.faults.push(format!("{side:?}, {fen}: {fault}"));
                break;
            }
            tally.plies += 1;
            tally.members += row.count;
            tally.largest = tally.largest.max(row.count);
            if row.count > self.max_positions {
                tally.passed += 1;
                break;
            }
        }
        tally
    }

    fn print(&self, tallies: &[Tally]) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        if self.json {
            let text = serde_json::to_string(tallies).map_err(|e| CliError::Run(e.into()))?;
            writeln!(out, "{text}")?;
            return Ok(());
        }
        for tally in tallies {
            writeln!(
                out,
                "{}: {} games, {} sides, {} plies followed, {} positions believed in all, {} sides passed {}, {} faults",
                tally.what,
                tally.games,
                tally.sides,
                tally.plies,
                tally.members,
                tally.passed,
                self.max_positions,
                tally.faults.len()
            )?;
            for fault in &tally.faults {
                writeln!(out, "    FAULT {fault}")?;
            }
        }
        Ok(())
    }
}

/// A recorded game, in its file format.
#[derive(Deserialize)]
struct OracleGame {
    start: String,
    plies: Vec<OraclePly>,
}

#[derive(Deserialize)]
struct OraclePly {
    #[serde(rename = "move")]
    played: String,
}

fn read_oracles(path: &Path, text: &str, game: Game) -> Result<Vec<Record>, CliError> {
    let wrong = |line: usize, error: &dyn std::fmt::Display| {
        CliError::input(format!("{}, line {}: {error}", path.display(), line + 1))
    };
    let mut games = Vec::new();
    for (line, text) in text.lines().enumerate() {
        let oracle: OracleGame = serde_json::from_str(text).map_err(|e| wrong(line, &e))?;
        let position = game.parse_fen(&oracle.start).map_err(|e| wrong(line, &e))?;
        let moves = oracle.plies.iter().map(|ply| ply.played.as_str());
        let record = Record::parse(game, position, moves);
        games.push(record.map_err(|e| wrong(line, &e))?);
    }
    Ok(games)
}
