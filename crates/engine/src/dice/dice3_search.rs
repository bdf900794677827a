//! Choosing a turn in three-dice chess: every end board against every roll of
//! the reply, then the best of them one turn deeper.

use std::sync::{
    Mutex,
    atomic::{AtomicU64, AtomicUsize, Ordering},
};

use foglight_rules::{Dice, Move, Position};

use super::{
    turns::{PartialTurn, Reach, TurnEnd, Worth, ends},
    value::PieceSquareValues,
};
use foglight_play::Budget;

#[derive(Clone, Debug)]
pub struct TurnMoves {
    /// Its single moves, in order.
    pub moves: Vec<Move>,
    pub value: f64,
    pub ends: usize,
    /// End boards that all replies were looked at for.
    pub replied: usize,
    /// End boards that were looked at a turn deeper.
    pub(crate) deepened: usize,
    pub nodes: u64,
}

impl TurnMoves {
    /// The same for whoever asked.
    pub fn report(&self) -> foglight_play::Report {
        foglight_play::Report {
            value: Some(2.0 * self.value - 1.0),
            nodes: self.nodes,
            depth: 2 + u32::from(self.deepened > 0),
            pv: self.moves.clone(),
            metrics: vec![
                ("end boards", self.ends as f64),
                ("deepened", self.deepened as f64),
            ],
            ..foglight_play::Report::default()
        }
    }
}

/// The chance that the side to roll wins, by its best turn for each roll.
fn expectation(mid: &PartialTurn, values: &PieceSquareValues, nodes: &AtomicU64) -> f64 {
    let reach = Reach::new(mid, values);
    nodes.fetch_add(reach.boards, Ordering::Relaxed);
    reach.expectation(values)
}

/// The same a turn deeper, each reply being the one that looks best.
fn deeper(
    mid: &PartialTurn,
    values: &PieceSquareValues,
    nodes: &AtomicU64,
    budget: &Budget,
) -> Option<f64> {
    let reach = Reach::new(mid, values);
    nodes.fetch_add(reach.boards, Ordering::Relaxed);
    let mut sum = 0.0;
    let mut known: Vec<(PartialTurn, f64)> = Vec::new();
    for (_, ways, worth) in reach.rolls() {
        let value = match worth {
            Worth::King => 1.0,
            Worth::Board(reply) => match known.iter().find(|(mid, _)| *mid == reply) {
                Some((_, value)) => *value,
                None => {
                    if spent(budget, nodes) {
                        return None;
                    }
                    let value = 1.0 - expectation(&reply.ended(), values, nodes);
                    known.push((reply, value));
                    value
                }
            },
        };
        sum += f64::from(ways) * value;
    }
    Some(sum / 216.0)
}

fn spent(budget: &Budget, nodes: &AtomicU64) -> bool {
    budget.out_of_time() || !budget.allows(nodes.load(Ordering::Relaxed))
}

/// Runs `work` over 0..count on the budget's threads; what it gives comes back
/// by index, `None` where the budget ended it. The first is always done.
fn spread(
    count: usize,
    budget: &Budget,
    nodes: &AtomicU64,
    work: &(dyn Fn(usize) -> Option<f64> + Sync),
) -> Vec<Option<f64>> {
    let results = Mutex::new(vec![None; count]);
    let next = AtomicUsize::new(0);
    let run = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= count || (i > 0 && spent(budget, nodes)) {
                return;
            }
            let value = work(i);
            results.lock().expect("no thread panics with the lock")[i] = value;
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..budget.threads.clamp(1, 64) {
            scope.spawn(run);
        }
        run();
    });
    results
        .into_inner()
        .expect("no thread panics with the lock")
}

/// Chooses a turn for the dice on the table; `None` if nothing can be moved.
pub fn think(
    position: &Position,
    dice: Dice,
    values: &PieceSquareValues,
    budget: &Budget,
) -> Option<TurnMoves> {
    let mut ends = ends(&PartialTurn::new(position, values), dice, values);
    let sign = if position.turn().is_white() { 1 } else { -1 };
    ends.sort_by_key(|end| -sign * end.mid.sum);
    let count = ends.len();
    let first = ends.first()?;
    if first.king {
        return Some(turn(first, 1.0, count, (0, 0), 0));
    }
    let nodes = AtomicU64::new(0);
    let replies = spread(count, budget, &nodes, &|i| {
        Some(1.0 - expectation(&ends[i].mid.ended(), values, &nodes))
    });
    let mut ranked: Vec<(usize, f64)> = replies
        .iter()
        .enumerate()
        .filter_map(|(i, value)| Some((i, (*value)?)))
        .collect();
    let replied = ranked.len();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let deep = budget.depth.is_none_or(|depth| depth > 2) && !spent(budget, &nodes);
    let chosen = if deep { ranked.len().min(SELECTED) } else { 0 };
    let deepened = spread(chosen, budget, &nodes, &|i| {
        let value = deeper(&ends[ranked[i].0].mid.ended(), values, &nodes, budget)?;
        Some(1.0 - value)
    });
    let (index, value) = choose(&ranked, &deepened)?;
    let looks = (replied, deepened.iter().flatten().count());
    Some(turn(&ends[index], value, count, looks, nodes.into_inner()))
}

/// The best of those looked at a turn deeper. The best so far must be among
/// them: a thread may finish a later one first, and then the budget ends.
fn choose(ranked: &[(usize, f64)], deepened: &[Option<f64>]) -> Option<(usize, f64)> {
    let deep = ranked.iter().zip(deepened);
    let deep = deep.map_while(|((index, _), value)| Some((*index, (*value)?)));
    deep.reduce(|a, b| if b.1 > a.1 { b } else { a })
        .or(ranked.first().copied())
}

/// The most end boards that are looked at a turn deeper.
const SELECTED: usize = 12;

fn turn(end: &TurnEnd, value: f64, ends: usize, looks: (usize, usize), nodes: u64) -> TurnMoves {
    TurnMoves {
        moves: end.moves.clone(),
        value,
        ends,
        replied: looks.0,
        deepened: looks.1,
        nodes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_so_far_is_left_only_for_something_compared_with_it() {
        let ranked = [(4, 0.6), (2, 0.5), (7, 0.4)];
        assert_eq!(choose(&ranked, &[]), Some((4, 0.6)));
        assert_eq!(choose(&ranked, &[None, Some(0.3), None]), Some((4, 0.6)));
        assert_eq!(choose(&ranked, &[Some(0.2), Some(0.3)]), Some((2, 0.3)));
        assert_eq!(choose(&[], &[]), None);
    }
}
