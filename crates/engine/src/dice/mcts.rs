//! Monte-Carlo tree search of the Maastricht paper (sections II.B and III.B):
//! UCT over decision and chance nodes, with a progressive bias `H / (n + 1)`.

use foglight_rules::{Color, Dice, Game, Move, Position, Role, Turn};
use rand::{Rng as _, seq::IndexedRandom};

use super::{
    parts::Parts,
    plain::{for_white, turn},
    selfplay::draw_roll,
};
use crate::{Budget, Rng, train::logistic::MoveModel};

/// Where the heuristic knowledge H of a move comes from.
#[derive(Clone, Debug)]
pub enum Bias {
    /// None: plain UCT.
    Off,
    /// The evaluation of the position after the move.
    Eval,
    /// The probability of a good move, by a model of moves.
    Model(&'static MoveModel),
}

/// The settings; the default is the paper's base case.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The exploration coefficient C.
    pub exploration: f64,
    /// What a won play-out counts.
    pub win_score: f64,
    /// Progressive bias.
    pub bias: Bias,
    /// The evaluation that ends a play-out; without one it is played to the end.
    pub parts: Option<Parts>,
    /// Random moves before the evaluation.
    pub plies: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            exploration: 3.8775,
            win_score: 0.4,
            bias: Bias::Eval,
            parts: Some(Parts::default()),
            plies: 0,
        }
    }
}

/// What leads to a node.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Edge {
    Root,
    Moved(Move),
    Rolled(Dice, f64),
}

struct Node {
    position: Position,
    edge: Edge,
    /// Children, once expanded.
    children: std::ops::Range<usize>,
    visits: u32,
    /// Win probabilities of White, summed over the visits.
    white: f64,
    /// H of the move that leads here.
    bias: f64,
}

/// The tree of one search.
pub struct Tree<'a> {
    game: Game,
    settings: &'a Settings,
    nodes: Vec<Node>,
    rng: &'a mut Rng,
}

/// A move of the root after the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Child {
    /// The move.
    pub m: Move,
    /// How often it was tried.
    pub visits: u32,
    /// The mover's mean win probability.
    pub value: f64,
}

/// The most random moves of a play-out to the end.
const LONG: u32 = 300;

/// The most nodes a tree may hold.
const MOST_NODES: usize = 3_000_000;

