//! The root layer: which positions there may be, grouped by what the opponent
//! knows, and the gadgets that keep us from promising the opponent more than
//! it could have had. Resolve (Burch et al. 2014) and Maxmargin (Moravcik et
//! al. 2016) on one tree, blended as in Obscuro.

use super::regret;

/// How the groups are weighed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// By their priors: a whole game, with chance at its root.
    Open,
    /// By the gadgets.
    Gadget,
}

/// The prior of the groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prior {
    /// Half by the opponent's reach, half all alike.
    Reach,
    /// All alike.
    Uniform,
}

/// A node at the root, and its share of the group.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    /// The node.
    pub node: u32,
    /// Its probability, given the group.
    pub share: f64,
}

/// Root nodes that the opponent cannot tell apart.
#[derive(Clone, Debug)]
pub struct Group {
    /// The nodes.
    pub roots: Vec<Root>,
    /// What we get if the opponent declines to enter.
    pub alternative: f64,
    /// How likely the opponent plays to get here, in any unit.
    pub reach: f64,
    /// The prior.
    pub prior: f64,
    /// Our value of it in the last iteration.
    pub value: f64,
    /// The weight with which our strategy is trained on it.
    pub weight: f64,
    /// How believable it is beside the others.
    odds: f64,
    regrets: [f32; 2],
    /// Probabilities to enter and to decline.
    choice: [f32; 2],
    /// Walks that came through.
    pub visits: u32,
    samples: f64,
    mean: f64,
    squares: f64,
}

impl Group {
    /// A group of these nodes, whose shares add up to 1.
    pub fn new(roots: Vec<Root>, alternative: f64, reach: f64) -> Group {
        Group {
            roots,
            alternative,
            reach,
            prior: 0.0,
            value: alternative,
            weight: 0.0,
            odds: 1.0,
            regrets: [0.0; 2],
            choice: [1.0, 0.0],
            visits: 0,
            samples: 2.0,
            mean: 0.0,
            squares: 2.0,
        }
    }

    /// The same, so much less believable.
    #[must_use]
    pub fn with_odds(mut self, odds: f64) -> Group {
        self.odds = odds;
        self
    }

    /// The probability that the opponent enters, in Resolve.
    pub fn enters(&self) -> f64 {
        f64::from(self.choice[0])
    }

    /// What the opponent gains by entering.
    pub fn gain(&self) -> f64 {
        self.alternative - self.value
    }
}

/// All groups.
#[derive(Clone, Debug)]
pub struct Gate {
    /// How they are weighed.
    pub entry: Entry,
    /// The groups.
    pub groups: Vec<Group>,
    regrets: Vec<f32>,
    margins: Vec<f32>,
    gains: Vec<f32>,
    total_visits: u32,
    entering: f64,
    trust: f64,
}

impl Gate {
    /// The root of a whole game: the groups' reaches are their probabilities.
    pub fn open(groups: Vec<Group>) -> Gate {
        let mut gate = Gate::new(groups, Entry::Open);
        let total: f64 = gate.groups.iter().map(|group| group.reach).sum();
        for group in &mut gate.groups {
            group.prior = group.reach / total;
            group.weight = group.prior;
        }
        gate
    }

    /// The root of a subgame.
    pub fn gadget(groups: Vec<Group>, prior: Prior) -> Gate {
        let mut gate = Gate::new(groups, Entry::Gadget);
        let total: f64 = gate.groups.iter().map(|group| group.reach).sum();
        let odds: f64 = gate.groups.iter().map(|group| group.odds).sum();
        for (group, margin) in gate.groups.iter_mut().zip(&mut gate.margins) {
            let even = group.odds / odds;
            group.prior = match prior {
                Prior::Reach if total > 0.0 => 0.5 * (group.reach / total + even),
                _ => even,
            };
            group.weight = group.prior;
            *margin = group.prior as f32;
        }
        gate
    }

