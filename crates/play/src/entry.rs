//! Entries of the agent registry, and the external resources of agents.

use std::{sync::Arc, time::Duration};

use foglight_rules::{Color, Game, Move, Observation, Record};

use crate::{
    agent::Agent,
    analyser::Analyser,
    belief::Belief,
    budget::Budget,
    endgames::OpenTables,
    report::Report,
    spec::{OptionInfo, Options, SpecError},
    time::TimeSource,
};

/// Reads a file by its path.
pub type ReadFile = dyn Fn(&str) -> std::io::Result<Vec<u8>> + Send + Sync;

/// Starts an external analyser.
pub type StartAnalyser = dyn Fn() -> Result<Arc<dyn Analyser>, String> + Send + Sync;

/// Result of [`Entry::build`]: an agent, or the error of its spec.
pub type Built = Result<Box<dyn Agent>, SpecError>;

/// External programs, files and the clock, which agents cannot open themselves.
#[derive(Clone, Default)]
pub struct Providers {
    /// Reads a file that an option names.
    pub read: Option<Arc<ReadFile>>,
    /// Starts Stockfish, or returns why it cannot. Called once by each agent that
    /// uses it.
    pub stockfish: Option<Arc<StartAnalyser>>,
    /// Opens a folder of endgame tables that an option names.
    pub tables: Option<Arc<OpenTables>>,
    /// The clock with which agents measure time outside of a move.
    pub time: TimeSource,
    /// Bytes that the search tree of an agent may take; no limit if `None`.
    pub tree: Option<usize>,
}

/// Registry entry of an agent.
pub struct Entry {
    /// The name in specs.
    pub name: &'static str,
    /// One line of description.
    pub about: &'static str,
    /// Options that only this agent has.
    pub options: &'static [OptionInfo],
    /// Whether it plays a game.
    pub plays: fn(&Game) -> bool,
    /// Builds an agent from its options.
    pub build: fn(&Options, &Providers) -> Built,
}

impl Entry {
    /// Names of the games that it plays.
    pub fn games(&self) -> Vec<&'static str> {
        let played = Game::ALL.iter().filter(|game| (self.plays)(game));
        let mut names: Vec<&str> = played.map(Game::name).collect();
        names.dedup();
        names
    }

    /// Builds the agent with these options, for a game.
    pub fn configure(
        &self,
        options: &Options,
        game: &Game,
        providers: &Providers,
    ) -> Result<ConfiguredAgent, SpecError> {
        if !(self.plays)(game) {
            return Err(SpecError::Game {
                agent: self.name.to_owned(),
                game: game.to_string(),
                plays: self.games().join(", "),
            });
        }
        Ok(ConfiguredAgent {
            movetime: options.whole("ms").map(Duration::from_millis),
            nodes: options.whole("nodes"),
            threads: options.whole("threads").unwrap_or(1) as usize,
            seed: options.whole("seed"),
            agent: (self.build)(options, providers)?,
        })
    }
}

/// An agent with the limits of its spec, which override those of a match.
pub struct ConfiguredAgent {
    agent: Box<dyn Agent>,
    movetime: Option<Duration>,
    nodes: Option<u64>,
    threads: usize,
    seed: Option<u64>,
}

impl Agent for ConfiguredAgent {
    fn start(&mut self, game: &Game, side: Color, seed: u64) {
        self.agent.start(game, side, self.seed.unwrap_or(seed));
    }

    fn see(&mut self, observation: &Observation) {
        self.agent.see(observation);
    }

    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move {
        let mut budget = budget.clone();
        if self.movetime.is_some() || self.nodes.is_some() {
            (budget.movetime, budget.nodes) = (self.movetime, self.nodes);
        }
        budget.threads = budget.threads.max(self.threads);
        self.agent.act(observation, &budget)
    }

    fn end(&mut self, record: &Record) {
        self.agent.end(record);
    }

    fn report(&self) -> Option<Report> {
        self.agent.report()
    }

    fn belief(&self) -> Option<&dyn Belief> {
        self.agent.belief()
    }
}
