//! When an agent's answer leaves. Its thinking time depends on what it knows
//! and its opponent may not, so answers leave at a few fixed times.

use std::time::Duration;

use foglight_play::Spec;

/// Times at which answers leave, in milliseconds after the question.
const STEPS: [u64; 7] = [250, 500, 1000, 2000, 4000, 8000, 12_000];
/// Time that an answer takes beside the search: starting, stopping, noise.
const MARGIN: Duration = Duration::from_millis(80);
/// Steps of the levels of `foglight`, at least twice the longest move measured.
const LEVELS: [u64; 10] = [250, 250, 250, 250, 250, 500, 500, 1000, 2000, 4000];

/// The pace of an agent in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pace {
    /// Time of the next answer. It never decreases in a game, so that it tells
    /// of at most as many moves as there are steps.
    step: Duration,
}

impl Pace {
    /// The pace of the agent of a spec: fixed by its level or its time, else
    /// the first step.
    pub fn of(spec: &str) -> Pace {
        let spec: Option<Spec> = spec.parse().ok();
        let whole = |key: &str| spec.as_ref()?.options.get(key)?.parse::<u64>().ok();
        let level = whole("level").and_then(|level| LEVELS.get(level.checked_sub(1)? as usize));
        let step = match (level, whole("ms")) {
            (Some(step), _) => Duration::from_millis(*step),
            (None, ms) => next(Duration::from_millis(ms.unwrap_or(0)) + MARGIN),
        };
        Pace { step }
    }

    /// Time of the next answer, if the agent plans to think for `target`.
    pub fn step(&self, target: Option<Duration>) -> Duration {
        match target {
            Some(target) => self.step.min(next(target + MARGIN)),
            None => self.step,
        }
    }

    /// The time at which an answer leaves that took `spent`, and was to leave
    /// after `step`. One that is late sets the pace of the next.
    pub fn leaves(&mut self, spent: Duration, step: Duration) -> Duration {
        if spent <= step {
            return step;
        }
        let late = next(spent);
        self.step = self
            .step
            .max(late.min(Duration::from_millis(STEPS[STEPS.len() - 1])));
        late
    }
}

impl Pace {
    /// The time at which an answer leaves that had to wait for a processor until
    /// after `step`.
    pub fn late(spent: Duration, step: Duration) -> Duration {
        if spent <= step { step } else { next(spent) }
    }
}

/// The first step that is not earlier; after the last, whole multiples of it.
fn next(time: Duration) -> Duration {
    let mut steps = STEPS.map(Duration::from_millis).into_iter();
    let last = Duration::from_millis(STEPS[STEPS.len() - 1]);
    steps.find(|step| *step >= time).unwrap_or_else(|| {
        last * u32::try_from(time.as_millis().div_ceil(last.as_millis())).unwrap_or(u32::MAX)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn answers_leave_at_a_few_times_only() {
        let mut level = Pace::of("foglight:level=10");
        for spent in [1, 900, 2300, 3999] {
            assert_eq!(level.leaves(ms(spent), level.step(None)), ms(4000));
        }
        assert_eq!(level.leaves(ms(4001), level.step(None)), ms(8000));
        assert_eq!(level.leaves(ms(5), level.step(None)), ms(8000), "it stays");
        assert_eq!(next(ms(12_001)), ms(24_000));
    }

    #[test]
    fn the_pace_follows_the_spec_and_the_clock() {
        for (spec, step) in [
            ("random", 250),
            ("classic:ms=300", 500),
            ("classic:ms=1500", 2000),
            ("classic:ms=10000", 12_000),
            ("foglight:nodes=5000000", 250),
            ("foglight:level=1", 250),
        ] {
            assert_eq!(Pace::of(spec).step(None), ms(step), "{spec}");
        }
        let slow = Pace::of("foglight:level=10");
        assert_eq!(slow.step(Some(ms(100))), ms(250), "the clock is public");
        assert_eq!(slow.step(Some(ms(60_000))), ms(4000));
    }
}
