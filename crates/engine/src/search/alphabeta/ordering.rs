//! Which moves to try first: the table's, good captures, killers, then by
//! history.

use foglight_rules::{Move, MoveList, Position, Role, Square, attacks};

use super::see;

const HASH: i32 = 1 << 28;
const GOOD_CAPTURE: i32 = 1 << 24;
const KILLER: i32 = 1 << 22;
const BAD_CAPTURE: i32 = -(1 << 24);
const UNDERPROMOTION: i32 = -(1 << 25);

/// A piece of a side and the square it arrived on, as one number; `NOBODY`
/// where there was no move.
pub(super) type Arrival = usize;
pub(super) const NOBODY: Arrival = 12 * 64;

/// The arrival that a move makes.
#[inline]
pub(super) fn arrival(position: &Position, role: Role, to: Square) -> Arrival {
    let side = usize::from(position.turn().is_black());
    (side * 6 + role as usize - 1) * 64 + to as usize
}

/// What cut off before, and how often.
pub(super) struct Memory {
    /// Quiet moves by side and squares.
    quiet: Vec<i16>,
    /// Quiet moves by what came before: arrival before, arrival now.
    follow: Vec<i16>,
    /// Captures by arrival and kind taken.
    capture: Vec<i16>,
    /// The quiet move that refuted an arrival.
    counter: Vec<u16>,
}

const MOST: i32 = 16_384;

fn adjust(slot: &mut i16, bonus: i32) {
    let old = i32::from(*slot);
    *slot = (old + bonus - old * bonus.abs() / MOST) as i16;
}

impl Memory {
    pub(super) fn new() -> Memory {
        Memory {
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

    /// How well a quiet move has done.
    #[inline]
    pub(super) fn of_quiet(&self, position: &Position, m: Move, before: [Arrival; 2]) -> i32 {
        let now = arrival(position, position.mover(m), m.to());
        i32::from(self.quiet[Memory::quiet_index(position, m)])
            + i32::from(self.follow[before[0] * NOBODY + now])
            + i32::from(self.follow[before[1] * NOBODY + now])
    }

    fn reward_quiet(&mut self, position: &Position, m: Move, before: [Arrival; 2], bonus: i32) {
        let now = arrival(position, position.mover(m), m.to());
        adjust(&mut self.quiet[Memory::quiet_index(position, m)], bonus);
        for arrived in before {
            if arrived != NOBODY {
                adjust(&mut self.follow[arrived * NOBODY + now], bonus);
            }
        }
    }

    #[inline]
    fn capture_index(position: &Position, m: Move) -> usize {
        let taken = position.captured(m).unwrap_or(Role::Pawn);
        arrival(position, position.mover(m), m.to()) * 6 + taken as usize - 1
    }

    /// A move cut off: it gains, those tried before it lose.
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
            adjust(
                &mut self.capture[Memory::capture_index(position, best)],
                bonus,
            );
        }
        for &m in tried.iter().filter(|&&m| m != best) {
            if !is_quiet(position, m) {
                adjust(
                    &mut self.capture[Memory::capture_index(position, m)],
                    -bonus,
                );
            } else if is_quiet(position, best) {
                self.reward_quiet(position, m, before, -bonus);
            }
        }
    }
}

/// Neither takes nor promotes.
#[inline]
pub(super) fn is_quiet(position: &Position, m: Move) -> bool {
    m.promotion().is_none() && position.captured(m).is_none()
}

/// What the order of moves depends on.
#[derive(Clone, Copy)]
pub(super) struct Hints {
    pub(super) hash: Option<Move>,
    pub(super) killers: [Option<Move>; 2],
    pub(super) before: [Arrival; 2],
}

/// Moves with their scores, given out best first.
pub(super) struct Picker {
    moves: MoveList,
    scores: [i32; 256],
    next: usize,
}

impl Picker {
    /// All moves of a node.
    pub(super) fn new(
        position: &Position,
        moves: MoveList,
        memory: &Memory,
        hints: &Hints,
    ) -> Picker {
        let counter = memory.counter[hints.before[0]];
        let enemy = !position.turn();
        let enemy_pawns = position.board().pieces(enemy, Role::Pawn);
        let mut picker = Picker::unscored(moves);
        for i in 0..picker.moves.len() {
            let m = picker.moves[i];
            picker.scores[i] = if Some(m) == hints.hash {
                HASH
            } else if !is_quiet(position, m) {
                noisy_score(position, m, memory)
            } else if hints.killers[0] == Some(m) {
                KILLER + 2
            } else if hints.killers[1] == Some(m) {
                KILLER + 1
            } else if m.raw() == counter {
                KILLER
            } else {
                // Not where a pawn takes it.
                let hangs = position.mover(m) != Role::Pawn
                    && (attacks::pawn_attacks(!enemy, m.to()) & enemy_pawns).any();
                memory.of_quiet(position, m, hints.before) - if hangs { 6000 } else { 0 }
            };
        }
        picker
    }

    /// The captures and promotions of a quiescence node.
    pub(super) fn noisy(
        position: &Position,
        moves: MoveList,
        memory: &Memory,
        hash: Option<Move>,
    ) -> Picker {
        let mut picker = Picker::unscored(moves);
        for i in 0..picker.moves.len() {
            let m = picker.moves[i];
            picker.scores[i] = if Some(m) == hash {
                HASH
            } else {
                by_victim(position, m, memory)
            };
        }
        picker
    }

    fn unscored(mut moves: MoveList) -> Picker {
        // No position of a game has this many; made-up ones lose the rest.
        moves.truncate(256);
        Picker {
            moves,
            scores: [0; 256],
            next: 0,
        }
    }

    /// How many moves there are.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }
}

impl Iterator for Picker {
    type Item = (Move, i32);

    #[inline]
    fn next(&mut self) -> Option<(Move, i32)> {
        let (start, end) = (self.next, self.moves.len());
        if start >= end {
            return None;
        }
        let mut best = start;
        for i in start + 1..end {
            if self.scores[i] > self.scores[best] {
                best = i;
            }
        }
        self.moves.swap(start, best);
        self.scores.swap(start, best);
        self.next += 1;
        Some((self.moves[start], self.scores[start]))
    }
}

#[inline]
fn by_victim(position: &Position, m: Move, memory: &Memory) -> i32 {
    let taken = position.captured(m).map_or(0, see::worth).min(2000);
    let promoted = m.promotion().map_or(0, see::worth);
    let history = i32::from(memory.capture[Memory::capture_index(position, m)]);
    16 * (taken + promoted) - position.mover(m) as i32 + history / 8
}

fn noisy_score(position: &Position, m: Move, memory: &Memory) -> i32 {
    if matches!(m.promotion(), Some(role) if role != Role::Queen) {
        return UNDERPROMOTION;
    }
    let base = if see::gains(position, m, 0) {
        GOOD_CAPTURE
    } else {
        BAD_CAPTURE
    };
    base + by_victim(position, m, memory)
}

/// Was the move given out as a capture that loses material?
#[inline]
pub(super) const fn is_bad(score: i32) -> bool {
    score < BAD_CAPTURE / 2
}

/// Was it given out for more than its history?
#[inline]
pub(super) const fn is_special(score: i32) -> bool {
    score >= KILLER
}
