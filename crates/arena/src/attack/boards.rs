//! Exploitability of an agent as it plays, on boards small enough for all moves.
//!
//! The agent is an even mixture of its seeds, which the responder does not know.
//! The best response to it is computed by walking all games that they can have,
//! weighted by the agent's odds, as sets that look alike to the responder. The
//! best response fits the seeds that it was computed against, so that its value is
//! an upper figure; the same plan against other seeds gives a lower one.

use std::collections::HashMap;

use foglight_play::{Next, Session};
use foglight_rules::{Action, Color, Game, Move, Position};

use super::{
    AttackError,
    respondent::{History, Respondent},
};
use crate::tournament::MatchEntrant;

/// A board with a horizon, at which the game is drawn, and the engine on it.
pub struct SmallBoard<'a> {
    pub game: Game,
    pub start: Position,
    /// Plies until the horizon.
    pub plies: u32,
    /// The engine. Its answers must depend on its seed and its observations alone.
    pub engine: &'a MatchEntrant,
}

/// A best response to the engine, a plan for everything that it can observe.
pub struct BestResponse {
    /// The responder's side.
    pub side: Color,
    /// Its expected result against the seeds that it was computed against: +1
    /// won, -1 lost.
    pub value: f64,
    choices: HashMap<History, Move>,
}

/// A game that the agent with one of its seeds may be in.
struct Member {
    seed: usize,
    session: Session,
    /// What the agent has observed.
    agent: History,
    weight: f64,
}

impl SmallBoard<'_> {
    /// The best response of `side` to the engine with these seeds.
    pub fn best_response(&self, side: Color, seeds: &[u64]) -> Result<BestResponse, AttackError> {
        let mut walk = Walk {
            board: self,
            side,
            agents: self.respondents(!side, seeds)?,
            choices: HashMap::new(),
            responder: None,
        };
        let (members, history) = walk.members();
        let value = walk.value(members, history)?;
        Ok(BestResponse {
            side,
            value,
            choices: walk.choices,
        })
    }

    /// The results of a response against the engine with other seeds, one by one.
    /// Where it has no plan, since the agent did what none of its seeds did, the
    /// engine plays for it.
    pub fn replay(
        &self,
        response: &BestResponse,
        seeds: &[u64],
        own_seed: u64,
    ) -> Result<Vec<f64>, AttackError> {
        let mut values = Vec::new();
        for seed in seeds {
            let mut walk = Walk {
                board: self,
                side: response.side,
                agents: self.respondents(!response.side, &[*seed])?,
                choices: response.choices.clone(),
                responder: Some(self.respondents(response.side, &[own_seed])?.remove(0)),
            };
            let (members, history) = walk.members();
            values.push(walk.value(members, history)?);
        }
        Ok(values)
    }

    fn respondents(&self, side: Color, seeds: &[u64]) -> Result<Vec<Respondent<'_>>, AttackError> {
        let respondent =
            |seed: &u64| Respondent::new(self.engine, self.game, self.start, side, *seed);
        seeds.iter().map(respondent).collect()
    }
}

struct Walk<'a> {
    board: &'a SmallBoard<'a>,
    /// The responder's side.
    side: Color,
    agents: Vec<Respondent<'a>>,
    choices: HashMap<History, Move>,
    /// Chooses where there is no plan; without it the best choice is found.
    responder: Option<Respondent<'a>>,
}

impl Walk<'_> {
    /// The start with each seed, and what the responder observes there.
    fn members(&self) -> (Vec<Member>, History) {
        let session = Session::new(self.board.game, self.board.start, None);
        let seeds = self.agents.len();
        let member = |seed| Member {
            seed,
            agent: History::new(&session, !self.side),
            session: session.clone(),
            weight: 1.0 / seeds as f64,
        };
        let members = (0..seeds).map(member).collect();
        (members, History::new(&session, self.side))
    }

    /// The responder's value of games that look alike to it, times their weight.
    fn value(&mut self, members: Vec<Member>, history: History) -> Result<f64, AttackError> {
        let first = &members[0].session;
        match first.next() {
            Next::Ask(_) if first.state().plies() >= self.board.plies => Ok(0.0),
            Next::Ask(side) if side == self.side => self.respond(&members, history),
            Next::Ask(_) => self.answer(members, history),
            Next::Roll(_) => Ok(0.0),
            Next::Over(_) => {
                let result = |member: &Member| {
                    let outcome = member.session.outcome().expect("a game that is over");
                    member.weight * (2.0 * outcome.score(self.side) - 1.0)
                };
                Ok(members.iter().map(result).sum())
            }
        }
    }

    fn respond(&mut self, members: &[Member], history: History) -> Result<f64, AttackError> {
        let first = &members[0].session;
        let moves = match (self.choices.get(&history), &mut self.responder) {
            (Some(&m), _) => vec![m],
            (None, Some(engine)) => vec![engine.reply(first, history)?.m],
            (None, None) => first.observation(self.side).legal_moves().to_vec(),
        };
        let mut best: Option<(f64, Move)> = None;
        for m in moves {
            let after = members.iter().map(|member| self.after(member, m, 1.0));
            let value = self.split(after.collect(), history)?;
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, m));
            }
        }
        let (value, m) = best.expect("a side to move has a move");
        self.choices.insert(history, m);
        Ok(value)
    }

    fn answer(&mut self, members: Vec<Member>, history: History) -> Result<f64, AttackError> {
        let mut after = Vec::new();
        for member in &members {
            let agent = &mut self.agents[member.seed];
            let mix = agent.reply(&member.session, member.agent)?.mix.clone();
            let total: f64 = mix.iter().map(|(_, share)| share).sum();
            after.extend(
                mix.iter()
                    .map(|(m, share)| self.after(member, *m, share / total)),
            );
        }
        self.split(after, history)
    }

    fn after(&self, member: &Member, m: Move, share: f64) -> Member {
        let mut session = member.session.clone();
        session.apply(Action::Move(m));
        Member {
            seed: member.seed,
            agent: member.agent.then(&session, !self.side),
            session,
            weight: member.weight * share,
        }
    }

    /// Divides games by what the responder observes now, and adds their values.
    fn split(&mut self, members: Vec<Member>, before: History) -> Result<f64, AttackError> {
        let mut groups: Vec<(History, Vec<Member>)> = Vec::new();
        for member in members {
            let seen = before.then(&member.session, self.side);
            match groups.iter_mut().find(|(history, _)| *history == seen) {
                Some((_, group)) => group.push(member),
                None => groups.push((seen, vec![member])),
            }
        }
        let values = groups
            .into_iter()
            .map(|(seen, group)| self.value(group, seen));
        values.sum()
    }
}
