//! POMCP (Silver & Veness 2010), which Ermlick 2023 began and did not finish: UCT
//! over the player's action-observation histories, each simulation in a world
//! drawn from the belief, with leaves evaluated by a search by default.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use foglight_rules::{Color, Game, Move, Observation, Position, Role, Variant, View};
use rand::{Rng as _, seq::IndexedRandom};

use super::super::never_endless;
use crate::belief::{BeliefNetworkTracker, BeliefTracker, network::WeightedBelief};
use crate::eval::piece_value;
use crate::search::{Evaluation, SearchAnalyser, analyser::best, evaluation::EVAL};
use foglight_play::{
    Agent, Analyser as _, AnalysisLimit, Budget, Entry, OptionInfo, Report, Rng, Values, seeded,
};

pub(super) const CAPTURE_PROB: OptionInfo = OptionInfo::new(
    "capture-prob",
    Values::Number(0.0, 1.0),
    "0.7",
    "probability that the simulated enemy captures if it can; it always captures a king",
)
.open();

pub(super) const MAX_POSITIONS: OptionInfo = OptionInfo::new(
    "max-positions",
    Values::Whole(1, 100_000_000),
    "20000",
    "maximum size of the belief, beyond it a uniform subset",
)
.up_to(50_000);

pub const ENTRY: Entry = Entry {
    name: "pomcp",
    about: "Monte Carlo tree search over own moves and observations, in worlds drawn from the belief (Silver & Veness 2010)",
    options: &[
        OptionInfo::new(
            "c",
            Values::Number(0.0, 100.0),
            "0.5",
            "exploration constant of UCB1",
        )
        .open(),
        OptionInfo::new(
            "leaf",
            Values::Choice(&["search", "rollout"]),
            "search",
            "evaluates new leaves by a short search, or by a random rollout",
        )
        .open(),
        OptionInfo::new(
            "nodes-per-leaf",
            Values::Whole(1, 1_000_000),
            "40",
            "nodes of the search at each leaf",
        )
        .up_to(1000),
        CAPTURE_PROB,
        MAX_POSITIONS,
        OptionInfo::new(
            "belief",
            Values::Choice(&["exact", "network"]),
            "exact",
            "draws positions of the belief uniformly, or weighted by the belief network",
        )
        .open(),
        EVAL,
    ],
    plays: |game| matches!(game.variant(), Variant::Fog(_)),
    build: |options, providers| {
        let cap = options.whole("max-positions").unwrap_or(20_000) as usize;
        Ok(Box::new(Pomcp {
            c: options.number("c"),
            rollout: options.text("leaf") == "rollout",
            each: options.whole("nodes-per-leaf").unwrap_or(40),
            greedy: options.number("capture-prob"),
            keeper: BeliefTracker::new(cap, options.whole("threads").unwrap_or(1) as usize),
            analyser: SearchAnalyser::new(Evaluation::from_option(
                "pomcp",
                options.text("eval"),
                providers,
            )?),
            seer: (options.text("belief") == "network").then(BeliefNetworkTracker::default),
            rng: seeded(0),
            tree: Vec::new(),
            simulations: providers
                .tree
                .map_or(MAX_NODES, |bytes| MAX_NODES.min(bytes / NODE_BYTES)),
            nodes: 0,
            report: Report::default(),
        }))
    },
};

/// Maximum number of plies in a rollout.
const ROLLOUT: usize = 40;
/// Maximum number of own moves in a simulation.
const DEEPEST: usize = 12;
/// Bytes for an observation history, with its moves.
const NODE_BYTES: usize = 4096;
/// Maximum number of simulations per move.
const MAX_NODES: usize = 1_000_000;

struct Pomcp {
    c: f64,
    rollout: bool,
    each: u64,
    greedy: f64,
    keeper: BeliefTracker,
    analyser: SearchAnalyser,
    seer: Option<BeliefNetworkTracker>,
    rng: Rng,
    tree: Vec<Node>,
    /// Maximum number of simulations per move.
    simulations: usize,
    nodes: u64,
    report: Report,
}

/// An action-observation history with its action statistics and successors.
struct Node {
    visits: f64,
    actions: Vec<Tried>,
    next: HashMap<(Move, u64), usize>,
}

struct Tried {
    m: Move,
    visits: f64,
    mean: f64,
}

impl Node {
    fn new(moves: &[Move]) -> Node {
        let tried = |&m| Tried {
            m,
            visits: 0.0,
            mean: 0.0,
        };
        Node {
            visits: 0.0,
            actions: moves.iter().map(tried).collect(),
            next: HashMap::new(),
        }
    }

    /// The action with the highest UCB1 bound; untried actions come first.
    fn select(&self, c: f64) -> usize {
        let bound = |tried: &Tried| match tried.visits {
            0.0 => f64::INFINITY,
            n => tried.mean + c * (self.visits.max(1.0).ln() / n).sqrt(),
        };
        let actions = self.actions.iter().map(bound).enumerate();
        let best = actions.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        best.map_or(0, |(i, _)| i)
    }
}

/// Hash of a side's observation of a position.
fn observation_key(game: &Game, position: &Position, side: Color) -> u64 {
    let view = View::new(game, position, side);
    let mut hasher = DefaultHasher::new();
    (view.visible.0, view.board, view.ep_squares.0).hash(&mut hasher);
    hasher.finish()
}

/// A simulated enemy reply: captures the king if possible, else with probability
/// `greedy` makes the best capture, else moves at random.
pub(super) fn likely_reply(
    game: &Game,
    position: &Position,
    greedy: f64,
    rng: &mut Rng,
) -> Option<Move> {
    let moves = game.legal_moves(position);
    let worth = |m: &Move| position.captured(*m).map_or(0, piece_value);
    let best = moves.iter().map(worth).max()?;
    if best >= piece_value(Role::King) || best > 0 && rng.random_bool(greedy) {
        return moves.iter().find(|m| worth(m) == best).copied();
    }
    moves.choose(rng).copied()
}

