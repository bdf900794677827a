//! Move-ordering statistics of earlier nodes: histories and counter moves.

use foglight_rules::{Move, Position, Role, Square};

use super::ordering::is_quiet;

/// A piece of a side and its destination, as one number; `NOBODY` if there was
/// no move.
pub(super) type Arrival = usize;
pub(super) const NOBODY: Arrival = 12 * 64;

/// The arrival number of a move.
#[inline]
pub(super) fn arrival(position: &Position, role: Role, to: Square) -> Arrival {
    let side = usize::from(position.turn().is_black());
    (side * 6 + role as usize - 1) * 64 + to as usize
}

/// History tables of moves that caused cut-offs.
pub(super) struct Histories {
    /// Quiet moves by side, origin and destination.
    quiet: Vec<i16>,
    /// Continuation history: quiet moves by the previous arrival and the
    /// present one.
    follow: Vec<i16>,
    /// Captures by arrival and captured piece type.
    capture: Vec<i16>,
    /// The quiet move that refuted an arrival.
    counter: Vec<u16>,
}

const MAX_HISTORY: i32 = 16_384;

fn adjust(slot: &mut i16, bonus: i32) {
    let old = i32::from(*slot);
    *slot = (old + bonus - old * bonus.abs() / MAX_HISTORY) as i16;
}

impl Histories {
    pub(super) fn new() -> Histories {
        Histories {
            quiet: vec![0; 2 * 64 * 64],
            follow: vec![0; (NOBODY + 1) * NOBODY],
            capture: vec![0; NOBODY * 6],
            counter: vec![0; NOBODY + 1],
        }
    }

    pub(super) fn clear(&mut self) {
        self.quiet.fill(0);
        self.follow.fill(0);
        self.capture.fill(0);
        self.counter.fill(0);
    }

    #[inline]
    fn quiet_index(position: &Position, m: Move) -> usize {
        let side = usize::from(position.turn().is_black());
        side * 4096 + m.from() as usize * 64 + m.to() as usize
    }

    /// The history score of a quiet move that brings a piece to `now`.
    #[inline]
    pub(super) fn of_arrival(
        &self,
        position: &Position,
        m: Move,
        now: Arrival,
        before: [Arrival; 2],
    ) -> i32 {
        i32::from(self.quiet[Histories::quiet_index(position, m)])
            + i32::from(self.follow[before[0] * NOBODY + now])
            + i32::from(self.follow[before[1] * NOBODY + now])
    }

    /// The quiet move that refuted an arrival.
    #[inline]
    pub(super) fn refutation(&self, before: Arrival) -> Option<Move> {
        let raw = self.counter[before];
        (raw != 0).then(|| Move::from_raw(raw))
    }

    fn reward_quiet(&mut self, position: &Position, m: Move, before: [Arrival; 2], bonus: i32) {
        let now = arrival(position, position.mover(m), m.to());
        adjust(&mut self.quiet[Histories::quiet_index(position, m)], bonus);
        for arrived in before {
            if arrived != NOBODY {
                adjust(&mut self.follow[arrived * NOBODY + now], bonus);
            }
        }
    }

    /// The history score of a capture.
    #[inline]
    pub(super) fn of_capture(&self, now: Arrival, taken: Role) -> i32 {
        i32::from(self.capture[now * 6 + taken as usize - 1])
    }

    fn reward_capture(&mut self, position: &Position, m: Move, bonus: i32) {
        let taken = position.captured(m).unwrap_or(Role::Pawn);
        let now = arrival(position, position.mover(m), m.to());
        adjust(&mut self.capture[now * 6 + taken as usize - 1], bonus);
    }

    /// Rewards a move that caused a cut-off and penalises those tried before
    /// it.
    pub(super) fn reward(
        &mut self,
        position: &Position,
        best: Move,
        tried: &[Move],
        before: [Arrival; 2],
        depth: i32,
    ) {
        let bonus = (depth * depth * 8 + 64 * depth).min(1800);
        if is_quiet(position, best) {
            self.reward_quiet(position, best, before, bonus);
            if before[0] != NOBODY {
                self.counter[before[0]] = best.raw();
            }
        } else {
            self.reward_capture(position, best, bonus);
        }
        for &m in tried.iter().filter(|&&m| m != best) {
            if !is_quiet(position, m) {
                self.reward_capture(position, m, -bonus);
            } else if is_quiet(position, best) {
                self.reward_quiet(position, m, before, -bonus);
            }
        }
    }
}
