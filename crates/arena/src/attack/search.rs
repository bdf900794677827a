//! The exhaustive search for plans: all of them up to a number of moves, against
//! an agent whose answers are fixed by its seed.

use foglight_play::{Next, Session};
use foglight_rules::{Action, Color, Game, Move, Position, Role};

use super::{
    AttackError,
    respondent::{History, Respondent},
};
use crate::{queue::Work, tournament::MatchEntrant};

/// The search for plans of one side from one start.
pub struct PlanSearch<'a> {
    pub game: Game,
    /// The attacker.
    pub side: Color,
    pub start: Position,
    /// The engine under attack. Its answers must depend on its seed and its
    /// observations alone: a node budget on one thread.
    pub engine: &'a MatchEntrant,
    /// Moves of a plan, before it takes the king.
    pub depth: usize,
}

/// The plans that take the king of an agent with one seed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FoundPlans {
    /// The plans, without those that contain a shorter one.
    pub plans: Vec<Vec<Move>>,
    /// Plans of full length that did not take the king, and to each move of which
    /// the agent had one answer only: its game against longer plans is known so
    /// far.
    pub certain: Vec<Vec<Move>>,
    /// Histories of observations for which the agent was asked.
    pub histories: u64,
    /// Number of times that it was asked.
    pub searches: u64,
}

impl PlanSearch<'_> {
    /// Searches against the agent with this seed. `stop` is called before every
    /// move; a stopped search returns what it has found.
    pub fn run(&self, seed: u64, stop: &dyn Fn() -> bool) -> Result<FoundPlans, AttackError> {
        let session = Session::new(self.game, self.start, None);
        let history = History::new(&session, !self.side);
        let defender = Respondent::new(self.engine, self.game, self.start, !self.side, seed)?;
        let mut walk = Walk {
            search: self,
            defender,
            plan: Vec::new(),
            doubts: 0,
            found: Vec::new(),
            certain: Vec::new(),
            stop,
        };
        walk.step(&session, history)?;
        Ok(FoundPlans {
            histories: walk.defender.histories(),
            searches: walk.defender.searches,
            plans: shortest(walk.found),
            certain: walk.certain,
        })
    }
}

/// Many searches: a list of work.
pub struct PlanSearches {
    pub game: Game,
    pub engine: MatchEntrant,
    pub depth: usize,
    /// The attacker, the start and the agent's seed of each.
    pub units: Vec<(Color, Position, u64)>,
}

impl Work for PlanSearches {
    type Output = Result<FoundPlans, AttackError>;
    type Tools = ();

    fn tools(&self) {}

    fn do_item(
        &self,
        item: u64,
        (): &mut (),
        stopped: &dyn Fn() -> bool,
    ) -> Option<Result<FoundPlans, AttackError>> {
        let (side, start, seed) = self.units[item as usize];
        let search = PlanSearch {
            game: self.game,
            side,
            start,
            engine: &self.engine,
            depth: self.depth,
        };
        let found = search.run(seed, stopped);
        (!stopped()).then_some(found)
    }
}

struct Walk<'a> {
    search: &'a PlanSearch<'a>,
    defender: Respondent<'a>,
    plan: Vec<Move>,
    /// Replies on the way here that were drawn from a mix.
    doubts: usize,
    found: Vec<Vec<Move>>,
    certain: Vec<Vec<Move>>,
    stop: &'a dyn Fn() -> bool,
}

impl Walk<'_> {
    fn step(&mut self, session: &Session, history: History) -> Result<(), AttackError> {
        match session.next() {
            Next::Ask(side) if side == self.search.side => self.attack(session, history),
            Next::Ask(_) => {
                let reply = self.defender.reply(session, history)?;
                let (m, mixed) = (reply.m, usize::from(reply.mix.len() > 1));
                let (next, history) = self.after(session, history, m);
                self.doubts += mixed;
                let walked = self.step(&next, history);
                self.doubts -= mixed;
                walked
            }
            Next::Roll(_) | Next::Over(_) => Ok(()),
        }
    }

    fn attack(&mut self, session: &Session, history: History) -> Result<(), AttackError> {
        let observation = session.observation(self.search.side);
        let legal = observation.legal_moves();
        if legal
            .iter()
            .any(|m| observation.captures(*m) == Some(Role::King))
        {
            self.found.push(self.plan.clone());
            return Ok(());
        }
        if self.plan.len() == self.search.depth {
            if self.doubts == 0 {
                self.certain.push(self.plan.clone());
            }
            return Ok(());
        }
        for &m in legal {
            if (self.stop)() {
                return Ok(());
            }
            self.plan.push(m);
            let (next, history) = self.after(session, history, m);
            self.step(&next, history)?;
            self.plan.pop();
        }
        Ok(())
    }

    fn after(&self, session: &Session, history: History, m: Move) -> (Session, History) {
        let mut next = session.clone();
        next.apply(Action::Move(m));
        let history = history.then(&next, !self.search.side);
        (next, history)
    }
}

/// The plans without those that have another one as a subsequence.
fn shortest(mut plans: Vec<Vec<Move>>) -> Vec<Vec<Move>> {
    plans.sort_by_key(Vec::len);
    let mut kept: Vec<Vec<Move>> = Vec::new();
    for plan in plans {
        if !kept.iter().any(|short| is_subsequence(short, &plan)) {
            kept.push(plan);
        }
    }
    kept
}

fn is_subsequence(short: &[Move], long: &[Move]) -> bool {
    let mut rest = long.iter();
    short.iter().all(|m| rest.any(|other| other == m))
}
