//! DESPOT (Somani, Ye, Hsu & Lee 2013), which Ermlick 2023 proposes as future
//! work: a sparse tree over a few scenarios, each a world of the belief with
//! fixed random numbers, so that every move has one outcome per scenario.
//!
//! Bounds: a short search estimates the value of a leaf; the bounds are that
//! value plus and minus `gap`. Deeper nodes narrow them. Each node of a policy
//! costs `lambda`, the regularisation constant of DESPOT.

use std::collections::BTreeMap;

use foglight_rules::{Color, Game, Move, Observation, Position, Variant, View};

use super::{
    super::never_endless,
    pomcp::{CAPTURE_PROB, MAX_POSITIONS, likely_reply},
};
use crate::belief::BeliefTracker;
use crate::search::{SearchAnalyser, analyser::best};
use foglight_play::{
    Agent, Analyser as _, AnalysisLimit, Budget, Entry, OptionInfo, Report, Rng, Values,
    rng::derive, seeded,
};

pub const ENTRY: Entry = Entry {
    name: "despot",
    about: "DESPOT: a sparse tree over a few sampled worlds with fixed random numbers (Somani et al. 2013)",
    options: &[
        OptionInfo::new(
            "scenarios",
            Values::Whole(1, 10_000),
            "16",
            "number of sampled worlds with fixed random numbers",
        )
        .up_to(32),
        OptionInfo::new(
            "branches",
            Values::Whole(1, 300),
            "6",
            "maximum number of moves per node",
        )
        .up_to(8),
        OptionInfo::new(
            "depth",
            Values::Whole(1, 20),
            "4",
            "maximum search depth in own moves",
        )
        .up_to(8),
        OptionInfo::new(
            "nodes-per-leaf",
            Values::Whole(1, 1_000_000),
            "60",
            "nodes of the search at each leaf",
        )
        .up_to(200),
        OptionInfo::new(
            "gap",
            Values::Number(0.0, 2.0),
            "0.3",
            "half the distance between the bounds of a leaf",
        )
        .open(),
        OptionInfo::new(
            "lambda",
            Values::Number(0.0, 1.0),
            "0.005",
            "cost of each node of a policy",
        )
        .open(),
        CAPTURE_PROB,
        MAX_POSITIONS,
    ],
    plays: |game| matches!(game.variant(), Variant::Fog(_)),
    build: |options, _| {
        let whole = |name| options.whole(name).unwrap_or(1) as usize;
        Ok(Box::new(Despot {
            scenarios: whole("scenarios"),
            branches: whole("branches"),
            depth: whole("depth"),
            each: whole("nodes-per-leaf") as u64,
            gap: options.number("gap"),
            lambda: options.number("lambda"),
            greedy: options.number("capture-prob"),
            keeper: BeliefTracker::new(whole("max-positions"), 1),
            analyser: SearchAnalyser::default(),
            rng: seeded(0),
            nodes: 0,
            budget: Budget::default(),
            report: Report::default(),
        }))
    },
};

struct Despot {
    scenarios: usize,
    branches: usize,
    depth: usize,
    each: u64,
    gap: f64,
    lambda: f64,
    greedy: f64,
    keeper: BeliefTracker,
    analyser: SearchAnalyser,
    rng: Rng,
    nodes: u64,
    /// Limits of the current move.
    budget: Budget,
    report: Report,
}

/// A world with the seed of all its random events.
#[derive(Clone, Copy)]
struct Scenario {
    world: Position,
    seed: u64,
}

/// A set of scenarios that the player, who is to move, cannot distinguish. The
/// bounds are sums over the scenarios.
struct Node {
    scenarios: Vec<Scenario>,
    moves: Vec<Move>,
    lower: f64,
    upper: f64,
    depth: usize,
    branches: Option<Vec<Branch>>,
}

/// A move with the total value of the scenarios that it ends, and one node per
/// observation after the reply.
struct Branch {
    m: Move,
    ended: f64,
    below: Vec<Node>,
}

impl Branch {
    fn lower(&self, lambda: f64) -> f64 {
        let below = self.below.iter().map(|node| node.lower - lambda);
        self.ended + below.sum::<f64>()
    }

    fn upper(&self) -> f64 {
        self.ended + self.below.iter().map(|node| node.upper).sum::<f64>()
    }
}

impl Despot {
    /// Creates a node with its initial bounds.
    fn node(&mut self, game: &Game, scenarios: Vec<Scenario>, depth: usize) -> Node {
        let (mut sum, mut evaluated) = (0.0, 0.0);
        for scenario in &scenarios {
            if evaluated > 0.0 && self.budget.out_of_time() {
                break;
            }
            evaluated += 1.0;
            let (best, nodes) = best(
                &self.analyser,
                game,
                &scenario.world,
                AnalysisLimit::nodes(self.each),
            );
            self.nodes += nodes;
            sum += best.first().map_or(0.0, |(_, value)| *value);
        }
        let count = scenarios.len() as f64;
        if evaluated > 0.0 {
            sum *= count / evaluated;
        }
        let moves = scenarios
            .first()
            .map(|s| game.legal_moves(&s.world).to_vec());
        Node {
            moves: moves.unwrap_or_default(),
            lower: (sum - self.gap * count).max(-count),
            upper: (sum + self.gap * count).min(count),
            scenarios,
            depth,
            branches: None,
        }
    }

