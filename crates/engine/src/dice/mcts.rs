//! Monte-Carlo tree search of Chakrian et al. (sections II.B and III.B): UCT
//! over decision and chance nodes, with a progressive bias `H / (n + 1)`.

use foglight_rules::{Color, Dice, Game, Move, Position, Role, Turn};
use rand::{Rng as _, seq::IndexedRandom};

use super::{
    reference::{for_white, turn},
    terms::{EvalTerms, PER_PAWN},
};
use crate::dice::move_model::MoveModel;
use foglight_play::{Budget, Rng, dice::weighted, rng::weighted_index};

/// Source of the heuristic value H of a move.
#[derive(Clone, Debug)]
pub enum Bias {
    Off,
    /// The evaluation of the position after the move.
    Eval,
    /// The probability of a good move, by a model of moves.
    Model(&'static MoveModel),
}

/// Search settings; the default is the paper's base case, with the evaluation in
/// place of the playout and king captures forced.
#[derive(Clone, Debug)]
pub struct MctsSettings {
    /// The exploration coefficient C.
    pub exploration: f64,
    /// Score of a won playout, added to its evaluation if there is one.
    pub win_score: f64,
    pub bias: Bias,
    /// The evaluation that ends a playout; without one it is played to the end.
    pub parts: Option<EvalTerms>,
    /// Plies before the evaluation.
    pub plies: u32,
    /// Whether playouts choose moves by the selection policy, or at random.
    pub guided: bool,
    /// Maximum nodes of the tree; then the search continues without expansion.
    pub max_nodes: usize,
    /// Whether a king capture is the only child of its node and is always played
    /// in a playout. The paper gives it no such place.
    pub forced_kings: bool,
}

impl Default for MctsSettings {
    fn default() -> MctsSettings {
        MctsSettings {
            exploration: 3.8775,
            win_score: 0.4,
            bias: Bias::Eval,
            parts: Some(EvalTerms::default()),
            plies: 0,
            guided: false,
            max_nodes: MAX_NODES,
            forced_kings: true,
        }
    }
}

/// Move or roll that leads to a node.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Edge {
    Root,
    Moved(Move),
    Rolled(Dice),
}

/// Type of a node.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Stage {
    /// Not yet determined by the rules.
    Unknown,
    /// The game is over; White's score.
    Over(f32),
    Chance,
    Player(Color),
}

/// Positions are not stored: the descent plays them again, which costs less
/// than the memory.
#[derive(Clone, Copy)]
struct Node {
    edge: Edge,
    stage: Stage,
    first: u32,
    count: u32,
    visits: u32,
    /// H of the move that leads here, or the probability of the roll.
    bias: f32,
    /// Sum of White's win probabilities over the visits.
    white: f64,
    /// Sum of the playouts' scores for White in equation 1.
    points: f64,
}

/// Result of a playout for White.
#[derive(Clone, Copy)]
struct Told {
    win: f64,
    /// Score in equation 1, below 0 for a bad one.
    points: f64,
}

/// The value v of equation 1 is the evaluation in pawns, plus the win score in
/// a game that was played to its end. A pawn is 1/16 of win probability where
/// chances are even (`terms::PER_PAWN` over 4), so that this number of pawns is
/// a whole. This is our choice: the paper does not say how its evaluation and
/// its win score combine, only that without win score it played best.
const PAWNS: f64 = 4.0 / PER_PAWN;

/// The tree of one search.
pub struct MctsTree<'a> {
    game: Game,
    root: Position,
    settings: &'a MctsSettings,
    nodes: Vec<Node>,
    /// The nodes of the current iteration, from the root.
    path: Vec<usize>,
    rng: &'a mut Rng,
}

/// A move of the root after the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Child {
    pub m: Move,
    pub visits: u32,
    /// The mover's mean win probability.
    pub value: f64,
}

/// Maximum plies of a playout to the end.
const LONG: u32 = 300;

/// Bytes for a node, in a vector that grows by doubling.
pub(crate) const NODE_BYTES: usize = 2 * size_of::<Node>();
/// Default of [`MctsSettings::max_nodes`].
pub(crate) const MAX_NODES: usize = 4_000_000;

