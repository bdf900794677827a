//! Quiescence search: captures until nothing hangs.

use foglight_rules::{Move, Position, Role};

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

/// Gain expected of a capture beyond the captured piece, for delta pruning.
const MARGIN: i32 = 160;

/// Scores of a position before its captures: as the evaluator gives it,
/// corrected, and the best so far.
struct StandPat {
    plain: i32,
    eval: i32,
    best: i32,
}

impl<E: Evaluator, const TAKE: bool> SearchThread<'_, E, TAKE> {
    /// The score of a position after the profitable captures.
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
            (plain, eval) = self.static_scores(position, carried, known);
            best = eval;
            if best >= beta {
                if known.is_none() {
                    self.table.put(key, ply, TtEntry::stood_pat(plain, best));
                }
                return best;
            }
            alpha = alpha.max(best);
        }
        let stand = StandPat { plain, eval, best };
        let hash = known.and_then(|known| known.best);
        let found = self.quiesce_moves(position, carried, (alpha, beta), ply, check, stand, hash);
        match found {
            Some(found) => {
                self.table.put(key, ply, found);
                found.score
            }
            None if self.stopped => 0,
            None => self.stuck(position, ply, check),
        }
    }

    /// Searches captures and promotions, or evasions in check. `None` if the
    /// search was stopped, or if there was no legal move in check.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "one part of quiesce")]
    fn quiesce_moves(
        &mut self,
        position: &Position,
        carried: &E::Accumulator,
        (mut alpha, beta): (i32, i32),
        ply: usize,
        check: bool,
        StandPat {
            plain,
            eval,
            mut best,
        }: StandPat,
        hash: Option<Move>,
    ) -> Option<TtEntry> {
        let mut picker = self.quiescence_picker(position, ply, check, hash);
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
                    return None;
                }
                continue;
            };
            self.path.push(step.position.hash());
            let (next, carried) = (&step.position, &step.carried);
            let score = -self.quiesce(next, carried, -beta, -alpha, ply + 1, step.check);
            self.path.pop();
            if self.stopped {
                return None;
            }
            if score <= best {
                continue;
            }
            best = score;
            if score > alpha {
                (alpha, chosen) = (score, Some(m));
            }
            if score >= beta {
                break;
            }
        }
        (best > -INFINITE).then(|| TtEntry::quiet(chosen, best, plain, best >= beta))
    }

    /// The static score as the evaluator gives it, and corrected.
    #[inline(always)]
    fn static_scores(
        &mut self,
        position: &Position,
        carried: &E::Accumulator,
        known: Option<TtEntry>,
    ) -> (i32, i32) {
        let plain = match known {
            Some(known) => known.eval,
            None => self.leaf.evaluate(position, carried),
        };
        let place = CorrectionHistory::place(position);
        (plain, self.corrections.correct(plain, place))
    }

    /// All evasions in check, else captures and promotions.
    #[inline(always)]
    fn quiescence_picker(
        &mut self,
        position: &Position,
        ply: usize,
        check: bool,
        hash: Option<Move>,
    ) -> MovePicker {
        if !check {
            return MovePicker::noisy(position, self.memory, hash);
        }
        let hints = Hints {
            hash,
            killers: [None; 2],
            before: [self.before(ply)[0], NOBODY],
        };
        MovePicker::listed(position, &self.moves(position), self.memory, hints)
    }
}

/// Whether the capture can neither reach alpha nor avoid losing material.
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
    // A capture of a piece no less valuable than the capturer loses nothing.
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

/// Whether no capture wins material, no side is in check and no promotion is
/// possible.
pub fn is_still(position: &Position) -> bool {
    let mut gains = position.in_check();
    noisy_moves(position, |_, m| gains = gains || see::gains(position, m, 1));
    !gains
}
