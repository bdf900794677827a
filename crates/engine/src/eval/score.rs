//! Middle-game and endgame scores packed into one number.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middle-game and an endgame score, added and subtracted together: the
/// endgame score is the upper half of the number.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Score(i32);

impl Score {
    pub const ZERO: Score = Score(0);

    /// Packs the two scores.
    #[inline]
    pub const fn new(middle: i32, end: i32) -> Score {
        Score((end << 16) + middle)
    }

    #[inline]
    pub const fn middle(self) -> i32 {
        self.0 as i16 as i32
    }

    #[inline]
    pub const fn end(self) -> i32 {
        // Rounds up by half a unit, so that a negative lower half is not
        // counted twice.
        (self.0 + 0x8000) >> 16
    }
}

impl Add for Score {
    type Output = Score;
    #[inline]
    fn add(self, other: Score) -> Score {
        Score(self.0 + other.0)
    }
}

impl Sub for Score {
    type Output = Score;
    #[inline]
    fn sub(self, other: Score) -> Score {
        Score(self.0 - other.0)
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl AddAssign for Score {
    #[inline]
    fn add_assign(&mut self, other: Score) {
        self.0 += other.0;
    }
}

impl SubAssign for Score {
    #[inline]
    fn sub_assign(&mut self, other: Score) {
        self.0 -= other.0;
    }
}

impl Mul<i32> for Score {
    type Output = Score;
    #[inline]
    fn mul(self, times: i32) -> Score {
        Score(self.0 * times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_survive_arithmetic() {
        for (a, b) in [(5, -7), (-300, 200), (-1, -1), (0, -4000), (1200, 1)] {
            let sum = Score::new(a, b) * 3 - Score::new(b, a) + Score::new(1, 2);
            assert_eq!(
                (sum.middle(), sum.end()),
                (3 * a - b + 1, 3 * b - a + 2),
                "{a} {b}"
            );
        }
    }
}