impl Pomcp {
    /// Runs one simulation from a node. Returns its value for the player, who is to
    /// move.
    fn simulate(&mut self, game: &Game, world: &Position, at: usize, depth: usize) -> f64 {
        let choice = self.tree[at].select(self.c);
        let m = self.tree[at].actions[choice].m;
        let value = self.play(game, world, at, m, depth);
        let node = &mut self.tree[at];
        node.visits += 1.0;
        let tried = &mut node.actions[choice];
        tried.visits += 1.0;
        tried.mean += (value - tried.mean) / tried.visits;
        value
    }

    fn play(&mut self, game: &Game, world: &Position, at: usize, m: Move, depth: usize) -> f64 {
        let side = world.turn();
        let mut next = *world;
        game.play_unchecked(&mut next, m);
        self.nodes += 1;
        if let Some(outcome) = game.outcome(&next) {
            return 2.0 * outcome.score(side) - 1.0;
        }
        if let Some(reply) = likely_reply(game, &next, self.greedy, &mut self.rng) {
            game.play_unchecked(&mut next, reply);
        }
        if let Some(outcome) = game.outcome(&next) {
            return 2.0 * outcome.score(side) - 1.0;
        }
        let key = (m, observation_key(game, &next, side));
        match self.tree[at].next.get(&key) {
            Some(&below) if depth < DEEPEST => self.simulate(game, &next, below, depth + 1),
            _ => {
                let below = self.tree.len();
                self.tree.push(Node::new(&game.legal_moves(&next)));
                self.tree[at].next.insert(key, below);
                self.leaf(game, &next)
            }
        }
    }

    /// The value of a new leaf for the side to move.
    fn leaf(&mut self, game: &Game, position: &Position) -> f64 {
        if !self.rollout {
            let (moves, nodes) = best(
                &self.analyser,
                game,
                position,
                AnalysisLimit::nodes(self.each),
            );
            self.nodes += nodes;
            return moves.first().map_or(0.0, |(_, value)| *value);
        }
        let side = position.turn();
        let mut now = *position;
        for _ in 0..ROLLOUT {
            let Some(m) = likely_reply(game, &now, self.greedy, &mut self.rng) else {
                break;
            };
            game.play_unchecked(&mut now, m);
            self.nodes += 1;
            if let Some(outcome) = game.outcome(&now) {
                return 2.0 * outcome.score(side) - 1.0;
            }
        }
        0.0
    }

    fn think(&mut self, observation: &Observation, budget: &Budget) {
        let game = *observation.game();
        (self.nodes, self.tree) = (0, vec![Node::new(observation.legal_moves())]);
        let weighed = self.weigh(observation);
        for done in 0..self.simulations {
            if done > 0 && (budget.out_of_time() || !budget.allows(self.nodes)) {
                break;
            }
            let Some(world) = self.world(observation, weighed.as_ref()) else {
                break;
            };
            self.simulate(&game, &world, 0, 0);
        }
    }

    /// The network's weights of the belief's positions, with option
    /// `belief=network`.
    fn weigh(&self, observation: &Observation) -> Option<WeightedBelief> {
        let seer = self.seer.as_ref()?;
        let hidden = observation.position().is_none();
        let (belief, roster) = (self.keeper.belief()?, self.keeper.material()?);
        hidden.then(|| seer.weigh(belief, roster))
    }

    /// Draws the position of a simulation.
    fn world(
        &mut self,
        observation: &Observation,
        weighed: Option<&WeightedBelief>,
    ) -> Option<Position> {
        if let Some(position) = observation.position() {
            return Some(*position);
        }
        let belief = self.keeper.belief()?;
        match weighed {
            None => belief.sample(&mut self.rng),
            Some(weighed) => {
                let place = weighed.draw(&mut self.rng)?;
                Some(belief.evidence().position(&belief.worlds()[place]))
            }
        }
    }

    /// Updates belief and network with an observation.
    fn follow(&mut self, observation: &Observation) {
        self.keeper.see(observation);
        if let Some(seer) = &mut self.seer {
            seer.see(observation);
        }
    }
}

impl Agent for Pomcp {
    fn start(&mut self, _: &Game, _: Color, seed: u64) {
        self.rng = seeded(seed);
        self.keeper.start(seed);
        self.analyser.clear();
        if let Some(seer) = &mut self.seer {
            seer.start();
        }
    }

    fn see(&mut self, observation: &Observation) {
        self.follow(observation);
    }

    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move {
        self.follow(observation);
        let mut budget = budget.clone();
        budget.depth = None; // this search has no depth limit
        never_endless(&mut budget);
        self.think(observation, &budget);
        let root = &self.tree[0];
        let best = root.actions.iter().max_by(|a, b| {
            let order = a.visits.total_cmp(&b.visits);
            order.then(a.mean.total_cmp(&b.mean)).then(b.m.cmp(&a.m))
        });
        let best = best.expect("a move to choose");
        let mut mix: Vec<(Move, f64)> = root
            .actions
            .iter()
            .map(|tried| (tried.m, tried.visits / root.visits.max(1.0)))
            .collect();
        mix.sort_by(|a, b| b.1.total_cmp(&a.1));
        self.report = Report {
            value: Some(best.mean),
            nodes: self.nodes,
            policy: mix,
            metrics: vec![
                ("simulations", root.visits),
                ("histories", self.tree.len() as f64),
            ],
            ..Report::default()
        };
        best.m
    }

    fn report(&self) -> Option<Report> {
        Some(self.report.clone())
    }
}
