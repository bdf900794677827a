//! `foglight`, an agent for fog of war after Obscuro (Zhang & Sandholm,
//! arXiv 2506.01242). It tracks the set of positions consistent with its
//! observations, builds a game tree from a sample of them, solves the tree as
//! an imperfect-information game, and plays the resulting strategy.

mod choice;
mod domain;
mod history;
mod leaves;
pub(crate) mod levels;
mod limits;
mod opening;
mod options;
mod ponder;
mod subgame;
mod telemetry;
mod worlds;

use std::{sync::Arc, time::Duration};

use foglight_rules::{Color, Game, Move, Observation, PackedPosition, Record, Role, Variant};
use foglight_solver::{Side, SolveLimits, Solver, extend_infostate_key, run};
use rand::Rng as _;

pub(crate) use choice::SupportTracker;
pub use choice::purified;
pub use domain::{FogSubgame, observation_key};
pub use history::Thirds;
pub use leaves::{LeafEvaluator, LeafModel};
pub(crate) use options::FoglightSettings;

use super::never_endless;
use crate::eval::centipawns_of;
use foglight_play::{
    Agent, Belief, Budget, Entry, Report, Rng, TimeSource,
    rng::{derive, weighted_index},
    seeded,
};
use history::History;
use limits::{part, rest_used, search_time, time_used};
use opening::Opening;
use ponder::Pondering;
use subgame::{Subgame, SubgameBuilder};
use telemetry::{SearchMetrics, tell};
use worlds::Worlds;

pub const ENTRY: Entry = Entry {
    name: "foglight",
    about: "strongest fog agent: solves a subgame over possible positions with growing-tree CFR (after Obscuro)",
    options: &options::OPTIONS,
    plays: |game| matches!(game.variant(), Variant::Fog(_)),
    build: |options, providers| {
        let (settings, leaves) = FoglightSettings::read(options, providers)?;
        let threads = options.whole("threads").unwrap_or(1) as usize;
        let mut agent = Foglight::new(settings, leaves, threads, providers.time);
        let fitting = providers.tree.map(|bytes| bytes / NODE_BYTES);
        agent.max_nodes = fitting.map_or(MAX_NODES, |nodes| nodes.min(MAX_NODES));
        Ok(Box::new(agent))
    },
};

/// Nodes that the solver visits in the time of one expansion.
const BALANCE: u64 = 5_000;
const MAX_NODES: usize = 4_000_000;
/// Bytes for a node of the tree with its infosets.
pub(crate) const NODE_BYTES: usize = 160;

/// Approximate number of new nodes per second. A constant rather than a
/// measurement, so that a budget always yields the same number of worlds.
const NODES: f64 = 480_000.0;

pub struct Foglight {
    settings: FoglightSettings,
    fog: FogSubgame,
    worlds: Worlds,
    threads: usize,
    /// Maximum size of the tree.
    max_nodes: usize,
    time: TimeSource,
    rng: Rng,
    /// Our infostate key; `ply` is the ply that it belongs to.
    key: u64,
    ply: Option<u32>,
    /// The position in which the opponent began, until our first search.
    opening: Option<Opening>,
    /// The solver of the last search; `value` is our value in it.
    old: Option<Solver<PackedPosition>>,
    value: Option<f64>,
    history: History,
    pondering: Option<Pondering>,
    /// Time spent on belief updates since our last move.
    spent: Duration,
    report: Option<Report>,
}

/// Result of a search: our moves at the root and their probabilities.
struct SolvedMove {
    moves: Vec<Move>,
    mix: Vec<f64>,
}

impl Foglight {
    fn new(
        settings: FoglightSettings,
        leaves: LeafEvaluator,
        threads: usize,
        time: TimeSource,
    ) -> Foglight {
        let fog = FogSubgame {
            game: Game::fog(),
            us: Color::White,
            leaves,
            horizon: settings.horizon,
            plies: 0,
            thirds: Default::default(),
        };
        let worlds = Worlds::new(
            settings.max_positions,
            threads,
            settings.assume_king_capture,
        );
        Foglight {
            worlds: worlds.keeping(settings.keeping.clone(), settings.backlog),
            settings,
            fog,
            threads,
            max_nodes: MAX_NODES,
            time,
            rng: seeded(0),
            key: 0,
            ply: None,
            opening: None,
            old: None,
            value: None,
            history: History::default(),
            pondering: None,
            spent: Duration::ZERO,
            report: None,
        }
    }

