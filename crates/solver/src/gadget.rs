//! The root layer: possible states grouped by the opponent's information, and the
//! gadget that prevents a subgame solution from giving the opponent more than
//! before. Combines Resolve (Burch et al. 2014) and Maxmargin (Moravcik et al.
//! 2016) on one tree, as in Obscuro. There Maxmargin has no weight while the
//! opponent gains anywhere, which with many root infosets is always; here Resolve
//! can be bounded, so that the opponent picks the worst infoset with a fixed
//! probability, as in a restricted Nash response (Johanson et al. 2007).

use crate::regret;

/// Weighting of the root infosets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RootKind {
    /// By their priors: a whole game, with chance at its root.
    Chance,
    /// By the gadget's strategy.
    Gadget,
}

/// The prior of the root infosets of a subgame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GadgetPrior {
    /// Average of the opponent's reach and the uniform distribution.
    Reach,
    /// The same for all root infosets.
    Uniform,
}

/// A root node of the tree.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RootNode {
    /// Index of the node.
    pub node: u32,
    /// Its probability, given its infoset.
    pub prob: f64,
}

/// Root nodes that the opponent cannot distinguish.
#[derive(Clone, Debug)]
pub struct RootInfoset {
    /// The root nodes of the infoset.
    pub roots: Vec<RootNode>,
    /// Our value if the opponent chooses Terminate.
    pub alternate_value: f64,
    /// The opponent's reach, unnormalised.
    reach: f64,
    pub(crate) prior: f64,
    pub(crate) value: f64,
    /// Weight of the infoset in our regret updates.
    pub(crate) weight: f64,
    /// Plausibility relative to the other infosets.
    odds: f64,
    regrets: [f32; 2],
    /// Probabilities of Follow and Terminate.
    choice: [f32; 2],
    /// Number of descents through it.
    visits: u32,
    samples: f64,
    mean: f64,
    squares: f64,
}

