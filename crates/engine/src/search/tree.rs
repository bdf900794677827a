//! The searches of Dukek et al. (c. 2021): minimax, alpha-beta, breadth-first,
//! breadth-first with a horizon, and a composite of several.
//!
//! Values are for White, from 0 to 1. Algorithm 8 of the paper minimises for
//! White, against its own text; here White maximises. Its depth `n` is `n`
//! moves of each side; depths here are in plies, and callers double them.

use foglight_rules::{Color, Game, Move, Position};

use crate::eval::ensemble::{Ensemble, EvalContext};
use foglight_play::Budget;

/// A search of the paper.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SearchMethod {
    /// Full enumeration to the depth.
    Minimax,
    /// The same value with pruning.
    AlphaBeta,
    /// Level by level until the budget is spent.
    Breadth,
    /// Level by level down to the depth.
    Horizon,
    /// Alpha-beta and breadth-first, their values of each move averaged.
    Composite,
}

impl SearchMethod {
    /// The names in options, in the order of the enum.
    pub const NAMES: &'static [&'static str] =
        &["minimax", "alphabeta", "breadth", "horizon", "composite"];

    /// Parses a name of [`SearchMethod::NAMES`].
    pub fn from_name(name: &str) -> Option<SearchMethod> {
        Some(match name {
            "minimax" => SearchMethod::Minimax,
            "alphabeta" => SearchMethod::AlphaBeta,
            "breadth" => SearchMethod::Breadth,
            "horizon" => SearchMethod::Horizon,
            "composite" => SearchMethod::Composite,
            _ => return None,
        })
    }
}

/// A running search of any [`SearchMethod`].
pub struct PlainSearch<'a> {
    game: Game,
    ensemble: &'a Ensemble,
    budget: &'a Budget,
    path: Vec<u64>,
    pub nodes: u64,
    stopped: bool,
}

/// Maximum positions stored by a breadth-first search.
const WIDEST: usize = 200_000;

