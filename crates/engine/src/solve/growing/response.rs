//! Best responses: how much a player could gain against strategies that it
//! knows. The measure of an equilibrium.

use super::{game::Player, solver::Solver, tree::Kind};

/// The current strategies, in the order of the tree's slots.
pub fn current<S: Clone>(solver: &Solver<S>) -> Vec<f64> {
    let shares = solver.tree.sets.strategy.iter();
    shares.map(|share| f64::from(*share)).collect()
}

/// Half of what both players together could gain, the tree being the game and
/// its groups as likely as their priors.
pub fn exploitability<S: Clone>(solver: &Solver<S>, strategies: &[f64]) -> f64 {
    let ours = best_response(solver, strategies, Player::Us);
    (ours - best_response(solver, strategies, Player::Them)) / 2.0
}

/// Our value when both play these strategies.
pub fn value<S: Clone>(solver: &Solver<S>, strategies: &[f64]) -> f64 {
    fn of<S: Clone>(solver: &Solver<S>, strategies: &[f64], at: u32) -> f64 {
        let node = solver.tree.node(at);
        if node.kind != Kind::Inner {
            return f64::from(node.value);
        }
        let first = solver.tree.sets.info(node.set).first as usize;
        let played = (first..).zip(solver.tree.children(at));
        played
            .map(|(slot, child)| strategies[slot] * of(solver, strategies, child))
            .sum()
    }
    over_roots(solver, |at| of(solver, strategies, at))
}

fn over_roots<S>(solver: &Solver<S>, mut value: impl FnMut(u32) -> f64) -> f64 {
    let mut sum = 0.0;
    for group in &solver.gate.groups {
        for root in &group.roots {
            sum += group.prior * root.share * value(root.node);
        }
    }
    sum
}

/// Our value when `hero` answers these strategies as well as can be.
pub fn best_response<S: Clone>(solver: &Solver<S>, strategies: &[f64], hero: Player) -> f64 {
    let mut response = Response {
        solver,
        strategies,
        hero,
        members: vec![Vec::new(); solver.tree.sets.len()],
        choices: vec![None; solver.tree.sets.len()],
        values: vec![None; solver.tree.len()],
    };
    for group in &solver.gate.groups {
        for root in &group.roots {
            response.reach(root.node, group.prior * root.share);
        }
    }
    over_roots(solver, |at| response.respond(at))
}

struct Response<'a, S> {
    solver: &'a Solver<S>,
    strategies: &'a [f64],
    hero: Player,
    members: Vec<Vec<(u32, f64)>>,
    choices: Vec<Option<u32>>,
    values: Vec<Option<f64>>,
}

impl<S: Clone> Response<'_, S> {
    /// Notes how likely everybody else makes each node of the hero.
    fn reach(&mut self, at: u32, reach: f64) {
        let node = *self.solver.tree.node(at);
        if node.kind != Kind::Inner {
            return;
        }
        let mine = node.actor == self.hero;
        if mine {
            self.members[node.set as usize].push((at, reach));
        }
        let first = self.solver.tree.sets.info(node.set).first as usize;
        for (slot, child) in (first..).zip(self.solver.tree.children(at)) {
            let share = if mine { 1.0 } else { self.strategies[slot] };
            self.reach(child, reach * share);
        }
    }

    fn respond(&mut self, at: u32) -> f64 {
        if let Some(value) = self.values[at as usize] {
            return value;
        }
        let node = *self.solver.tree.node(at);
        let value = if node.kind != Kind::Inner {
            f64::from(node.value)
        } else if node.actor == self.hero {
            let choice = self.choice(node.set);
            self.respond(node.first + choice)
        } else {
            let first = self.solver.tree.sets.info(node.set).first as usize;
            let mut sum = 0.0;
            for (slot, child) in (first..).zip(self.solver.tree.children(at)) {
                sum += self.strategies[slot] * self.respond(child);
            }
            sum
        };
        self.values[at as usize] = Some(value);
        value
    }

    fn choice(&mut self, set: u32) -> u32 {
        if let Some(choice) = self.choices[set as usize] {
            return choice;
        }
        let count = u32::from(self.solver.tree.sets.info(set).count);
        let members = self.members[set as usize].clone();
        let mut best = (0, f64::NEG_INFINITY);
        for action in 0..count {
            let mut worth = 0.0;
            for &(member, reach) in &members {
                let child = self.solver.tree.node(member).first + action;
                worth += reach * self.hero.sign() * self.respond(child);
            }
            if worth > best.1 {
                best = (action, worth);
            }
        }
        self.choices[set as usize] = Some(best.0);
        best.0
    }
}
