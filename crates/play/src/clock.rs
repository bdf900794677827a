//! The two clocks of a game, of which at most one runs.

use std::time::Duration;

use foglight_rules::{ByColor, Color};

use crate::limits::TimeControl;

/// Time left for both sides. It reads no clock: `now` is the time since a fixed
/// point, the same for all calls.
#[derive(Clone, Debug)]
pub struct GameClock {
    controls: ByColor<Option<TimeControl>>,
    left: ByColor<Duration>,
    moves: ByColor<u32>,
    running: Option<(Color, Duration)>,
}

impl GameClock {
    /// Clocks at their base time; a side without a time control has none.
    pub fn new(controls: ByColor<Option<TimeControl>>) -> GameClock {
        GameClock {
            left: controls.map(|control| control.map_or(Duration::ZERO, |control| control.base)),
            controls,
            moves: ByColor::default(),
            running: None,
        }
    }

    /// Time left for a side while no clock runs.
    pub fn left(&self, side: Color) -> Option<Duration> {
        self.controls.get(side).map(|_| *self.left.get(side))
    }

    /// Time left for a side at `now`.
    pub fn left_at(&self, side: Color, now: Duration) -> Option<Duration> {
        let left = self.left(side)?;
        Some(match self.running {
            Some((running, since)) if running == side => {
                left.saturating_sub(now.saturating_sub(since))
            }
            _ => left,
        })
    }

    /// Sets both clocks, for example to the times after a stored move.
    pub fn set(&mut self, left: ByColor<Duration>) {
        self.left = left;
    }

    /// Starts the clock of a side at `now`; stops the other.
    pub fn run(&mut self, side: Option<Color>, now: Duration) {
        self.stop(now);
        let side = side.filter(|&side| self.controls.get(side).is_some());
        self.running = side.map(|side| (side, now));
    }

    /// Stops the running clock.
    pub fn stop(&mut self, now: Duration) {
        if let Some((side, _)) = self.running
            && let Some(left) = self.left_at(side, now)
        {
            *self.left.get_mut(side) = left;
        }
        self.running = None;
    }

    /// Gives the running side back `by` of the time that has passed since its
    /// clock was started, and no more than has passed at `now`.
    pub fn give_back(&mut self, by: Duration, now: Duration) {
        if let Some((_, since)) = &mut self.running {
            *since = since.saturating_add(by).min(now);
        }
    }

    /// The side whose clock is running.
    pub fn running(&self) -> Option<Color> {
        self.running.map(|(side, _)| side)
    }

    /// The side and time at which the running clock flags.
    pub fn flags_at(&self) -> Option<(Color, Duration)> {
        self.running
            .map(|(side, since)| (side, since + *self.left.get(side)))
    }

    /// Adds a side's increment and, at the end of a period, the base time.
    pub fn add_increment(&mut self, side: Color) {
        let Some(control) = self.controls.get(side) else {
            return;
        };
        let moves = self.moves.get_mut(side);
        *moves += 1;
        let period = control.moves.filter(|&n| n > 0);
        let refill = period.is_some_and(|n| moves.is_multiple_of(n));
        let base = if refill { control.base } else { Duration::ZERO };
        *self.left.get_mut(side) += control.increment + base;
    }

    /// Charges a move that lasted `spent`. Returns false and sets the clock to
    /// zero if that exceeds the time left plus `margin`.
    pub fn charge(&mut self, side: Color, spent: Duration, margin: Duration) -> bool {
        let Some(left) = self.left(side) else {
            return true;
        };
        *self.left.get_mut(side) = left.saturating_sub(spent);
        if spent > left + margin {
            return false;
        }
        self.add_increment(side);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> GameClock {
        let control = text.parse().expect("a time control");
        GameClock::new(ByColor::new_with(|_| Some(control)))
    }

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_clock_is_charged_and_falls() {
        let (white, margin) = (Color::White, ms(100));
        let mut clock = clock("2/1+0.5");
        assert!(clock.charge(white, ms(400), margin));
        assert_eq!(clock.left(white), Some(ms(1100)));
        assert!(clock.charge(white, ms(1100), margin));
        assert_eq!(clock.left(white), Some(ms(1500)), "a new period");
        assert!(clock.charge(white, ms(1600), margin), "inside the margin");
        assert!(!clock.charge(white, ms(700), margin));
        assert_eq!(clock.left(Color::Black), Some(ms(1000)));
    }

    #[test]
    fn clocks_run_stop_and_flag() {
        let (white, black) = (Color::White, Color::Black);
        let mut clock = clock("1+0.1");
        clock.run(Some(white), ms(50));
        assert_eq!(clock.flags_at(), Some((white, ms(1050))));
        clock.stop(ms(250));
        clock.add_increment(white);
        clock.run(Some(black), ms(250));
        assert_eq!(clock.left_at(white, ms(400)), Some(ms(900)));
        assert_eq!(clock.left_at(black, ms(400)), Some(ms(850)));
        assert_eq!(clock.left_at(black, ms(99_999)), Some(Duration::ZERO));
    }

    #[test]
    fn time_is_given_back_as_far_as_it_has_passed() {
        let white = Color::White;
        let mut clock = clock("10+0");
        clock.run(Some(white), ms(1000));
        clock.give_back(ms(3000), ms(5000));
        assert_eq!(clock.left_at(white, ms(5000)), Some(ms(9000)));
        clock.give_back(ms(3000), ms(5000));
        assert_eq!(clock.left_at(white, ms(5000)), Some(ms(10_000)));
        clock.stop(ms(5000));
        clock.give_back(ms(3000), ms(5000));
        assert_eq!(clock.left(white), Some(ms(10_000)), "no clock runs");
    }

    #[test]
    fn a_side_without_a_control_has_no_clock() {
        let mut clock = GameClock::new(ByColor::default());
        clock.run(Some(Color::White), ms(5));
        assert_eq!(clock.flags_at(), None);
        assert!(clock.charge(Color::White, ms(1_000_000), Duration::ZERO));
        assert_eq!(clock.left(Color::White), None);
    }
}
