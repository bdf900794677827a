//! Counts of `foglight verify retention`.

use foglight_play::BeliefStanding;
use serde::{Deserialize, Serialize};

/// The moves of one side of a game: what its belief knew before each.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(in crate::commands) struct SideTally {
    /// Probability and rank of the true position while the belief was exact.
    exact: Vec<(f64, f64)>,
    /// The same after the cap had cut the belief; `None` if it was dropped.
    capped: Vec<Option<(f64, f64)>>,
    /// Number of times the belief became empty and was resampled from the view.
    pub(super) resets: u32,
    /// Processor time of each update while the belief was capped, in seconds.
    pub(super) capped_times: Vec<f64>,
    /// Positions in each capped belief.
    sizes: Vec<usize>,
}

impl SideTally {
    pub(super) fn add(&mut self, exact: bool, size: usize, truth: Option<BeliefStanding>) {
        match truth.map(|truth| (truth.probability, truth.rank)) {
            Some(truth) if exact => self.exact.push(truth),
            truth => {
                self.capped.push(truth);
                self.sizes.push(size);
            }
        }
    }

    /// Whether they are the same but for measured times.
    pub(super) fn is_same(&self, other: &SideTally) -> bool {
        let known =
            |side: &SideTally| (side.exact.clone(), side.capped.clone(), side.sizes.clone());
        known(self) == known(other) && self.resets == other.resets
    }

    fn kept(&self) -> f64 {
        self.capped.iter().flatten().count() as f64
    }
}

/// How well a way of keeping positions knew the truth, over many sides.
#[derive(Serialize)]
pub(super) struct RetentionRow {
    pub(super) keep: String,
    pub(super) max_positions: usize,
    /// Moves with an exact belief.
    pub(super) exact: TruthQuality,
    /// Moves with a capped belief.
    pub(super) capped_moves: usize,
    /// Share of them at which the true position was kept, with its 95 % interval
    /// over sides of games.
    pub(super) kept: f64,
    pub(super) kept_interval: [f64; 2],
    /// The capped moves at which it was kept.
    pub(super) kept_moves: TruthQuality,
    pub(super) mean_size: f64,
    pub(super) resets: u32,
    /// Mean and largest processor time of an update of a capped belief.
    pub(super) update_ms: f64,
    pub(super) longest_update_ms: f64,
}

/// How well beliefs that hold the true position know it.
#[derive(Serialize)]
pub(super) struct TruthQuality {
    pub(super) moves: usize,
    /// Mean negative logarithm of its probability, in nats.
    pub(super) log_loss: f64,
    pub(super) median_rank: f64,
}

impl TruthQuality {
    fn of<'a>(standings: impl Iterator<Item = &'a (f64, f64)>) -> TruthQuality {
        let (mut losses, mut ranks) = (Vec::new(), Vec::new());
        for (probability, rank) in standings {
            losses.push(-probability.ln());
            ranks.push(*rank);
        }
        ranks.sort_by(f64::total_cmp);
        TruthQuality {
            moves: losses.len(),
            log_loss: mean(&losses),
            median_rank: ranks.get(ranks.len() / 2).copied().unwrap_or(0.0),
        }
    }
}

impl RetentionRow {
    pub(super) fn of(keep: &str, max_positions: usize, sides: &[SideTally]) -> RetentionRow {
        let times: Vec<f64> = (sides.iter())
            .flat_map(|side| side.capped_times.iter().map(|time| time * 1e3))
            .collect();
        let sizes: Vec<f64> = (sides.iter())
            .flat_map(|side| side.sizes.iter().map(|size| *size as f64))
            .collect();
        let (kept, error) = share(sides);
        let capped = sides.iter().flat_map(|side| side.capped.iter().flatten());
        RetentionRow {
            keep: keep.to_owned(),
            max_positions,
            exact: TruthQuality::of(sides.iter().flat_map(|side| &side.exact)),
            capped_moves: sizes.len(),
            kept,
            kept_interval: [(kept - error).max(0.0), (kept + error).min(1.0)],
            kept_moves: TruthQuality::of(capped),
            mean_size: mean(&sizes),
            resets: sides.iter().map(|side| side.resets).sum(),
            update_ms: mean(&times),
            longest_update_ms: times.iter().copied().fold(0.0, f64::max),
        }
    }
}

/// The share of capped moves at which the truth was kept, and 1.96 standard
/// errors: the moves of a side are correlated, sides are independent.
fn share(sides: &[SideTally]) -> (f64, f64) {
    let all: f64 = sides.iter().map(|side| side.capped.len() as f64).sum();
    let kept: f64 = sides.iter().map(SideTally::kept).sum();
    let share = kept / all.max(1.0);
    let rest = |side: &SideTally| side.kept() - share * side.capped.len() as f64;
    let variance: f64 = sides.iter().map(|side| rest(side).powi(2)).sum();
    (share, 1.96 * variance.sqrt() / all.max(1.0))
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_the_unit_of_the_interval() {
        let truth = BeliefStanding {
            probability: 0.5,
            rank: 3.0,
        };
        let side = |kept: usize, lost: usize| {
            let mut side = SideTally::default();
            (0..kept).for_each(|_| side.add(false, 10, Some(truth)));
            (0..lost).for_each(|_| side.add(false, 10, None));
            side
        };
        let (half, error) = share(&[side(9, 1), side(1, 9)]);
        assert_eq!(half, 0.5);
        assert!(
            (error - 1.96 * 32f64.sqrt() / 20.0).abs() < 1e-12,
            "{error}"
        );
        let row = RetentionRow::of("even", 10, &[side(9, 1), side(1, 9)]);
        assert_eq!((row.capped_moves, row.kept_interval), (20, [0.0, 1.0]));
        assert!((row.kept_moves.log_loss - 2f64.ln()).abs() < 1e-12);
        let (even, error) = share(&[side(5, 5), side(5, 5)]);
        assert_eq!((even, error), (0.5, 0.0), "no side differs");
    }
}
