//! The one list of agents, and how a name becomes a player.

use std::{sync::Arc, time::Duration};

use foglight_rules::{Color, Game, Move, Observation, Record, Variant};

use crate::{
    agent::Agent,
    agents,
    belief::ExactBelief,
    budget::Budget,
    judge::Judge,
    report::Report,
    spec::{OptionInfo, Options, Spec, SpecError},
    tablebase::OpenTables,
};

/// Reads a file by its path.
pub type ReadFile = dyn Fn(&str) -> std::io::Result<Vec<u8>> + Send + Sync;

/// Starts a judge from outside.
pub type StartJudge = dyn Fn() -> Result<Arc<dyn Judge>, String> + Send + Sync;

/// What [`Entry::build`] gives.
pub type Built = Result<Box<dyn Agent>, SpecError>;

/// What agents may need from outside: programs and files that this crate,
/// which does no input or output, cannot open itself.
#[derive(Clone, Default)]
pub struct Providers {
    /// Reads a file that an option names.
    pub read: Option<Arc<ReadFile>>,
    /// Starts Stockfish, or says why it cannot. Called once by each agent that
    /// wants it.
    pub stockfish: Option<Arc<StartJudge>>,
    /// Opens a folder of endgame tables that an option names.
    pub tables: Option<Arc<OpenTables>>,
}

/// An agent of the registry.
pub struct Entry {
    /// The name.
    pub name: &'static str,
    /// One line of what it is.
    pub about: &'static str,
    /// Its own options.
    pub options: &'static [OptionInfo],
    /// Does it play this game?
    pub plays: fn(&Game) -> bool,
    /// Makes one.
    pub build: fn(&Options, &Providers) -> Built,
}

/// Every agent. To add one: a file in `agents/` and a line here.
pub const AGENTS: &[Entry] = &[
    agents::random::ENTRY,
    agents::greedy::ENTRY,
    agents::ensemble::ENTRY,
    agents::classic::ENTRY,
    agents::goal::ENTRY,
    agents::expectiminimax::ENTRY,
    agents::mcts::ENTRY,
    agents::dice::ENTRY,
    agents::ubsa::ENTRY,
    agents::pbsa::ENTRY,
    agents::thesis::ENTRY,
    agents::qmdp::ENTRY,
    agents::pomcp::ENTRY,
    agents::despot::ENTRY,
    agents::metaposition::ENTRY,
    agents::foglight::ENTRY,
];

/// The entry with a name, or an error that lists the valid ones.
pub fn find(name: &str) -> Result<&'static Entry, SpecError> {
    AGENTS
        .iter()
        .find(|entry| entry.name == name)
        .ok_or_else(|| {
            let names: Vec<&str> = AGENTS.iter().map(|entry| entry.name).collect();
            SpecError::Agent {
                name: name.to_owned(),
                valid: names.join(", "),
            }
        })
}

/// The agent that plays a game best, by the matches of docs/chess.md,
/// docs/dice.md and docs/strength.md.
pub fn strongest(game: &Game) -> Spec {
    let text = match game.variant() {
        Variant::Dice1 | Variant::Dice3 => "dice",
        Variant::Fog(_) if !Color::ALL.into_iter().all(|side| game.sees_all(side)) => "foglight",
        Variant::Chess | Variant::Fog(_) => "classic:eval=network",
    };
    text.parse().expect("an agent")
}

/// Checks that a spec names an agent and only options that it has, whatever
/// the game.
pub fn check(spec: &Spec) -> Result<(), SpecError> {
    Options::check(spec, find(&spec.name)?.options).map(drop)
}

/// Builds the agent that a spec names, for a game.
pub fn build(spec: &Spec, game: &Game, providers: &Providers) -> Result<Player, SpecError> {
    let entry = find(&spec.name)?;
    let options = Options::check(spec, entry.options)?;
    if !(entry.plays)(game) {
        let mut plays: Vec<&str> = Game::ALL
            .iter()
            .filter(|game| (entry.plays)(game))
            .map(Game::name)
            .collect();
        plays.dedup();
        return Err(SpecError::Game {
            agent: spec.name.clone(),
            game: game.to_string(),
            plays: plays.join(", "),
        });
    }
    Ok(Player {
        movetime: options.whole("ms").map(Duration::from_millis),
        nodes: options.whole("nodes"),
        threads: options.whole("threads").unwrap_or(1) as usize,
        seed: options.whole("seed"),
        agent: (entry.build)(&options, providers)?,
    })
}

/// An agent with the limits that its spec sets. Limits of the spec come before
/// those of a match.
pub struct Player {
    agent: Box<dyn Agent>,
    movetime: Option<Duration>,
    nodes: Option<u64>,
    threads: usize,
    seed: Option<u64>,
}

impl Agent for Player {
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

    fn belief(&self) -> Option<&ExactBelief> {
        self.agent.belief()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use foglight_rules::{Action, State, Turn};

    use super::*;

    #[test]
    fn every_game_has_a_strongest_agent() {
        for game in Game::ALL {
            assert!(build(&strongest(&game), &game, &Providers::default()).is_ok());
        }
        assert_eq!(
            strongest(&Game::chess()).to_string(),
            "classic:eval=network"
        );
        assert_eq!(strongest(&Game::fog()).to_string(), "foglight");
        assert_eq!(strongest(&Game::dice1()).to_string(), "dice");
        assert_eq!(strongest(&Game::dice3()).to_string(), "dice");
    }

    /// A count of nodes that would take minutes ends with the time all the same.
    #[test]
    fn no_agent_takes_longer_than_the_longest() {
        for entry in AGENTS {
            let mut games = Game::ALL.into_iter();
            let game = games.find(|game| (entry.plays)(game)).expect("a game");
            let mut state = State::start(game);
            if state.turn() == Turn::Chance {
                let (roll, _) = game.chance(state.position())[0];
                state.play(Action::Roll(roll)).expect("a roll");
            }
            let spec = format!("{}:nodes=1000000000", entry.name);
            let spec = spec.parse().expect("a spec");
            let mut agent = build(&spec, &game, &Providers::default()).expect("an agent");
            agent.start(&game, Color::White, 1);
            let mut budget = Budget::default();
            budget.longest = Some(Duration::from_millis(20));
            let began = Instant::now();
            agent.act(&state.observe(Color::White), &budget);
            let spent = began.elapsed();
            assert!(spent < Duration::from_secs(20), "{} {spent:?}", entry.name);
        }
    }
}
