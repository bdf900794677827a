//! Purification of the solved strategy (section "move selection" of the Obscuro
//! paper).

/// Support and mean of the strategies in the second half of a search. An action
/// is stable if every one of these strategies plays it.
#[derive(Clone, Debug, Default)]
pub struct SupportTracker {
    held: Vec<bool>,
    sums: Vec<f32>,
}

impl SupportTracker {
    /// Adds the strategy of one iteration.
    pub fn note(&mut self, strategy: &[f32]) {
        if self.held.len() != strategy.len() {
            self.held = vec![true; strategy.len()];
            self.sums = vec![0.0; strategy.len()];
        }
        for (sum, share) in self.sums.iter_mut().zip(strategy) {
            *sum += share;
        }
        for (held, share) in self.held.iter_mut().zip(strategy) {
            *held &= *share > 0.0;
        }
    }

    /// The mean strategy; `None` if no iteration was added.
    pub fn mean(&self) -> Option<Vec<f32>> {
        let total: f32 = self.sums.iter().sum();
        (total > 0.0).then(|| self.sums.iter().map(|sum| sum / total).collect())
    }

    fn holds(&self, action: usize) -> bool {
        self.held.get(action).copied().unwrap_or(false)
    }
}

/// How a strategy is purified before it is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purify {
    /// While our strategy is safe, mixes at most this many stable actions; else
    /// plays the likeliest action with certainty.
    On(usize),
    /// Mixes all stable actions, safe or not.
    Off,
    /// Mixes all actions as solved.
    Raw,
}

/// The probabilities with which to play. The mass of dropped actions goes to the
/// likeliest action. `safe` means that the opponent gains at no root infoset by
/// choosing Follow over Terminate.
pub fn purified(strategy: &[f32], stable: &SupportTracker, safe: bool, purify: Purify) -> Vec<f64> {
    let mut order: Vec<usize> = (0..strategy.len()).collect();
    order.sort_by(|&a, &b| strategy[b].total_cmp(&strategy[a]));
    let best = order[0];
    order.retain(|&i| i == best || purify == Purify::Raw || stable.holds(i));
    let most = match purify {
        Purify::On(support) if safe => support.max(1),
        Purify::On(_) => 1,
        Purify::Off | Purify::Raw => order.len(),
    };
    let mut mix = vec![0.0; strategy.len()];
    for &i in order.iter().take(most) {
        mix[i] = f64::from(strategy[i]);
    }
    let total: f64 = mix.iter().sum();
    mix[best] += 1.0 - total;
    mix
}

#[cfg(test)]
mod tests {
    use super::*;

    const ON: Purify = Purify::On(3);

    fn stable(rounds: &[[f32; 5]]) -> SupportTracker {
        let mut stable = SupportTracker::default();
        rounds.iter().for_each(|round| stable.note(round));
        stable
    }

    /// Pitfall: mixing without a working test of safety loses badly.
    #[test]
    fn nothing_is_mixed_while_the_opponent_gains() {
        let strategy = [0.1, 0.4, 0.3, 0.1, 0.1];
        let stable = stable(&[strategy]);
        let mix = purified(&strategy, &stable, false, ON);
        assert_eq!(mix, [0.0, 1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn at_most_three_stable_actions_are_mixed_and_the_rest_goes_to_the_best() {
        let strategy = [0.1, 0.4, 0.25, 0.2, 0.05];
        let stable = stable(&[
            [0.2, 0.2, 0.2, 0.2, 0.2],
            [0.5, 0.0, 0.1, 0.4, 0.0],
            strategy,
        ]);
        let mix = purified(&strategy, &stable, true, ON);
        let close = |a: f64, b: f64| (a - b).abs() < 1e-6;
        assert!(close(mix[1], 0.55), "the best, though not stable: {mix:?}");
        assert!(close(mix[2], 0.25) && close(mix[3], 0.2), "{mix:?}");
        assert_eq!((mix[0], mix[4]), (0.0, 0.0));
    }

    #[test]
    fn the_mean_does_not_hang_on_the_last_round() {
        let often = [0.0, 0.8, 0.2, 0.0, 0.0];
        let last = [0.9, 0.1, 0.0, 0.0, 0.0];
        let mean = stable(&[often, often, often, last]).mean().expect("rounds");
        let total: f32 = mean.iter().sum();
        assert!((total - 1.0).abs() < 1e-6, "{mean:?}");
        assert!((mean[1] - 0.625).abs() < 1e-6, "{mean:?}");
        assert_eq!(SupportTracker::default().mean(), None);
    }

    #[test]
    fn without_purification_all_stable_actions_are_mixed() {
        let strategy = [0.1, 0.4, 0.25, 0.2, 0.05];
        let stable = stable(&[strategy, [0.0, 0.5, 0.1, 0.2, 0.2]]);
        let mix = purified(&strategy, &stable, false, Purify::Off);
        let kept: Vec<bool> = mix.iter().map(|share| *share > 0.0).collect();
        assert_eq!(kept, [false, true, true, true, true], "{mix:?}");
        let raw = purified(&strategy, &stable, false, Purify::Raw);
        let solved = raw.iter().zip(strategy);
        assert!(
            solved
                .into_iter()
                .all(|(a, b)| (a - f64::from(b)).abs() < 1e-6)
        );
    }
}
