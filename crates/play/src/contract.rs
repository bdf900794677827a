//! Test harness for the contract of [`Agent`]: [`check`] is for authors of bots,
//! [`CheckedAgent`] for authors of drivers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use foglight_rules::{Action, Color, Game, Move, Observation, Position, Record};
use rand::{Rng as _, seq::IndexedRandom};

use crate::{
    agent::Agent,
    belief::Belief,
    budget::Budget,
    dice::weighted,
    report::Report,
    rng::seeded,
    session::{Next, Session},
};

/// Conditions in which an agent is checked.
pub struct Trial {
    /// The rules of the game.
    pub game: Game,
    /// The starting position of the games.
    pub start: Position,
    /// Node limit of a move; not time, so that games are reproducible.
    pub nodes: u64,
    /// Plies after which a game is stopped.
    pub plies: u32,
}

/// Violation of the contract by an agent.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Breach {
    /// The agent chose a move that is not legal.
    #[error("{0} is not legal; expected one of the observation's moves")]
    Illegal(Move),
    /// The agent's moves differ from those of a fresh agent with the same seed.
    #[error("{after}, expected {expected:?}, got {got:?}: `start` must reset everything")]
    Memory {
        /// The agent's history before the game.
        after: &'static str,
        /// The moves of a fresh agent.
        expected: Vec<Move>,
        /// The moves of this agent.
        got: Vec<Move>,
    },
}

/// Checks an agent against the contract, with both colours: its moves are legal;
/// the same seed gives the same moves, from a fresh agent and from one that has
/// played, was interrupted, or was started twice; `end` may come at any time.
pub fn check(make: &mut dyn FnMut() -> Box<dyn Agent>, trial: &Trial) -> Result<(), Breach> {
    for side in Color::ALL {
        let expected = trial.play(make().as_mut(), side, 1, true)?;
        let mut agent = make();
        let agent = agent.as_mut();
        let again = |agent: &mut dyn Agent, after| {
            let got = trial.play(agent, side, 1, true)?;
            match got == expected {
                true => Ok(()),
                false => Err(Breach::Memory {
                    after,
                    expected: expected.clone(),
                    got,
                }),
            }
        };
        again(agent, "in its first game")?;
        trial.play(agent, !side, 2, true)?;
        again(agent, "after a game with the other colour")?;
        trial.play(agent, side, 3, false)?;
        again(agent, "after a game without an end")?;
        agent.start(&trial.game, !side, 4);
        again(agent, "after a start alone")?;
        agent.start(&trial.game, side, 5);
        agent.end(&Session::new(trial.game, trial.start, None).record());
        again(agent, "after a game that ended before it was seen")?;
    }
    Ok(())
}

impl Trial {
    /// The agent's moves in a game against a random player.
    fn play(
        &self,
        agent: &mut dyn Agent,
        side: Color,
        seed: u64,
        ends: bool,
    ) -> Result<Vec<Move>, Breach> {
        let mut rng = seeded(seed);
        let mut session = Session::new(self.game, self.start, None);
        agent.start(&self.game, side, seed);
        agent.see(session.observation(side));
        let mut moves = Vec::new();
        while session.state().plies() < self.plies {
            let action = match session.next() {
                Next::Over(_) => break,
                Next::Roll(_) => Action::Roll(weighted(&session.chances(), rng.random())),
                Next::Ask(asked) if asked == side => {
                    let m = agent.act(session.observation(side), &Budget::nodes(self.nodes));
                    session.check(side, m).map_err(|_| Breach::Illegal(m))?;
                    moves.push(m);
                    Action::Move(m)
                }
                Next::Ask(other) => {
                    let moves = session.observation(other).legal_moves();
                    Action::Move(*moves.choose(&mut rng).expect("a move to make"))
                }
            };
            session.apply(action);
            agent.see(session.observation(side));
        }
        if ends {
            agent.end(&session.record());
        }
        Ok(moves)
    }
}

/// Log of the calls to the agents that share it.
#[derive(Clone, Default)]
pub struct CallLog(Arc<Mutex<Calls>>);

#[derive(Default)]
struct Calls {
    games: usize,
    running: usize,
    breaches: Vec<String>,
}

impl CallLog {
    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn breach(&self, text: impl Into<String>) {
        self.calls().breaches.push(text.into());
    }

    /// Number of games played to their `end`, counted once per agent.
    pub fn games(&self) -> usize {
        self.calls().games
    }

    /// Calls out of order, and games without `end`.
    pub fn breaches(&self) -> Vec<String> {
        let calls = self.calls();
        let mut breaches = calls.breaches.clone();
        if calls.running > 0 {
            breaches.push(format!("{} games without an `end`", calls.running));
        }
        breaches
    }
}

/// Wrapper that logs whether the driver of an agent follows the order of calls:
/// one `see` after `start` and after every action, `act` with the last
/// observation, `end` once.
pub struct CheckedAgent<A> {
    agent: A,
    log: CallLog,
    game: Option<Seen>,
}

struct Seen {
    side: Color,
    times: usize,
    last: Option<Observation>,
}

impl<A: Agent> CheckedAgent<A> {
    /// Wraps an agent to check its driver.
    pub fn new(agent: A, log: &CallLog) -> CheckedAgent<A> {
        let (log, game) = (log.clone(), None);
        CheckedAgent { agent, log, game }
    }
}

