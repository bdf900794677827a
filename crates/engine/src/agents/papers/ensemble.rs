//! The agent of Dukek et al. (c. 2021): an ensemble of evaluators under one of
//! several searches.

use foglight_rules::{Color, Game, Move, Observation};
use rand::seq::IndexedRandom;

use super::super::{
    classic::{BOOK, Openings},
    known_board,
};
use crate::{
    eval::ensemble::{Ensemble, EvaluatorKind},
    search::{PlainSearch, SearchMethod},
};
use foglight_play::{
    Agent, Budget, Entry, OptionInfo, Options, Report, Rng, SpecError, Values, seeded,
};

pub const ENTRY: Entry = Entry {
    name: "ensemble",
    about: "plain search over a weighted ensemble of evaluators (Dukek et al. c. 2021); needs a fully visible board",
    options: &[
        OptionInfo::new(
            "search",
            Values::Choice(SearchMethod::NAMES),
            "alphabeta",
            "search method",
        )
        // The other methods evaluate their whole tree, whatever the time limit.
        .choices(&["minimax", "alphabeta", "composite"]),
        OptionInfo::new(
            "depth",
            Values::Whole(1, 8),
            "1",
            "search depth in moves of each side",
        )
        .up_to(4),
        OptionInfo::new(
            "weights",
            Values::Text,
            "",
            "six numbers separated by slashes (capture/pointwise/positional/check/checkmate/pattern), or the name of one evaluator",
        ),
        OptionInfo::new(
            "preset",
            Values::Choice(&["tuned", "paper"]),
            "tuned",
            "tuned: weights from an evolutionary run; paper: equal weights and the paper's opening style",
        )
        .open(),
        OptionInfo::new(
            "phases",
            Values::Switch,
            "on",
            "separate weights for opening, middlegame and endgame; off: those of the middlegame throughout",
        )
        .open(),
        BOOK,
    ],
    plays: known_board,
    build: |options, providers| {
        let mut openings = Openings::new("ensemble", options, providers)?;
        if options.text("preset") == "paper" && options.given("book").is_none() {
            openings = Openings::Listed;
        }
        Ok(Box::new(EnsembleAgent {
            ensemble: read_weights(options)?,
            plan: SearchMethod::from_name(options.text("search"))
                .expect("the option lists the plans"),
            depth: options.whole("depth").unwrap_or(1) as u32,
            openings,
            history: Vec::new(),
            rng: seeded(0),
            report: None,
        }))
    },
};

fn read_weights(options: &Options) -> Result<Ensemble, SpecError> {
    let text = options.text("weights");
    let named = EvaluatorKind::ALL
        .into_iter()
        .find(|kind| kind.name() == text);
    let mut ensemble = match named {
        Some(kind) => Ensemble::only(kind),
        None if !text.is_empty() => Ensemble::parse(text).ok_or_else(|| SpecError::Value {
            agent: "ensemble".to_owned(),
            option: "weights".to_owned(),
            value: text.chars().take(80).collect(),
            valid: "six numbers from 0 up with slashes between, not all 0, or an evaluator's name"
                .to_owned(),
        })?,
        None if options.text("preset") == "paper" => Ensemble::EQUAL,
        None => Ensemble::tuned(),
    };
    if !options.on("phases") {
        ensemble.weights = [ensemble.weights[1]; 3];
    }
    Ok(ensemble)
}

struct EnsembleAgent {
    ensemble: Ensemble,
    plan: SearchMethod,
    depth: u32,
    openings: Openings,
    history: Vec<u64>,
    rng: Rng,
    report: Option<Report>,
}

/// The moves with their values at a completed depth, which is in plies.
#[derive(Default)]
struct Ranked {
    moves: Vec<(Move, f64)>,
    depth: u32,
}

impl EnsembleAgent {
    /// Searches by iterative deepening within the budget. Returns the last
    /// completed depth and the nodes of all depths.
    fn rank(&mut self, observation: &Observation, budget: &Budget) -> (Ranked, u64) {
        let game = *observation.game();
        let Some(position) = observation.position() else {
            return (Ranked::default(), 0);
        };
        let before = self.history.len().saturating_sub(1);
        let history = &self.history[..before];
        let (mut ranked, mut nodes) = (Ranked::default(), 0);
        let first = if self.plan == SearchMethod::Breadth {
            self.depth
        } else {
            1
        };
        for depth in first..=self.depth {
            let mut budget = budget.clone();
            budget.nodes = budget.nodes.map(|limit| limit.saturating_sub(nodes));
            let mut tree = PlainSearch::new(&game, history, &self.ensemble, &budget);
            let found = tree.rank(self.plan, position, 2 * depth);
            nodes += tree.nodes;
            let Some(moves) = found else { break };
            ranked = Ranked {
                moves,
                depth: 2 * depth,
            };
        }
        (ranked, nodes)
    }
}

impl Agent for EnsembleAgent {
    fn start(&mut self, _: &Game, _: Color, seed: u64) {
        self.history.clear();
        self.rng = seeded(seed);
        self.report = None;
    }

    fn see(&mut self, observation: &Observation) {
        if let Some(position) = observation.position() {
            self.history.push(position.hash());
        }
    }

    fn act(&mut self, observation: &Observation, budget: &Budget) -> Move {
        self.report = None;
        if let Some(position) = observation.position()
            && let Some(m) = self.openings.choose(observation, position, &mut self.rng)
        {
            return m;
        }
        let (ranked, nodes) = self.rank(observation, budget);
        let best = ranked
            .moves
            .iter()
            .map(|(_, value)| *value)
            .fold(f64::NEG_INFINITY, f64::max);
        let equal: Vec<Move> = ranked
            .moves
            .iter()
            .filter(|(_, value)| *value >= best)
            .map(|(m, _)| *m)
            .collect();
        let Some(&m) = equal.choose(&mut self.rng) else {
            return super::super::random_move(observation, &mut self.rng);
        };
        self.report = Some(Report {
            value: Some(2.0 * best - 1.0),
            policy: vec![(m, 1.0)],
            nodes,
            depth: ranked.depth,
            pv: vec![m],
            ..Report::default()
        });
        m
    }

    fn report(&self) -> Option<Report> {
        self.report.clone()
    }
}
