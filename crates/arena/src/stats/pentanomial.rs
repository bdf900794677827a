//! Pairs of games from one opening with sides swapped.
//!
//! The two games of a pair share the opening's bias, so the pair and not the
//! game is the independent observation (fishtest and fastchess, `Ptnml(0-2)`).

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::score::{GameScore, Sample, Wdl};

/// Counts of pairs by the results of the two games.
///
/// The statistics use five categories, by points 0, ½, 1, 1½, 2. The middle one
/// is stored as its two components because their ratio shows how biased the
/// openings are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pentanomial {
    pub(crate) ll: u64,
    pub ld: u64,
    pub(crate) wl: u64,
    pub(crate) dd: u64,
    pub(crate) wd: u64,
    pub(crate) ww: u64,
}

impl Pentanomial {
    /// Counts a pair; the order of its games does not matter.
    pub fn record(&mut self, first: GameScore, second: GameScore) {
        use GameScore::{Draw, Loss, Win};
        let count = match (first, second) {
            (Loss, Loss) => &mut self.ll,
            (Loss, Draw) | (Draw, Loss) => &mut self.ld,
            (Win, Loss) | (Loss, Win) => &mut self.wl,
            (Draw, Draw) => &mut self.dd,
            (Win, Draw) | (Draw, Win) => &mut self.wd,
            (Win, Win) => &mut self.ww,
        };
        *count += 1;
    }

    /// `[LL, LD, WL+DD, WD, WW]`.
    pub(crate) fn categories(self) -> [u64; 5] {
        [self.ll, self.ld, self.wl + self.dd, self.wd, self.ww]
    }

    pub fn pairs(self) -> u64 {
        self.categories().iter().sum()
    }

    /// The same games counted singly.
    pub fn wdl(self) -> Wdl {
        Wdl {
            wins: 2 * self.ww + self.wd + self.wl,
            draws: self.wd + 2 * self.dd + self.ld,
            losses: self.wl + self.ld + 2 * self.ll,
        }
    }

    /// The pairs as independent observations of the score per game.
    pub fn sample(self) -> Sample {
        let [ll, ld, even, wd, ww] = self.categories();
        Sample::from_counts(
            &[(0.0, ll), (0.25, ld), (0.5, even), (0.75, wd), (1.0, ww)],
            2,
        )
    }

    /// Pairs that ended level per pair, which fastchess prints as `DrawRatio`;
    /// 0 without pairs.
    pub fn draw_ratio(self) -> f64 {
        (self.wl + self.dd) as f64 / self.pairs().max(1) as f64
    }

    /// Pairs won per pair lost, which fastchess prints as `PairsRatio`; `None`
    /// when none was won or lost, infinite when none was lost.
    pub fn pairs_ratio(self) -> Option<f64> {
        ratio(self.ww + self.wd, self.ll + self.ld)
    }

    /// `WL/DD Ratio` of fastchess; `None` when neither was seen.
    pub fn wl_dd_ratio(self) -> Option<f64> {
        ratio(self.wl, self.dd)
    }

    /// The same pairs from the opponent's side.
    pub fn flipped(self) -> Self {
        Self {
            ll: self.ww,
            ld: self.wd,
            wd: self.ld,
            ww: self.ll,
            ..self
        }
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Self) {
        self.ll += other.ll;
        self.ld += other.ld;
        self.wl += other.wl;
        self.dd += other.dd;
        self.wd += other.wd;
        self.ww += other.ww;
    }
}

fn ratio(over: u64, under: u64) -> Option<f64> {
    (over + under > 0).then(|| over as f64 / under as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::{assert_near, penta};
    use proptest::prelude::*;

    /// `tests/elo_test.cpp` of fastchess, cases `EloPentanomial 1` to `3`.
    #[test]
    fn fastchess_numbers() {
        let first = penta([34, 54, 31, 32, 64, 75]).sample();
        assert_near(first.nelo().value, 57.94, 0.005);
        assert_near(first.nelo().error, 28.28, 0.005);
        assert_near(first.elo().value, 55.58, 0.005);
        assert_near(first.elo().error, 27.65, 0.005);
        assert_near(first.los(), 1.0, 5e-5);

        let second = penta([332, 433, 457, 41, 333, 334]).sample();
        assert_near(second.nelo().value, -9.17, 0.005);
        assert_near(second.nelo().error, 10.96, 0.005);
        assert_near(second.elo().value, -8.64, 0.005);
        assert_near(second.elo().error, 10.33, 0.005);
        assert_near(second.los(), 0.0505, 5e-5);

        let third = penta([7895, 8757, 5485, 200, 568, 9999]).sample();
        assert_near(third.nelo().value, -19.01, 0.005);
        assert_near(third.nelo().error, 2.65, 0.005);
        assert_near(third.elo().value, -21.04, 0.005);
        assert_near(third.elo().error, 2.95, 0.005);
    }

    fn outcome() -> impl Strategy<Value = GameScore> {
        prop_oneof![
            Just(GameScore::Win),
            Just(GameScore::Draw),
            Just(GameScore::Loss)
        ]
    }

    proptest! {
        #[test]
        fn pairs_and_games_tell_one_story(
            games in prop::collection::vec((outcome(), outcome()), 0..60),
        ) {
            let (mut pairs, mut flipped, mut wdl) = Default::default();
            for &(first, second) in &games {
                Pentanomial::record(&mut pairs, first, second);
                Pentanomial::record(&mut flipped, second.flipped(), first.flipped());
                Wdl::record(&mut wdl, first);
                wdl.record(second);
            }
            prop_assert_eq!(pairs.wdl(), wdl);
            prop_assert_eq!(pairs.pairs(), games.len() as u64);
            prop_assert_eq!(pairs.flipped(), flipped);
            prop_assert!((pairs.sample().mean - wdl.score_rate()).abs() < 1e-12);
            let (a, b) = (pairs.sample().elo(), flipped.sample().elo());
            prop_assert!(a.value == -b.value || (a.value + b.value).abs() < 1e-9);
        }
    }
}
