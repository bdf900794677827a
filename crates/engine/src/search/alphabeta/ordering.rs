//! Which moves to try first: the table's, good captures, killers, then by
//! history.

use arrayvec::ArrayVec;
use foglight_rules::{Bitboard, Kind, Move, MoveList, Position, Role, Square, attacks};

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

    /// How well a quiet move has done, which brings a piece to `now`.
    #[inline]
    fn of_arrival(&self, position: &Position, m: Move, now: Arrival, before: [Arrival; 2]) -> i32 {
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
    /// Score above, move below: the greatest number is the next move.
    packed: ArrayVec<i64, 256>,
    next: usize,
}

impl Picker {
    /// All moves of a node.
    pub(super) fn new(
        position: &Position,
        moves: &MoveList,
        memory: &Memory,
        hints: &Hints,
    ) -> Picker {
        let board = position.board();
        let enemy = !position.turn();
        let occupied = board.occupied();
        let counter = memory.counter[hints.before[0]];
        let danger = pawn_danger(position);
        // Moves come piece by piece: look each piece up once.
        let (mut from, mut role) = (None, Role::Pawn);
        Picker::scored(moves, |m| {
            if Some(m) == hints.hash {
                return HASH;
            }
            if m.promotion().is_some() || occupied.contains(m.to()) || m.kind() == Kind::EnPassant {
                if m.kind() != Kind::Castle {
                    return noisy_score(position, m, memory);
                }
            }
            if hints.killers[0] == Some(m) {
                return KILLER + 2;
            }
            if hints.killers[1] == Some(m) {
                return KILLER + 1;
            }
            if m.raw() == counter {
                return KILLER;
            }
            if from != Some(m.from()) {
                (from, role) = (Some(m.from()), position.mover(m));
            }
            let hangs = role != Role::Pawn && danger.contains(m.to());
            let now = arrival(position, role, m.to());
            debug_assert!(!board.side(enemy).contains(m.to()));
            memory.of_arrival(position, m, now, hints.before) - if hangs { 6000 } else { 0 }
        })
    }

    /// The captures and promotions of a quiescence node.
    pub(super) fn noisy(
        position: &Position,
        moves: &MoveList,
        memory: &Memory,
        hash: Option<Move>,
    ) -> Picker {
        Picker::scored(moves, |m| {
            if Some(m) == hash {
                HASH
            } else {
                by_victim(position, m, memory)
            }
        })
    }

    /// No position of a game has more moves than are kept; made-up ones lose
    /// the rest.
    #[inline]
    fn scored(moves: &MoveList, mut score: impl FnMut(Move) -> i32) -> Picker {
        let packed = moves
            .iter()
            .take(256)
            .map(|&m| i64::from(score(m)) << 16 | i64::from(m.raw()));
        Picker {
            packed: packed.collect(),
            next: 0,
        }
    }

    /// How many moves there are.
    pub(super) fn len(&self) -> usize {
        self.packed.len()
    }
}

impl Iterator for Picker {
    type Item = (Move, i32);

    #[inline]
    fn next(&mut self) -> Option<(Move, i32)> {
        let left = self.packed.get_mut(self.next..)?;
        let (first, rest) = left.split_first_mut()?;
        for other in rest {
            if *other > *first {
                std::mem::swap(first, other);
            }
        }
        self.next += 1;
        Some((Move::from_raw(*first as u16), (*first >> 16) as i32))
    }
}

/// Squares that enemy pawns attack.
#[inline]
fn pawn_danger(position: &Position) -> Bitboard {
    let enemy = !position.turn();
    let pawns = position.board().pieces(enemy, Role::Pawn);
    pawns.into_iter().fold(Bitboard::EMPTY, |seen, square| {
        seen | attacks::pawn_attacks(enemy, square)
    })
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
