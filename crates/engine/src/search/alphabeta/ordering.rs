//! Move ordering: the table's move, good captures, killers, then by history.
//! Moves are generated and scored only when their stage comes.

use arrayvec::ArrayVec;
use foglight_rules::{Bitboard, Move, MoveKind, MoveList, Position, Role, attacks};

use super::{
    generate::{is_pseudo_legal, noisy_moves, quiet_moves},
    histories::{Arrival, Histories, arrival},
    see,
};

const HASH: i32 = 1 << 28;
const GOOD_CAPTURE: i32 = 1 << 24;
const KILLER: i32 = 1 << 22;
const BAD_CAPTURE: i32 = -(1 << 24);
const UNDERPROMOTION: i32 = -(1 << 25);

/// Whether the move neither captures nor promotes.
#[inline]
pub(super) fn is_quiet(position: &Position, m: Move) -> bool {
    m.promotion().is_none() && position.captured(m).is_none()
}

/// Inputs of the move ordering.
#[derive(Clone, Copy)]
pub(super) struct Hints {
    pub(super) hash: Option<Move>,
    pub(super) killers: [Option<Move>; 2],
    pub(super) before: [Arrival; 2],
}

/// A move returned by the picker.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub(super) m: Move,
    /// Ordering score; see [`is_bad`] and [`is_special`].
    pub(super) order: i32,
    /// Whether it neither captures nor promotes.
    pub(super) quiet: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Hash,
    Captures,
    GoodCaptures,
    Killer(usize),
    Quiets,
    Quiet,
    BadCaptures,
    /// All moves are in the list.
    Listed,
}

/// Returns moves best first.
///
/// No position of a game has more moves than the list holds; for artificial
/// positions the excess is dropped.
pub(super) struct MovePicker {
    /// Score above, move below: the greatest number is the next move.
    list: ArrayVec<i64, 256>,
    /// Index of the first move in the list not yet returned.
    next: usize,
    /// Number of losing captures, stored at the start of the list.
    bad: usize,
    stage: Stage,
    hints: Hints,
    /// Killers and counter move, once they were returned.
    given: [Option<Move>; 3],
}

impl MovePicker {
    /// All moves of a node whose side to move is not in check.
    #[inline(always)] // a call would copy the empty list
    pub(super) fn staged(hints: Hints) -> MovePicker {
        MovePicker {
            list: ArrayVec::new(),
            next: 0,
            bad: 0,
            stage: Stage::Hash,
            hints,
            given: [None; 3],
        }
    }

    #[inline(always)]
    pub(super) fn listed(
        position: &Position,
        moves: &MoveList,
        memory: &Histories,
        hints: Hints,
    ) -> MovePicker {
        let mut picker = MovePicker::staged(hints);
        picker.stage = Stage::Listed;
        let danger = pawn_danger(position);
        for &m in moves {
            let score = if Some(m) == hints.hash {
                HASH
            } else if is_quiet(position, m) {
                let role = position.mover(m);
                quiet_score(position, role, m, memory, &hints, danger)
            } else {
                noisy_score(position, m, memory)
            };
            picker.push(score, m);
        }
        picker
    }

    /// Only captures and promotions to a queen.
    #[inline(always)]
    pub(super) fn noisy(position: &Position, memory: &Histories, hash: Option<Move>) -> MovePicker {
        let mut picker = MovePicker::staged(Hints {
            hash,
            killers: [None; 2],
            before: [0; 2],
        });
        picker.stage = Stage::Listed;
        noisy_moves(position, |role, m| {
            let score = if Some(m) == hash {
                HASH
            } else {
                by_victim(position, role, m, memory)
            };
            picker.push(score, m);
        });
        picker
    }

    #[inline]
    fn push(&mut self, score: i32, m: Move) {
        let packed = i64::from(score) << 16 | i64::from(m.raw());
        let _kept = self.list.try_push(packed);
    }

    /// The best move of the list not yet returned.
    #[inline]
    fn best(&mut self) -> Option<(Move, i32)> {
        let left = self.list.get_mut(self.next..)?;
        let mut most = *left.first()?;
        let mut at = 0;
        for (i, &other) in left.iter().enumerate().skip(1) {
            if other > most {
                (most, at) = (other, i);
            }
        }
        left.swap(0, at);
        self.next += 1;
        Some((Move::from_raw(most as u16), (most >> 16) as i32))
    }