impl<'a> MctsTree<'a> {
    /// A tree with only the rolled root position.
    pub fn new(
        game: Game,
        root: Position,
        settings: &'a MctsSettings,
        rng: &'a mut Rng,
    ) -> MctsTree<'a> {
        let mut tree = MctsTree {
            game,
            root,
            settings,
            nodes: Vec::new(),
            path: Vec::new(),
            rng,
        };
        tree.push(Edge::Root, 0.0);
        tree
    }

    /// Searches until the budget is spent; a node of the budget is a playout.
    /// Returns the number of playouts.
    pub fn search(&mut self, budget: &Budget) -> u64 {
        let mut rounds = 0;
        while budget.allows(rounds) {
            if rounds % 16 == 15 && budget.out_of_time() {
                break;
            }
            self.round();
            rounds += 1;
        }
        rounds
    }

    /// The root's moves, the most visited first.
    pub fn children(&self) -> Vec<Child> {
        let side = self.root.turn();
        let mut children: Vec<Child> = self.nodes[self.nodes[0].children()]
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

    fn push(&mut self, edge: Edge, bias: f64) {
        self.nodes.push(Node {
            edge,
            stage: Stage::Unknown,
            first: 0,
            count: 0,
            visits: 0,
            white: 0.0,
            points: 0.0,
            bias: bias as f32,
        });
    }

    /// One iteration: selection, expansion, playout, backpropagation.
    fn round(&mut self) {
        let mut position = self.root;
        let mut at = 0;
        self.path.clear();
        self.path.push(0);
        let value = loop {
            match self.stage(at, &position) {
                Stage::Over(score) => break self.ended(f64::from(score)),
                Stage::Chance | Stage::Unknown => {
                    let new = self.nodes[at].visits == 0 && at != 0;
                    if new || !self.expand_rolls(at, &position) {
                        break self.playout(at, position);
                    }
                    at = self.sample(at);
                }
                Stage::Player(side) => {
                    if !self.expand_moves(at, &position, side) {
                        break self.playout(at, position);
                    }
                    at = self.select(at, side);
                }
            }
            match self.nodes[at].edge {
                Edge::Moved(m) => {
                    self.game.play_unchecked(&mut position, m);
                }
                Edge::Rolled(dice) => self.game.roll_unchecked(&mut position, dice),
                Edge::Root => {}
            }
            self.path.push(at);
        };
        for &node in &self.path {
            self.nodes[node].visits += 1;
            self.nodes[node].white += value.win;
            self.nodes[node].points += value.points;
        }
    }

    /// The node's type, asked of the rules once per node.
    fn stage(&mut self, at: usize, position: &Position) -> Stage {
        if self.nodes[at].stage == Stage::Unknown {
            self.nodes[at].stage = match turn(&self.game, position) {
                Turn::Over(outcome) => Stage::Over(outcome.score(Color::White) as f32),
                Turn::Chance => Stage::Chance,
                Turn::Player(side) => Stage::Player(side),
            };
        }
        self.nodes[at].stage
    }

    /// Whether a node without children may be expanded. The root always may.
    fn may_grow(&self, at: usize) -> bool {
        at == 0 || self.nodes.len() < self.settings.max_nodes
    }

    fn adopt(&mut self, at: usize, first: usize) {
        self.nodes[at].first = first as u32;
        self.nodes[at].count = (self.nodes.len() - first) as u32;
    }

    /// Adds the rolls as children; returns whether there are children.
    fn expand_rolls(&mut self, at: usize, position: &Position) -> bool {
        if self.nodes[at].count == 0 && self.may_grow(at) {
            let first = self.nodes.len();
            for (dice, probability) in self.game.chance_outcomes(position) {
                self.push(Edge::Rolled(dice), probability);
            }
            self.adopt(at, first);
        }
        self.nodes[at].count > 0
    }

    /// Samples a roll among those below their expected count, by the deficit:
    /// every roll has its exact probability, but the counts deviate by less
    /// than one. The paper does not say how its tree samples dice.
    fn sample(&mut self, at: usize) -> usize {
        let range = self.nodes[at].children();
        let children = &self.nodes[range.clone()];
        let thrown: u32 = children.iter().map(|child| child.visits).sum();
        let due = f64::from(thrown) + 1.0;
        let missing =
            |child: &Node| (due * f64::from(child.bias) - f64::from(child.visits)).max(0.0);
        let total: f64 = children.iter().map(missing).sum();
        let mark = total * self.rng.random::<f64>();
        let place = weighted_index(children.iter().map(missing), mark);
        place.map_or(range.end - 1, |place| range.start + place)
    }

    /// Adds the moves as children; returns whether there are children. A forced
    /// king capture is the only child, since nothing is better.
    fn expand_moves(&mut self, at: usize, position: &Position, side: Color) -> bool {
        if self.nodes[at].count == 0 && self.may_grow(at) {
            let first = self.nodes.len();
            let moves = self.game.legal_moves(position);
            let king = self.forced(position, &moves);
            let moves = king.as_ref().map_or(&moves[..], std::slice::from_ref);
            for &m in moves {
                let bias = self.heuristic(position, m, side);
                self.push(Edge::Moved(m), bias);
            }
            self.adopt(at, first);
        }
        self.nodes[at].count > 0
    }

    /// The king capture that must be played, if the settings force it.
    fn forced(&self, position: &Position, moves: &[Move]) -> Option<Move> {
        let takes = |m: &&Move| position.captured(**m) == Some(Role::King);
        let king = moves.iter().find(takes).copied();
        king.filter(|_| self.settings.forced_kings)
    }

    /// H: heuristic value of a move, 0 to 1.
    fn heuristic(&self, position: &Position, m: Move, side: Color) -> f64 {
        match &self.settings.bias {
            Bias::Off => 0.0,
            Bias::Eval => {
                let mut next = *position;
                self.game.play_unchecked(&mut next, m);
                let parts = self.settings.parts.unwrap_or_default();
                parts.win_probability(&next, side)
            }
            Bias::Model(model) => model.probability(position, m),
        }
    }

    /// The move of a playout: forced, by the selection policy, or any.
    fn next_of_playout(&mut self, position: &Position, moves: &[Move]) -> Option<Move> {
        let blind = self.settings.parts.is_none() && matches!(self.settings.bias, Bias::Off);
        let king = self.forced(position, moves);
        if king.is_some() || !self.settings.guided || blind {
            return king.or_else(|| moves.choose(self.rng).copied());
        }
        let side = position.turn();
        let promising = moves.iter().map(|m| (self.promise(position, *m, side), *m));
        let best = promising.reduce(|a, b| if b.0 > a.0 { b } else { a });
        best.map(|(_, m)| m)
    }

    /// What the selection policy has of a move that was never visited: the
    /// evaluation behind it, and H by a model.
    fn promise(&self, position: &Position, m: Move, side: Color) -> f64 {
        let evaluation = self.settings.parts.map_or(0.0, |parts| {
            let mut next = *position;
            self.game.play_unchecked(&mut next, m);
            parts.win_probability(&next, side)
        });
        match &self.settings.bias {
            Bias::Model(model) => evaluation + model.probability(position, m),
            Bias::Eval | Bias::Off => evaluation,
        }
    }

    /// UCT with progressive bias (equation 1); unvisited moves come first, the
    /// likeliest before the others.
    fn select(&self, at: usize, side: Color) -> usize {
        let parent = &self.nodes[at];
        let log = f64::from(parent.visits.max(1)).ln();
        let explore = self.settings.exploration * log.sqrt();
        let score = |node: &Node| {
            let bias = f64::from(node.bias);
            if node.visits == 0 {
                return 1e6 + bias;
            }
            let n = f64::from(node.visits);
            let value = node.points * if side.is_white() { 1.0 } else { -1.0 };
            value / n + explore / n.sqrt() + bias / (n + 1.0)
        };
        let range = parent.children();
        let scored = range.clone().zip(self.nodes[range].iter().map(score));
        scored
            .reduce(|a, b| if b.1 > a.1 { b } else { a })
            .map_or(at, |(child, _)| child)
    }

    /// White's win probability at a node without children. Where the bias is
    /// the evaluation that ends the playout, it is known already.
    fn playout(&mut self, at: usize, mut position: Position) -> Told {
        let node = &self.nodes[at];
        let told = matches!(self.settings.bias, Bias::Eval) && matches!(node.edge, Edge::Moved(_));
        if told && self.settings.plies == 0 && self.settings.parts.is_some() {
            let mover = self
                .path
                .iter()
                .rev()
                .nth(1)
                .map(|&at| self.nodes[at].stage);
            if let Some(Stage::Player(side)) = mover {
                return self.scored(for_white(side, f64::from(node.bias)));
            }
        }
        let most = match self.settings.parts {
            Some(_) => self.settings.plies,
            None => LONG,
        };
        let mut plies = 0;
        loop {
            match turn(&self.game, &position) {
                Turn::Over(outcome) => return self.ended(outcome.score(Color::White)),
                Turn::Chance => {
                    if plies >= most {
                        return self.scored(self.evaluate(&position));
                    }
                    let chances = self.game.chance_outcomes(&position);
                    let number = self.rng.random();
                    if chances.is_empty() {
                        return self.ended(0.5);
                    }
                    let dice = weighted(&chances, number);
                    self.game.roll_unchecked(&mut position, dice);
                }
                Turn::Player(_) => {
                    let moves = self.game.legal_moves(&position);
                    match self.next_of_playout(&position, &moves) {
                        Some(m) => self.game.play_unchecked(&mut position, m),
                        None => return self.ended(0.5),
                    };
                    plies += 1;
                }
            }
        }
    }

    /// A playout that the evaluation ended.
    fn scored(&self, win: f64) -> Told {
        let points = match self.settings.parts {
            Some(_) => PAWNS * (win - 0.5),
            None => 0.0,
        };
        Told { win, points }
    }

    /// A playout that was played to its end.
    fn ended(&self, score: f64) -> Told {
        let evaluated = self.scored(score);
        Told {
            points: evaluated.points + self.settings.win_score * (score - 0.5),
            ..evaluated
        }
    }

    fn evaluate(&self, position: &Position) -> f64 {
        match self.settings.parts {
            Some(parts) => parts.win_probability(position, Color::White),
            None => 0.5,
        }
    }
}

impl Node {
    fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    fn mean(&self) -> f64 {
        if self.visits == 0 {
            0.5
        } else {
            self.white / f64::from(self.visits)
        }
    }
}
