//! A game of two agents whose driver chooses the actions.

use foglight_rules::{Action, ByColor, Color, Move, Record};

use crate::{agent::Agent, budget::Budget, session::Session};

/// Two agents in a session. They get their calls in the order that [`Agent`]
/// documents, even where the driver plays its own moves.
pub struct AgentGame<'a> {
    session: Session,
    agents: ByColor<&'a mut dyn Agent>,
}

impl<'a> AgentGame<'a> {
    /// Starts both agents, each with its seed, and sends the first observation.
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

    /// The session being played.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Returns the move that an agent chooses, without playing it.
    pub fn ask(&mut self, side: Color, budget: &Budget) -> Move {
        let observation = self.session.observation(side);
        self.agents.get_mut(side).act(observation, budget)
    }

    /// Plays a legal action and sends both agents their observations.
    pub fn apply(&mut self, action: Action) {
        self.session.apply(action);
        for side in Color::ALL {
            let observation = self.session.observation(side);
            self.agents.get_mut(side).see(observation);
        }
    }

    /// Ends the game for both agents and returns its record.
    pub fn end(mut self) -> Record {
        let record = self.session.record();
        for side in Color::ALL {
            self.agents.get_mut(side).end(&record);
        }
        record
    }
}