    /// Builds and solves the subgame of the current move.
    fn think(&mut self, observation: &Observation, budget: &Budget) -> SolvedMove {
        let timer = budget.time_source().start();
        let believing = std::mem::take(&mut self.spent);
        let allowed = search_time(budget, believing);
        self.fit_to(budget, observation.legal_moves().len());
        let used = || time_used(&timer, allowed, budget.stopped());
        let opened = self.search_opening(budget, used);
        let Subgame {
            mut solver,
            reused,
            reused_infosets,
            worlds,
            elsewhere,
        } = self.subgame(observation);
        let Some(infoset) = solver.tree.infoset_of(Side::Us, self.key) else {
            return SolvedMove {
                moves: observation.legal_moves().to_vec(),
                mix: vec![1.0; observation.legal_moves().len()],
            };
        };
        let before = solver.tree.len();
        let mut stable = SupportTracker::default();
        let limits = part(self.limits(budget), 1.0 - opened);
        run(
            &mut solver,
            &mut self.fog,
            &mut self.rng,
            &limits,
            || rest_used(used(), opened),
            |solver, used| {
                if used >= 0.5 {
                    stable.note(solver.tree.infosets.strategy(infoset));
                }
            },
        );
        let found = self.choose(&solver, infoset, &stable);
        if self.settings.mean {
            // The next search assumes that we played this mix, not the last iterate.
            let played: Vec<f32> = found.mix.iter().map(|share| *share as f32).collect();
            solver.tree.infosets.set_strategy(infoset, &played, false);
        }
        self.value = Some(solver.gadget().value());
        let facts = SearchMetrics {
            reused,
            reused_infosets,
            worlds,
            elsewhere,
            made: solver.tree.len().saturating_sub(before),
            elapsed: timer.elapsed(),
            believing,
        };
        let plies = observation.plies();
        self.report = Some(tell(&self.worlds, &solver, &found, &facts, plies));
        self.old = Some(solver);
        found
    }

    /// Searches the position in which the opponent began; returns the used share of
    /// the budget.
    fn search_opening(&mut self, budget: &Budget, used: impl Fn() -> f64) -> f64 {
        let share = self.settings.opening_share;
        let Some(opening) = self.opening.take().filter(|_| share > 0.0) else {
            return 0.0;
        };
        let mut solver = opening.solver(&mut self.fog, self.settings.solver);
        let limits = part(self.limits(budget), share);
        let used = || used() / share;
        let (fog, rng) = (&mut self.fog, &mut self.rng);
        run(&mut solver, fog, rng, &limits, used, |_, _| {});
        self.value = Some(solver.gadget().value());
        self.old = Some(solver);
        share
    }

    fn subgame(&mut self, observation: &Observation) -> Subgame {
        let old = self.old.take();
        self.fog.plies = observation.plies();
        self.fog.thirds = Arc::new(self.thirds());
        let mut builder = SubgameBuilder {
            fog: &mut self.fog,
            settings: &self.settings,
            worlds: &self.worlds,
            key: self.key,
            value: self.value,
            quiet_plies: self.history.quiet_plies(),
        };
        builder.build(old.as_ref(), &mut self.rng)
    }

    /// The positions whose next occurrence draws the game, by its rules.
    fn thirds(&self) -> Thirds {
        match self.fog.game.fog_rules() {
            Some(rules) if rules.has_repetition() => self.history.thirds(),
            _ => Thirds::default(),
        }
    }

    fn limits(&self, budget: &Budget) -> SolveLimits {
        SolveLimits {
            nodes: budget.nodes.or(self.level_nodes(budget)),
            grow: self.settings.expand_fraction,
            balance: BALANCE,
            max_nodes: self.max_nodes,
            threads: budget.threads.max(self.threads),
        }
    }

    /// Handles a move that differs from our choice. If the last strategy gives it
    /// probability zero, the strategy becomes pure on the played move.
    fn follow(&mut self, key: u64, played: Move) {
        let Some(old) = &mut self.old else { return };
        let Some((infoset, at)) = place_of(old, key, played) else {
            return;
        };
        let infosets = &mut old.tree.infosets;
        if infosets.strategy(infoset)[at] <= 0.0 {
            infosets.set_pure_strategy(infoset, at, false);
        }
    }

