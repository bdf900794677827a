//! Expectiminimax for one-die chess with Star1 and Star2 pruning (Ballard 1983)
//! and transposition tables at decision and chance nodes.
//!
//! Internal values go from -1 (lost) to 1 (won) for the side to act, so that
//! changing sides is exact; callers see win probabilities. Rolls that capture
//! the king are worth exactly 1 before anything is searched. Depth counts
//! plies. A table entry is used only at its own depth, so the value is that of
//! the plain search.

use foglight_rules::{Color, Game, Move, Position, Role, RoleSet};

use super::{
    rolls::{Rolled, has_move, pass, roles_attacking_king, rollable},
    table::{DiceTable, DiceTableEntry, ValueBound},
    value::DiceNode,
};
use crate::eval::Evaluator;
use foglight_play::Budget;

pub(crate) const MAX_DEPTH: u32 = 30;

const LOST: f32 = -1.0;
const DRAWN: f32 = 0.0;
const WON: f32 = 1.0;

#[inline]
fn signed(probability: f32) -> f32 {
    2.0 * probability - 1.0
}

#[inline]
fn probability(signed: f32) -> f32 {
    0.5 * (signed + 1.0)
}

/// The search was told to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

pub struct DiceSearch<'a, P: Evaluator<Color, f32> + Sync> {
    values: &'a P,
    table: &'a DiceTable,
    budget: &'a Budget,
    limit: u16,
    /// Searches rolls from the last to the first: the second thread fills the
    /// shared table from the other end.
    reversed: bool,
    halt: &'a std::sync::atomic::AtomicBool,
    /// Chance nodes and leaves visited.
    pub nodes: u64,
    pub leaves: u64,
    next_look: u64,
}

/// A window of values, both ends excluded.
#[derive(Clone, Copy, Debug)]
struct Window {
    low: f32,
    high: f32,
}

impl Window {
    fn flipped(self) -> Window {
        Window {
            low: -self.high,
            high: -self.low,
        }
    }
}

/// A roll of a chance node: bounds of its value, and its moves.
struct Choice {
    role: Role,
    at_least: f32,
    at_most: f32,
    moves: Vec<(Move, f32)>,
}

