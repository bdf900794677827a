//! Move choice in one-die chess: iterative deepening over the pruned search, on
//! as many threads as the budget gives.

use std::sync::atomic::{AtomicBool, Ordering};

use foglight_rules::{Color, Game, Move, Position, Role};

use super::{
    search::{DiceSearch, MAX_DEPTH},
    table::DiceTable,
    value::DiceNode,
};
use crate::eval::Evaluator;
use foglight_play::{Budget, Report};

/// Intermediate result of one thread.
#[derive(Clone, Debug)]
struct RankedMove {
    /// The moves with their values, the best first. Only the first is exact.
    moves: Vec<(Move, f32)>,
    depth: u32,
}

/// Result of a search.
#[derive(Clone, Debug)]
pub struct DiceSearchResult {
    /// The move to play.
    pub best: Move,
    pub value: f64,
    /// The completed depth in plies.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Leaves evaluated by all threads.
    pub leaves: u64,
}

impl DiceSearchResult {
    /// The result as a report.
    pub fn report(&self) -> Report {
        Report {
            value: Some(2.0 * self.value - 1.0),
            policy: vec![(self.best, 1.0)],
            nodes: self.nodes,
            depth: self.depth,
            pv: vec![self.best],
            metrics: vec![("leaves", self.leaves as f64)],
            ..Report::default()
        }
    }
}

/// Searches the moves that a roll allows; `moves` is not empty. The table must
/// have been used with these values only.
///
/// With a budget in nodes and one thread the answer repeats exactly, if the
/// table is the same.
pub fn think<P: Evaluator<Color, f32> + Sync>(
    game: &Game,
    position: &Position,
    moves: &[Move],
    (values, table): (&P, &DiceTable),
    budget: &Budget,
) -> DiceSearchResult {
    let takes = |m: &&Move| position.captured(**m) == Some(Role::King);
    if let Some(&best) = moves.iter().find(takes) {
        return DiceSearchResult {
            best,
            value: 1.0,
            depth: 1,
            nodes: 1,
            leaves: 0,
        };
    }
    let halt = AtomicBool::new(false);
    let node = DiceNode::new(without_dice(position), values);
    let run = |reversed: bool| {
        let search = DiceSearch::new(game, values, table, budget, &halt);
        let mut search = if reversed { search.reversed() } else { search };
        let found = deepen(&node, moves, &mut search, budget);
        halt.store(true, Ordering::Relaxed);
        (found, search.nodes, search.leaves)
    };
    let helpers = budget.threads.clamp(1, 64) - 1;
    let results: Vec<(RankedMove, u64, u64)> = std::thread::scope(|scope| {
        let helpers: Vec<_> = (0..helpers)
            .map(|i| {
                let run = &run;
                scope.spawn(move || run(i % 2 == 0))
            })
            .collect();
        let mut results = vec![run(false)];
        let joined = helpers.into_iter().map(|helper| helper.join());
        results.extend(joined.map(|result| result.expect("a search does not panic")));
        results
    });
    let nodes = results.iter().map(|(_, nodes, _)| nodes).sum();
    let leaves = results.iter().map(|(_, _, leaves)| leaves).sum();
    let mut found = &results[0].0;
    for (other, _, _) in &results[1..] {
        if other.depth > found.depth {
            found = other;
        }
    }
    DiceSearchResult {
        best: found.moves[0].0,
        value: f64::from(found.moves[0].1),
        depth: found.depth,
        nodes,
        leaves,
    }
}

/// The position with its dice removed.
pub fn without_dice(position: &Position) -> Position {
    let mut setup = position.setup();
    setup.dice = foglight_rules::Dice::NONE;
    Game::dice1()
        .position(setup)
        .expect("a valid position without its dice is valid")
}

/// Iterative deepening. If not even one move is finished, the value is that of
/// the position before its roll.
fn deepen<P: Evaluator<Color, f32> + Sync>(
    node: &DiceNode<P::Accumulator>,
    moves: &[Move],
    search: &mut DiceSearch<P>,
    budget: &Budget,
) -> RankedMove {
    let standing = search.standing(node);
    let mut found = RankedMove {
        moves: moves.iter().map(|&m| (m, standing)).collect(),
        depth: 0,
    };
    let deepest = budget.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    for depth in 1..=deepest {
        if !iterate(node, depth, search, &mut found) {
            break;
        }
        found.depth = depth;
        if found.moves.len() == 1 && depth >= 2 {
            break;
        }
    }
    found
}

/// One depth. The best of the finished moves comes first, even if time runs
/// out, unless it certainly loses: another might not. Returns whether all moves
/// were finished.
fn iterate<P: Evaluator<Color, f32> + Sync>(
    node: &DiceNode<P::Accumulator>,
    depth: u32,
    search: &mut DiceSearch<P>,
    found: &mut RankedMove,
) -> bool {
    let order = &found.moves;
    let mut best = -1.0f32;
    let mut done: Vec<(Move, f32)> = Vec::with_capacity(order.len());
    let mut finished = true;
    for &(m, _) in order {
        match search.move_value(node, m, depth, best.max(0.0)) {
            Ok(value) => {
                let at = if value > best { 0 } else { done.len() };
                done.insert(at, (m, value));
                best = best.max(value);
            }
            Err(_) => {
                finished = false;
                break;
            }
        }
    }
    if depth == 1 && finished {
        done.sort_by(|a, b| b.1.total_cmp(&a.1));
    }
    done.extend_from_slice(&order[done.len()..]);
    if finished || best > 0.0 {
        found.moves = done;
    }
    finished
}