    pub(super) fn next(&mut self, position: &Position, memory: &Histories) -> Option<Choice> {
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = Stage::Captures;
                    self.hints.hash = self.hints.hash.filter(|&m| is_pseudo_legal(position, m));
                    if let Some(m) = self.hints.hash {
                        return Some(choice(position, m, HASH));
                    }
                }
                Stage::Captures => {
                    self.list_captures(position, memory);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    if let Some(choice) = self.good_capture(position) {
                        return Some(choice);
                    }
                    self.stage = Stage::Killer(0);
                }
                Stage::Killer(i) => {
                    let next = Stage::Killer(i + 1);
                    self.stage = if i < 2 { next } else { Stage::Quiets };
                    if let Some(choice) = self.killer(position, memory, i) {
                        return Some(choice);
                    }
                }
                Stage::Quiets => {
                    self.list_quiets(position, memory);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if let Some((m, order)) = self.best() {
                        let quiet = order > UNDERPROMOTION / 2;
                        return Some(Choice { m, order, quiet });
                    }
                    self.stage = Stage::BadCaptures;
                    self.list.truncate(self.bad);
                    self.next = 0;
                }
                Stage::BadCaptures => {
                    let (m, order) = self.best()?;
                    let quiet = false;
                    return Some(Choice { m, order, quiet });
                }
                Stage::Listed => {
                    let (m, order) = self.best()?;
                    return Some(choice(position, m, order));
                }
            }
        }
    }

    fn list_captures(&mut self, position: &Position, memory: &Histories) {
        noisy_moves(position, |role, m| {
            if Some(m) != self.hints.hash {
                self.push(by_victim(position, role, m, memory), m);
            }
        });
    }

    /// The best capture that loses nothing; losing ones are set aside.
    fn good_capture(&mut self, position: &Position) -> Option<Choice> {
        loop {
            let (m, order) = self.best()?;
            if see::gains(position, m, 0) {
                return Some(Choice {
                    m,
                    order: GOOD_CAPTURE + order,
                    quiet: false,
                });
            }
            let packed = i64::from(BAD_CAPTURE + order) << 16 | i64::from(m.raw());
            self.list[self.bad] = packed;
            self.bad += 1;
        }
    }

    /// A killer, or the counter move of the previous one.
    fn killer(&mut self, position: &Position, memory: &Histories, i: usize) -> Option<Choice> {
        let m = match i {
            2 => memory.refutation(self.hints.before[0])?,
            _ => self.hints.killers[i]?,
        };
        let known = Some(m) == self.hints.hash || self.given.contains(&Some(m));
        if known || !is_quiet(position, m) || !is_pseudo_legal(position, m) {
            return None;
        }
        self.given[i] = Some(m);
        Some(Choice {
            m,
            order: KILLER + 2 - i as i32,
            quiet: true,
        })
    }

    fn list_quiets(&mut self, position: &Position, memory: &Histories) {
        let hints = self.hints;
        let given = self.given;
        let danger = pawn_danger(position);
        quiet_moves(position, |role, m| {
            if Some(m) == hints.hash || given.contains(&Some(m)) {
                return;
            }
            let score = if m.promotion().is_some() {
                UNDERPROMOTION
            } else {
                quiet_score(position, role, m, memory, &hints, danger)
            };
            self.push(score, m);
        });
    }
}

#[inline]
fn choice(position: &Position, m: Move, order: i32) -> Choice {
    let quiet = is_quiet(position, m);
    Choice { m, order, quiet }
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
fn quiet_score(
    position: &Position,
    role: Role,
    m: Move,
    memory: &Histories,
    hints: &Hints,
    danger: Bitboard,
) -> i32 {
    let hangs = role != Role::Pawn && danger.contains(m.to());
    let now = arrival(position, role, m.to());
    memory.of_arrival(position, m, now, hints.before) - if hangs { 6000 } else { 0 }
}

#[inline]
fn by_victim(position: &Position, role: Role, m: Move, memory: &Histories) -> i32 {
    let taken = match m.kind() {
        MoveKind::EnPassant => Some(Role::Pawn),
        _ => position.board().role_at(m.to()),
    };
    let promoted = m.promotion().map_or(0, see::see_value);
    let now = arrival(position, role, m.to());
    let history = memory.of_capture(now, taken.unwrap_or(Role::Pawn));
    let worth = taken.map_or(0, see::see_value).min(2000);
    16 * (worth + promoted) - role as i32 + history / 8
}

fn noisy_score(position: &Position, m: Move, memory: &Histories) -> i32 {
    if matches!(m.promotion(), Some(role) if role != Role::Queen) {
        return UNDERPROMOTION;
    }
    let base = if see::gains(position, m, 0) {
        GOOD_CAPTURE
    } else {
        BAD_CAPTURE
    };
    base + by_victim(position, position.mover(m), m, memory)
}

/// Whether the move was returned as a capture that loses material.
#[inline]
pub(super) const fn is_bad(order: i32) -> bool {
    order < BAD_CAPTURE / 2
}

/// Whether the move ranks above the quiet moves ordered by history.
#[inline]
pub(super) const fn is_special(order: i32) -> bool {
    order >= KILLER
}