impl<'a> PlainSearch<'a> {
    /// A search of a game with a history of hashes, which excludes the
    /// position's own.
    pub fn new(
        game: &Game,
        history: &[u64],
        ensemble: &'a Ensemble,
        budget: &'a Budget,
    ) -> PlainSearch<'a> {
        PlainSearch {
            game: *game,
            ensemble,
            budget,
            path: history.to_vec(),
            nodes: 0,
            stopped: false,
        }
    }

    /// The value of each move of a position, for the mover. Returns `None` if
    /// the budget or the room for positions ended before the depth was reached.
    pub fn rank(
        &mut self,
        plan: SearchMethod,
        position: &Position,
        depth: u32,
    ) -> Option<Vec<(Move, f64)>> {
        let ranked = match plan {
            SearchMethod::Minimax | SearchMethod::AlphaBeta => {
                self.rank_deep(plan, position, depth)
            }
            SearchMethod::Breadth => self.rank_broad(position, None),
            SearchMethod::Horizon => self.rank_broad(position, Some(depth)),
            SearchMethod::Composite => {
                let deep = self.rank_deep(SearchMethod::AlphaBeta, position, depth);
                let broad = self.rank_broad(position, Some(depth.min(2)));
                fuse(&deep, &broad)
            }
        };
        (!self.stopped).then_some(ranked)
    }

    fn rank_deep(
        &mut self,
        plan: SearchMethod,
        position: &Position,
        depth: u32,
    ) -> Vec<(Move, f64)> {
        let white = position.turn().is_white();
        self.path.push(position.hash());
        let moves = self.game.legal_moves(position);
        let mut ranked = Vec::with_capacity(moves.len());
        for &m in &moves {
            let next = self.after(position, m);
            let left = depth.saturating_sub(1);
            let value = match plan {
                SearchMethod::Minimax => self.minimax(&next, left),
                _ => self.alphabeta(&next, left, 0.0, 1.0),
            };
            ranked.push((m, if white { value } else { 1.0 - value }));
        }
        self.path.pop();
        ranked
    }

    fn after(&self, position: &Position, m: Move) -> Position {
        let mut next = *position;
        self.game.play_unchecked(&mut next, m);
        next
    }

    fn value(&self, position: &Position) -> f64 {
        let mut scene = EvalContext::new(&self.game, position, &self.path);
        self.ensemble.value(&mut scene)
    }

    /// The value of a position that is not expanded: the game is over, the
    /// depth is reached, or the budget is spent.
    fn leaf(&mut self, position: &Position, depth: u32) -> Option<f64> {
        self.nodes += 1;
        if !self.budget.allows(self.nodes) || (self.nodes & 63 == 0 && self.budget.out_of_time()) {
            self.stopped = true;
        }
        if self.stopped {
            return Some(0.5);
        }
        if let Some(winner) = self.game.outcome(position).and_then(|end| end.winner) {
            return Some(f64::from(u8::from(winner == Color::White)));
        }
        let over = depth == 0 || self.game.legal_moves(position).is_empty();
        over.then(|| self.value(position))
    }

    /// The value of a position by full enumeration to a depth.
    pub fn minimax(&mut self, position: &Position, depth: u32) -> f64 {
        if let Some(value) = self.leaf(position, depth) {
            return value;
        }
        let white = position.turn().is_white();
        self.path.push(position.hash());
        let mut best = if white { 0.0 } else { 1.0 };
        for m in self.game.legal_moves(position) {
            let next = self.after(position, m);
            let value = self.minimax(&next, depth - 1);
            best = if white {
                f64::max(best, value)
            } else {
                f64::min(best, value)
            };
        }
        self.path.pop();
        best
    }

    /// The same value by alpha-beta, if it lies between alpha and beta.
    pub fn alphabeta(&mut self, position: &Position, depth: u32, alpha: f64, beta: f64) -> f64 {
        if let Some(value) = self.leaf(position, depth) {
            return value;
        }
        let white = position.turn().is_white();
        let (mut alpha, mut beta) = (alpha, beta);
        self.path.push(position.hash());
        let mut best = if white { 0.0 } else { 1.0 };
        for m in self.game.legal_moves(position) {
            let next = self.after(position, m);
            let value = self.alphabeta(&next, depth - 1, alpha, beta);
            if white {
                best = f64::max(best, value);
                alpha = alpha.max(best);
            } else {
                best = f64::min(best, value);
                beta = beta.min(best);
            }
            if beta <= alpha {
                break;
            }
        }
        self.path.pop();
        best
    }

    /// Expands level by level, evaluates all leaves, then backs up the values.
    fn rank_broad(&mut self, position: &Position, horizon: Option<u32>) -> Vec<(Move, f64)> {
        let mut tree = vec![Grown::new(*position, None, 0)];
        let mut at = 0;
        while at < tree.len() && tree.len() < WIDEST {
            let grown = tree[at].clone();
            let spent = at > 0 && !self.budget.allows(tree.len() as u64);
            if horizon.is_some_and(|horizon| grown.level >= horizon)
                || spent
                || (at > 0 && horizon.is_none() && self.budget.out_of_time())
                || (at > 0 && horizon.is_none() && self.unlimited() && tree.len() > 20_000)
            {
                break;
            }
            for m in self.game.legal_moves(&grown.position) {
                let next = self.after(&grown.position, m);
                tree.push(Grown::new(next, Some((at, m)), grown.level + 1));
            }
            at += 1;
        }
        let unfinished = |horizon| tree.get(at).is_some_and(|grown| grown.level < horizon);
        if horizon.is_some_and(unfinished) {
            self.stopped = true;
            return Vec::new();
        }
        self.carry_up(tree)
    }

    fn unlimited(&self) -> bool {
        self.budget.nodes.is_none() && self.budget.target().is_none()
    }

    fn carry_up(&mut self, mut tree: Vec<Grown>) -> Vec<(Move, f64)> {
        let white = tree[0].position.turn().is_white();
        let mut ranked = Vec::new();
        for i in (1..tree.len()).rev() {
            let grown = &tree[i];
            let value = match grown.value {
                Some(value) => value,
                None => self.evaluated(&grown.position),
            };
            let (parent, m) = grown.from.expect("all but the root come from a move");
            let above = &mut tree[parent];
            let better = match above.value {
                None => value,
                Some(best) if above.position.turn().is_white() => best.max(value),
                Some(best) => best.min(value),
            };
            above.value = Some(better);
            if parent == 0 {
                ranked.push((m, if white { value } else { 1.0 - value }));
            }
        }
        ranked.reverse();
        ranked
    }

    fn evaluated(&mut self, position: &Position) -> f64 {
        self.nodes += 1;
        match self.game.outcome(position).and_then(|end| end.winner) {
            Some(winner) => f64::from(u8::from(winner == Color::White)),
            None => self.value(position),
        }
    }
}

/// A node of a breadth-first tree.
#[derive(Clone)]
struct Grown {
    position: Position,
    from: Option<(usize, Move)>,
    level: u32,
    value: Option<f64>,
}

impl Grown {
    fn new(position: Position, from: Option<(usize, Move)>, level: u32) -> Grown {
        Grown {
            position,
            from,
            level,
            value: None,
        }
    }
}

/// Means of two rankings of the same moves.
fn fuse(one: &[(Move, f64)], other: &[(Move, f64)]) -> Vec<(Move, f64)> {
    one.iter()
        .map(|&(m, value)| {
            let same = other.iter().find(|(known, _)| *known == m);
            (m, same.map_or(value, |(_, second)| (value + second) / 2.0))
        })
        .collect()
}