    /// Continues the search during the opponent's turn.
    fn ponder(&mut self, key: u64, played: Move, observation: &Observation) {
        if observation.outcome().is_some() {
            return;
        }
        if let Some(solver) = self.old.take() {
            let rng = seeded(self.rng.random());
            let started = Pondering::start(
                solver,
                self.fog.clone(),
                key,
                played,
                rng,
                self.time.start(),
            );
            self.pondering = Some(started);
        }
    }

    /// Fits the number of worlds and the size of the belief to the budget. More
    /// worlds, each hardly searched, play worse; fewer miss rare positions. With
    /// few legal moves, as in endgames, a world costs less.
    fn fit_to(&mut self, budget: &Budget, moves: usize) {
        let by_nodes = budget.nodes.or(self.level_nodes(budget));
        let by_nodes = by_nodes.map(|nodes| nodes as f64);
        let by_time = budget.target().map(|time| time.as_secs_f64() * NODES);
        let nodes = match (by_nodes, by_time) {
            (Some(nodes), Some(time)) => nodes.min(time),
            (nodes, time) => nodes.or(time).unwrap_or(NODES),
        };
        self.settings.fit(nodes, moves);
        self.worlds.keep(self.settings.max_positions);
    }

    /// Node limit of the strength level; a node limit of the budget takes
    /// precedence.
    fn level_nodes(&self, budget: &Budget) -> Option<u64> {
        let free = budget.movetime.is_none() && budget.clock.is_none();
        self.settings
            .nodes
            .filter(|_| free || budget.nodes.is_none())
    }

    fn choose(
        &self,
        solver: &Solver<PackedPosition>,
        infoset: u32,
        stable: &SupportTracker,
    ) -> SolvedMove {
        let last = solver.tree.infosets.strategy(infoset);
        let mean = stable.mean().filter(|_| self.settings.mean);
        let strategy = mean.as_deref().unwrap_or(last);
        let safe = solver.gadget().max_follow_prob() <= 0.0;
        SolvedMove {
            moves: actions(solver, self.key),
            mix: purified(strategy, stable, safe, self.settings.purify),
        }
    }
}

/// Our infoset at the root, and the index of one of our moves in it.
fn place_of(solver: &Solver<PackedPosition>, key: u64, played: Move) -> Option<(u32, usize)> {
    let infoset = solver.tree.infoset_of(Side::Us, key)?;
    let at = actions(solver, key).iter().position(|m| *m == played)?;
    Some((infoset, at))
}

/// Our moves at the root, in the order of their infoset.
fn actions(solver: &Solver<PackedPosition>, key: u64) -> Vec<Move> {
    let tree = &solver.tree;
    let infosets = solver.gadget().infosets().iter();
    let mut roots = infosets.flat_map(|infoset| &infoset.roots);
    let expanded = roots.find(|root| {
        tree.infoset(root.node).is_some() && tree.infostate_key(root.node, Side::Us) == key
    });
    let Some(root) = expanded else {
        return Vec::new();
    };
    let children = tree.children(root.node);
    children
        .map(|child| Move::from_raw(tree.action(child)))
        .collect()
}

impl Agent for Foglight {
    fn start(&mut self, game: &Game, side: Color, seed: u64) {
        self.pondering = None;
        self.history.clear();
        self.fog.thirds = Arc::default();
        self.rng = seeded(seed);
        self.worlds.start(derive(seed, 1));
        (self.fog.game, self.fog.us) = (*game, side);
        self.fog.leaves.seed = derive(seed, 2);
        (self.key, self.ply, self.value) = (derive(seed, 3), None, None);
        self.opening = None;
        (self.old, self.report, self.spent) = (None, None, Duration::ZERO);
    }

