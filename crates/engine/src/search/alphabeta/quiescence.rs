//! The end of each line: captures until nothing hangs.

use foglight_rules::{Position, Role};

use super::{
    check_info::CheckInfo,
    correction::CorrectionHistory,
    generate::noisy_moves,
    histories::NOBODY,
    ordering::{Choice, Hints, MovePicker},
    run::SearchThread,
    see,
    table::{Bound, TtEntry},
    value::{DECIDED, INFINITE, MAX_PLY, loses_at},
};
use crate::eval::Evaluator;

/// What a capture may gain beyond the piece taken, before it is not tried.
const MARGIN: i32 = 160;

impl<E: Evaluator, const TAKE: bool> SearchThread<'_, E, TAKE> {
    /// The score of a position once the captures that pay are played.
    pub(super) fn quiesce(
        &mut self,
        position: &Position,
        carried: &E::Accumulator,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        check: bool,
    ) -> i32 {
        if self.stopped || self.is_drawn(position) {
            return 0;
        }
        if ply >= MAX_PLY {
            return self.leaf.evaluate(position, carried);
        }
        let key = self.key(position);
        let known = self.table.get(key, ply);
        if let Some(known) = known.filter(|known| cuts(known, alpha, beta)) {
            return known.score;
        }
        let mut best = -INFINITE;
        let (mut plain, mut eval) = (0, 0);
        if !check {
            plain = match known {
                Some(known) => known.eval,
                None => self.leaf.evaluate(position, carried),
            };
            eval = self
                .corrections
                .correct(plain, CorrectionHistory::place(position));
            best = eval;
            if best >= beta {
                if known.is_none() {
                    self.table.put(key, ply, TtEntry::stood_pat(plain, best));
                }
                return best;
            }
            alpha = alpha.max(best);
        }
        let hash = known.and_then(|known| known.best);
        let mut picker = if check {
            let hints = Hints {
                hash,
                killers: [None; 2],
                before: [self.before(ply)[0], NOBODY],
            };
            MovePicker::listed(position, &self.moves(position), self.memory, hints)
        } else {
            MovePicker::noisy(position, self.memory, hash)
        };
        let mut aim = None;
        let mut chosen = None;
        while let Some(choice) = picker.next(position, self.memory) {
            let m = choice.m;
            let role = position.mover(m);
            if !check && best > -DECIDED && is_dull(position, choice, role, eval, alpha) {
                continue;
            }
            let aim = aim.get_or_insert_with(|| CheckInfo::new(position, check));
            let Some(step) = self.play(position, carried, m, role, aim) else {
                if TAKE {
                    best = best.max(loses_at(ply + 2));
                }
                if self.stopped {
                    return 0;
                }
                continue;
            };
            self.path.push(step.position.hash());
            let (next, carried) = (&step.position, &step.carried);
            let score = -self.quiesce(next, carried, -beta, -alpha, ply + 1, step.check);
            self.path.pop();
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    (alpha, chosen) = (score, Some(m));
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        if best == -INFINITE {
            return self.stuck(position, ply, check);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        let found = TtEntry {
            best: chosen,
            score: best,
            eval: plain,
            depth: 0,
            bound,
        };
        self.table.put(key, ply, found);
        best
    }
}

/// Can the capture neither reach alpha nor keep what it takes?
#[inline]
fn is_dull(position: &Position, choice: Choice, role: Role, eval: i32, alpha: i32) -> bool {
    let m = choice.m;
    if choice.quiet || m.promotion().is_some() {
        return false;
    }
    let taken = position.captured(m).map_or(0, see::see_value);
    if eval + taken + MARGIN <= alpha {
        return true;
    }
    // A capture of something no cheaper than the taker loses nothing.
    taken < see::see_value(role) && role != Role::King && !see::gains(position, m, 0)
}

#[inline]
fn cuts(known: &TtEntry, alpha: i32, beta: i32) -> bool {
    match known.bound {
        Bound::Exact => true,
        Bound::Lower => known.score >= beta,
        Bound::Upper => known.score <= alpha,
        Bound::None => false,
    }
}

/// Is nothing to be won by a capture, nobody in check, no promotion at hand?
pub fn is_still(position: &Position) -> bool {
    let mut gains = position.in_check();
    noisy_moves(position, |_, m| gains = gains || see::gains(position, m, 1));
    !gains
}
