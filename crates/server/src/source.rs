//! Injected sources of time and randomness, so that a test can stop the clock
//! and draw the same ids twice.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use foglight_play::{Rng, seeded};
use rand::{Rng as _, TryRngCore as _, rngs::OsRng};

/// The time in milliseconds since 1970. It never goes back: the system's clock
/// is read once, at the start, and monotonic time is added to it.
#[derive(Clone, Debug)]
pub enum WallClock {
    Monotonic { start: u64, since: Instant },
    Fixed(Arc<AtomicU64>),
}

impl Default for WallClock {
    fn default() -> WallClock {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        WallClock::starting(now.map_or(0, |time| time.as_millis() as u64))
    }
}

impl WallClock {
    fn starting(start: u64) -> WallClock {
        WallClock::Monotonic {
            start,
            since: Instant::now(),
        }
    }

    /// The same clock, set forward to `earliest` if it is behind: that of a
    /// server whose predecessor stored this time, whatever the system's clock
    /// says now.
    #[must_use]
    pub(crate) fn not_before(self, earliest: u64) -> WallClock {
        match self {
            WallClock::Monotonic { .. } if self.now() < earliest => WallClock::starting(earliest),
            clock => clock,
        }
    }

    pub fn now(&self) -> u64 {
        match self {
            WallClock::Monotonic { start, since } => start + since.elapsed().as_millis() as u64,
            WallClock::Fixed(at) => at.load(Ordering::Relaxed),
        }
    }
}

/// Source of random ids, tokens and seeds.
#[derive(Debug, Default)]
pub(crate) enum RandomSource {
    /// The operating system's generator: unpredictable.
    #[default]
    System,
    /// A seeded generator, for reproducible tests.
    Seeded(Mutex<Rng>),
}

const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

impl RandomSource {
    pub fn seeded(seed: u64) -> RandomSource {
        RandomSource::Seeded(Mutex::new(seeded(seed)))
    }

    pub fn number(&self) -> u64 {
        match self {
            RandomSource::System => OsRng.try_next_u64().expect("the system has random numbers"),
            RandomSource::Seeded(rng) => rng.lock().expect("no panic holds it").random(),
        }
    }

    /// A random string of letters and digits.
    pub fn text(&self, length: usize) -> String {
        let mut text = String::with_capacity(length);
        while text.len() < length {
            let bytes = self.number().to_le_bytes();
            // 248 is the largest multiple of 62 below 256, which makes all
            // characters equally likely.
            let fair = bytes.into_iter().filter(|byte| *byte < 248);
            text.extend(fair.map(|byte| char::from(LETTERS[usize::from(byte) % 62])));
        }
        text.truncate(length);
        text
    }

    /// 32 random bytes in hexadecimal.
    pub fn secret(&self) -> String {
        (0..4).map(|_| format!("{:016x}", self.number())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_follows_monotonic_time_only() {
        let clock = WallClock::starting(1_000);
        std::thread::sleep(std::time::Duration::from_millis(20));
        let later = clock.now();
        assert!(
            (1_020..100_000).contains(&later),
            "{later}: not the time of day"
        );
        let ahead = clock.not_before(5_000_000).now();
        assert!((5_000_000..5_100_000).contains(&ahead), "{ahead}");
        assert!(WallClock::starting(9_000).not_before(5_000).now() >= 9_000);
    }

    #[test]
    fn texts_are_long_enough_and_differ() {
        let chance = RandomSource::default();
        let (one, other) = (chance.text(24), chance.text(24));
        assert_eq!(one.len(), 24);
        assert_ne!(one, other);
        assert_eq!(
            RandomSource::seeded(1).secret(),
            RandomSource::seeded(1).secret()
        );
    }
}