    fn see(&mut self, observation: &Observation) {
        if self.ply == Some(observation.plies()) {
            return;
        }
        let timer = self.time.start();
        self.ply = Some(observation.plies());
        if let Some(pondering) = self.pondering.take() {
            self.old = pondering.finish();
        }
        let played = observation.news().own_move;
        let before = self.key;
        let own = played.map(Move::raw);
        self.key = extend_infostate_key(before, own, observation_key(observation.view()));
        if let Some(played) = played {
            self.follow(before, played);
        }
        let first = self.worlds.belief().is_none();
        self.worlds.see(observation);
        if first {
            self.opening = Opening::of(observation, &self.worlds, self.fog.us, self.key);
        }
        self.history.see(observation, self.worlds.belief());
        if let Some(played) = played.filter(|_| self.settings.ponder) {
            self.ponder(before, played, observation);
        }
        self.spent += timer.elapsed();
    }

    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move {
        self.see(observation);
        let moves = observation.legal_moves();
        let takes = |m: &&Move| observation.captures(**m) == Some(Role::King);
        if let Some(&m) = moves.iter().find(takes) {
            self.report = Some(won(m));
            return m;
        }
        if let [only] = moves {
            self.old = None;
            return *only;
        }
        let mut budget = budget.clone();
        budget.depth = None; // this search has no depth limit
        if self.settings.nodes.is_none() {
            never_endless(&mut budget);
        }
        let found = self.think(observation, &budget);
        let mark = self.rng.random::<f64>() * found.mix.iter().sum::<f64>();
        weighted_index(found.mix.iter().copied(), mark)
            .and_then(|i| found.moves.get(i).copied())
            .filter(|m| moves.contains(m))
            .unwrap_or_else(|| moves[self.rng.random_range(0..moves.len())])
    }

    fn end(&mut self, _: &Record) {
        (self.pondering, self.old) = (None, None);
    }

    fn report(&self) -> Option<Report> {
        self.report.clone()
    }

    fn belief(&self) -> Option<&dyn Belief> {
        self.worlds.belief().map(|belief| belief as &dyn Belief)
    }
}

/// Report of a move that captures the king.
fn won(m: Move) -> Report {
    Report {
        value: Some(1.0),
        centipawns: Some(centipawns_of(1.0)),
        policy: vec![(m, 1.0)],
        pv: vec![m],
        ..Report::default()
    }
}

#[cfg(test)]
mod tests {
    use foglight_rules::State;

    use super::*;
    use foglight_play::{Clock, Options, Providers};

    /// The next search starts from the strategy that was played, even where the
    /// last iteration dropped the move.
    #[test]
    fn the_move_that_is_made_is_carried_on() {
        let spec = "foglight".parse().expect("a spec");
        let options = Options::check(&spec, &options::OPTIONS).expect("options");
        let (settings, leaves) =
            FoglightSettings::read(&options, &Providers::default()).expect("settings");
        let mut agent = Foglight::new(settings, leaves, 1, TimeSource::STILL);
        let state = State::start(Game::fog());
        for seed in 0..10 {
            agent.start(&Game::fog(), Color::White, seed);
            let played = agent.act(&state.observe(Color::White), &Budget::nodes(2000));
            let solver = agent.old.as_ref().expect("a search");
            let infoset = solver.tree.infoset_of(Side::Us, agent.key);
            let infoset = infoset.expect("our infoset");
            let moves = actions(solver, agent.key);
            let at = moves.iter().position(|m| *m == played).expect("a move");
            let mix = agent.report.as_ref().expect("a report").policy.clone();
            let share = mix.iter().find(|(m, _)| *m == played).expect("mixed").1;
            let kept = f64::from(solver.tree.infosets.strategy(infoset)[at]);
            assert!((kept - share).abs() < 1e-6, "{played} {kept} of {share}");
        }
    }

    /// Pitfall 12: under a clock the time spent on the belief is subtracted from
    /// the search time; a fixed move time is for the search alone, as in the
    /// paper.
    #[test]
    fn the_belief_is_paid_for_under_a_clock() {
        let mut clocked = Budget::default().timed(TimeSource::STILL);
        clocked.clock = Some(Clock {
            left: Duration::from_secs(30_000),
            increment: Duration::ZERO,
        });
        let target = clocked.target().expect("a share of the clock");
        let given = |budget: &Budget, believing| search_time(budget, believing).expect("a limit");
        assert_eq!(given(&clocked, Duration::ZERO), target);
        assert_eq!(given(&clocked, target / 2), target - target / 2);
        // However long the belief took, the search gets an eighth of the target.
        assert_eq!(given(&clocked, 10 * target), target / 8);
        let timed = Budget::time(target, TimeSource::STILL);
        assert_eq!(given(&timed, 10 * target), target);
    }
}