    fn new(groups: Vec<Group>, entry: Entry) -> Gate {
        let count = groups.len();
        Gate {
            entry,
            groups,
            regrets: vec![0.0; count],
            margins: vec![0.0; count],
            gains: vec![0.0; count],
            total_visits: 0,
            entering: 1.0,
            trust: 0.0,
        }
    }

    /// The same; our strategy is trained on every group by at least this share
    /// of its prior, whether the opponent gains there or not.
    #[must_use]
    pub fn with_trust(mut self, trust: f64) -> Gate {
        self.trust = trust;
        self
    }

    /// The largest probability with which the opponent enters any group; nought
    /// once our strategy is safe everywhere, and then Maxmargin has taken over.
    pub fn entering(&self) -> f64 {
        match self.entry {
            Entry::Open => 0.0,
            Entry::Gadget => self.entering,
        }
    }

    /// Our value, the groups as likely as their priors.
    pub fn value(&self) -> f64 {
        self.groups
            .iter()
            .map(|group| group.prior * group.value)
            .sum()
    }

    /// The opponent learns from our values of the groups, which are in
    /// [`Group::value`].
    pub(super) fn learn(&mut self) {
        for (group, gain) in self.groups.iter_mut().zip(&mut self.gains) {
            let gains = group.gain();
            *gain = gains as f32;
            group.samples += 1.0;
            let off = gains - group.mean;
            group.mean += off / group.samples;
            group.squares += off * (gains - group.mean);
        }
        if self.entry == Entry::Open {
            return;
        }
        self.entering = 0.0;
        for (group, &gain) in self.groups.iter_mut().zip(&self.gains) {
            regret::step(&mut group.regrets, &mut group.choice, &[gain, 0.0]);
            self.entering = self.entering.max(group.enters());
        }
        regret::step(&mut self.regrets, &mut self.margins, &self.gains);
        let resolve = self.entering;
        for (group, &margin) in self.groups.iter_mut().zip(&self.margins) {
            let gadget =
                resolve * group.prior * group.enters() + (1.0 - resolve) * f64::from(margin);
            group.weight = gadget.max(self.trust * group.prior);
        }
    }

    /// The group that a walk tries when the opponent explores: the best gain
    /// plus bonus, as in [`super::infoset::Sets`].
    pub(super) fn most_promising(&self, constant: f64, variance: bool) -> usize {
        let root = f64::from(self.total_visits).sqrt();
        let mut best = (0, f64::NEG_INFINITY);
        for (i, group) in self.groups.iter().enumerate() {
            let spread = group.squares / group.samples;
            let spread = if variance { spread } else { spread.sqrt() };
            let score = group.gain() + constant * spread * root / f64::from(1 + group.visits);
            if score > best.1 {
                best = (i, score);
            }
        }
        best.0
    }

    /// A walk enters a group.
    pub(super) fn visit(&mut self, group: usize) {
        self.total_visits += 1;
        self.groups[group].visits += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(values: [f64; 2], alternatives: [f64; 2]) -> Gate {
        let groups = alternatives.map(|alternative| Group::new(Vec::new(), alternative, 1.0));
        let mut gate = Gate::gadget(groups.to_vec(), Prior::Reach);
        for _ in 0..50 {
            for (group, value) in gate.groups.iter_mut().zip(values) {
                group.value = value;
            }
            gate.learn();
        }
        gate
    }

    /// Pitfall: if everybody declines, Resolve alone gives no weight to
    /// anything and learning stops.
    #[test]
    fn when_all_decline_maxmargin_keeps_the_weight() {
        let gate = gate([0.5, 0.9], [0.2, 0.2]);
        assert_eq!(gate.entering(), 0.0);
        let weights: f64 = gate.groups.iter().map(|group| group.weight).sum();
        assert!((weights - 1.0).abs() < 1e-6, "{weights}");
        assert!(gate.groups[0].weight > 0.99, "the smaller margin counts");
    }

    #[test]
    fn where_the_opponent_gains_it_enters() {
        let gate = gate([0.1, 0.9], [0.2, 0.2]);
        assert!(gate.entering() > 0.99);
        assert!(gate.groups[0].weight > gate.groups[1].weight);
    }
}