impl<A: Agent> Agent for CheckedAgent<A> {
    fn start(&mut self, game: &Game, side: Color, seed: u64) {
        match self.game.is_some() {
            true => self.log.breach("`start` in a game that was not ended"),
            false => self.log.calls().running += 1,
        }
        self.game = Some(Seen {
            side,
            times: 0,
            last: None,
        });
        self.agent.start(game, side, seed);
    }

    fn see(&mut self, observation: &Observation) {
        match &mut self.game {
            None => self.log.breach("`see` outside of a game"),
            Some(seen) if seen.side != observation.side() => {
                self.log.breach("`see` with what the other side sees");
            }
            Some(seen) => {
                seen.times += 1;
                seen.last = Some(observation.clone());
            }
        }
        self.agent.see(observation);
    }

    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move {
        let last = self.game.as_ref().and_then(|seen| seen.last.as_ref());
        if last != Some(observation) {
            self.log.breach("`act` with what was not seen last");
        }
        if observation.legal_moves().is_empty() {
            self.log.breach("`act` without a move to choose");
        }
        self.agent.act(observation, budget)
    }

    fn end(&mut self, record: &Record) {
        match self.game.take() {
            None => self.log.breach("`end` outside of a game"),
            Some(seen) => {
                let expected = record.actions.len() + 1;
                if seen.times != expected {
                    let text = format!("{} times `see`, expected {expected}", seen.times);
                    self.log.breach(text);
                }
                let mut calls = self.log.calls();
                calls.running -= 1;
                calls.games += 1;
            }
        }
        self.agent.end(record);
    }

    fn report(&self) -> Option<Report> {
        self.agent.report()
    }

    fn belief(&self) -> Option<&dyn Belief> {
        self.agent.belief()
    }
}

#[cfg(test)]
mod tests {
    use foglight_rules::ByColor;

    use super::*;
    use crate::{AgentGame, GameConfig, session::play_agents};

    /// Its moves depend on the number of games started, unless it forgets.
    #[derive(Default)]
    struct Forgetful {
        forgets: bool,
        started: usize,
    }

    impl Agent for Forgetful {
        fn start(&mut self, _: &Game, _: Color, _: u64) {
            self.started = if self.forgets { 0 } else { self.started + 1 };
        }

        fn act(&mut self, observation: &Observation, _: &Budget) -> Move {
            observation.legal_moves()[self.started % observation.legal_moves().len()]
        }
    }

    struct Cheat;

    impl Agent for Cheat {
        fn act(&mut self, observation: &Observation, _: &Budget) -> Move {
            observation.game().legal_moves(&observation.game().start())[0]
        }
    }

    fn trial() -> Trial {
        let game = Game::fog();
        Trial {
            game,
            start: game.start(),
            nodes: 1,
            plies: 6,
        }
    }

    #[test]
    fn what_is_remembered_or_illegal_is_found() {
        let mut forgets = || {
            Box::new(Forgetful {
                forgets: true,
                started: 0,
            }) as Box<dyn Agent>
        };
        assert_eq!(check(&mut forgets, &trial()), Ok(()));
        let mut remembers = || Box::new(Forgetful::default()) as Box<dyn Agent>;
        let found = check(&mut remembers, &trial());
        assert!(matches!(found, Err(Breach::Memory { .. })), "{found:?}");
        let mut cheats = || Box::new(Cheat) as Box<dyn Agent>;
        assert!(matches!(
            check(&mut cheats, &trial()),
            Err(Breach::Illegal(_))
        ));
    }

    fn pair(log: &CallLog) -> [CheckedAgent<Forgetful>; 2] {
        [0, 1].map(|_| CheckedAgent::new(Forgetful::default(), log))
    }

    #[test]
    fn our_drivers_keep_the_order() {
        let log = CallLog::default();
        for game in Game::ALL {
            let [mut white, mut black] = pair(&log);
            let session = Session::new(game, game.start(), Some(30));
            let config = GameConfig::new(game, game.start(), 3, 0);
            let agents = ByColor::<&mut dyn Agent> {
                white: &mut white,
                black: &mut black,
            };
            play_agents(session, &config, agents, &|_| false);
        }
        assert_eq!(log.breaches(), Vec::<String>::new());
        assert_eq!(log.games(), 2 * Game::ALL.len());
    }

    #[test]
    fn what_a_driver_leaves_out_is_found() {
        let game = Game::fog();
        let start = |log: &CallLog| {
            let mut agent = CheckedAgent::new(Forgetful::default(), log);
            agent.start(&game, Color::White, 1);
            agent
        };
        let mut session = Session::new(game, game.start(), None);
        let log = CallLog::default();
        start(&log);
        assert_eq!(log.breaches(), ["1 games without an `end`"]);
        let log = CallLog::default();
        let mut agent = start(&log);
        let first = session.observation(Color::White).clone();
        let m = agent.act(&first, &Budget::default());
        agent.see(&first);
        session.apply(Action::Move(m));
        agent.end(&session.record());
        let expected = [
            "`act` with what was not seen last",
            "1 times `see`, expected 2",
        ];
        assert_eq!(log.breaches(), expected);
        agent.see(&first);
        assert_eq!(log.breaches().len(), 3);
        let log = CallLog::default();
        let [mut white, mut black] = pair(&log);
        let agents = ByColor::<&mut dyn Agent> {
            white: &mut white,
            black: &mut black,
        };
        let seeds = ByColor { white: 1, black: 2 };
        AgentGame::start(
            Session::resume(session.state().clone(), None),
            agents,
            seeds,
        )
        .end();
        assert_eq!(log.breaches(), Vec::<String>::new());
    }
}
