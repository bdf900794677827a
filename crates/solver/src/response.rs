//! Best responses: the gain of a side that knows the other's strategy, which
//! measures the distance to equilibrium.

use crate::{game::Side, infosets::Infosets, solver::Solver, tree::NodeKind};

/// A strategy for every infoset of a tree at the time the profile was made.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StrategyProfile {
    /// Probabilities in the order of the infosets' arrays.
    pub(crate) probs: Vec<f64>,
}

impl StrategyProfile {
    /// The current strategies of the solver: the last iterate.
    pub fn current<S>(solver: &Solver<S>) -> StrategyProfile {
        let probs = solver.tree.infosets.strategy.iter();
        StrategyProfile {
            probs: probs.map(|prob| f64::from(*prob)).collect(),
        }
    }

    /// The strategy of one infoset: a probability for each action.
    pub fn strategy(&self, infosets: &Infosets, infoset: u32) -> &[f64] {
        &self.probs[infosets.range(infoset)]
    }

    /// Our value when both sides play this profile, taking the tree as the game.
    pub fn value<S>(&self, solver: &Solver<S>) -> f64 {
        over_roots(solver, |at| self.value_at(solver, at))
    }

    fn value_at<S>(&self, solver: &Solver<S>, at: u32) -> f64 {
        let node = solver.tree.node(at);
        if node.kind != NodeKind::Inner {
            return f64::from(node.value);
        }
        let probs = self.strategy(&solver.tree.infosets, node.infoset);
        let played = probs.iter().zip(solver.tree.children(at));
        played
            .map(|(prob, child)| prob * self.value_at(solver, child))
            .sum()
    }
}

/// Half the sum of both sides' best-response gains, taking the tree as the game
/// and weighting its root infosets by their priors.
pub fn exploitability<S>(solver: &Solver<S>, profile: &StrategyProfile) -> f64 {
    let ours = best_response_value(solver, profile, Side::Us);
    (ours - best_response_value(solver, profile, Side::Them)) / 2.0
}

fn over_roots<S>(solver: &Solver<S>, mut value: impl FnMut(u32) -> f64) -> f64 {
    let mut sum = 0.0;
    for infoset in &solver.gadget.infosets {
        for root in &infoset.roots {
            sum += infoset.prior * root.prob * value(root.node);
        }
    }
    sum
}

/// Our value when `hero` plays a best response to this profile.
pub fn best_response_value<S>(solver: &Solver<S>, profile: &StrategyProfile, hero: Side) -> f64 {
    let mut response = Response {
        solver,
        profile,
        hero,
        members: vec![Vec::new(); solver.tree.infosets.len()],
        choices: vec![None; solver.tree.infosets.len()],
        values: vec![None; solver.tree.len()],
    };
    for infoset in &solver.gadget.infosets {
        for root in &infoset.roots {
            response.reach(root.node, infoset.prior * root.prob);
        }
    }
    over_roots(solver, |at| response.respond(at))
}

struct Response<'a, S> {
    solver: &'a Solver<S>,
    profile: &'a StrategyProfile,
    hero: Side,
    members: Vec<Vec<(u32, f64)>>,
    choices: Vec<Option<u32>>,
    values: Vec<Option<f64>>,
}

impl<'a, S> Response<'a, S> {
    fn strategy(&self, infoset: u32) -> &'a [f64] {
        self.profile.strategy(&self.solver.tree.infosets, infoset)
    }

    /// Records the reach of all other players at each node of the hero.
    fn reach(&mut self, at: u32, reach: f64) {
        let node = *self.solver.tree.node(at);
        if node.kind != NodeKind::Inner {
            return;
        }
        let mine = node.actor == self.hero;
        if mine {
            self.members[node.infoset as usize].push((at, reach));
        }
        let probs = self.strategy(node.infoset);
        for (prob, child) in probs.iter().zip(self.solver.tree.children(at)) {
            let share = if mine { 1.0 } else { *prob };
            self.reach(child, reach * share);
        }
    }

    fn respond(&mut self, at: u32) -> f64 {
        if let Some(value) = self.values[at as usize] {
            return value;
        }
        let node = *self.solver.tree.node(at);
        let value = if node.kind != NodeKind::Inner {
            f64::from(node.value)
        } else if node.actor == self.hero {
            let choice = self.choice(node.infoset);
            self.respond(node.first + choice)
        } else {
            let probs = self.strategy(node.infoset);
            let mut sum = 0.0;
            for (prob, child) in probs.iter().zip(self.solver.tree.children(at)) {
                sum += prob * self.respond(child);
            }
            sum
        };
        self.values[at as usize] = Some(value);
        value
    }

    fn choice(&mut self, infoset: u32) -> u32 {
        if let Some(choice) = self.choices[infoset as usize] {
            return choice;
        }
        let count = self.strategy(infoset).len() as u32;
        let members = self.members[infoset as usize].clone();
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
        self.choices[infoset as usize] = Some(best.0);
        best.0
    }
}
