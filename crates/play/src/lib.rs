//! The parts that every player and every place of play share: the [`Agent`]
//! interface, its [`Budget`] and [`Report`], names and options of agents, clocks,
//! dice, and [`Session`], the only referee.
//!
//! No code here reads a clock, a file or a random device: time comes from a
//! [`TimeSource`], files and programs from [`Providers`], chance from seeded
//! generators.
#![warn(missing_docs)]

pub mod agent;
pub mod agent_game;
pub mod aliases;
pub mod analyser;
pub mod belief;
pub mod budget;
pub mod clock;
pub mod contract;
pub mod dice;
pub mod endgames;
pub mod entry;
pub mod limits;
pub mod player;
pub mod report;
pub mod rng;
pub mod session;
pub mod spec;
pub mod time;

pub use agent::Agent;
pub use agent_game::AgentGame;
pub use analyser::{Analyser, Analysis, AnalysisLimit};
pub use belief::{Belief, BeliefStanding, Marginals};
pub use budget::{Budget, Clock};
pub use clock::GameClock;
pub use dice::{DiceSource, SeededDice};
pub use endgames::{Endgames, TablebaseResult};
pub use entry::{ConfiguredAgent, Entry, Providers};
pub use limits::{Limits, TimeControl};
pub use player::{Answer, Fault, InProcess, Player};
pub use report::Report;
pub use rng::{Rng, seeded};
pub use session::{GameConfig, GameResult, Next, Session};
pub use spec::{OptionInfo, Options, Spec, SpecError, Values};
pub use time::{Stopwatch, TimeSource};