/// Key modifier that separates chance nodes by the halfmove clock.
fn quiet_key(halfmoves: u16) -> u64 {
    u64::from(halfmoves).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn roll_key(role: Role) -> u64 {
    (role as u64).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

impl<'a, P: Evaluator<Color, f32> + Sync> DiceSearch<'a, P> {
    /// A search of `game` with these values and table.
    pub fn new(
        game: &Game,
        values: &'a P,
        table: &'a DiceTable,
        budget: &'a Budget,
        halt: &'a std::sync::atomic::AtomicBool,
    ) -> DiceSearch<'a, P> {
        DiceSearch {
            values,
            table,
            budget,
            limit: game.halfmove_limit().unwrap_or(u16::MAX),
            reversed: false,
            halt,
            nodes: 0,
            leaves: 0,
            next_look: 0,
        }
    }

    /// Reverses the order of rolls, for a second thread.
    #[must_use]
    pub fn reversed(mut self) -> DiceSearch<'a, P> {
        self.reversed = true;
        self
    }

    /// The value of a chance node for the side to roll.
    pub fn roll_value(&mut self, position: &Position, depth: u32) -> Result<f32, Stopped> {
        let node = DiceNode::new(*position, self.values);
        let all = Window {
            low: LOST,
            high: WON,
        };
        Ok(probability(self.chance(&node, depth, all)?))
    }

    /// The value of a move for the mover, if it is inside `low` to 1; otherwise
    /// an upper bound. `depth` counts the move itself.
    pub fn move_value(
        &mut self,
        node: &DiceNode<P::Accumulator>,
        m: Move,
        depth: u32,
        low: f32,
    ) -> Result<f32, Stopped> {
        if node.position.captured(m) == Some(Role::King) {
            return Ok(1.0);
        }
        let low = signed(low);
        let window = Window { low, high: WON };
        Ok(probability(self.after(node, m, depth, window)?))
    }

    /// The static value of a position for the side to roll.
    pub fn standing(&self, node: &DiceNode<P::Accumulator>) -> f32 {
        node.value(self.values)
    }

    fn count(&mut self) -> Result<(), Stopped> {
        use std::sync::atomic::Ordering;
        const INTERVAL: u64 = 512;
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + INTERVAL;
            if self.halt.load(Ordering::Relaxed) || self.budget.out_of_time() {
                return Err(Stopped);
            }
        }
        if !self.budget.allows(self.nodes) {
            return Err(Stopped);
        }
        self.nodes += 1;
        Ok(())
    }

    fn after(
        &mut self,
        node: &DiceNode<P::Accumulator>,
        m: Move,
        depth: u32,
        window: Window,
    ) -> Result<f32, Stopped> {
        let next = node.after(m, self.values);
        Ok(-self.chance(&next, depth - 1, window.flipped())?)
    }

    /// The value where the side to roll cannot move: the other side rolls, or
    /// the game is stuck.
    fn after_null_turn(
        &mut self,
        node: &DiceNode<P::Accumulator>,
        depth: u32,
        window: Window,
    ) -> Result<f32, Stopped> {
        match pass(&node.position) {
            None => Ok(DRAWN),
            Some(position) => {
                let sum = node.sum;
                let next = DiceNode { position, sum };
                Ok(-self.chance(&next, depth, window.flipped())?)
            }
        }
    }

    fn chance(
        &mut self,
        node: &DiceNode<P::Accumulator>,
        depth: u32,
        window: Window,
    ) -> Result<f32, Stopped> {
        self.count()?;
        let position = &node.position;
        let (board, side, size) = (position.board(), position.turn(), position.size());
        let can = rollable(board, side, position.ep_targets(side), size);
        if can.is_empty() {
            return self.after_null_turn(node, depth, window);
        }
        if position.halfmoves() >= self.limit {
            return Ok(DRAWN);
        }
        if depth == 0 {
            self.leaves += 1;
            return Ok(signed(node.value(self.values)));
        }
        let takes = roles_attacking_king(board, side, size);
        let rest = RoleSet(can.0 & !takes.0);
        let sure = (takes.count() as f32 - rest.count() as f32) / can.count() as f32;
        if rest.is_empty() || sure >= window.high {
            return Ok(sure);
        }
        if depth == 1 {
            return Ok(self.frontier(node, can.count(), takes.count(), rest, window));
        }
        let key = self.key(position, depth);
        let entry = self.table.probe(key).filter(|e| e.depth == depth as u8);
        if let Some(entry) = entry {
            if entry.bound == ValueBound::Exact || entry.at_least() >= window.high {
                return Ok(entry.value);
            }
            if entry.at_most() <= window.low {
                return Ok(entry.value);
            }
        }
        let value = self.stars(node, depth, can.count(), takes.count(), rest, window)?;
        self.store(key, value, depth, window, None);
        Ok(value)
    }

    fn key(&self, position: &Position, depth: u32) -> u64 {
        let near = u32::from(position.halfmoves()) + depth >= u32::from(self.limit);
        let small = position.size().mask().0 ^ u64::MAX;
        let quiet = if near {
            quiet_key(position.halfmoves())
        } else {
            0
        };
        position.hash() ^ quiet ^ small
    }

    fn store(&self, key: u64, value: f32, depth: u32, window: Window, best: Option<Move>) {
        let bound = if value >= window.high && window.high < WON {
            ValueBound::Lower
        } else if value <= window.low && window.low > LOST {
            ValueBound::Upper
        } else {
            ValueBound::Exact
        };
        let known = DiceTableEntry {
            value,
            bound,
            depth: depth as u8,
            best,
        };
        self.table.store(key, known);
    }

    /// A chance node whose children are leaves: its moves are neither stored
    /// nor ordered.
    fn frontier(
        &mut self,
        node: &DiceNode<P::Accumulator>,
        n: u32,
        takes: u32,
        rest: RoleSet,
        window: Window,
    ) -> f32 {
        let n = n as f32;
        let mut sum = takes as f32;
        let mut left = rest.count() as f32;
        let rolled = Rolled::new(&node.position);
        for role in rest.iter() {
            left -= 1.0;
            let enough = n * window.high - sum + left;
            let mut best = LOST;
            for m in rolled.of(role) {
                best = best.max(self.leaf_after(node, m));
                if best >= enough {
                    return ((sum + best - left) / n).max(window.high);
                }
            }
            sum += best;
            if sum + left <= n * window.low {
                return ((sum + left) / n).min(window.low);
            }
        }
        sum / n
    }

    /// The value for the mover of a move that ends the search.
    #[inline]
    fn leaf_after(&mut self, node: &DiceNode<P::Accumulator>, m: Move) -> f32 {
        self.leaves += 1;
        self.nodes += 1;
        if node.position.halfmoves() + 1 < self.limit
            && let Some(value) = node.value_after(m, self.values)
        {
            return signed(value);
        }
        self.odd_leaf(node, m)
    }

    /// A leaf at the halfmove limit, or where the other side must pass.
    #[cold]
    fn odd_leaf(&self, node: &DiceNode<P::Accumulator>, m: Move) -> f32 {
        let next = node.after(m, self.values);
        let side = next.position.turn();
        let position = match has_move(&next.position, side) {
            true => next.position,
            false => match pass(&next.position) {
                Some(position) => position,
                None => return DRAWN,
            },
        };
        if position.halfmoves() >= self.limit {
            return DRAWN;
        }
        let value = signed(DiceNode { position, ..next }.value(self.values));
        if position.turn() == side {
            -value
        } else {
            value
        }
    }

    /// The rolls of a chance node with their ordered moves and the bounds in
    /// the table.
    fn choices(
        &mut self,
        node: &DiceNode<P::Accumulator>,
        key: u64,
        depth: u32,
        rest: RoleSet,
    ) -> Vec<Choice> {
        let rolled = Rolled::new(&node.position);
        let mut choices: Vec<Choice> = Vec::with_capacity(6);
        for role in rest.iter() {
            let entry = self.table.probe(key ^ roll_key(role));
            let first = entry.and_then(|entry| entry.best);
            let exact = entry.filter(|entry| entry.depth == depth as u8);
            let mut moves: Vec<(Move, f32)> = Vec::with_capacity(16);
            for m in rolled.of(role) {
                let guess = if first == Some(m) {
                    2.0
                } else {
                    self.leaf_after(node, m)
                };
                moves.push((m, guess));
            }
            moves.sort_by(|a, b| b.1.total_cmp(&a.1));
            choices.push(Choice {
                role,
                at_least: exact.map_or(LOST, |entry| entry.at_least()),
                at_most: exact.map_or(WON, |entry| entry.at_most()),
                moves,
            });
        }
        if self.reversed {
            choices.reverse();
        }
        choices
    }

    /// Star2's probes, then Star1 over the rolls.
    fn stars(
        &mut self,
        node: &DiceNode<P::Accumulator>,
        depth: u32,
        n: u32,
        takes: u32,
        rest: RoleSet,
        window: Window,
    ) -> Result<f32, Stopped> {
        let key = self.key(&node.position, depth);
        let mut choices = self.choices(node, key, depth, rest);
        let n = n as f32;
        let total = |choices: &[Choice], sum: f32| {
            let low: f32 = choices.iter().map(|choice| choice.at_least).sum();
            let high: f32 = choices.iter().map(|choice| choice.at_most).sum();
            (sum + low, sum + high)
        };
        let sure = takes as f32;
        let (low, high) = total(&choices, sure);
        if low >= n * window.high {
            return Ok((low / n).max(window.high));
        }
        if high <= n * window.low {
            return Ok((high / n).min(window.low));
        }
        if depth >= 3
            && window.high < WON
            && let Some(bound) = self.probe(node, depth, n, sure, &mut choices, window)?
        {
            return Ok(bound);
        }
        let mut sum = sure;
        for i in 0..choices.len() {
            let (low, high) = total(&choices[i + 1..], sum);
            let inner = Window {
                low: (n * window.low - high).max(LOST),
                high: (n * window.high - low).min(WON),
            };
            let value = self.decide(node, key, &choices[i], depth, inner)?;
            if value >= inner.high && inner.high < WON {
                return Ok(((low + value) / n).max(window.high));
            }
            if value <= inner.low && inner.low > LOST {
                return Ok(((high + value) / n).min(window.low));
            }
            sum += value;
        }
        Ok(sum / n)
    }

    /// Star2: searches the likeliest move of each roll, which is a lower bound
    /// of the roll, and stops as soon as the bounds together suffice.
    fn probe(
        &mut self,
        node: &DiceNode<P::Accumulator>,
        depth: u32,
        n: f32,
        sure: f32,
        choices: &mut [Choice],
        window: Window,
    ) -> Result<Option<f32>, Stopped> {
        let mut low: f32 = sure + choices.iter().map(|choice| choice.at_least).sum::<f32>();
        for choice in choices.iter_mut() {
            let others = low - choice.at_least;
            let inner = Window {
                low: choice.at_least,
                high: (n * window.high - others).min(WON),
            };
            let Some(&(m, _)) = choice.moves.first() else {
                continue;
            };
            if inner.low >= inner.high {
                continue;
            }
            let value = self.after(node, m, depth, inner)?.min(choice.at_most);
            if value > choice.at_least {
                choice.at_least = value;
            }
            low = others + choice.at_least;
            if low >= n * window.high {
                return Ok(Some((low / n).max(window.high)));
            }
        }
        Ok(None)
    }

    /// A decision node: the best of the moves that the roll allows.
    fn decide(
        &mut self,
        node: &DiceNode<P::Accumulator>,
        key: u64,
        choice: &Choice,
        depth: u32,
        window: Window,
    ) -> Result<f32, Stopped> {
        if choice.at_least >= choice.at_most || choice.at_least >= window.high {
            return Ok(choice.at_least);
        }
        if choice.at_most <= window.low {
            return Ok(choice.at_most);
        }
        let mut best = (LOST, choice.moves.first().map(|(m, _)| *m));
        for (i, &(m, _)) in choice.moves.iter().enumerate() {
            let inner = Window {
                low: window.low.max(best.0),
                high: window.high,
            };
            let value = self.after(node, m, depth, inner)?;
            if value > best.0 || i == 0 {
                best = (value, Some(m));
            }
            if best.0 >= window.high {
                break;
            }
        }
        self.store(key ^ roll_key(choice.role), best.0, depth, window, best.1);
        Ok(best.0)
    }
}
