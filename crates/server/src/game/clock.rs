//! Two clocks of which at most one runs.

use foglight_rules::{ByColor, Color};

use crate::wire::{ClockTerms, Clocks};

/// The clocks of a game, in milliseconds. The first move of each side is free:
/// nobody loses time before both are there.
#[derive(Clone, Debug)]
pub struct Timer {
    terms: ClockTerms,
    left: ByColor<u64>,
    running: Option<(Color, u64)>,
}

impl Timer {
    /// Full clocks.
    pub fn new(terms: ClockTerms) -> Timer {
        Timer {
            terms,
            left: ByColor::new_with(|_| terms.base),
            running: None,
        }
    }

    /// Clocks as they were after a move.
    pub fn set(&mut self, left: ByColor<u64>) {
        self.left = left;
    }

    /// Time that `side` has left at `now`.
    pub fn left(&self, side: Color, now: u64) -> u64 {
        let left = *self.left.get(side);
        match self.running {
            Some((running, since)) if running == side => {
                left.saturating_sub(now.saturating_sub(since))
            }
            _ => left,
        }
    }

    /// Lets the clock of a side run from `now`; stops the other.
    pub fn run(&mut self, side: Option<Color>, now: u64) {
        self.stop(now);
        self.running = side.map(|side| (side, now));
    }

    /// Stops whatever runs.
    pub fn stop(&mut self, now: u64) {
        if let Some((side, _)) = self.running {
            *self.left.get_mut(side) = self.left(side, now);
        }
        self.running = None;
    }

    /// What a side's clock will show when it moves at `now`.
    pub fn after_move(&self, side: Color, now: u64) -> u64 {
        self.left(side, now) + self.terms.increment
    }

    /// The increment for a move that was made.
    pub fn pay(&mut self, side: Color) {
        *self.left.get_mut(side) += self.terms.increment;
    }

    /// When the running clock will fall.
    pub fn falls_at(&self) -> Option<(Color, u64)> {
        self.running
            .map(|(side, since)| (side, since + self.left.get(side)))
    }

    /// The increment.
    pub fn increment(&self) -> u64 {
        self.terms.increment
    }

    /// What both show at `now`.
    pub fn show(&self, now: u64) -> Clocks {
        Clocks {
            white: self.left(Color::White, now),
            black: self.left(Color::Black, now),
            running: self.running.map(|(side, _)| side.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_run_stop_and_fall() {
        let mut timer = Timer::new(ClockTerms {
            base: 1000,
            increment: 100,
        });
        timer.run(Some(Color::White), 50);
        assert_eq!(timer.falls_at(), Some((Color::White, 1050)));
        assert_eq!(timer.after_move(Color::White, 250), 900);
        timer.stop(250);
        timer.pay(Color::White);
        timer.run(Some(Color::Black), 250);
        assert_eq!(timer.show(400).white, 900);
        assert_eq!(timer.show(400).black, 850);
        assert_eq!(timer.left(Color::Black, 99_999), 0);
    }
}
