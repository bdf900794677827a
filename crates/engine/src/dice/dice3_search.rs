//! Turn choice in three-dice chess: every end board against every roll of the
//! reply, then the best of them one turn deeper.

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
    /// The turn's plies, in order.
    pub moves: Vec<Move>,
    pub value: f64,
    pub ends: usize,
    /// End boards evaluated against all replies.
    pub replied: usize,
    /// End boards searched one turn deeper.
    pub(crate) deepened: usize,
    pub nodes: u64,
}

impl TurnMoves {
    /// The result as a report.
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

/// Win probability of the side to roll, with its best turn for each roll.
fn expectation(mid: &PartialTurn, values: &PieceSquareValues, nodes: &AtomicU64) -> f64 {
    let reach = Reach::new(mid, values);
    nodes.fetch_add(reach.boards, Ordering::Relaxed);
    reach.expectation(values)
}

/// The same one turn deeper, with the statically best reply to each roll.
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

/// Runs `work` over 0..count on the budget's threads. Results are returned by
/// index, `None` where the budget ran out. The first is always computed.
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

/// Chooses a turn for the rolled dice; `None` if there is no legal move.
pub fn think(
    position: &Position,
    dice: Dice,
    values: &PieceSquareValues,
    budget: &Budget,
) -> Option<TurnMoves> {
    let late = || budget.out_of_time();
    let mut ends = ends(&PartialTurn::new(position, values), dice, values, &late);
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

/// The best of the end boards searched one turn deeper, or the best so far.
/// Results after the first unfinished board are ignored: a thread may finish a
/// later one before the budget ends.
fn choose(ranked: &[(usize, f64)], deepened: &[Option<f64>]) -> Option<(usize, f64)> {
    let deep = ranked.iter().zip(deepened);
    let deep = deep.map_while(|((index, _), value)| Some((*index, (*value)?)));
    deep.reduce(|a, b| if b.1 > a.1 { b } else { a })
        .or(ranked.first().copied())
}

/// Maximum end boards searched one turn deeper.
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
