//! `foglight verify belief`: laws of the exact belief, checked over many games.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
};

use clap::Args;
use foglight_engine::{belief::BeliefReplay, registry};
use foglight_play::{Agent, GameConfig, Session, Spec, rng::derive, session::play_agents};
use foglight_rules::{ByColor, Color, FogRules, Game, Record};
use foglight_uci::MONOTONIC;
use serde::{Deserialize, Serialize};

use crate::{commands::matches::interrupt_flag, failure::CliError, files, providers};

/// Follows the exact belief of both sides through games between agents, and
/// through recorded games of other programs: at every ply it contains the true
/// position, and its members give the same view and the same moves. A side is
/// followed until its belief exceeds --max-positions positions.
#[derive(Args)]
#[command(
    after_help = "Example:\n  foglight verify belief --games 300 --oracles data/oracles\n  foglight verify belief --games 6 --max-positions 20000"
)]
pub(super) struct VerifyBelief {
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
    threads: u64,

    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Print one JSON object
    #[arg(long)]
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
#[derive(Default, Serialize)]
struct Tally {
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

impl VerifyBelief {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let stop = interrupt_flag()?;
        let mut tallies = Vec::new();
        if self.games > 0 {
            let specs = self.specs()?;
            let name = format!("games of {}", self.agents.join(", "));
            let game = |number| self.agents_game(&specs, number);
            tallies.push(self.follow_all(&name, self.games, &game, &stop));
        }
        if let Some(dir) = &self.oracles {
            for (file, rules) in ORACLES {
                let games = read_oracles(&dir.join(file), Game::fog_with(rules))?;
                let taken: Vec<&Record> = games.iter().step_by(self.stride as usize).collect();
                let game = |number: u64| taken[number as usize].clone();
                tallies.push(self.follow_all(file, taken.len() as u64, &game, &stop));
            }
        }
        self.print(&tallies)?;
        match tallies.iter().all(|tally| tally.faults.is_empty()) {
            true => Ok(()),
            false => Err(CliError::Run(anyhow::anyhow!("the law was broken"))),
        }
    }

    fn specs(&self) -> Result<Vec<Spec>, CliError> {
        let specs = self.agents.iter().map(|agent| {
            let spec: Spec = agent.parse().map_err(CliError::input)?;
            registry::build(&spec, &Game::fog(), &providers::all()).map_err(CliError::input)?;
            Ok(spec)
        });
        specs.collect()
    }

    /// The game with this number: every agent meets every other, and itself,
    /// with both colours.
    fn agents_game(&self, specs: &[Spec], number: u64) -> Record {
        let game = Game::fog();
        let n = specs.len() as u64;
        let pair = [number / n % n, number % n];
        let [mut white, mut black] = pair.map(|i| {
            let built = registry::build(&specs[i as usize], &game, &providers::all());
            built.expect("a spec that was built before")
        });
        let seed = |i| derive(self.seed, 2 * number + i);
        let config = GameConfig {
            agent_seeds: ByColor {
                white: seed(0),
                black: seed(1),
            },
            time: MONOTONIC,
            ..GameConfig::new(game, game.start(), self.seed, 0)
        };
        let session = Session::new(game, game.start(), Some(MAX_PLIES));
        let agents: ByColor<&mut dyn Agent> = ByColor {
            white: &mut white,
            black: &mut black,
        };
        play_agents(session, &config, agents, &|_| false)
    }

    /// Follows all games, on all threads.
    fn follow_all(
        &self,
        name: &str,
        games: u64,
        game: &(dyn Fn(u64) -> Record + Sync),
        stop: &AtomicBool,
    ) -> Tally {
        let next = AtomicU64::new(0);
        let work = || {
            let mut tally = Tally::default();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= games || stop.load(Ordering::Relaxed) {
                    return tally;
                }
                let played = game(number);
                tally.games += 1;
                for side in Color::ALL {
                    tally.add(self.follow(&played, side));
                }
            }
        };
        let mut tally = Tally {
            what: name.to_owned(),
            ..Tally::default()
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..self.threads).map(|_| scope.spawn(work)).collect();
            for worker in workers {
                tally.add(worker.join().expect("a follower does not panic"));
            }
        });
        tally
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

fn read_oracles(path: &Path, game: Game) -> Result<Vec<Record>, CliError> {
    let text = files::read_text(path)?;
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
