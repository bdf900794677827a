//! The end of each line: captures until nothing hangs.

use foglight_rules::{Position, Role};

use super::{
    noisy::noisy_moves,
    ordering::{self, Hints, NOBODY, Picker},
    run::Run,
    see,
    table::{Bound, Known},
    value::{DECIDED, INFINITE, MAX_PLY, loses_at},
};
use crate::eval::Leaf;

/// What a capture may gain beyond the piece taken, before it is not tried.
const MARGIN: i32 = 160;

impl<E: Leaf, const TAKE: bool> Run<'_, E, TAKE> {
    /// The score of a position once the captures that pay are played.
    pub(super) fn quiesce(
        &mut self,
        position: &Position,
        carried: E::Carried,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        check: bool,
    ) -> i32 {
        if self.stopped || self.is_drawn(position) {
            return 0;
        }
        if ply >= MAX_PLY {
            return self.leaf.centipawns(position, carried);
        }
        let key = self.key(position);
        let known = self.table.get(key, ply);
        if let Some(known) = known.filter(|known| cuts(known, alpha, beta)) {
            return known.score;
        }
        let mut best = -INFINITE;
        let mut eval = 0;
        if !check {
            eval = match known {
                Some(known) => known.eval,
                None => self.leaf.centipawns(position, carried),
            };
            best = eval;
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let hash = known.and_then(|known| known.best);
        let picker = self.quiet_picker(position, hash, check, ply);
        if check && picker.len() == 0 {
            return self.stuck(position, ply, check);
        }
        let mut chosen = None;
        for (m, _) in picker {
            let dull = !check && self.is_dull(position, m, eval, alpha);
            if dull && best > -DECIDED {
                continue;
            }
            let Some((next, next_carried)) = self.play(position, carried, m) else {
                best = best.max(loses_at(ply + 2));
                if self.stopped {
                    return 0;
                }
                continue;
            };
            self.path.push(next.hash());
            let gives_check = next.in_check();
            let score = -self.quiesce(&next, next_carried, -beta, -alpha, ply + 1, gives_check);
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
        let bound = if best >= beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        let found = Known {
            best: chosen,
            score: best,
            eval,
            depth: 0,
            bound,
        };
        self.table.put(key, ply, found);
        best
    }

    fn quiet_picker(
        &mut self,
        position: &Position,
        hash: Option<foglight_rules::Move>,
        check: bool,
        ply: usize,
    ) -> Picker {
        if !check {
            return Picker::noisy(position, &noisy_moves(position), self.memory, hash);
        }
        let hints = Hints {
            hash,
            killers: [None; 2],
            before: [self.before(ply)[0], NOBODY],
        };
        Picker::new(position, &self.moves(position), self.memory, &hints)
    }

    /// Can the capture neither reach alpha nor keep what it takes?
    #[inline]
    fn is_dull(&self, position: &Position, m: foglight_rules::Move, eval: i32, alpha: i32) -> bool {
        if !ordering::is_quiet(position, m) && m.promotion().is_none() {
            let taken = position.captured(m).map_or(0, see::worth);
            if eval + taken + MARGIN <= alpha {
                return true;
            }
            // A capture of something no cheaper than the taker loses nothing.
            let taker = see::worth(position.mover(m));
            return taken < taker && position.mover(m) != Role::King && !see::gains(position, m, 0);
        }
        false
    }
}

#[inline]
fn cuts(known: &Known, alpha: i32, beta: i32) -> bool {
    match known.bound {
        Bound::Exact => true,
        Bound::Lower => known.score >= beta,
        Bound::Upper => known.score <= alpha,
        Bound::None => false,
    }
}

/// Is nothing to be won by a capture, nobody in check, no promotion at hand?
pub(crate) fn is_still(position: &Position) -> bool {
    !position.in_check()
        && !noisy_moves(position)
            .iter()
            .any(|&m| see::gains(position, m, 1))
}
