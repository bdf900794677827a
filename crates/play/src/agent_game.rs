//! A game of two agents whose driver decides who moves.

use foglight_rules::{Action, ByColor, Color, Move, Record};

use crate::{agent::Agent, budget::Budget, session::Session};

/// Two agents at a session: they get their calls in the order of [`Agent`],
/// also where the driver plays moves of its own.
pub struct AgentGame<'a> {
    session: Session,
    agents: ByColor<&'a mut dyn Agent>,
}

impl<'a> AgentGame<'a> {
    /// Starts both agents, each with its seed, and shows them the first
    /// observation.
    pub fn start(
        session: Session,
        mut agents: ByColor<&'a mut dyn Agent>,
        seeds: ByColor<u64>,
    ) -> AgentGame<'a> {
        for side in Color::ALL {
            let agent = agents.get_mut(side);
            agent.start(session.state().game(), side, *seeds.get(side));
            agent.see(session.observation(side));
        }
        AgentGame { session, agents }
    }

    /// The game.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The move that an agent chooses, which is not played yet.
    pub fn ask(&mut self, side: Color, budget: &Budget) -> Move {
        let observation = self.session.observation(side);
        self.agents.get_mut(side).act(observation, budget)
    }

    /// Does what is legal and shows both agents what they may see of it.
    pub fn apply(&mut self, action: Action) {
        self.session.apply(action);
        for side in Color::ALL {
            let observation = self.session.observation(side);
            self.agents.get_mut(side).see(observation);
        }
    }

    /// Tells both agents that the game is over.
    pub fn end(mut self) -> Record {
        let record = self.session.record();
        for side in Color::ALL {
            self.agents.get_mut(side).end(&record);
        }
        record
    }
}