    /// Runs one trial: descends by the highest upper bound and the widest gap,
    /// expands one node, and backs up the bounds.
    fn trial(&mut self, game: &Game, node: &mut Node) {
        match &mut node.branches {
            None => {
                let branches = self.expand(game, node);
                node.branches = Some(branches);
            }
            Some(branches) => {
                let best = branches
                    .iter_mut()
                    .max_by(|a, b| a.upper().total_cmp(&b.upper()));
                let widest = best.and_then(|branch| {
                    let open = branch.below.iter_mut().filter(|n| n.depth < self.depth);
                    open.max_by(|a, b| (a.upper - a.lower).total_cmp(&(b.upper - b.lower)))
                });
                match widest {
                    Some(below) => self.trial(game, below),
                    None => return,
                }
            }
        }
        let branches = node.branches.as_deref().unwrap_or_default();
        let lower = branches.iter().map(|branch| branch.lower(self.lambda));
        let upper = branches.iter().map(Branch::upper);
        node.lower = lower.fold(f64::NEG_INFINITY, f64::max);
        node.upper = upper.fold(f64::NEG_INFINITY, f64::max).max(node.lower);
    }

    /// Expands the most promising moves of a node over all of its scenarios.
    fn expand(&mut self, game: &Game, node: &Node) -> Vec<Branch> {
        let mut kept = self.promising(game, node);
        kept.truncate(self.branches);
        let mut branches = Vec::with_capacity(kept.len());
        for m in kept {
            if !branches.is_empty() && self.budget.out_of_time() {
                break;
            }
            let branch = self.branch(game, node, m);
            branches.push(branch);
        }
        branches
    }

    /// Moves ordered by votes of searches in up to eight scenarios.
    fn promising(&mut self, game: &Game, node: &Node) -> Vec<Move> {
        let mut votes: BTreeMap<Move, f64> = node.moves.iter().map(|m| (*m, -2.0)).collect();
        for scenario in node.scenarios.iter().take(8) {
            if self.budget.out_of_time() {
                break;
            }
            let top = self.branches;
            let limit = AnalysisLimit {
                moves: top,
                ..AnalysisLimit::nodes(self.each * 4)
            };
            let (best, nodes) = best(&self.analyser, game, &scenario.world, limit);
            self.nodes += nodes;
            for (rank, (m, value)) in best.into_iter().enumerate() {
                *votes.entry(m).or_insert(-2.0) += (value + 1.1) / (1 + rank) as f64;
            }
        }
        let mut moves: Vec<(Move, f64)> = votes.into_iter().collect();
        moves.sort_by(|a, b| b.1.total_cmp(&a.1));
        moves.into_iter().map(|(m, _)| m).collect()
    }

    fn branch(&mut self, game: &Game, node: &Node, m: Move) -> Branch {
        let mut ended = 0.0;
        let mut groups: BTreeMap<String, Vec<Scenario>> = BTreeMap::new();
        for scenario in &node.scenarios {
            let side = scenario.world.turn();
            let mut world = scenario.world;
            game.play_unchecked(&mut world, m);
            let seed = derive(scenario.seed, u64::from(m.raw()));
            if game.outcome(&world).is_none()
                && let Some(reply) = likely_reply(game, &world, self.greedy, &mut seeded(seed))
            {
                game.play_unchecked(&mut world, reply);
            }
            self.nodes += 1;
            match game.outcome(&world) {
                Some(outcome) => ended += 2.0 * outcome.score(side) - 1.0,
                None => {
                    let view = View::new(game, &world, side).to_string();
                    groups
                        .entry(view)
                        .or_default()
                        .push(Scenario { world, seed });
                }
            }
        }
        let depth = node.depth + 1;
        let below = groups
            .into_values()
            .map(|scenarios| self.node(game, scenarios, depth))
            .collect();
        Branch { m, ended, below }
    }
}

impl Agent for Despot {
    fn start(&mut self, _: &Game, _: Color, seed: u64) {
        self.rng = seeded(seed);
        self.keeper.start(seed);
        self.analyser.clear();
    }

    fn see(&mut self, observation: &Observation) {
        self.keeper.see(observation);
    }

    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move {
        self.keeper.see(observation);
        let mut budget = budget.clone();
        budget.depth = None; // the option `depth` applies instead
        never_endless(&mut budget);
        self.budget.clone_from(&budget);
        let game = *observation.game();
        let worlds = match observation.position() {
            Some(position) => vec![*position; self.scenarios],
            None => self.keeper.sample(self.scenarios, &mut self.rng),
        };
        let scenarios: Vec<Scenario> = worlds
            .into_iter()
            .filter(|world| world.turn() == observation.side() && world.both_kings())
            .map(|world| Scenario {
                world,
                seed: rand::Rng::random(&mut self.rng),
            })
            .collect();
        self.nodes = 0;
        let mut root = self.node(&game, scenarios, 0);
        root.moves = observation.legal_moves().to_vec();
        let mut trials = 0;
        while trials == 0 || !budget.out_of_time() && budget.allows(self.nodes) && trials < 5000 {
            self.trial(&game, &mut root);
            trials += 1;
        }
        let branches = root.branches.as_deref().unwrap_or_default();
        let best = branches
            .iter()
            .filter(|branch| observation.legal_moves().contains(&branch.m))
            .max_by(|a, b| a.lower(self.lambda).total_cmp(&b.lower(self.lambda)));
        let count = root.scenarios.len().max(1) as f64;
        self.report = Report {
            value: best.map(|branch| branch.lower(self.lambda) / count),
            nodes: self.nodes,
            metrics: vec![("scenarios", count), ("trials", f64::from(trials))],
            ..Report::default()
        };
        best.map_or(observation.legal_moves()[0], |branch| branch.m)
    }

    fn report(&self) -> Option<Report> {
        Some(self.report.clone())
    }
}