impl RootInfoset {
    /// An infoset of these nodes, whose probabilities sum to 1. `reach` is the
    /// opponent's reach, unnormalised.
    pub fn new(roots: Vec<RootNode>, alternate_value: f64, reach: f64) -> RootInfoset {
        RootInfoset {
            roots,
            alternate_value,
            reach,
            prior: 0.0,
            value: alternate_value,
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

    /// The same infoset with this plausibility relative to others, whose default
    /// is 1.
    #[must_use]
    pub fn with_odds(mut self, odds: f64) -> RootInfoset {
        self.odds = odds;
        self
    }

    /// Its prior probability among the root infosets.
    pub fn prior(&self) -> f64 {
        self.prior
    }

    /// Our value of it in the last iteration.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The probability that the opponent chooses Follow in Resolve.
    pub fn follow_prob(&self) -> f64 {
        f64::from(self.choice[0])
    }

    /// The opponent's gain from choosing Follow over Terminate.
    pub fn gain(&self) -> f64 {
        self.alternate_value - self.value
    }
}

/// The root layer above the nodes of a tree.
#[derive(Clone, Debug)]
pub struct RootGadget {
    pub(crate) kind: RootKind,
    pub(crate) infosets: Vec<RootInfoset>,
    regrets: Vec<f32>,
    margins: Vec<f32>,
    gains: Vec<f32>,
    total_visits: u32,
    max_follow_prob: f64,
    max_resolve: f64,
    trust: f64,
}

impl RootGadget {
    /// The root of a whole game without a gadget: the infosets' reaches are their
    /// probabilities.
    pub fn whole_game(infosets: Vec<RootInfoset>) -> RootGadget {
        let mut gadget = RootGadget::new(infosets, RootKind::Chance);
        let total: f64 = gadget.infosets.iter().map(|infoset| infoset.reach).sum();
        for infoset in &mut gadget.infosets {
            infoset.prior = infoset.reach / total;
            infoset.weight = infoset.prior;
        }
        gadget
    }

    /// The root of a subgame, with a gadget.
    pub fn subgame(infosets: Vec<RootInfoset>, prior: GadgetPrior) -> RootGadget {
        let mut gadget = RootGadget::new(infosets, RootKind::Gadget);
        let total: f64 = gadget.infosets.iter().map(|infoset| infoset.reach).sum();
        let odds: f64 = gadget.infosets.iter().map(|infoset| infoset.odds).sum();
        for (infoset, margin) in gadget.infosets.iter_mut().zip(&mut gadget.margins) {
            let even = infoset.odds / odds;
            infoset.prior = match prior {
                GadgetPrior::Reach if total > 0.0 => 0.5 * (infoset.reach / total + even),
                _ => even,
            };
            infoset.weight = infoset.prior;
            *margin = infoset.prior as f32;
        }
        gadget
    }

    fn new(infosets: Vec<RootInfoset>, kind: RootKind) -> RootGadget {
        let count = infosets.len();
        RootGadget {
            kind,
            infosets,
            regrets: vec![0.0; count],
            margins: vec![0.0; count],
            gains: vec![0.0; count],
            total_visits: 0,
            max_follow_prob: 1.0,
            max_resolve: 1.0,
            trust: 0.0,
        }
    }

    /// The same gadget with a bound on Resolve's share of the weights. Maxmargin has
    /// the rest even while the opponent gains somewhere.
    #[must_use]
    pub fn with_max_resolve(mut self, share: f64) -> RootGadget {
        self.max_resolve = share;
        self
    }

    /// The same gadget with a minimum weight: our strategy is trained on every
    /// infoset with at least this share of its prior, whether or not the opponent
    /// gains there.
    #[must_use]
    pub fn with_trust(mut self, trust: f64) -> RootGadget {
        self.trust = trust;
        self
    }

    /// The root infosets, with their values.
    pub fn infosets(&self) -> &[RootInfoset] {
        &self.infosets
    }

    /// The largest probability of Follow over all infosets; zero once our
    /// strategy is safe everywhere and Maxmargin decides. Zero in a whole game.
    pub fn max_follow_prob(&self) -> f64 {
        match self.kind {
            RootKind::Chance => 0.0,
            RootKind::Gadget => self.max_follow_prob,
        }
    }

    /// The prior probability with which the opponent chooses Follow in Resolve.
    pub fn follow_prior(&self) -> f64 {
        let followed = |infoset: &RootInfoset| infoset.prior * infoset.follow_prob();
        self.infosets.iter().map(followed).sum()
    }

    /// Our mean margin over the infosets, weighted as in our regret updates. The
    /// opponent gives away what a choice leaves us above it.
    pub fn margin(&self) -> f64 {
        let weights = self.infosets.iter().map(|infoset| infoset.weight);
        let total: f64 = weights.sum();
        let margins = self.infosets.iter();
        let margins = margins.map(|infoset| -infoset.weight * infoset.gain());
        margins.sum::<f64>() / total.max(f64::MIN_POSITIVE)
    }

    /// Our value, with the infosets weighted by their priors.
    pub fn value(&self) -> f64 {
        self.infosets
            .iter()
            .map(|infoset| infoset.prior * infoset.value)
            .sum()
    }

    /// Updates the opponent's gadget strategies from [`RootInfoset::value`].
    pub(crate) fn learn(&mut self) {
        for (infoset, gain) in self.infosets.iter_mut().zip(&mut self.gains) {
            let gains = infoset.gain();
            *gain = gains as f32;
            infoset.samples += 1.0;
            let off = gains - infoset.mean;
            infoset.mean += off / infoset.samples;
            infoset.squares += off * (gains - infoset.mean);
        }
        if self.kind == RootKind::Chance {
            return;
        }
        self.max_follow_prob = 0.0;
        for (infoset, &gain) in self.infosets.iter_mut().zip(&self.gains) {
            regret::step(&mut infoset.regrets, &mut infoset.choice, &[gain, 0.0]);
            self.max_follow_prob = self.max_follow_prob.max(infoset.follow_prob());
        }
        regret::step(&mut self.regrets, &mut self.margins, &self.gains);
        let resolve = self.max_follow_prob.min(self.max_resolve);
        for (infoset, &margin) in self.infosets.iter_mut().zip(&self.margins) {
            let weight = resolve * infoset.prior * infoset.follow_prob()
                + (1.0 - resolve) * f64::from(margin);
            infoset.weight = weight.max(self.trust * infoset.prior);
        }
    }

    /// The infoset that a descent selects when the opponent explores: the best
    /// gain plus bonus, as in [`crate::Infosets`].
    pub(crate) fn most_promising(&self, constant: f64, variance: bool) -> usize {
        let root = f64::from(self.total_visits).sqrt();
        let mut best = (0, f64::NEG_INFINITY);
        for (i, infoset) in self.infosets.iter().enumerate() {
            let spread = infoset.squares / infoset.samples;
            let spread = if variance { spread } else { spread.sqrt() };
            let score = infoset.gain() + constant * spread * root / f64::from(1 + infoset.visits);
            if score > best.1 {
                best = (i, score);
            }
        }
        best.0
    }

    /// Counts a descent through an infoset.
    pub(crate) fn visit(&mut self, infoset: usize) {
        self.total_visits += 1;
        self.infosets[infoset].visits += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gadget(values: [f64; 2], alternate_values: [f64; 2]) -> RootGadget {
        bounded(values, alternate_values, 1.0)
    }

    fn bounded(values: [f64; 2], alternate_values: [f64; 2], most: f64) -> RootGadget {
        let infosets = alternate_values.map(|value| RootInfoset::new(Vec::new(), value, 1.0));
        let gadget = RootGadget::subgame(infosets.to_vec(), GadgetPrior::Reach);
        let mut gadget = gadget.with_max_resolve(most);
        for _ in 0..50 {
            for (infoset, value) in gadget.infosets.iter_mut().zip(values) {
                infoset.value = value;
            }
            gadget.learn();
        }
        gadget
    }

    /// Pitfall: if the opponent terminates everywhere, Resolve alone gives every
    /// infoset zero weight and learning stops.
    #[test]
    fn when_all_terminate_maxmargin_keeps_the_weight() {
        let gadget = gadget([0.5, 0.9], [0.2, 0.2]);
        assert_eq!(gadget.max_follow_prob(), 0.0);
        let weights: f64 = gadget.infosets.iter().map(|infoset| infoset.weight).sum();
        assert!((weights - 1.0).abs() < 1e-6, "{weights}");
        assert!(
            gadget.infosets[0].weight > 0.99,
            "the smaller margin counts"
        );
    }

    #[test]
    fn where_the_opponent_gains_it_follows() {
        let gadget = gadget([0.1, 0.9], [0.2, 0.2]);
        assert!(gadget.max_follow_prob() > 0.99);
        assert!(gadget.infosets[0].weight > gadget.infosets[1].weight);
    }

    /// The prior that follows is that of the infosets where the opponent gains, and
    /// the margin is that of the infosets that weigh.
    #[test]
    fn the_root_tells_who_follows_and_our_margin() {
        let attacked = gadget([0.1, 0.9], [0.2, 0.2]);
        assert!((attacked.follow_prior() - 0.5).abs() < 1e-6);
        assert!(
            (attacked.margin() + 0.1).abs() < 1e-3,
            "{}",
            attacked.margin()
        );
        let safe = gadget([0.5, 0.9], [0.2, 0.2]);
        assert_eq!(safe.follow_prior(), 0.0);
        assert!((safe.margin() - 0.3).abs() < 1e-2, "{}", safe.margin());
    }

    /// An infoset where the opponent gains more than elsewhere is not outvoted by
    /// the prior of those where it gains less.
    #[test]
    fn with_resolve_bounded_the_worst_infoset_has_its_share() {
        let share = |most: f64| {
            let gadget = bounded([-0.8, 0.1], [0.0, 0.2], most);
            assert!(gadget.max_follow_prob() > 0.99);
            let weights = gadget.infosets.iter().map(|infoset| infoset.weight);
            gadget.infosets[0].weight / weights.sum::<f64>()
        };
        assert!((share(1.0) - 0.5).abs() < 1e-3, "{}", share(1.0));
        assert!((share(0.6) - 0.7).abs() < 1e-3, "{}", share(0.6));
    }
}
