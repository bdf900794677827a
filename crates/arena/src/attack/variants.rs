//! Plans beyond the reach of exhaustive search: variants of known ones, of which
//! successive halving keeps those that score most.
//!
//! A game of the halving ends one move after its plan. A king counts as a win;
//! else the attacker's score is estimated by the engine that moved for it.

use std::{collections::HashSet, error::Error, sync::atomic::AtomicBool};

use foglight_play::{Rng, rng::derive, seeded};
use foglight_rules::{Action, Color, Move, Record};
use rand::{Rng as _, seq::IndexedRandom};

use super::{
    AttackError, AttackPlan, AttackRow,
    count::{AttackCount, AttackEnd},
    plan::PlanStep,
};
use crate::{queue::WorkQueue, record::GameRecord};

/// The size of a search among variants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VariantSearch {
    /// Variants at the start.
    pub variants: usize,
    /// Variants at the end.
    pub keep: usize,
    /// Most steps of a plan.
    pub steps: usize,
    /// Games of each variant in the first round; twice as many in each further.
    pub games: u64,
}

/// A plan with the row of its last round.
pub type Ranked = (AttackPlan, AttackRow);

/// Changes tried until a new variant is found.
const TRIES: usize = 100;

impl VariantSearch {
    /// The best variants of the plans of `count`, each with the row of its last
    /// round, which was played on seeds of its own. The plans, games, seed and end
    /// of `count` are changed.
    pub fn run_on<Q: WorkQueue<AttackCount>>(
        &self,
        queue: &Q,
        count: &mut AttackCount,
        stop: &AtomicBool,
        mut tell: impl FnMut(&GameRecord),
    ) -> Result<Vec<Ranked>, AttackError>
    where
        Q::Error: Error + Send + Sync + 'static,
    {
        count.end = AttackEnd::Estimate;
        count.games = 1;
        let seed = count.seed;
        let mut parents: Vec<Option<Record>> = vec![None; count.plans.len()];
        count.run_on(queue, None, Vec::new(), stop, |game| {
            parents[game.number as usize - 1] = Some(game.record.clone());
            tell(game);
        })?;
        count.plans = self.vary_all(&count.plans, &parents, &mut seeded(seed));
        let mut round = 0;
        loop {
            (count.seed, count.games) = (derive(seed, round), self.games << round);
            let rows = count.run_on(queue, None, Vec::new(), stop, &mut tell)?;
            let mut ranked: Vec<Ranked> = count.plans.drain(..).zip(rows).collect();
            ranked.sort_by(|one, other| {
                let score = |of: &Ranked| of.1.score.unwrap_or_default();
                let shorter = one.0.steps.len().cmp(&other.0.steps.len());
                score(other).total_cmp(&score(one)).then(shorter)
            });
            if ranked.len() <= self.keep {
                return Ok(ranked);
            }
            ranked.truncate(ranked.len().div_ceil(2).max(self.keep));
            count.plans = ranked.into_iter().map(|(plan, _)| plan).collect();
            round += 1;
        }
    }

    /// The plans and variants of them, of which each is the parent of the next.
    fn vary_all(
        &self,
        plans: &[AttackPlan],
        records: &[Option<Record>],
        rng: &mut Rng,
    ) -> Vec<AttackPlan> {
        let mut all: Vec<(AttackPlan, &Record)> = plans
            .iter()
            .zip(records)
            .filter_map(|(plan, record)| Some((plan.clone(), record.as_ref()?)))
            .collect();
        let mut known: HashSet<(Color, u64, Vec<PlanStep>)> = HashSet::new();
        let key = |plan: &AttackPlan| (plan.side, plan.start.hash(), plan.steps.clone());
        known.extend(all.iter().map(|(plan, _)| key(plan)));
        let mut tries = 0;
        while all.len() < self.variants && tries < TRIES * self.variants {
            tries += 1;
            let Some((parent, record)) = all.choose(rng) else {
                break;
            };
            let record = *record;
            let child = self.vary(parent, record, rng);
            let turns = turns(record, child.side);
            let begins = turns.first().is_some_and(|legal| child.begins(legal));
            if begins && known.insert(key(&child)) {
                all.push((child, record));
            }
        }
        let plans = all.into_iter().map(|(plan, _)| plan);
        plans.filter(|plan| !plan.steps.is_empty()).collect()
    }

    /// A plan with one step inserted, replaced, removed, given an alternative or
    /// made optional. New moves are legal in the game that the parent was in. It may
    /// be the parent itself, or a plan that ends before its first move.
    fn vary(&self, parent: &AttackPlan, record: &Record, rng: &mut Rng) -> AttackPlan {
        let turns = turns(record, parent.side);
        let mut steps = parent.steps.clone();
        let at = rng.random_range(0..=steps.len());
        let legal = turns.get(at).or(turns.last());
        let drawn = legal.and_then(|moves| moves.choose(rng).copied());
        match (rng.random_range(0..5), drawn) {
            (0, Some(m)) if steps.len() < self.steps => steps.insert(at, PlanStep::of(m)),
            (1, Some(m)) if at < steps.len() => steps[at] = PlanStep::of(m),
            (2, Some(m)) if at < steps.len() => steps[at].or(m),
            (3, _) if at < steps.len() => steps[at].turn_optional(),
            (4, _) if at < steps.len() => drop(steps.remove(at)),
            _ => {}
        }
        let (side, start) = (parent.side, parent.start);
        let source = format!("variant of {parent}");
        AttackPlan {
            side,
            start,
            steps,
            source,
        }
    }
}

/// The legal moves of a side at each of its turns in a game.
fn turns(record: &Record, side: Color) -> Vec<Vec<Move>> {
    let mut turns = Vec::new();
    let mut note = |state: &foglight_rules::State| {
        if state.position().turn() == side && state.outcome().is_none() {
            turns.push(state.legal_moves());
        }
    };
    let last = record.replay().each(|state, _: Action| note(state));
    if let Ok(last) = last {
        note(&last);
    }
    turns
}
