//! A running search: state shared by all its steps.

use foglight_rules::{Game, Move, MoveKind, MoveList, Position, Role, RoleSet, Variant};

use super::{
    check_info::CheckInfo,
    correction::CorrectionHistory,
    histories::{Arrival, Histories, NOBODY},
    table::TranspositionTable,
    time::Limits,
    value::MAX_PLY,
};
use crate::eval::Evaluator;
use foglight_play::Budget;

/// State stored for each ply from the root.
#[derive(Clone, Copy)]
pub(super) struct StackEntry {
    pub(super) killers: [Option<Move>; 2],
    /// Static score, or `None` in check.
    pub(super) eval: Option<i32>,
    /// The piece moved from here, and its destination.
    pub(super) arrival: Arrival,
    /// The move left out while it is tested for singularity.
    pub(super) excluded: Option<Move>,
}

impl StackEntry {
    pub(super) const EMPTY: StackEntry = StackEntry {
        killers: [None; 2],
        eval: None,
        arrival: NOBODY,
        excluded: None,
    };
}

/// Entries before the root, so that looking back needs no bounds check.
pub(super) const BACK: usize = 4;

/// Principal variations from each ply on.
pub(super) struct PvTable {
    moves: Vec<Move>,
    lengths: Vec<usize>,
}

const WIDTH: usize = MAX_PLY + 2;

impl PvTable {
    pub(super) fn new() -> PvTable {
        PvTable {
            moves: vec![Move::from_raw(0); WIDTH * WIDTH],
            lengths: vec![0; WIDTH],
        }
    }

    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        self.lengths[ply] = 0;
    }

    /// Sets the line from `ply` on to `m` followed by the line below it.
    pub(super) fn extend(&mut self, ply: usize, m: Move) {
        let below = self.lengths[ply + 1].min(WIDTH - 1);
        let (here, next) = (ply * WIDTH, (ply + 1) * WIDTH);
        self.moves[here] = m;
        self.moves.copy_within(next..next + below, here + 1);
        self.lengths[ply] = below + 1;
    }

    pub(super) fn pv(&self, ply: usize) -> &[Move] {
        &self.moves[ply * WIDTH..][..self.lengths[ply]]
    }
}

/// The result of a move.
pub(super) struct Step<C> {
    pub(super) position: Position,
    pub(super) carried: C,
    /// Whether the side now to move is in check.
    pub(super) check: bool,
}

/// A running search. `TAKE`: kings are captured, not mated.
pub(super) struct SearchThread<'a, E: Evaluator, const TAKE: bool> {
    pub(super) game: Game,
    pub(super) budget: &'a Budget,
    pub(super) limits: Limits,
    pub(super) leaf: &'a mut E,
    pub(super) table: &'a mut TranspositionTable,
    pub(super) memory: &'a mut Histories,
    pub(super) corrections: &'a mut CorrectionHistory,
    pub(super) frames: &'a mut [StackEntry],
    pub(super) lines: &'a mut PvTable,
    pub(super) reductions: &'a [[u8; 64]; 64],
    /// Hashes from the start of the game to the position searched.
    pub(super) path: &'a mut Vec<u64>,
    /// Index of the root in the path.
    pub(super) root: usize,
    /// Key modifier that separates games and board sizes in the table.
    pub(super) salt: u64,
    pub(super) nodes: u64,
    pub(super) stopped: bool,
    pub(super) root_depth: i32,
}

impl<E: Evaluator, const TAKE: bool> SearchThread<'_, E, TAKE> {
    #[inline]
    pub(super) fn frame(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.frames[ply + BACK]
    }

    /// The arrivals of the last move and of the one before it.
    #[inline]
    pub(super) fn before(&self, ply: usize) -> [Arrival; 2] {
        [
            self.frames[ply + BACK - 1].arrival,
            self.frames[ply + BACK - 2].arrival,
        ]
    }

    #[inline]
    pub(super) fn key(&self, position: &Position) -> u64 {
        position.hash() ^ self.salt
    }

    /// The legal moves; where kings are captured, also those that expose one.
    #[inline]
    pub(super) fn moves(&self, position: &Position) -> MoveList {
        if TAKE {
            position.king_capture_moves(RoleSet::ALL)
        } else {
            position.legal_moves()
        }
    }

    /// Plays a move and counts a node. Returns `None` if the mover's king could
    /// then be captured: under mate rules such a move is illegal and not
    /// counted.
    #[inline]
    pub(super) fn play(
        &mut self,
        position: &Position,
        carried: &E::Accumulator,
        m: Move,
        role: Role,
        aim: &CheckInfo,
    ) -> Option<Step<E::Accumulator>> {
        let mut next = *position;
        let taken = self.game.play_unchecked(&mut next, m);
        self.table.touch(self.key(&next));
        let exposed = (aim.is_risky(role, m) && next.can_capture_king())
            || (!TAKE && m.kind() == MoveKind::Castle && !position.castles_safely(m.to()));
        if TAKE || !exposed {
            self.count();
        }
        if exposed {
            return None;
        }
        let check = aim.gives_check(role, m);
        Some(Step {
            position: next,
            carried: self.leaf.update(carried, position, m, taken),
            check: check.unwrap_or_else(|| next.in_check()),
        })
    }

    /// Counts a node. Nodes visited while a stopped search unwinds are not
    /// searched and not counted.
    #[inline]
    pub(super) fn count(&mut self) {
        self.nodes += u64::from(!self.stopped);
        if self.nodes >= self.limits.nodes || (self.nodes & 1023 == 0 && self.late()) {
            self.stopped = true;
        }
    }

    fn late(&self) -> bool {
        let late = |hard| self.budget.elapsed() >= hard;
        self.budget.stopped() || self.limits.hard.is_some_and(late)
    }

    /// Whether the position is drawn by history or by insufficient material.
    #[inline]
    pub(super) fn is_drawn(&self, position: &Position) -> bool {
        self.repeats(position) || self.is_dead(position)
    }

    /// Whether the position occurred before: once since the root, or twice in
    /// the game.
    fn repeats(&self, position: &Position) -> bool {
        let counts = match self.game.variant() {
            Variant::Fog(rules) => rules.has_repetition(),
            _ => true,
        };
        let back = position.halfmoves() as usize;
        if !counts || back < 4 {
            return false;
        }
        let here = self.path.len() - 1;
        let hash = position.hash();
        let mut seen = 0;
        let mut at = here;
        let last = here.saturating_sub(back);
        while at >= last + 2 {
            at -= 2;
            if self.path[at] == hash {
                seen += 1;
                if at > self.root || seen == 2 {
                    return true;
                }
            }
        }
        false
    }

    #[inline]
    fn is_dead(&self, position: &Position) -> bool {
        match self.game.variant() {
            Variant::Chess => {
                position.board().occupied().count() <= 4 && position.insufficient_material()
            }
            Variant::Fog(rules) => {
                rules.bare_kings_are_draw() && position.board().occupied().count() <= 2
            }
            Variant::Dice1 | Variant::Dice3 => false,
        }
    }

    /// Whether the halfmove limit is reached. Mate takes precedence.
    #[inline]
    pub(super) fn is_stale(&self, position: &Position, check: bool) -> bool {
        let limit = self.game.halfmove_limit();
        limit.is_some_and(|limit| position.halfmoves() >= limit)
            && (TAKE || !check || !position.legal_moves().is_empty())
    }
}