impl<'a> Tree<'a> {
    /// A tree with nothing but a rolled position.
    pub fn new(game: Game, root: Position, settings: &'a Settings, rng: &'a mut Rng) -> Tree<'a> {
        let mut tree = Tree {
            game,
            settings,
            nodes: Vec::new(),
            rng,
        };
        tree.push(root, Edge::Root, 0.0);
        tree
    }

    /// Searches until the budget is spent; a node of the budget is a play-out.
    /// Gives the number of play-outs.
    pub fn search(&mut self, budget: &Budget) -> u64 {
        let mut rounds = 0;
        while budget.allows(rounds) && self.nodes.len() < MOST_NODES {
            if rounds % 16 == 15 && budget.out_of_time() {
                break;
            }
            self.round();
            rounds += 1;
        }
        rounds
    }

    /// The root's moves, the most played-out first.
    pub fn children(&self) -> Vec<Child> {
        let side = self.nodes[0].position.turn();
        let mut children: Vec<Child> = self.nodes[self.nodes[0].children.clone()]
            .iter()
            .filter_map(|node| match node.edge {
                Edge::Moved(m) => Some(Child {
                    m,
                    visits: node.visits,
                    value: for_white(side, node.mean()),
                }),
                _ => None,
            })
            .collect();
        children.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.value.total_cmp(&a.value)));
        children
    }

    fn push(&mut self, position: Position, edge: Edge, bias: f64) {
        self.nodes.push(Node {
            position,
            edge,
            children: 0..0,
            visits: 0,
            white: 0.0,
            bias,
        });
    }

    /// Selection, expansion, play-out, backpropagation.
    fn round(&mut self) {
        let mut path = vec![0];
        let mut at = 0;
        let value = loop {
            match turn(&self.game, &self.nodes[at].position) {
                Turn::Over(outcome) => break outcome.score(Color::White),
                Turn::Chance => {
                    let new = self.nodes[at].visits == 0;
                    if new && at != 0 {
                        break self.playout(at);
                    }
                    self.expand_rolls(at);
                    at = self.sample(at);
                }
                Turn::Player(side) => {
                    self.expand_moves(at, side);
                    at = self.select(at, side);
                }
            }
            path.push(at);
        };
        for node in path {
            self.nodes[node].visits += 1;
            self.nodes[node].white += value;
        }
    }

    fn expand_rolls(&mut self, at: usize) {
        if !self.nodes[at].children.is_empty() {
            return;
        }
        let first = self.nodes.len();
        let position = self.nodes[at].position;
        for (dice, probability) in self.game.chance(&position) {
            let mut rolled = position;
            self.game.roll_unchecked(&mut rolled, dice);
            self.push(rolled, Edge::Rolled(dice, probability), 0.0);
        }
        self.nodes[at].children = first..self.nodes.len();
    }

    fn sample(&mut self, at: usize) -> usize {
        let children = self.nodes[at].children.clone();
        let mut left: f64 = self.rng.random();
        for child in children.clone() {
            if let Edge::Rolled(_, probability) = self.nodes[child].edge {
                left -= probability;
            }
            if left < 0.0 {
                return child;
            }
        }
        children.end - 1
    }

    /// A move that takes the king is the only child: nothing is better.
    fn expand_moves(&mut self, at: usize, side: Color) {
        if !self.nodes[at].children.is_empty() {
            return;
        }
        let first = self.nodes.len();
        let position = self.nodes[at].position;
        let moves = self.game.moves(&position);
        let king = moves
            .iter()
            .copied()
            .find(|m| position.captured(*m) == Some(Role::King));
        let moves = king.as_ref().map_or(&moves[..], std::slice::from_ref);
        for &m in moves {
            let mut next = position;
            self.game.play_unchecked(&mut next, m);
            let bias = self.heuristic(&position, m, &next, side);
            self.push(next, Edge::Moved(m), bias);
        }
        self.nodes[at].children = first..self.nodes.len();
    }

    /// H: how good a move looks, 0 to 1.
    fn heuristic(&self, position: &Position, m: Move, next: &Position, side: Color) -> f64 {
        match &self.settings.bias {
            Bias::Off => 0.0,
            Bias::Eval => {
                let parts = self.settings.parts.unwrap_or_default();
                parts.win_probability(next, side)
            }
            Bias::Model(model) => model.probability(position, m),
        }
    }

    /// UCT with progressive bias (equation 1); moves not tried yet come first,
    /// the likeliest before the others.
    fn select(&self, at: usize, side: Color) -> usize {
        let parent = &self.nodes[at];
        let log = f64::from(parent.visits.max(1)).ln();
        let score = |child: usize| {
            let node = &self.nodes[child];
            if node.visits == 0 {
                return 1e6 + node.bias;
            }
            let n = f64::from(node.visits);
            let value = self.settings.win_score * for_white(side, node.mean());
            value + self.settings.exploration * (log / n).sqrt() + node.bias / (n + 1.0)
        };
        let best = parent.children.clone().map(|child| (child, score(child)));
        best.reduce(|a, b| if b.1 > a.1 { b } else { a })
            .map_or(at, |(child, _)| child)
    }

    /// White's win probability at a new node.
    fn playout(&mut self, at: usize) -> f64 {
        let mut position = self.nodes[at].position;
        let most = match self.settings.parts {
            Some(_) => self.settings.plies,
            None => LONG,
        };
        let mut plies = 0;
        loop {
            match turn(&self.game, &position) {
                Turn::Over(outcome) => return outcome.score(Color::White),
                Turn::Chance => {
                    if plies >= most {
                        return self.verdict(&position);
                    }
                    let Some(dice) = draw_roll(&self.game.chance(&position), self.rng) else {
                        return 0.5;
                    };
                    self.game.roll_unchecked(&mut position, dice);
                }
                Turn::Player(_) => {
                    let moves = self.game.moves(&position);
                    let takes = |m: &&Move| position.captured(**m) == Some(Role::King);
                    let king = moves.iter().find(takes);
                    match king.or_else(|| moves.choose(self.rng)) {
                        Some(&m) => self.game.play_unchecked(&mut position, m),
                        None => return 0.5,
                    };
                    plies += 1;
                }
            }
        }
    }

    fn verdict(&self, position: &Position) -> f64 {
        match self.settings.parts {
            Some(parts) => parts.win_probability(position, Color::White),
            None => 0.5,
        }
    }
}

impl Node {
    fn mean(&self) -> f64 {
        if self.visits == 0 {
            0.5
        } else {
            self.white / f64::from(self.visits)
        }
    }
}
